"""What is wrong with params, in one sentence."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

from intentls.faces.lsp.protocol.error_responses import drop_unreadable_capabilities, explain

CONVERTER = default_converter()


def failure(method: str, params: Any) -> tuple[dict[str, Any], Exception]:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    with pytest.raises(Exception) as caught:
        CONVERTER.structure(message, types.METHOD_TO_TYPES[method][0])
    return message, caught.value


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        (
            {"nonsense": 1},
            "Bad params of textDocument/hover: `params.textDocument` is missing, `params.position` is missing.",
        ),
        (
            {"textDocument": {"uri": "x"}, "position": {"line": "one", "character": 0}},
            "Bad params of textDocument/hover: `params.position.line` is not an integer.",
        ),
        (
            {"textDocument": {"uri": "x"}, "position": {"line": -1, "character": 0}},
            "Bad params of textDocument/hover: `params.position` has a value that LSP does not allow.",
        ),
        (
            {"textDocument": 5, "position": {}},
            "Bad params of textDocument/hover: `params.textDocument.uri` is not a string, "
            "`params.position.line` is missing, `params.position.character` is missing.",
        ),
    ],
)
def test_a_sentence_names_what_is_wrong(params: Any, sentence: str) -> None:
    """The sentence names each field by its JSON path and says what is wrong with it."""
    _, error = failure("textDocument/hover", params)
    assert explain("textDocument/hover", error) == sentence


def test_the_sentence_stays_short() -> None:
    """Of many troubles three are named and the others counted."""
    changes = [{"range": {"start": {}, "end": {}}, "text": "x"}]
    _, error = failure("textDocument/didChange", {"textDocument": {}, "contentChanges": changes})
    sentence = explain("textDocument/didChange", error)
    assert sentence.count("`") == 6
    assert " more)." in sentence


def test_an_error_of_another_kind_has_a_sentence_too() -> None:
    """Whatever the structuring raised, there is a sentence about it."""
    assert explain("a/b", TypeError("x")) == "The params of a/b do not have the form that LSP gives them."


def test_a_field_of_a_union_is_named() -> None:
    """Where several types would fit, the sentence says that none does."""
    _, error = failure("initialize", {"processId": None, "rootUri": None, "capabilities": {"workspace": 7}})
    assert "`params.capabilities.workspace` has a value that LSP does not allow" in explain("initialize", error)


def test_capabilities_from_the_future_are_dropped() -> None:
    """Values of a newer LSP in the client's capabilities are taken out, so that the rest can be read."""
    kinds = {"symbolKind": {"valueSet": [1, 98, 2, 99]}}
    capabilities = {"textDocument": {"documentSymbol": kinds}, "workspace": {"applyEdit": True}}
    message, error = failure("initialize", {"processId": 1, "rootUri": None, "capabilities": capabilities})
    assert drop_unreadable_capabilities(message, error) == [
        "params.capabilities.textDocument.documentSymbol.symbolKind.valueSet[3]",
        "params.capabilities.textDocument.documentSymbol.symbolKind.valueSet[1]",
    ]
    assert kinds == {"symbolKind": {"valueSet": [1, 2]}}
    read = CONVERTER.structure(message, types.InitializeRequest)
    assert read.params.capabilities.workspace.apply_edit


def test_other_trouble_of_initialize_is_not_helped() -> None:
    """Only capabilities may be dropped: a missing or bad field elsewhere stays an error."""
    message, error = failure("initialize", {"capabilities": {"workspace": 7}, "workspaceFolders": [{}]})
    assert drop_unreadable_capabilities(message, error) == []
    message, error = failure("initialize", {})
    assert drop_unreadable_capabilities(message, error) == []
    assert drop_unreadable_capabilities({}, TypeError()) == []


def test_a_capability_that_lacks_a_part_is_dropped_as_a_whole() -> None:
    """What must be inside a capability and is not can't be dropped: the capability is, and nothing around it."""
    action = {"dynamicRegistration": True, "codeActionLiteralSupport": {}}
    lacks_two = {"multilineTokenSupport": True, "requests": {}}
    capabilities = {
        "textDocument": {"codeAction": action, "semanticTokens": lacks_two},
        "workspace": {"symbol": {"tagSupport": {}}},
    }
    message, error = failure("initialize", {"processId": 1, "rootUri": None, "capabilities": capabilities})
    assert sorted(drop_unreadable_capabilities(message, error)) == [
        "params.capabilities.textDocument.codeAction.codeActionLiteralSupport",
        "params.capabilities.textDocument.semanticTokens",
        "params.capabilities.workspace.symbol.tagSupport",
    ]
    assert capabilities == {"textDocument": {"codeAction": {"dynamicRegistration": True}}, "workspace": {"symbol": {}}}
    CONVERTER.structure(message, types.InitializeRequest)

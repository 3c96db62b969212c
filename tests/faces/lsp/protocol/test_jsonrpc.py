"""JSON-RPC messages, before anybody asks what they mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.jsonrpc import Notification, Rejected, Request, Response, parse


def body(value: Any) -> bytes:
    return json.dumps(value).encode()


def rejected(data: bytes) -> tuple[int | str | None, int]:
    with pytest.raises(Rejected) as caught:
        parse(data)
    assert str(caught.value).endswith(".")
    return caught.value.id, caught.value.code


def test_the_three_kinds() -> None:
    """A request has an id and a method, a notification no id, a response no method."""
    assert parse(body({"jsonrpc": "2.0", "id": "a", "method": "m", "params": [1]})) == Request("a", "m", [1])
    assert parse(body({"jsonrpc": "2.0", "method": "m"})) == Notification("m", None)
    assert parse(body({"jsonrpc": "2.0", "id": 3, "result": 4})) == Response(3, 4, None)
    assert parse(body({"jsonrpc": "2.0", "id": 3, "error": {"code": 1}})) == Response(3, None, {"code": 1})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{not json",
        b'{"a": 1} x',
        b'"\xff"',
        b"NaN",
        b"[" * 100_000,
        '{"jsonrpc": "2.0", "method": "m"}'.encode("utf-16"),
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_not_json(data: bytes) -> None:
    """What is not JSON in UTF-8 is -32700 under the id null."""
    assert rejected(data) == (None, -32700)


@pytest.mark.parametrize("value", [5, "text", None, True, [], [{"jsonrpc": "2.0", "id": 1, "method": "m"}]])
def test_what_is_no_message(value: Any) -> None:
    """JSON that is no object, a batch too, is -32600 under the id null."""
    assert rejected(body(value)) == (None, -32600)


@pytest.mark.parametrize(
    ("message", "id_"),
    [
        ({"id": 1, "method": "m"}, 1),
        ({"jsonrpc": "1.0", "id": "x", "method": "m"}, "x"),
        ({"jsonrpc": 2.0, "id": 1, "method": "m"}, 1),
        ({"jsonrpc": "2.0", "id": 1, "method": 7}, 1),
        ({"jsonrpc": "2.0", "id": None, "method": "m"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "m"}, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "m"}, None),
        ({"jsonrpc": "2.0", "id": [1], "method": "m"}, None),
        ({"jsonrpc": "2.0"}, None),
        ({}, None),
    ],
)
def test_what_json_rpc_does_not_allow(message: dict[str, Any], id_: int | str | None) -> None:
    """A message of the wrong version, without a method or with an odd id is -32600, under its id if it has one."""
    assert rejected(body(message)) == (id_, -32600)


def test_only_the_top_is_a_message() -> None:
    """An argument that looks like a message stays as it is (pygls fails on it and answers nothing)."""
    inner = {"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": {"x": {"jsonrpc": "1"}}}
    message = parse(body({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"inner": [inner]}}))
    assert message == Request(1, "m", {"inner": [inner]})


def test_lone_surrogates_go_in_and_out() -> None:
    """Half an emoji in a message is read and can be sent back."""
    message = parse(b'{"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"text": "\\ud83d"}}')
    assert isinstance(message, Request)
    assert message.params == {"text": "\ud83d"}
    assert json.loads(jsonrpc.encode(jsonrpc.result(1, message.params)))["result"] == {"text": "\ud83d"}


def test_answers() -> None:
    """An answer carries the id and a result or an error; the error's data only if there is some."""
    assert json.loads(jsonrpc.encode(jsonrpc.result("a", None))) == {"jsonrpc": "2.0", "id": "a", "result": None}
    assert jsonrpc.error(None, -32700, "No.") == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32700, "message": "No."},
    }
    assert jsonrpc.error(1, -32602, "No.", {"why": 1})["error"]["data"] == {"why": 1}


def test_what_is_no_json_can_be_translated() -> None:
    """A value that JSON does not know goes through `default`; without one it is a TypeError."""
    odd = object()
    assert jsonrpc.encode({"a": odd}, lambda value: "odd") == b'{"a":"odd"}'
    with pytest.raises(TypeError):
        jsonrpc.encode({"a": odd})

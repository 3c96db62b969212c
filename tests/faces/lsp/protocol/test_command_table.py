"""Which command is meant, and with which argument."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.errors import InvalidInput
from intentls.faces.lsp.protocol.command_table import resolve, token_of


async def first(params: dict[str, Any]) -> Any:
    return "first", params


async def second(params: dict[str, Any]) -> Any:
    return "second", params


HANDLERS = {"z.first": first, "a.second": second}


@pytest.mark.parametrize(
    "arguments", [{}, {"arguments": None}, {"arguments": []}, {"arguments": [None]}, {"arguments": [[]]}]
)
async def test_no_argument_is_an_empty_object(arguments: dict[str, Any]) -> None:
    """No arguments, null, [], [null] and [[]] (an empty Lua table) all mean an empty object."""
    handler, params = resolve(HANDLERS, {"command": "z.first", **arguments})
    assert await handler(params) == ("first", {})


def test_the_one_object_comes_as_it_is() -> None:
    """The argument is the very object that was parsed."""
    argument = {"path": "a", "jsonrpc": "2.0", "n": [1]}
    assert resolve(HANDLERS, {"command": "a.second", "arguments": [argument]}) == (second, argument)


@pytest.mark.parametrize("arguments", [[1], ["x"], [[1]], [{}, {}], [{}, None], {}, "x", 0, False])
def test_other_arguments_are_refused(arguments: Any) -> None:
    """Anything but one object is refused, and the sentence names the command and the form."""
    with pytest.raises(InvalidInput, match=r'^z\.first takes one object: "arguments": \[\{\.\.\.\}\]\.$'):
        resolve(HANDLERS, {"command": "z.first", "arguments": arguments})


def test_an_unknown_command_is_named() -> None:
    """The sentence names the unknown command and those there are, in the order in which they were given."""
    with pytest.raises(InvalidInput, match=r"no command 'nope'. Known here: z.first, a.second\."):
        resolve(HANDLERS, {"command": "nope"})
    with pytest.raises(InvalidInput, match=r"Known here: none\."):
        resolve({}, {"command": "nope"})


@pytest.mark.parametrize("params", [None, [], {}, {"command": 5}, "x"])
def test_params_without_a_command_are_refused(params: Any) -> None:
    """Params that name no command are refused."""
    with pytest.raises(InvalidInput, match="needs `command`"):
        resolve(HANDLERS, params)


@pytest.mark.parametrize(("given", "token"), [("t", "t"), (5, 5), (None, None), (True, None), ([], None)])
def test_the_progress_token(given: Any, token: int | str | None) -> None:
    """A token is a number or a string; anything else counts as none."""
    assert token_of({"workDoneToken": given}) == token
    assert token_of({}) is None

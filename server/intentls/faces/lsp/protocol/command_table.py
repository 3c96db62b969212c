"""`workspace/executeCommand`: which command is meant, and with which argument.

pygls reads a handler's signature and type hints on every call and structures each argument with cattrs. Here
a command takes the one JSON object that the client sent, as parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from intentls.core.errors import InvalidInput

Arguments = dict[str, Any]
Handler = Callable[[Arguments], Any]
"""Takes the object and returns what msgspec can encode, or a coroutine that does: then it runs as a task.

`InvalidInput` from either is answered with -32602.
"""

progress_token: ContextVar[int | str | None] = ContextVar("progress_token", default=None)
"""Inside a command: the `workDoneToken` that the client sent along, if any."""


def resolve(handlers: Mapping[str, Handler], params: Any) -> tuple[Handler, Arguments]:
    """The handler and its argument for the params of a request; `handlers` by command id. Raises `InvalidInput`."""
    command = params.get("command") if isinstance(params, dict) else None
    if not isinstance(command, str):
        raise InvalidInput("workspace/executeCommand needs `command`, the id of a command.")
    handler = handlers.get(command)
    if handler is None:
        raise InvalidInput(f"There is no command {command!r}. Known here: {', '.join(handlers) or 'none'}.")
    return handler, _only_argument(command, params.get("arguments"))


def _only_argument(command: str, arguments: Any) -> Arguments:
    """Nothing, `[]` and `[null]` mean no argument; else there must be exactly one object."""
    if arguments in (None, [], [None], [[]]):  # the last is how Lua writes an empty object
        return {}
    if isinstance(arguments, list) and len(arguments) == 1 and isinstance(arguments[0], dict):
        return arguments[0]
    raise InvalidInput(f'{command} takes one object: "arguments": [{{...}}].')


def token_of(params: Mapping[str, Any]) -> int | str | None:
    """The request's `workDoneToken`, if it is one."""
    token = params.get("workDoneToken")
    return token if type(token) in (int, str) else None

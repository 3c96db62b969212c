"""Error responses: a code and one sentence for the client; the traceback goes to the log alone."""

from __future__ import annotations

import logging
import re
from typing import Any

from cattrs import transform_error
from cattrs.errors import ClassValidationError
from pygls.exceptions import JsonRpcException

from intentls.core.errors import IntentlsError, InvalidInput
from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.jsonrpc import Notification, Rejected, Request

_MAX_NAMED = 3
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_JSON_NAMES = {str: "a string", int: "an integer", float: "a number", bool: "true or false"}
_CAPABILITIES = "$.params.capabilities."


def explain(method: str, error: Exception) -> str:
    """One sentence that names the first three fields of `method`'s params that LSP does not allow."""
    if not isinstance(error, ClassValidationError):
        return f"The params of {method} do not have the form that LSP gives them."
    problems = [f"`{_camel_case(path)[2:]}` {reason}" for reason, path in _problems(error)]
    more = f" (and {len(problems) - _MAX_NAMED} more)" if len(problems) > _MAX_NAMED else ""
    return f"Bad params of {method}: {', '.join(problems[:_MAX_NAMED])}{more}."


def drop_unreadable_capabilities(message: dict[str, Any], error: Exception) -> list[str]:
    """Delete from an `initialize` message the client capabilities that could not be read; returns their paths.

    A client newer than lsprotocol may send values that it does not know (a symbol kind, for example). The server
    doesn't use such a capability, so the session goes on without it. A capability that lacks a required part is
    deleted as a whole. [] if the error is not in the capabilities alone.
    """
    if not isinstance(error, ClassValidationError):
        return []
    paths = [path for _, path in _problems(error)]
    if not all(path.startswith(_CAPABILITIES) for path in paths):
        return []
    dropped: list[str] = []
    # backwards, so that deleting an element of a list does not move those that are deleted after it
    for path in (_camel_case(path)[2:] for path in reversed(paths)):
        if not path.startswith(tuple(f"{ancestor}{step}" for ancestor in dropped for step in ".[")):
            dropped += _remove(message, path)
    return dropped


def _problems(error: ClassValidationError) -> list[tuple[str, str]]:
    """(reason, path) of every bad field; a path looks like `$.params.text_document`."""
    lines = transform_error(error, format_exception=_reason)
    return [(reason, path) for reason, _, path in (line.rpartition(" @ ") for line in lines)]


def _reason(error: BaseException, expected: type | None) -> str:
    if isinstance(error, KeyError):
        return "is missing"
    if isinstance(expected, type):
        return f"is not {_JSON_NAMES.get(expected) or f'a valid {expected.__name__}'}"
    return "has a value that LSP does not allow"


def _camel_case(path: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), path)


def _remove(message: dict[str, Any], path: str) -> list[str]:
    """Delete the value at a path, or the innermost existing capability around it; [the path deleted] or []."""
    while f"$.{path}".startswith(_CAPABILITIES):
        *parents, last = [key or int(index) for key, index in _STEP.findall(f".{path}")]
        value: Any = message
        try:
            for step in parents:
                value = value[step]
            del value[last]
        except (LookupError, TypeError):
            path = path[: max(path.rfind("."), path.rfind("["))]
        else:
            return [path]
    return []


logger = logging.getLogger(__name__)


def rejection(server_name: str, call: Request | Notification, error: Exception) -> Rejected:
    """The error response to a call whose handler raised `error`.

    `InvalidInput` is -32602 and other `IntentlsError`s are -32603, both with their own sentence; a
    `JsonRpcException` keeps its code and message. For any other error the client gets its type's name.
    """
    id_ = call.id if isinstance(call, Request) else None
    if isinstance(error, Rejected):
        return error
    if isinstance(error, JsonRpcException):
        return Rejected(id_, error.code, error.message, error.data)
    if isinstance(error, InvalidInput):
        return Rejected(id_, jsonrpc.INVALID_PARAMS, str(error))
    logger.error("The handler of %s failed.", call.method, exc_info=error)
    if isinstance(error, IntentlsError):
        return Rejected(id_, jsonrpc.INTERNAL_ERROR, str(error))
    sentence = f"{server_name} failed at {call.method} ({type(error).__name__}); its log has the details."
    return Rejected(id_, jsonrpc.INTERNAL_ERROR, sentence)


def cancelled(request: Request) -> Rejected:
    """The response to a request that the client cancelled."""
    return Rejected(request.id, jsonrpc.REQUEST_CANCELLED, f"{request.method} was cancelled.")

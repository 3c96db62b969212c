"""`initialize`, answered before the server is loaded.

Loading pygls, the protocol's types and the engine takes about ten times as long as everything that `initialize`
asks for. So the client gets its answer first and goes on while the rest is loaded. The loaded server then handles
the same message, and `CapabilityCheck` compares its answer with the early one. Only an `initialize` whose fields
are all of the expected form is answered here; anything else is left unanswered for the server.

This module and what it imports are all that is loaded before the first answer, so they import nothing heavy.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from typing import Any, NamedTuple, NoReturn

from intentls.faces.lsp.protocol import static_capabilities
from intentls.faces.lsp.protocol.framing import Frames, FramingError

_CHUNK = 64 * 1024
_MAX_BODY = 4 * 1024 * 1024  # a bigger message is left to the server
_PARAMS: dict[str, tuple[type, ...]] = {
    "processId": (int, type(None)),
    "clientInfo": (dict,),
    "locale": (str,),
    "rootPath": (str, type(None)),
    "rootUri": (str, type(None)),
    "capabilities": (dict,),
    "initializationOptions": (dict, list, str, bool, type(None)),
    "trace": (str,),
    "workspaceFolders": (list, type(None)),
    "workDoneToken": (int, str),
}
_REQUIRED = ("processId", "rootUri", "capabilities")


class EarlyAnswer(NamedTuple):
    """`data`: all bytes read from the client. `id` and `result`: the request answered, None if there was none."""

    data: bytes = b""
    id: int | str | None = None
    result: dict[str, Any] | None = None


@cache
def answer_early() -> EarlyAnswer:
    """Wait for the first message on stdin; answer it on stdout if it is an ordinary `initialize`.

    A process has one stdin and one first message, so later calls return the result of the first.
    """
    try:
        return _answer_early(0, 1)
    except KeyboardInterrupt:
        sys.exit(1)  # ended without `shutdown`


def _answer_early(read_fd: int, write_fd: int) -> EarlyAnswer:
    frames, data = Frames(_MAX_BODY), b""
    try:
        while (body := frames.next()) is None:
            chunk = os.read(read_fd, _CHUNK)
            if not chunk:
                return EarlyAnswer(data)
            data += chunk
            frames.feed(chunk)
        id_, result = early_result(body)
        _write(write_fd, {"jsonrpc": "2.0", "id": id_, "result": result})
    except (FramingError, OSError, NotPlain):
        # The server reads the same bytes again and answers with the proper error.
        return EarlyAnswer(data)
    return EarlyAnswer(data, id_, result)


def _write(fd: int, message: dict[str, Any]) -> None:
    """Write one whole message to a descriptor. Raises OSError."""
    body = json.dumps(message, separators=(",", ":")).encode()
    data = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    while data:
        data = data[os.write(fd, data) :]


class NotPlain(Exception):
    """The message is no ordinary `initialize`: the loaded server has to answer it."""


def early_result(body: bytes) -> tuple[int | str, dict[str, Any]]:
    """(id, result) for an ordinary `initialize`. Raises `NotPlain` for any other message."""
    try:
        message = json.loads(body.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise NotPlain from error
    match message:
        case {"jsonrpc": "2.0", "id": int() | str() as id_, "method": "initialize", "params": dict() as params}:
            if type(id_) is bool or not _is_plain(params):
                raise NotPlain
        case _:
            raise NotPlain
    client = params["capabilities"]
    pulls = _member(client, "textDocument", "diagnostic") is not None and _refreshes_diagnostics(client)
    return id_, static_capabilities.initialize_result(_encoding(client), pulls_diagnostics=pulls)


def _refuse_constant(_name: str) -> NoReturn:
    raise NotPlain


def _is_plain(params: dict[str, Any]) -> bool:
    """Whether all params have LSP's types, but for the inside of capabilities: the server drops what is bad there."""
    if any(key not in params for key in _REQUIRED):
        return False
    if any(type(value) not in _PARAMS.get(key, ()) for key, value in params.items()):
        return False
    client, folders, process = params.get("clientInfo"), params.get("workspaceFolders"), params["processId"]
    return (
        params.get("trace", "off") in ("off", "messages", "verbose")
        and (process is None or abs(process) < 2**31)
        and (client is None or _has_string_fields(client, {"name"}, {"name", "version"}))
        and all(type(folder) is dict and _has_string_fields(folder, {"uri", "name"}) for folder in folders or ())
    )


def _has_string_fields(value: dict[str, Any], *keys: set[str]) -> bool:
    return set(value) in keys and all(type(text) is str for text in value.values())


def _member(value: dict[str, Any], *keys: str) -> dict[str, Any] | None:
    """The object under a path of keys, None if it is missing. Raises `NotPlain` if a value on the path is no object."""
    for key in keys:
        member = value.get(key)
        if member is None:
            return None
        if type(member) is not dict:
            raise NotPlain
        value = member
    return value


def _refreshes_diagnostics(client: dict[str, Any]) -> bool:
    """Whether the server can ask the client to pull diagnostics again."""
    support = (_member(client, "workspace", "diagnostics") or {}).get("refreshSupport")
    if support is not None and type(support) is not bool:
        raise NotPlain
    return bool(support)


def _encoding(client: dict[str, Any]) -> str:
    """The first of the client's position encodings that the server knows; LSP's default is utf-16."""
    encodings = (_member(client, "general") or {}).get("positionEncodings")
    if encodings is None:
        return "utf-16"
    if type(encodings) is not list or not all(type(encoding) is str for encoding in encodings):
        raise NotPlain
    return next((encoding for encoding in encodings if encoding in static_capabilities.ENCODINGS), "utf-16")

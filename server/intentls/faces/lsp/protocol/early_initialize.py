"""The first message, answered before the server is loaded.

Loading pygls, the protocol's types and the engine takes some ten times as long as everything that `initialize`
asks for. So the client gets its answer first and can go on, while the rest is loaded; the server then handles
the same message as ever, and `Promise` holds it to what was said. Only an `initialize` that is plain in every
field which decides the answer is met here. Of anything else nothing is said: the server reads it from the
beginning and answers itself.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, NoReturn

from intentls.faces.lsp.protocol import static_capabilities
from intentls.faces.lsp.protocol.framing import Frames, FramingError

logger = logging.getLogger(__name__)

_CHUNK = 64 * 1024
_MAX_BODY = 4 * 1024 * 1024  # a bigger one has no hurry
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
    """What was read of the client's stream, all of it, and what was answered to which id, if anything."""

    data: bytes = b""
    id: int | str | None = None
    result: dict[str, Any] | None = None


@cache
def meet() -> EarlyAnswer:
    """Waits for the first message on stdin and answers it on stdout, if that can be done at once.

    A process has one stdin and one first message, so later calls give what the first one found.
    """
    try:
        return _meet(0, 1)
    except KeyboardInterrupt:
        sys.exit(1)  # a server that nobody asked to shut down


def _meet(read_fd: int, write_fd: int) -> EarlyAnswer:
    frames, data = Frames(_MAX_BODY), b""
    try:
        while (body := frames.next()) is None:
            chunk = os.read(read_fd, _CHUNK)
            if not chunk:
                return EarlyAnswer(data)
            data += chunk
            frames.feed(chunk)
        id_, result = reply(body)
        _write(write_fd, {"jsonrpc": "2.0", "id": id_, "result": result})
    except (FramingError, OSError, NotPlain):
        # Whatever it is, the server meets it again and says what is to be said.
        return EarlyAnswer(data)
    return EarlyAnswer(data, id_, result)


def _write(fd: int, message: dict[str, Any]) -> None:
    """All of it, or OSError: a stream takes this little as a whole or not at all."""
    body = json.dumps(message, separators=(",", ":")).encode()
    data = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    while data:
        data = data[os.write(fd, data) :]


class NotPlain(Exception):
    """Not for us."""


def reply(body: bytes) -> tuple[int | str, dict[str, Any]]:
    """(id, result) for a plain `initialize`. Raises `Unusual` for anything else."""
    try:
        message = json.loads(body.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise NotPlain from error
    match message:
        case {"jsonrpc": "2.0", "id": int() | str() as id_, "method": "initialize", "params": dict() as params}:
            if type(id_) is bool or not _is_plain(params):
                raise NotPlain
        case _:
            raise NotPlain
    client = params["capabilities"]
    pulls = bool(_part(client, "textDocument", "diagnostic") is not None and _refreshes(client))
    return id_, static_capabilities.answer(_encoding(client), pulls_diagnostics=pulls)


def _refuse(_name: str) -> NoReturn:
    raise NotPlain


def _is_plain(params: dict[str, Any]) -> bool:
    """Whether LSP's types for these params fit beyond doubt. (What is inside capabilities never costs a session.)"""
    if any(key not in params for key in _REQUIRED) or any(type(v) not in _PARAMS.get(k, ()) for k, v in params.items()):
        return False
    client, folders, process = params.get("clientInfo"), params.get("workspaceFolders"), params["processId"]
    return (
        params.get("trace", "off") in ("off", "messages", "verbose")
        and (process is None or abs(process) < 2**31)
        and (client is None or _are_texts(client, {"name"}, {"name", "version"}))
        and all(type(folder) is dict and _are_texts(folder, {"uri", "name"}) for folder in folders or ())
    )


def _are_texts(value: dict[str, Any], *keys: set[str]) -> bool:
    return set(value) in keys and all(type(text) is str for text in value.values())


def _part(value: dict[str, Any], *keys: str) -> dict[str, Any] | None:
    """An object inside objects, None if it is not there. Raises `Unusual` if anything on the way is no object."""
    inner: Any = value
    for key in keys:
        inner = inner.get(key)
        if inner is None:
            return None
        if type(inner) is not dict:
            raise NotPlain
    found: dict[str, Any] = inner
    return found


def _refreshes(client: dict[str, Any]) -> bool:
    """Whether the client can be told to pull diagnostics again."""
    said = (_part(client, "workspace", "diagnostics") or {}).get("refreshSupport")
    if said is not None and type(said) is not bool:
        raise NotPlain
    return bool(said)


def _encoding(client: dict[str, Any]) -> str:
    """The first of the client's position encodings that is known."""
    wanted = (_part(client, "general") or {}).get("positionEncodings")
    if wanted is None:
        return "utf-16"
    if type(wanted) is not list or not all(type(each) is str for each in wanted):
        raise NotPlain
    return next((each for each in wanted if each in static_capabilities.ENCODINGS), "utf-16")


class CapabilityCheck:
    """Holds the server to what was answered in its name."""

    def __init__(self, id_: int | str, result: dict[str, Any], broken: Callable[[], object]) -> None:
        """`broken` is called if the server would have answered otherwise."""
        self._id = id_
        self._result = result
        self._broken = broken

    def takes(self, body: bytes) -> bool:
        """True if this message is the answer that the client has already."""
        message = json.loads(body)
        if "method" in message or message.get("id") != self._id:
            return False
        if message.get("result") != self._result:
            # Columns would be counted otherwise than the client does: rather no server than that.
            logger.error("What was promised to the client can't be kept: %s", message.get("error") or "another offer")
            self._broken()
        return True

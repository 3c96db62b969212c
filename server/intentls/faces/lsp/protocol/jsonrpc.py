"""JSON-RPC messages: bytes to values and back, whatever their method.

Only the top level of a message is read. pygls runs its structuring as json's `object_hook`, on every nested
object: a request with an argument that has a key "jsonrpc" is never answered (reproduced with
tests/faces/lsp/protocol/test_protocol.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Never

import msgspec
from msgspec import Struct

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVER_NOT_INITIALIZED = -32002
REQUEST_CANCELLED = -32800

MessageId = int | str


class Request(Struct, frozen=True):
    """A call that is answered under its id."""

    id: MessageId
    method: str
    params: Any


class Notification(Struct, frozen=True):
    """A call that gets no answer."""

    method: str
    params: Any


class Response(Struct, frozen=True):
    """The client's answer to a request of the server. `error` is the JSON value as it came, None if there was none."""

    id: Any
    result: Any
    error: Any


class Rejected(Exception):
    """A message is answered with this error. `id` is None where the message has no readable one."""

    def __init__(self, id_: MessageId | None, code: int, sentence: str, data: Any = None) -> None:
        super().__init__(sentence)
        self.id = id_
        self.code = code
        self.data = data


def parse(body: bytes) -> Request | Notification | Response:
    """The message in a body. Raises `Rejected` if JSON-RPC or LSP does not allow it."""
    try:
        message = decode(body)
    except (ValueError, RecursionError) as error:
        raise Rejected(None, PARSE_ERROR, f"The message is not JSON in UTF-8: {error}.") from error
    if isinstance(message, list):
        raise Rejected(None, INVALID_REQUEST, "LSP knows no batches: send each message by itself.")
    if not isinstance(message, dict):
        raise Rejected(None, INVALID_REQUEST, "A message must be a JSON object.")
    if "method" not in message and "id" in message:
        return Response(message["id"], message.get("result"), message.get("error"))
    return _call(message)


def _call(message: dict[str, Any]) -> Request | Notification:
    id_: MessageId | None = message.get("id")
    if type(id_) not in (int, str):  # a bool is an int in Python, and 1.0 a float: neither is an id in LSP
        id_ = None
    if message.get("jsonrpc") != "2.0":
        raise Rejected(id_, INVALID_REQUEST, 'A message must carry "jsonrpc": "2.0".')
    method, params = message.get("method"), message.get("params")
    if not isinstance(method, str):
        raise Rejected(id_, INVALID_REQUEST, "A message must name its method, as a string.")
    if "id" not in message:
        return Notification(method, params)
    if id_ is None:
        raise Rejected(None, INVALID_REQUEST, "The id of a request must be an integer or a string.")
    return Request(id_, method, params)


def decode(body: bytes) -> Any:
    """The JSON value in a body; ValueError or RecursionError if it is none."""
    try:
        return msgspec.json.decode(body)
    except (ValueError, RecursionError):
        # msgspec refuses a lone surrogate ("\\ud83d", half an emoji); json accepts it.
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is not a JSON value")


def encode(payload: dict[str, Any], default: Callable[[Any], Any] | None = None) -> bytes:
    """The body of a message. TypeError, ValueError or RecursionError if it can't be JSON.

    `default` converts values that neither JSON nor msgspec knows.
    """
    try:
        return msgspec.json.encode(payload, enc_hook=default)
    except UnicodeEncodeError:  # a lone surrogate: escape it
        return json.dumps(msgspec.to_builtins(payload, enc_hook=default)).encode("ascii")


def result(id_: MessageId, value: Any) -> dict[str, Any]:
    """The message that answers a request with a value."""
    return {"jsonrpc": "2.0", "id": id_, "result": value}


def error(id_: MessageId | None, code: int, sentence: str, data: Any = None) -> dict[str, Any]:
    """The message that answers a request with an error."""
    fields: dict[str, Any] = {"code": code, "message": sentence}
    if data is not None:
        fields["data"] = data
    return {"jsonrpc": "2.0", "id": id_, "error": fields}

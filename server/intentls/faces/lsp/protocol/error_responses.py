"""Error responses: a code and one sentence for the client; the traceback goes to the log alone."""

from __future__ import annotations

import logging

from pygls.exceptions import JsonRpcException

from intentls.core.errors import IntentlsError, InvalidInput
from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.jsonrpc import Notification, Rejected, Request

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

"""What a client is told of an error: a code and one sentence, never a traceback."""

from __future__ import annotations

import logging

from pygls.exceptions import JsonRpcException

from intentls.core.errors import IntentlsError, InvalidInput
from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.jsonrpc import Notification, Rejected, Request

logger = logging.getLogger(__name__)


def rejection(server_name: str, call: Request | Notification, error: Exception) -> Rejected:
    """The answer to a call that ended with this error; what it was exactly goes to the log.

    Errors raised on purpose keep their own words: `InvalidInput` is -32602, other errors of ours -32603,
    a `JsonRpcException` what it says. Of anything else the client learns that it happened.
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
    """The answer to a request that its client gave up."""
    return Rejected(request.id, jsonrpc.REQUEST_CANCELLED, f"{request.method} was cancelled.")

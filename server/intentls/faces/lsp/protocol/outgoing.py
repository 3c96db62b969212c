"""What the server sends: answers, notifications, and requests that the client may answer late or never.

The sending half of `protocol.Protocol`. pygls 2.1.1 keeps the server's requests and the client's in one table and
fails on an answer that comes after the server stopped waiting (#621).
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from msgspec import Struct
from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCRequestMessage, LanguageServerProtocol

from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.jsonrpc import MessageId, Response

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

logger = logging.getLogger(__name__)


class _PendingRequest(Struct, frozen=True):
    """A request of the server that the client has not answered yet."""

    method: str
    answer: Future[Any]


class OutgoingProtocol(LanguageServerProtocol):
    """The sending half of a connection. Its methods may be called from any thread."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        # before pygls's own, which looks at every attribute of self
        self._pending: dict[MessageId, _PendingRequest] = {}
        self._client_is_gone = False
        super().__init__(server, converter)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: MessageId | None = None,
    ) -> Future[Any]:
        """Send a request. The future gets its result, or a `JsonRpcException`: the client's error, an answer
        that can't be read, or the end of the client. Cancel the future to stop waiting; a late answer is ignored.
        """
        id_ = str(uuid.uuid4()) if msg_id is None else msg_id
        answer: Future[Any] = Future()
        answer.add_done_callback(lambda _: self._pending.pop(id_, None))
        if callback is not None:
            answer.add_done_callback(lambda future: _pass_on(future, callback))
        self._pending[id_] = _PendingRequest(method, answer)
        kind = self.get_message_type(method) or JsonRPCRequestMessage
        if self._client_is_gone:
            _settle(answer, error=_client_gone(method))
        else:
            self._send_data(kind(id=id_, method=method, params=params, jsonrpc="2.0"))
        return answer

    @property
    def client_is_gone(self) -> bool:
        """Whether nobody can answer any more."""
        return self._client_is_gone

    def client_gone(self) -> None:
        """Fail every pending request, and any later one at once: the client can't answer any more."""
        self._client_is_gone = True
        for request in list(self._pending.values()):
            _settle(request.answer, error=_client_gone(request.method))

    def _take_answer(self, response: Response) -> None:
        """Settle a pending request. An answer to an unknown or cancelled request is ignored (#621)."""
        request = self._pending.get(response.id) if isinstance(response.id, int | str) else None
        if request is None:
            logger.debug("Ignored an answer to %r: nobody waits for it.", response.id)
        elif response.error is not None:
            _settle(request.answer, error=_exception_of(response.error))
        else:
            self._settle_with_result(request, response)

    def _settle_with_result(self, request: _PendingRequest, response: Response) -> None:
        """Settle with the result as lsprotocol's type (reproduced: pygls never settles one of the wrong form)."""
        kind = self.get_result_type(request.method)
        value = response.result
        try:
            if kind is not None:
                value = self._converter.structure(jsonrpc.result(response.id, value), kind).result
        except Exception as error:  # cattrs raises whatever its hooks raise
            logger.warning("The client's answer to %s can't be read.", request.method, exc_info=error)
            sentence = f"The client's answer to {request.method} is not what LSP says."
            _settle(request.answer, error=JsonRpcException(sentence))
        else:
            _settle(request.answer, result=value)

    def _send_data(self, data: Any) -> None:
        """Send a message made of lsprotocol's types."""
        self._send(self._converter.unstructure(data))

    def _send(self, payload: dict[str, Any]) -> None:
        """Send a message. Raises TypeError, ValueError or RecursionError if it can't be JSON."""
        body = jsonrpc.encode(payload, self._serialize_message)
        if self.writer is None:
            logger.warning("Dropped a message: nobody is connected.")
            return
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def _pass_on(future: Future[Any], callback: Callable[[Any], None]) -> None:
    """Call back with a result; errors are read from the future."""
    if not future.cancelled() and future.exception() is None:
        callback(future.result())


def _settle(future: Future[Any], *, result: Any = None, error: Exception | None = None) -> None:
    """Settle a future unless it was cancelled before, maybe in another thread."""
    try:
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)
    except InvalidStateError:
        logger.debug("Ignored an answer: the one who asked gave up.")


def _client_gone(method: str) -> JsonRpcException:
    return JsonRpcException(f"The client is gone: nobody can answer {method}.")


def _exception_of(error: Any) -> JsonRpcException:
    """The client's error as pygls's exception of that code."""
    fields = error if isinstance(error, dict) else {}
    code = fields.get("code")
    exception: JsonRpcException = JsonRpcException.from_error(
        types.ResponseError(
            code=code if type(code) is int else jsonrpc.INTERNAL_ERROR,
            message=str(fields.get("message") or "The client gave no reason."),
            data=fields.get("data"),
        )
    )
    return exception

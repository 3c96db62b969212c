"""What the server sends: answers, notifications, and questions that the client may answer late or never.

Part of `pygls_fixes`: pygls's 2.1.1 own way keeps our questions and the client's requests in one table and
fails on an answer that comes after its question was given up (#621).
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCRequestMessage, LanguageServerProtocol

from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.jsonrpc import MessageId, Response

if TYPE_CHECKING:
    from cattrs import Converter

    from intentls.faces.lsp.protocol.early_initialize import CapabilityCheck
    from intentls.faces.lsp.protocol.serve import Server

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Question:
    """A request of ours that the client has not answered yet."""

    method: str
    answer: Future[Any]


class OutgoingProtocol(LanguageServerProtocol):
    """The outgoing half of a connection. All of it may be called from any thread."""

    _server: Server

    def __init__(self, server: Server, converter: Converter) -> None:
        # before pygls's own, which looks at every attribute of self
        self._questions: dict[MessageId, _Question] = {}
        self._client_is_gone = False
        self.promise: CapabilityCheck | None = None
        super().__init__(server, converter)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: MessageId | None = None,
    ) -> Future[Any]:
        """Asks the client. The future gets its result, or a `JsonRpcException`: the client's error, an answer
        that can't be read, or "gone". Cancel the future to stop waiting; a late answer is then ignored.
        """
        id_ = str(uuid.uuid4()) if msg_id is None else msg_id
        answer: Future[Any] = Future()
        answer.add_done_callback(lambda _: self._questions.pop(id_, None))
        if callback is not None:
            answer.add_done_callback(lambda future: _pass_on(future, callback))
        self._questions[id_] = _Question(method, answer)
        kind = self.get_message_type(method) or JsonRPCRequestMessage
        if self._client_is_gone:
            _settle(answer, error=JsonRpcException(f"The client is gone: nobody can answer {method}."))
        else:
            self._send_data(kind(id=id_, method=method, params=params, jsonrpc="2.0"))
        return answer

    def client_gone(self) -> None:
        """Nobody will answer any more: every open question, and any later one, fails at once."""
        self._client_is_gone = True
        for question in list(self._questions.values()):
            error = JsonRpcException(f"The client is gone: nobody can answer {question.method}.")
            _settle(question.answer, error=error)

    def _take_answer(self, response: Response) -> None:
        """Settles a question. An answer to nothing, or to what was given up, is ignored (#621)."""
        question = self._questions.get(response.id) if isinstance(response.id, int | str) else None
        if question is None:
            logger.debug("Ignored an answer to %r: nobody waits for it.", response.id)
        elif response.error is not None:
            _settle(question.answer, error=_exception_of(response.error))
        else:
            self._settle_with_result(question, response)

    def _settle_with_result(self, question: _Question, response: Response) -> None:
        """(Reproduced: with pygls a result of the wrong form leaves the one who asked waiting for ever.)"""
        kind = self.get_result_type(question.method)
        value = response.result
        try:
            if kind is not None:
                value = self._converter.structure(jsonrpc.result(response.id, value), kind).result
        except Exception as error:  # cattrs raises whatever its hooks raise
            logger.warning("The client's answer to %s can't be read.", question.method, exc_info=error)
            sentence = f"The client's answer to {question.method} is not what LSP says."
            _settle(question.answer, error=JsonRpcException(sentence))
        else:
            _settle(question.answer, result=value)

    def _send_data(self, data: Any) -> None:
        """Sends a message made of lsprotocol's types."""
        self._send(self._converter.unstructure(data))

    def _send(self, payload: dict[str, Any]) -> None:
        """Sends a message. TypeError, ValueError or RecursionError if it can't be JSON."""
        body = jsonrpc.encode(payload, self._serialize_message)
        if self.promise is not None and self.promise.takes(body):
            self.promise = None
            return
        if self.writer is None:
            logger.warning("Dropped a message: nobody is connected.")
            return
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def _pass_on(future: Future[Any], callback: Callable[[Any], None]) -> None:
    """Calls back with a result; whoever must know of errors looks at the future itself."""
    if not future.cancelled() and future.exception() is None:
        callback(future.result())


def _settle(future: Future[Any], *, result: Any = None, error: Exception | None = None) -> None:
    """Settles a future unless somebody, maybe in another thread, gave it up before."""
    try:
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)
    except InvalidStateError:
        logger.debug("Ignored an answer: the one who asked gave up.")


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

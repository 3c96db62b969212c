"""pygls's protocol, corrected to answer as the LSP specification says.

Where pygls 2.1.1 does otherwise, the docstring names its issue ("#606") or says "reproduced": the test of that
behaviour in tests/faces/lsp/protocol/test_protocol.py or tests/e2e/test_wire.py fails with pygls's own class.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine, Generator, Mapping
from concurrent.futures import Future
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import FeatureNotificationError, JsonRpcMethodNotFound
from pygls.protocol import lsp_method

from intentls.core.errors import InvalidInput
from intentls.faces.lsp.protocol import jsonrpc
from intentls.faces.lsp.protocol.client_process import ClientProcess
from intentls.faces.lsp.protocol.command_table import Handler, progress_token, resolve, token_of
from intentls.faces.lsp.protocol.documents import Documents
from intentls.faces.lsp.protocol.error_responses import cancelled, drop_unreadable_capabilities, explain, rejection
from intentls.faces.lsp.protocol.jsonrpc import MessageId, Notification, Rejected, Request, Response
from intentls.faces.lsp.protocol.outgoing import OutgoingProtocol

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

    from intentls.faces.lsp.protocol.transport import Writer

logger = logging.getLogger(__name__)

AnyFuture = Future[Any] | asyncio.Future[Any]
_MAX_CAPABILITY_ROUNDS = 8


class Phase(Enum):
    """The phase of a connection, which says what the client may send."""

    NEW = auto()  # only initialize
    RUNNING = auto()
    SHUT_DOWN = auto()  # only exit


class Protocol(OutgoingProtocol):
    """One connection. `begin` says where answers go, `receive` takes what the client sends.

    `adjust_capabilities` may change the server's capabilities before they are sent; `client_process` is the process
    that the client names at `initialize`.
    """

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        # before pygls's own, which looks at every attribute of self
        self.phase = Phase.NEW
        self.exit_code: int | None = None
        self.commands: Mapping[str, Handler] = {}
        self.client_process: ClientProcess | None = None
        self.adjust_capabilities: Callable[[types.ServerCapabilities], None] = lambda _: None
        self._open_requests: set[MessageId] = set()
        self._documents: Documents | None = None
        self._stop: Callable[[], object] | None = None
        super().__init__(server, converter)

    @property
    def workspace(self) -> Documents:
        """The client's folders and open documents. RuntimeError before `initialize`."""
        if self._documents is None:
            self._documents = Documents.like(super().workspace)
        return self._documents

    # -- a connection's life ------------------------------------------------------------------------------

    def begin(self, writer: Writer, stop: Callable[[], object]) -> None:
        """Send answers to `writer`; call `stop` once, at `exit`."""
        self.set_writer(writer)
        self._stop = stop

    async def settle(self, timeout_s: float) -> None:
        """Wait for handlers that still run: `exit` does not interrupt a save that is being recorded."""
        running = [asyncio.wrap_future(future) for future in list(self._request_futures.values())]
        if running:
            await asyncio.wait(running, timeout=timeout_s)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Take the client's folders and its process (pygls does not watch the process)."""
        self._documents = None
        result = yield from super().lsp_initialize(params)
        self.client_process = ClientProcess.named(params.process_id)
        self.adjust_capabilities(result.capabilities)
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel the open requests, from a copy of the table (#606); the handlers of notifications run on.

        (Reproduced: pygls cancels the handler of a `didSave` too.)
        """
        self.phase = Phase.SHUT_DOWN
        own_id = self.msg_id
        if (handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield handler, args, None
        for id_ in self._open_requests - {own_id}:
            if (future := self._request_futures.get(id_)) is not None:
                future.cancel()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """End the connection, with code 1 without `shutdown` (reproduced: pygls loses the code and exits with 0)."""
        if (handler := self.fm.features.get(types.EXIT)) is not None:
            yield handler, args, None
        self.exit_code = self.code_of_leaving()
        if self._stop is not None:
            self._stop()

    def code_of_leaving(self) -> int:
        """The process's exit code if the connection ended now."""
        return 0 if self.phase is Phase.SHUT_DOWN else 1

    # -- what comes in ------------------------------------------------------------------------------------

    def receive(self, body: bytes) -> bool:
        """Handle one message; True if its handler waits for a turn of the loop, due before the next message."""
        try:
            message = jsonrpc.parse(body)
            if isinstance(message, Response):
                self._take_answer(message)
                return False
            if isinstance(message, Notification):
                if self.phase is Phase.RUNNING or message.method == types.EXIT:
                    return contextvars.copy_context().run(self._start_notification, message)
                return False
            self._check_phase(message)
            contextvars.copy_context().run(self._start_request, message)
        except Rejected as answer:
            logger.warning("Refused a message: %s", answer)
            self._refuse(answer)
            return False
        return message.id in self._open_requests

    def _check_phase(self, request: Request) -> None:
        """Reject requests out of turn (reproduced: -32603 before `initialize`, no answer after `shutdown`)."""
        if self.phase is Phase.SHUT_DOWN:
            sentence = "The server is shutting down: only exit may follow."
            raise Rejected(request.id, jsonrpc.INVALID_REQUEST, sentence)
        if self.phase is Phase.NEW and request.method != types.INITIALIZE:
            sentence = "The server is not initialized: send initialize first."
            raise Rejected(request.id, jsonrpc.SERVER_NOT_INITIALIZED, sentence)
        if self.phase is Phase.RUNNING and request.method == types.INITIALIZE:
            raise Rejected(request.id, jsonrpc.INVALID_REQUEST, "initialize may be sent only once.")

    def _start_request(self, request: Request) -> None:
        finish = partial(self._finish_request, request=request)
        self._ctx_msg_id.set(request.id)
        self._open_requests.add(request.id)
        try:
            if request.method == types.WORKSPACE_EXECUTE_COMMAND:
                self._start_command(request)
                return
            handler = self._get_handler(request.method)
            params = self._structure_params(request)
            if request.method == types.INITIALIZE:
                self.phase = Phase.RUNNING
            self._execute_handler(request.id, handler, finish, (params,))
        except Exception as error:
            self._open_requests.discard(request.id)
            raise rejection(self._server.name, request, error) from error

    def _start_command(self, request: Request) -> None:
        """Run a command without pygls's look at its signature; a cancel reaches its coroutine.

        What waits for nothing is answered at once. (Reproduced: pygls answers a cancelled command and lets it run on.)
        """
        handler, arguments = resolve(self.commands, request.params)
        progress_token.set(token_of(request.params))
        try:
            value = handler(arguments)
            if not isinstance(value, Coroutine):
                self._open_requests.discard(request.id)
                self._send(jsonrpc.result(request.id, value))
                return
        except Exception as error:  # noqa: BLE001 - whatever a handler raises has to be answered
            self._open_requests.discard(request.id)
            self._refuse(rejection(self._server.name, request, error))
            return
        task = asyncio.get_running_loop().create_task(self._finish_command(request, value))
        self._request_futures[request.id] = task  # type: ignore[assignment] # as pygls does itself

    async def _finish_command(self, request: Request, running: Coroutine[Any, Any, Any]) -> None:
        """Answer in the task itself: a callback would cost another turn of the loop."""
        try:
            value = await running
            self._forget(request)
            self._send(jsonrpc.result(request.id, value))
        except asyncio.CancelledError:
            self._forget(request)
            self._refuse(cancelled(request))
            raise
        except Exception as error:  # noqa: BLE001 - whatever a handler raises has to be answered
            self._forget(request)
            self._refuse(rejection(self._server.name, request, error))

    def _start_notification(self, notification: Notification) -> bool:
        """Log a bad notification (reproduced: pygls shows "Error in server"). True if its handler runs on."""
        own_id: Any = object()  # a key that equals no id of a client
        try:
            params = self._structure_params(notification)
            if notification.method == types.CANCEL_REQUEST:
                self._handle_cancel_notification(params.id)
            elif (handler := self._notification_handler(notification.method, params)) is not None:
                finish = partial(self._finish_notification, method=notification.method)
                self._execute_handler(own_id, handler, finish, (params,))
        except Exception as error:  # noqa: BLE001 - one bad message must not end the server
            level = logging.DEBUG if isinstance(error, JsonRpcMethodNotFound) else logging.WARNING
            logger.log(level, "Ignored a notification: %s", rejection(self._server.name, notification, error))
        return own_id in self._request_futures

    def _notification_handler(self, method: str, params: Any) -> Callable[..., Any] | None:
        """The handler of a notification. A didChange is applied here, with all its changes.

        (pygls sets the new version before all changes are made, and its generator and future cost more than the edit.)
        """
        if method != types.TEXT_DOCUMENT_DID_CHANGE:
            return self._get_handler(method)
        self.workspace.change(params.text_document, params.content_changes)
        return self.fm.features.get(method)

    def _handle_cancel_notification(self, msg_id: MessageId) -> None:
        """Cancel a request of the client; its handler stays in the table until it has ended."""
        future = self._request_futures.get(msg_id) if msg_id in self._open_requests else None
        if future is None or not future.cancel():
            logger.debug("Nothing to cancel under the id %r.", msg_id)

    def _execute_handler(
        self,
        msg_id: MessageId,
        handler: Callable[..., Any],
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Forget a handler when it is done (reproduced: pygls keeps those of notifications)."""

        def finish(future: AnyFuture) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, finish, args, kwargs)

    def _structure_params(self, call: Request | Notification) -> Any:
        """The params as lsprotocol's type (reproduced: pygls leaves a request with bad ones unanswered)."""
        params = {} if call.params is None else call.params
        if not isinstance(params, dict):
            raise InvalidInput(f"The params of {call.method} must be an object.")
        kind = self.get_message_type(call.method)
        if kind is None:
            return params
        # a notification's type ignores the id
        message = {"jsonrpc": "2.0", "id": 0, "method": call.method, "params": params}
        for _ in range(_MAX_CAPABILITY_ROUNDS):
            try:
                return self._converter.structure(message, kind).params
            except Exception as error:
                dropped = drop_unreadable_capabilities(message, error)
                if not dropped:
                    raise InvalidInput(explain(call.method, error)) from error
                logger.warning("Ignored what the client says of itself in %s.", ", ".join(dropped))
        raise InvalidInput(f"The params of {call.method} can't be read.")

    # -- answers ------------------------------------------------------------------------------------------

    def _finish_request(self, future: AnyFuture, *, request: Request) -> None:
        """Answer a request; a traceback goes to the log alone (reproduced: pygls sends it to the client)."""
        self._forget(request)
        if future.cancelled():
            self._refuse(cancelled(request))
            return
        try:
            self._send(jsonrpc.result(request.id, self._converter.unstructure(future.result())))
        except Exception as error:  # noqa: BLE001 - whatever a handler raises has to be answered
            if request.method == types.INITIALIZE:
                self.phase = Phase.NEW
            self._refuse(rejection(self._server.name, request, error))

    def _forget(self, request: Request) -> None:
        self._open_requests.discard(request.id)
        self._request_futures.pop(request.id, None)

    def _finish_notification(self, future: AnyFuture, *, method: str) -> None:
        if not future.cancelled() and isinstance(error := future.exception(), Exception):
            logger.error("The handler of %s failed.", method, exc_info=error)
            self._server._report_server_error(error, FeatureNotificationError)

    def _refuse(self, answer: Rejected) -> None:
        self._send(jsonrpc.error(answer.id, answer.code, str(answer), answer.data))

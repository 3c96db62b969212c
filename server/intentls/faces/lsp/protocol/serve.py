"""A language server on our protocol, and how it is served: over stdin and stdout, or to one TCP client.

The exit code is 0 if the client asked for `shutdown` before it left (by `exit`, the end of the stream, a
broken pipe or the end of its process), else 1. A stream that can't be followed (a header without a usable
Content-Length, over 256 MiB) ends the server with 1: any byte after it could be the start of anything.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

from intentls.faces.lsp.protocol.client_process import ClientProcess
from intentls.faces.lsp.protocol.command_table import Handler
from intentls.faces.lsp.protocol.early_initialize import CapabilityCheck, EarlyAnswer
from intentls.faces.lsp.protocol.framing import Frames, FramingError
from intentls.faces.lsp.protocol.protocol import Protocol
from intentls.faces.lsp.protocol.transport import (
    Reader,
    ThreadReader,
    ThreadWriter,
    Writer,
    claim_stdio,
    read_from,
    writer_of,
)

if TYPE_CHECKING:
    from pygls.server import ServerErrors

logger = logging.getLogger(__name__)

PARENT_POLL_S = 3.0
_GRACE_S = 3.0  # for handlers that still run when the client is gone
_FLUSH_S = 2.0
_SLICE_S = 0.01  # how long messages may be handled before other tasks get a turn


class Server(LanguageServer):
    """A `LanguageServer` whose protocol, documents and reports are ours; features register as usual."""

    protocol: Protocol

    def __init__(self, name: str, version: str, commands: Mapping[str, Handler]) -> None:
        super().__init__(name, version, protocol_cls=Protocol)
        self.client_process: ClientProcess | None = None
        self._user_was_told = False
        self.adjust_offer: Callable[[types.ServerCapabilities], None] = lambda _: None
        self.protocol.commands = commands
        self.protocol.fm.commands.update(commands)  # from here pygls takes the ids it advertises

    def client_named(self, pid: int | None) -> None:
        """Called at `initialize` with the client's `processId`."""
        self.client_process = ClientProcess.named(pid)

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Trouble of ours that no request waits for: all of it in the log, one sentence to the user.

        (pygls shows "Error in server" with the error's text each time.)
        """
        logger.error("Out of band: %s", error, exc_info=error)
        if source is not FeatureRequestError and not self._user_was_told:
            self._user_was_told = True
            sentence = f"{self.name} hit a problem of its own and went on. The details are in its log."
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, sentence))


def create_server(name: str, version: str, commands: Mapping[str, Handler]) -> Server:
    """A server that knows these commands and no features yet."""
    return Server(name, version, commands)


def serve_stdio(server: Server, parent_poll_s: float = PARENT_POLL_S, greeting: EarlyAnswer | None = None) -> int:
    """Serves one client on stdin and stdout until it is gone; the exit code. Stdout is LSP's alone then.

    `greeting` is what was read and answered before.
    """
    read_fd, write_fd = claim_stdio()

    async def converse() -> int:
        conversation = _ClientSession(server, parent_poll_s)
        if greeting is not None:
            conversation.go_on_from(greeting)
        writer = writer_of(write_fd, conversation.stop)
        return await conversation.run(await read_from(read_fd, conversation), writer)

    return _run(server, converse())


def serve_tcp(server: Server, host: str, port: int, parent_poll_s: float = PARENT_POLL_S) -> int:
    """Waits for one client at host:port, serves it until it is gone; the exit code. OSError if it can't."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.create_server(address[:2], family=family) as listener:
        chosen = listener.getsockname()
        if not ipaddress.ip_address(chosen[0]).is_loopback:
            logger.warning("Whoever reaches %s can use this server: it asks for no password.", chosen[0])
        logger.info("Waiting for a client at %s port %s.", chosen[0], chosen[1])
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def converse() -> int:
        conversation = _ClientSession(server, parent_poll_s)
        if sys.platform == "win32":
            writer: Writer = ThreadWriter(connection.sendall, conversation.stop)
            return await conversation.run(ThreadReader(connection.recv, conversation), writer)
        writer = writer_of(connection.dup().detach(), conversation.stop)
        return await conversation.run(await read_from(connection.detach(), conversation), writer)

    return _run(server, converse())


def _run(server: Server, conversation: Coroutine[object, object, int]) -> int:
    try:
        return asyncio.run(conversation)
    except KeyboardInterrupt:
        return server.protocol.code_of_leaving()
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


class _ClientSession:
    """One client, from its first byte to its last; the inbox of what it sends."""

    def __init__(self, server: Server, parent_poll_s: float) -> None:
        self._server = server
        self._protocol = server.protocol
        self._parent_poll_s = parent_poll_s
        self._frames = Frames()
        self._loop = asyncio.get_running_loop()
        self._over = self._loop.create_future()
        self._reader: Reader | None = None
        self._is_pausing = False  # a handler gets its turn
        self._has_ended = False  # the stream
        self._lost_track = False

    async def run(self, reader: Reader, writer: Writer) -> int:
        """The exit code, when the client is gone and what it began is done or given up."""
        self._protocol.begin(writer, self.stop)
        self._reader = reader
        self._handle_messages()  # some may have come before
        watching = asyncio.create_task(self._watch_client())
        await self._over
        watching.cancel()
        self._protocol.client_gone()
        await self._protocol.settle(_GRACE_S)
        await writer.flush(_FLUSH_S)
        writer.close()
        reader.close()
        if self._lost_track:
            return 1
        code = self._protocol.exit_code
        return self._protocol.code_of_leaving() if code is None else code

    def go_on_from(self, greeting: EarlyAnswer) -> None:
        """What was read is handled as if it came now; what was answered is not said again."""
        if greeting.id is not None and greeting.result is not None:
            self._protocol.promise = CapabilityCheck(greeting.id, greeting.result, self.stop)
        self._frames.feed(greeting.data)

    def stop(self) -> None:
        """Ends the conversation; messages that came after are not looked at."""
        if not self._over.done():
            self._over.set_result(None)

    def take(self, data: bytes) -> None:
        """Some bytes of the client."""
        self._frames.feed(data)
        if self._reader is None:
            return
        if self._is_pausing:
            self._reader.pause_reading()
        else:
            self._handle_messages()

    def end(self) -> None:
        """The client's stream has ended; what it brought is still handled."""
        self._has_ended = True
        if self._reader is not None and not self._is_pausing:
            self._handle_messages()

    def _handle_messages(self) -> None:
        """Handles what is there. After a message whose handler waits, and after a slice of time, others get
        a turn: so the handler starts on the documents as they were when its message came.
        """
        self._is_pausing = False
        turn = time.monotonic()
        try:
            while not self._over.done() and (body := self._frames.next()) is not None:
                if self._protocol.receive(body) or time.monotonic() - turn > _SLICE_S:
                    self._is_pausing = True
                    self._loop.call_soon(self._handle_messages)
                    return
            if self._has_ended:
                self._frames.finish()
                self.stop()
            elif self._reader is not None:
                self._reader.resume_reading()
        except FramingError as error:
            logger.error("Lost track of the client's messages: %s", error)  # noqa: TRY400 - no news in a traceback
            self._lost_track = True
            self.stop()

    async def _watch_client(self) -> None:
        while (process := self._server.client_process) is None or process.is_alive():
            await asyncio.sleep(self._parent_poll_s)
        logger.warning("The client (process %s) is gone.", process.pid)
        self.stop()

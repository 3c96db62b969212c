"""A language server on our protocol, served over stdin and stdout or to one TCP client.

The exit code is 0 if the client sent `shutdown` before it left (by `exit`, the end of the stream, a broken pipe or
the end of its process), else 1. A framing error (a header without a usable Content-Length, a message over 256 MiB)
ends the server with 1: where the next message begins is unknown.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import sys
import time
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

from intentls.faces.lsp.protocol.command_table import Handler
from intentls.faces.lsp.protocol.documents import Documents
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
_MAX_TURN_S = 0.01  # of handling messages before other tasks get a turn


class Server(LanguageServer):
    """A `LanguageServer` with our protocol, documents and error reports; features register as in pygls."""

    protocol: Protocol

    def __init__(self, name: str, version: str, commands: Mapping[str, Handler]) -> None:
        super().__init__(name, version, protocol_cls=Protocol)
        self._has_reported = False
        self.protocol.commands = commands
        self.protocol.fm.commands.update(commands)  # from here pygls takes the ids it advertises

    @property
    def workspace(self) -> Documents:
        """The client's folders and open documents. RuntimeError before `initialize`."""
        return self.protocol.workspace

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Report an error that is no request's answer: the log has all of it, the user sees one sentence once.

        (pygls shows "Error in server" with the error's text each time.)
        """
        logger.error("Out of band: %s", error, exc_info=error)
        if source is not FeatureRequestError and not self._has_reported:
            self._has_reported = True
            sentence = f"{self.name} hit a problem of its own and went on. The details are in its log."
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, sentence))


def serve_stdio(server: Server, parent_poll_s: float = PARENT_POLL_S) -> int:
    """Serve one client on stdin and stdout until it is gone; the exit code. Other output goes to stderr."""
    read_fd, write_fd = claim_stdio()

    async def serve_client() -> int:
        session = _ClientSession(server, parent_poll_s)
        writer = writer_of(write_fd, session.stop)
        return await session.run(await read_from(read_fd, session), writer)

    return _run(server, serve_client())


def serve_tcp(server: Server, host: str, port: int, parent_poll_s: float = PARENT_POLL_S) -> int:
    """Wait for one client at host:port and serve it until it is gone; the exit code. Raises OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.create_server(address[:2], family=family) as listener:
        bound, bound_port = listener.getsockname()[:2]
        if not ipaddress.ip_address(bound).is_loopback:
            logger.warning("Whoever reaches %s can use this server: it asks for no password.", bound)
        logger.info("Waiting for a client at %s port %s.", bound, bound_port)
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def serve_client() -> int:
        session = _ClientSession(server, parent_poll_s)
        if sys.platform == "win32":
            writer: Writer = ThreadWriter(connection.sendall, session.stop)
            return await session.run(ThreadReader(connection.recv, session), writer)
        writer = writer_of(connection.dup().detach(), session.stop)
        return await session.run(await read_from(connection.detach(), session), writer)

    return _run(server, serve_client())


def _run(server: Server, session: Coroutine[object, object, int]) -> int:
    try:
        return asyncio.run(session)
    except KeyboardInterrupt:
        return server.protocol.code_of_leaving()
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


class _ClientSession:
    """Serves one client from its first byte to its last: the `MessageSink` of its bytes."""

    def __init__(self, server: Server, parent_poll_s: float) -> None:
        self._protocol = server.protocol
        self._parent_poll_s = parent_poll_s
        self._frames = Frames()
        self._loop = asyncio.get_running_loop()
        self._stopped = self._loop.create_future()
        self._reader: Reader | None = None
        self._is_pausing = False  # while a handler gets its turn
        self._has_ended = False  # the client's stream
        self._has_framing_error = False

    async def run(self, reader: Reader, writer: Writer) -> int:
        """Serve until the client is gone and its handlers are done or out of time; the exit code."""
        self._protocol.begin(writer, self.stop)
        self._reader = reader
        self._handle_messages()  # those that came before
        watching = asyncio.create_task(self._watch_client())
        await self._stopped
        watching.cancel()
        self._protocol.client_gone()
        await self._protocol.settle(_GRACE_S)
        await writer.flush(_FLUSH_S)
        writer.close()
        reader.close()
        if self._has_framing_error:
            return 1
        code = self._protocol.exit_code
        return self._protocol.code_of_leaving() if code is None else code

    def stop(self) -> None:
        """End the session; messages that came after are not handled."""
        if not self._stopped.done():
            self._stopped.set_result(None)

    def take(self, data: bytes) -> None:
        """Handle the messages that these bytes complete; while a handler has its turn, pause reading instead."""
        self._frames.feed(data)
        if self._reader is None:
            return
        if self._is_pausing:
            self._reader.pause_reading()
        else:
            self._handle_messages()

    def end(self) -> None:
        """Handle the messages that are left, then end the session."""
        self._has_ended = True
        if self._reader is not None and not self._is_pausing:
            self._handle_messages()

    def _handle_messages(self) -> None:
        """Handle the complete messages. After a message whose handler waits, and after `_MAX_TURN_S`, other tasks
        get a turn: so a handler starts with the documents as they were when its message came.
        """
        self._is_pausing = False
        start = time.monotonic()
        try:
            while not self._stopped.done() and (body := self._frames.next()) is not None:
                if self._protocol.receive(body) or time.monotonic() - start > _MAX_TURN_S:
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
            self._has_framing_error = True
            self.stop()

    async def _watch_client(self) -> None:
        while (process := self._protocol.client_process) is None:
            await asyncio.sleep(self._parent_poll_s)
        await process.wait_for_end(self._parent_poll_s)
        logger.warning("The client (process %s) is gone.", process.pid)
        self.stop()

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
from collections.abc import Coroutine
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

from intentls.faces.lsp.command_table import CommandTable
from intentls.faces.lsp.framing import FrameReader, FramingError
from intentls.faces.lsp.parent import ClientProcess
from intentls.faces.lsp.pygls_fixes import Protocol
from intentls.faces.lsp.transport import (
    Reader,
    ThreadWriter,
    Writer,
    claim_stdio,
    reader_of,
    thread_reader,
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

    def __init__(self, name: str, version: str, commands: CommandTable) -> None:
        super().__init__(name, version, protocol_cls=Protocol)
        self.client_process: ClientProcess | None = None
        self._user_was_told = False
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


def create_server(name: str, version: str, commands: CommandTable) -> Server:
    """A server that knows these commands and no features yet."""
    return Server(name, version, commands)


def serve_stdio(server: Server, parent_poll_s: float = PARENT_POLL_S) -> int:
    """Serves one client on stdin and stdout until it is gone; the exit code. Stdout is LSP's alone then."""
    read_fd, write_fd = claim_stdio()

    async def converse() -> int:
        conversation = _Conversation(server, parent_poll_s)
        writer = writer_of(write_fd, conversation.stop)
        return await conversation.run(await reader_of(read_fd), writer)

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
        conversation = _Conversation(server, parent_poll_s)
        if sys.platform == "win32":
            writer: Writer = ThreadWriter(connection.sendall, conversation.stop)
            return await conversation.run(thread_reader(connection.recv), writer)
        writer = writer_of(connection.dup().detach(), conversation.stop)
        return await conversation.run(await reader_of(connection.detach()), writer)

    return _run(server, converse())


def _run(server: Server, conversation: Coroutine[object, object, int]) -> int:
    try:
        return asyncio.run(conversation)
    except KeyboardInterrupt:
        return server.protocol.code_of_leaving()
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


class _Conversation:
    """One client, from its first byte to its last."""

    def __init__(self, server: Server, parent_poll_s: float) -> None:
        self._server = server
        self._protocol = server.protocol
        self._parent_poll_s = parent_poll_s
        self._reading: asyncio.Task[None] | None = None
        self._stopped = False
        self._lost_track = False

    def stop(self) -> None:
        """Ends the conversation soon, whatever it is waiting for. On the loop's thread."""
        self._stopped = True
        if self._reading is not None:
            self._reading.cancel()

    async def run(self, reader: Reader, writer: Writer) -> int:
        """The exit code, when the client is gone and what it began is done or given up."""
        self._protocol.begin(writer, self.stop)
        self._reading = asyncio.create_task(self._read(reader))
        watching = asyncio.create_task(self._watch_client())
        await asyncio.wait([self._reading])
        watching.cancel()
        self._protocol.client_gone()
        await self._protocol.settle(_GRACE_S)
        await writer.flush(_FLUSH_S)
        writer.close()
        reader.close()
        if not self._reading.cancelled() and (error := self._reading.exception()) is not None:
            raise error
        if self._lost_track:
            return 1
        code = self._protocol.exit_code
        return self._protocol.code_of_leaving() if code is None else code

    async def _read(self, reader: Reader) -> None:
        frames = FrameReader(reader.read)
        turn = time.monotonic()
        try:
            while not self._stopped and (body := await frames.next()) is not None:
                handler_waits = self._protocol.receive(body)
                if handler_waits or time.monotonic() - turn > _SLICE_S:
                    await asyncio.sleep(0)  # its handler starts on the documents as they are now
                    turn = time.monotonic()
        except FramingError as error:
            logger.error("Lost track of the client's messages: %s", error)  # noqa: TRY400 - no news in a traceback
            self._lost_track = True
        except OSError as error:
            logger.info("The client's stream broke: %s.", error)

    async def _watch_client(self) -> None:
        while (process := self._server.client_process) is None or process.is_alive():
            await asyncio.sleep(self._parent_poll_s)
        logger.warning("The client (process %s) is gone.", process.pid)
        self.stop()

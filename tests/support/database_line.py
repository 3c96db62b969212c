"""A line to a database server that can be slow or broken: a Unix socket before the server's own."""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.database import DatabaseServer
from tests.support.patience import PATIENCE_S

_SOCKET = ".s.PGSQL.5432"


class Line:
    """Forwards what is sent, each way after `delay_s`.

    While `is_whole` is not set, what is sent waits, and goes on afterwards, as over a network that tries again: neither
    side learns that anything is wrong.
    """

    def __init__(self, folder: Path, server: DatabaseServer) -> None:
        self._target = server.folder / _SOCKET
        self.is_whole = threading.Event()
        self.is_whole.set()
        self.delay_s = 0.0
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._is_closed = False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / _SOCKET))
        self._listener.listen(512)
        self._start(self._accept)

    def close(self) -> None:
        """End it, with all that goes over it."""
        self._is_closed = True
        self.is_whole.set()
        self._shut(self._listener)
        self._threads[0].join()
        for end in self._ends:
            self._shut(end)
        for thread in self._threads[1:]:
            thread.join()
        for end in (self._listener, *self._ends):
            end.close()

    def _start(self, work: object, *arguments: socket.socket) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._is_closed:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                self._ends += [client, server]
                self._start(self._connect, client, server)

    def _connect(self, client: socket.socket, server: socket.socket) -> None:
        self.is_whole.wait(PATIENCE_S)
        try:
            server.connect(str(self._target))
        except OSError:  # the server does not run
            self._shut(client)
            return
        self._start(self._forward, client, server)
        self._forward(server, client)

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self._pass_on(data, target)
        self.is_whole.wait(PATIENCE_S)
        self._shut(target)

    def _pass_on(self, data: bytes, target: socket.socket) -> None:
        self.is_whole.wait(PATIENCE_S)
        time.sleep(self.delay_s)
        target.sendall(data)

    @staticmethod
    def _shut(end: socket.socket) -> None:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def line(server: DatabaseServer) -> Iterator[tuple[Line, tuple[str, str]]]:
    """A line to a server, and a new repository in its database as it is reached over the line."""
    address, repository = server.new_repository()
    with tempfile.TemporaryDirectory(prefix="line-", dir="/tmp") as folder:  # a socket's name may have 100 characters
        made = Line(Path(folder), server)
        try:
            yield made, (address.replace(str(server.folder), folder), repository)
        finally:
            made.close()

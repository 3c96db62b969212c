"""A question to the keeper's socket and its answer, which is waited for only as long as there is a point in it.

A keeper that did not answer in time is not waited for again until that answer has come, or the keeper has ended: of the
many questions that one change has, only the first waits for a keeper that hangs.
"""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

from intentls.store.process.liveness import waits_for_processor
from intentls.store.sessions.coordination import wire
from intentls.store.sessions.coordination.looking import look_for
from intentls.store.sessions.coordination.wire import KeeperAddress


class KeeperLine:
    """How one process asks the keepers of a root. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._late: tuple[KeeperAddress, _Call] | None = None

    def ask(self, address: KeeperAddress, question: bytes, within_s: float) -> dict[str, Any]:
        """The answer of the keeper at `address`.

        Raises TimeoutError for none within `within_s`, at once while an earlier one is late; ConnectionError, OSError
        where there is no keeper, ValueError and TypeError for an answer that is none.
        """
        with self._lock:
            if self._late is not None and self._late[0] == address and not self._late[1].has_news():
                raise TimeoutError
            self._late = None
        call = _Call(address, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        try:
            return wire.unpack(call.answer(question, within_s))
        except TimeoutError:
            with self._lock:
                self._late = (address, call)
            raise


class _Call:
    """One connection to a keeper. It is closed with this object."""

    def __init__(self, address: KeeperAddress, peer: socket.socket) -> None:
        self._address, self._peer = address, peer

    def __del__(self) -> None:
        self._peer.close()

    def answer(self, question: bytes, within_s: float) -> bytes:
        """The line that answers. Raises as `KeeperLine.ask`."""
        look_for(self._connect, within_s)
        self._peer.settimeout(within_s)
        self._peer.sendall(question)
        pieces: list[bytes] = []
        while not pieces or not pieces[-1].endswith(b"\n"):
            pieces.append(self._receive(within_s))
        return b"".join(pieces)

    def has_news(self) -> bool:
        """Whether the keeper has answered or ended."""
        self._peer.settimeout(0)
        try:
            self._peer.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:  # it was killed
            return True
        return True

    def _connect(self, seconds: float) -> None:
        self._peer.settimeout(seconds)
        try:
            self._peer.connect(self._address.socket)
        except BlockingIOError:  # more wait to be connected than fit: it will be shorter in a moment
            time.sleep(seconds)
            raise TimeoutError from None

    def _receive(self, within_s: float) -> bytes:
        """The next bytes. A keeper that waits for a processor itself has as long once more."""
        try:
            piece = look_for(self._receive_soon, within_s)
        except TimeoutError:
            if not waits_for_processor(self._address.pid):
                raise
            piece = look_for(self._receive_soon, within_s)
        if not piece:
            raise ConnectionResetError
        return piece

    def _receive_soon(self, seconds: float) -> bytes:
        self._peer.settimeout(seconds)
        return self._peer.recv(1 << 16)

"""Bytes in and bytes out: pipes and sockets on the event loop, anything else by a thread.

Writers keep the order of the writes, take them from any thread and never hold up the loop; a client that is
gone makes no error, only a call of `on_broken`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import stat
import sys
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from intentls.faces.lsp.framing import CHUNK

logger = logging.getLogger(__name__)


class Writer(Protocol):
    """Where messages go. `write` and `close` are what pygls wants of one."""

    def write(self, data: bytes) -> None:
        """Takes the bytes of one message; from any thread."""

    def close(self) -> None:
        """Takes nothing more."""

    async def flush(self, timeout_s: float) -> None:
        """Waits until everything went out, or the time is over."""


def claim_stdio() -> tuple[int, int]:
    """Takes stdin and stdout for LSP, for the rest of the process: (descriptor to read, to write).

    What else prints, in Python, in a library or in a child process, then goes to stderr, and a child that
    reads gets an empty stdin.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    read_fd, write_fd = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return read_fd, write_fd


def can_poll(fd: int) -> bool:
    """Whether the event loop can wait for this descriptor: a pipe or a socket, and not on Windows."""
    mode = os.fstat(fd).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


@dataclass(frozen=True, slots=True)
class Reader:
    """Where messages come from: `read` waits for some bytes, b"" is the end."""

    read: Callable[[int], Awaitable[bytes]]
    close: Callable[[], object]


async def reader_of(fd: int) -> Reader:
    """A reader of a descriptor, which it owns from now on."""
    if not can_poll(fd):
        return thread_reader(lambda length: os.read(fd, length))
    stream = asyncio.StreamReader(limit=CHUNK)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(fd, "rb", buffering=0)
    )
    return Reader(stream.read, transport.close)


def thread_reader(read: Callable[[int], bytes]) -> Reader:
    """A reader fed by a thread that calls the blocking `read`.

    The thread is never waited for: it may sit in `read` until the process ends.
    """
    loop = asyncio.get_running_loop()
    stream = asyncio.StreamReader(limit=CHUNK)

    def pump() -> None:
        try:
            while data := read(CHUNK):
                loop.call_soon_threadsafe(stream.feed_data, data)
            loop.call_soon_threadsafe(stream.feed_eof)
        except OSError as error:
            logger.info("The client's stream broke: %s.", error)
            loop.call_soon_threadsafe(stream.feed_eof)
        except RuntimeError:
            logger.debug("The loop ended before the stream did.")

    threading.Thread(target=pump, name="lsp-reader", daemon=True).start()
    return Reader(stream.read, lambda: None)


def writer_of(fd: int, on_broken: Callable[[], object]) -> Writer:
    """A writer to a descriptor, which it owns from now on."""
    if can_poll(fd):
        return PipeWriter(fd, on_broken)
    return ThreadWriter(lambda data: _write_all(fd, data), on_broken)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view[:CHUNK]) :]


class PipeWriter:
    """Writes at once what the pipe takes; the rest waits until the loop says that there is room."""

    def __init__(self, fd: int, on_broken: Callable[[], object]) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting = bytearray()
        self._closed = False

    def write(self, data: bytes) -> None:
        """Takes the bytes of one message; from any thread."""
        with self._lock:
            if self._closed:
                return
            had_waiting = bool(self._waiting)
            self._waiting += data
            if not had_waiting and self._push():
                self._loop.call_soon_threadsafe(self._watch)

    def close(self) -> None:
        """Takes nothing more, and drops what still waits."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._waiting.clear()
        self._loop.remove_writer(self._fd)
        os.close(self._fd)

    async def flush(self, timeout_s: float) -> None:
        """Waits until everything went out, or the time is over."""
        deadline = self._loop.time() + timeout_s
        while self._waiting and self._loop.time() < deadline:
            await asyncio.sleep(0.005)

    def _watch(self) -> None:
        with self._lock:
            if self._waiting:
                self._loop.add_writer(self._fd, self._on_room)

    def _on_room(self) -> None:
        with self._lock:
            if not self._push():
                self._loop.remove_writer(self._fd)

    def _push(self) -> bool:
        """Writes what can be written; True if something still waits."""
        try:
            while self._waiting:
                del self._waiting[: os.write(self._fd, self._waiting[:CHUNK])]
        except BlockingIOError:
            return True
        except OSError as error:
            logger.info("The client no longer reads: %s.", error)
            self._waiting.clear()
            self._loop.call_soon_threadsafe(self._on_broken)
        return False


class ThreadWriter:
    """Hands what is to be written to a thread that calls the blocking `write`."""

    def __init__(self, write: Callable[[bytes], object], on_broken: Callable[[], object]) -> None:
        self._write = write
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._pump, name="lsp-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Takes the bytes of one message; from any thread."""
        self._queue.put(data)

    def close(self) -> None:
        """Lets the thread end after what it was given."""
        self._queue.put(None)

    async def flush(self, timeout_s: float) -> None:
        """Waits until everything went out, or the time is over; nothing can be written after it."""
        self.close()
        await asyncio.to_thread(self._thread.join, timeout_s)

    def _pump(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._write(data)
            except OSError as error:
                logger.info("The client no longer reads: %s.", error)
                self._loop.call_soon_threadsafe(self._on_broken)
                return

"""Reading and writing bytes: pipes and sockets on the event loop, other descriptors in a thread.

Writers keep the order of the writes, accept them from any thread and never block the loop. When the client is
gone, they raise nothing and call `on_broken`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import stat
import sys
import threading
from collections.abc import Callable
from typing import Protocol

logger = logging.getLogger(__name__)

CHUNK = 64 * 1024
"""Bytes of one read or write: as much as a pipe holds. Room for more would cost a mapping of memory at each read."""


class MessageSink(Protocol):
    """Receives a client's bytes; called on the loop's thread."""

    def take(self, data: bytes) -> None:
        """Handle the next bytes, in the order of the stream."""

    def end(self) -> None:
        """Handle the end of the stream; called once, after the last `take`."""


class Writer(Protocol):
    """Sends messages. pygls needs `write` and `close`."""

    def write(self, data: bytes) -> None:
        """Send the bytes of one message; from any thread."""

    def close(self) -> None:
        """Refuse later writes."""

    async def flush(self, timeout_s: float) -> None:
        """Wait until everything is written or the time is over."""


def claim_stdio() -> tuple[int, int]:
    """(descriptor to read, descriptor to write): stdin and stdout belong to LSP for the rest of the process.

    Anything else that prints, in Python, in a library or in a child process, then writes to stderr, and a child
    process reads an empty stdin.
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
    """Whether the event loop can poll this descriptor: a pipe or a socket, and not on Windows."""
    mode = os.fstat(fd).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


class Reader(Protocol):
    """Passes bytes of the client to a `MessageSink`."""

    def pause_reading(self) -> None:
        """Stop passing bytes on; what was read before may still come."""

    def resume_reading(self) -> None:
        """Pass bytes on again."""

    def close(self) -> None:
        """Stop reading and release the descriptor."""


async def read_from(fd: int, sink: MessageSink) -> Reader:
    """Start to pass what is read from a descriptor to `sink`. The reader owns the descriptor."""
    if not can_poll(fd):
        return ThreadReader(lambda length: os.read(fd, length), sink)
    pipe = os.fdopen(fd, "rb", buffering=0)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: _PipeProtocol(sink), pipe)
    transport.max_size = CHUNK  # type: ignore[attr-defined] # asyncio's own is four times as much
    return transport


class _PipeProtocol(asyncio.Protocol):
    """asyncio's callbacks, passed on to a sink."""

    def __init__(self, sink: MessageSink) -> None:
        self.data_received = sink.take  # type: ignore[method-assign] # without a call in between
        self._sink = sink

    def connection_lost(self, error: Exception | None) -> None:
        """Called once, after the end of the stream or an error of it."""
        if error is not None:
            logger.info("The client's stream broke: %s.", error)
        self._sink.end()


class ThreadReader:
    """A thread that calls the blocking `read`, for descriptors that the loop can't poll.

    The thread is never joined: it may stay in `read` until the process ends.
    """

    def __init__(self, read: Callable[[int], bytes], sink: MessageSink) -> None:
        self._read = read
        self._sink = sink
        self._may_read = threading.Event()
        self._may_read.set()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, name="lsp-reader", daemon=True).start()

    def pause_reading(self) -> None:
        """Pause the thread after its current read."""
        self._may_read.clear()

    def resume_reading(self) -> None:
        """Let the thread read again."""
        self._may_read.set()

    def close(self) -> None:
        """Pause the thread for good."""
        self._may_read.clear()

    def _pump(self) -> None:
        try:
            while data := self._read(CHUNK):
                self._loop.call_soon_threadsafe(self._sink.take, data)
                self._may_read.wait()
            self._loop.call_soon_threadsafe(self._sink.end)
        except OSError as error:
            logger.info("The client's stream broke: %s.", error)
            self._loop.call_soon_threadsafe(self._sink.end)
        except RuntimeError:
            logger.debug("The loop ended before the stream did.")


def writer_of(fd: int, on_broken: Callable[[], object]) -> Writer:
    """A writer to a descriptor. The writer owns the descriptor."""
    if can_poll(fd):
        return PipeWriter(fd, on_broken)
    return ThreadWriter(lambda data: _write_all(fd, data), on_broken)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view[:CHUNK]) :]


class PipeWriter:
    """Writes immediately as much as the pipe accepts, and the rest when the loop reports that it can be written."""

    def __init__(self, fd: int, on_broken: Callable[[], object]) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting = bytearray()
        self._is_over = False  # closed, or the client no longer reads

    def write(self, data: bytes) -> None:
        """Send the bytes of one message; from any thread."""
        with self._lock:
            if self._is_over:
                return
            if self._waiting:
                self._waiting += data
                return
            taken = self._put(data)
            if taken < len(data):
                self._waiting += memoryview(data)[taken:]
                self._loop.call_soon_threadsafe(self._watch)

    def close(self) -> None:
        """Refuse later writes and drop what still waits."""
        with self._lock:
            self._is_over = True
            self._waiting.clear()
            if self._fd >= 0:
                self._loop.remove_writer(self._fd)
                os.close(self._fd)
                self._fd = -1

    async def flush(self, timeout_s: float) -> None:
        """Wait until everything is written or the time is over."""
        deadline = self._loop.time() + timeout_s
        while self._waiting and self._loop.time() < deadline:
            await asyncio.sleep(0.005)

    def _watch(self) -> None:
        with self._lock:
            if self._waiting:
                self._loop.add_writer(self._fd, self._on_room)

    def _on_room(self) -> None:
        with self._lock:
            del self._waiting[: self._put(self._waiting[:CHUNK])]
            if not self._waiting:
                self._loop.remove_writer(self._fd)

    def _put(self, data: bytes | bytearray) -> int:
        """The number of bytes that need not be kept: those written, or all if the client no longer reads."""
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            logger.info("The client no longer reads: %s.", error)
            self._is_over = True
            self._waiting.clear()
            self._loop.call_soon_threadsafe(self._on_broken)
            return len(data)


class ThreadWriter:
    """Passes bytes to a thread that calls the blocking `write`."""

    def __init__(self, write: Callable[[bytes], object], on_broken: Callable[[], object]) -> None:
        self._write = write
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._pump, name="lsp-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Send the bytes of one message; from any thread."""
        self._queue.put(data)

    def close(self) -> None:
        """End the thread after the writes before."""
        self._queue.put(None)

    async def flush(self, timeout_s: float) -> None:
        """Wait until everything is written or the time is over; later writes are dropped."""
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

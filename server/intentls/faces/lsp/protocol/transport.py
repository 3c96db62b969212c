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
from collections.abc import Callable
from typing import Protocol

logger = logging.getLogger(__name__)

CHUNK = 256 * 1024


class MessageSink(Protocol):
    """Where bytes come to; called on the loop's thread."""

    def take(self, data: bytes) -> None:
        """Some bytes came."""

    def end(self) -> None:
        """No more will come."""


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


class Reader(Protocol):
    """What brings bytes to an inbox."""

    def pause_reading(self) -> None:
        """No more bytes for now, if that can be had."""

    def resume_reading(self) -> None:
        """More bytes, please."""

    def close(self) -> None:
        """No more bytes, ever."""


async def read_from(fd: int, inbox: MessageSink) -> Reader:
    """Brings what comes from a descriptor, which is the reader's from now on, to an inbox."""
    if not can_poll(fd):
        return ThreadReader(lambda length: os.read(fd, length), inbox)
    pipe = os.fdopen(fd, "rb", buffering=0)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: _PipeProtocol(inbox), pipe)
    return transport


class _PipeProtocol(asyncio.Protocol):
    """What asyncio calls when something came."""

    def __init__(self, inbox: MessageSink) -> None:
        self.data_received = inbox.take  # type: ignore[method-assign] # the shortest way
        self._inbox = inbox

    def connection_lost(self, error: Exception | None) -> None:
        """Called once, after the end of the stream or an error of it."""
        if error is not None:
            logger.info("The client's stream broke: %s.", error)
        self._inbox.end()


class ThreadReader:
    """A thread that calls the blocking `read`, for what the loop can't wait for.

    The thread is never waited for: it may sit in `read` until the process ends.
    """

    def __init__(self, read: Callable[[int], bytes], inbox: MessageSink) -> None:
        self._read = read
        self._inbox = inbox
        self._may_read = threading.Event()
        self._may_read.set()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, name="lsp-reader", daemon=True).start()

    def pause_reading(self) -> None:
        """The thread rests after the read that it is in."""
        self._may_read.clear()

    def resume_reading(self) -> None:
        """The thread goes on."""
        self._may_read.set()

    def close(self) -> None:
        """Nothing that is still read matters."""
        self._may_read.clear()

    def _pump(self) -> None:
        try:
            while data := self._read(CHUNK):
                self._loop.call_soon_threadsafe(self._inbox.take, data)
                self._may_read.wait()
            self._loop.call_soon_threadsafe(self._inbox.end)
        except OSError as error:
            logger.info("The client's stream broke: %s.", error)
            self._loop.call_soon_threadsafe(self._inbox.end)
        except RuntimeError:
            logger.debug("The loop ended before the stream did.")


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
        self._is_over = False  # closed, or nobody reads

    def write(self, data: bytes) -> None:
        """Takes the bytes of one message; from any thread."""
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
        """Takes nothing more, and drops what still waits."""
        with self._lock:
            self._is_over = True
            self._waiting.clear()
            if self._fd >= 0:
                self._loop.remove_writer(self._fd)
                os.close(self._fd)
                self._fd = -1

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
            del self._waiting[: self._put(self._waiting[:CHUNK])]
            if not self._waiting:
                self._loop.remove_writer(self._fd)

    def _put(self, data: bytes | bytearray) -> int:
        """How many bytes need not be kept: those that the pipe took, or all if nobody reads."""
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

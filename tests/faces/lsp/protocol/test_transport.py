"""Bytes in and bytes out."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.faces.lsp.protocol.transport import (
    PipeWriter,
    ThreadReader,
    ThreadWriter,
    Writer,
    can_poll,
    read_from,
    writer_of,
)
from tests.support.patience import PATIENCE_S, eventually_in_loop

if sys.platform == "win32":
    pytest.skip("the loop can't wait for pipes there: test_wire.py has what is left", allow_module_level=True)

Pipe = tuple[int, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """A pipe; who closes an end says so by -1 in `os.close`'s stead: closing twice is ignored."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


class Broken:
    """Counts the calls of `on_broken`."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1


def drain(fd: int, length: int) -> bytes:
    data = bytearray()
    while len(data) < length and (chunk := os.read(fd, 65536)):
        data += chunk
    return bytes(data)


def thread_writer(fd: int, broken: Broken) -> Writer:
    def write(data: bytes) -> None:
        while data:
            data = data[os.write(fd, data) :]

    return ThreadWriter(write, broken)


def test_pipes_and_sockets_are_polled_and_files_are_not(pipe: Pipe, tmp_path: Path) -> None:
    """The loop waits for pipes and sockets; a file and a device get a thread."""
    assert can_poll(pipe[0]) and can_poll(pipe[1])
    with socket.socket() as one, (tmp_path / "file").open("wb") as file, open(os.devnull, "rb") as device:
        assert can_poll(one.fileno())
        assert not can_poll(file.fileno())
        assert not can_poll(device.fileno())


class Box:
    """Collects what comes."""

    def __init__(self) -> None:
        self.data = b""
        self.ended = asyncio.Event()
        self.ends = 0

    def take(self, data: bytes) -> None:
        self.data += data

    def end(self) -> None:
        self.ends += 1
        self.ended.set()

    async def has(self, data: bytes) -> bool:
        return await eventually_in_loop(lambda: self.data == data)


async def test_a_pipe_is_read_until_its_end(pipe: Pipe) -> None:
    """What comes is there at once, and the end is told, once."""
    box = Box()
    reader = await read_from(pipe[0], box)
    os.write(pipe[1], b"one")
    assert await box.has(b"one")
    reader.pause_reading()
    os.write(pipe[1], b"two")
    await asyncio.sleep(0.02)
    assert box.data == b"one"
    reader.resume_reading()
    assert await box.has(b"onetwo")
    os.close(pipe[1])
    await asyncio.wait_for(box.ended.wait(), PATIENCE_S)
    reader.close()
    await asyncio.sleep(0.01)
    assert box.ends == 1


async def test_a_file_is_read_by_a_thread(tmp_path: Path) -> None:
    """A file on stdin is read to its end."""
    path = tmp_path / "input"
    path.write_bytes(b"x" * 600_000)
    fd = os.open(path, os.O_RDONLY)
    box = Box()
    reader = await read_from(fd, box)
    assert isinstance(reader, ThreadReader)
    await asyncio.wait_for(box.ended.wait(), PATIENCE_S)
    assert box.data == b"x" * 600_000
    reader.close()
    os.close(fd)


async def test_a_thread_rests_when_it_is_told(pipe: Pipe) -> None:
    """A thread that reads can be held up and goes on later."""
    box = Box()
    reader = ThreadReader(lambda length: os.read(pipe[0], length), box)
    reader.pause_reading()
    os.write(pipe[1], b"one")  # the thread is in this read already
    assert await box.has(b"one")
    os.write(pipe[1], b"two")
    await asyncio.sleep(0.05)
    assert box.data == b"one"
    reader.resume_reading()
    assert await box.has(b"onetwo")
    os.close(pipe[1])
    await asyncio.wait_for(box.ended.wait(), PATIENCE_S)


async def test_an_error_of_the_stream_is_its_end() -> None:
    """A connection that breaks is over; the thread does not crash."""

    def read(_: int) -> bytes:
        raise ConnectionResetError("gone")

    box = Box()
    ThreadReader(read, box)
    await asyncio.wait_for(box.ended.wait(), PATIENCE_S)


async def test_a_socket_that_is_reset_has_ended() -> None:
    """A client that resets its connection is gone like one that closes it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        served, _ = listener.accept()
    box = Box()
    reader = await read_from(served.detach(), box)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.close()
    await asyncio.wait_for(box.ended.wait(), PATIENCE_S)
    reader.close()


@pytest.mark.parametrize("kind", [PipeWriter, thread_writer])
async def test_writes_keep_their_order_and_never_wait(kind: type[PipeWriter], pipe: Pipe) -> None:
    """Far more than a pipe holds is taken at once, and comes out whole and in order, from any thread."""
    writer = kind(pipe[1], Broken())
    messages = [b"%06d" % number * 1000 for number in range(500)]
    for message in messages[:300]:
        writer.write(message)
    await asyncio.to_thread(lambda: [writer.write(message) for message in messages[300:]])
    expected = b"".join(messages)
    reading = asyncio.create_task(asyncio.to_thread(drain, pipe[0], len(expected)))
    await writer.flush(PATIENCE_S)
    assert await reading == expected
    writer.close()


@pytest.mark.parametrize("kind", [PipeWriter, thread_writer])
async def test_a_client_that_is_gone_ends_it_quietly(kind: type[PipeWriter], pipe: Pipe) -> None:
    """Writing to nobody raises nothing; whoever serves is told, and later writes are harmless."""
    broken = Broken()
    writer = kind(pipe[1], broken)
    os.close(pipe[0])
    writer.write(b"hello")
    await eventually_in_loop(lambda: broken.calls)
    assert broken.calls == 1
    writer.write(b"again")
    await writer.flush(PATIENCE_S)
    writer.close()


async def test_a_client_that_never_reads_does_not_hold_up_the_end(pipe: Pipe) -> None:
    """Flushing gives up after its time, closing drops the rest, and what comes after is ignored."""
    writer = PipeWriter(pipe[1], Broken())
    writer.write(b"x" * 1_000_000)
    start = time.monotonic()
    await writer.flush(0.1)
    assert time.monotonic() - start > 0.05
    writer.close()
    writer.close()
    writer.write(b"nobody")


async def test_the_client_may_leave_while_something_waits(pipe: Pipe) -> None:
    """A pipe that breaks while data waits for room is noticed as well."""
    broken = Broken()
    writer = PipeWriter(pipe[1], broken)
    writer.write(b"x" * 1_000_000)
    await asyncio.sleep(0.02)
    os.close(pipe[0])
    await eventually_in_loop(lambda: broken.calls)
    assert broken.calls == 1
    await writer.flush(PATIENCE_S)
    writer.close()


async def test_many_threads_write_whole_messages(pipe: Pipe) -> None:
    """Messages of several threads are never mixed."""
    writer = writer_of(pipe[1], Broken())
    assert isinstance(writer, PipeWriter)

    def send(letter: int) -> None:
        for _ in range(200):
            writer.write(bytes([letter]) * 1000)

    threads = [threading.Thread(target=send, args=(letter,)) for letter in b"abcd"]
    reading = asyncio.create_task(asyncio.to_thread(drain, pipe[0], 800_000))
    for thread in threads:
        thread.start()
    data = await reading
    assert all(len(set(data[place : place + 1000])) == 1 for place in range(0, 800_000, 1000))
    writer.close()


async def test_a_file_is_written_by_a_thread(tmp_path: Path) -> None:
    """A file as stdout takes everything, in order."""
    path = tmp_path / "output"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    writer = writer_of(fd, Broken())
    for number in range(100):
        writer.write(b"%03d" % number)
    await writer.flush(PATIENCE_S)
    assert path.read_bytes() == b"".join(b"%03d" % number for number in range(100))
    os.close(fd)


def test_the_readers_end_of_a_pipe_is_left_blocking(pipe: Pipe) -> None:
    """Only our own end of stdout's pipe is switched to non-blocking."""

    async def write() -> None:
        PipeWriter(pipe[1], Broken()).close()

    asyncio.run(write())
    assert os.get_blocking(pipe[0])

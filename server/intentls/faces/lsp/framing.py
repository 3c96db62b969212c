"""LSP's base protocol: messages out of a stream of bytes.

A separate piece on purpose: it needs nothing of pygls or of this program and could replace pygls's reader.
That one awaits three thread hops a message (two header lines, one body), which is over half of the cost of a
small message; it ignores a header in other letters than "Content-Length", and it fails when the stream ends
inside a message. This one takes whatever bytes there are, and gives every message in them without waiting.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

CHUNK = 256 * 1024
MAX_HEADER = 64 * 1024
MAX_BODY = 256 * 1024 * 1024

_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")


class FramingError(Exception):
    """The stream can't be followed any further: where the next message begins is unknown."""


class FrameReader:
    """Bodies of messages, in order.

    `read(n)` gives at least one and at most about `n` bytes, or b"" at the end of the stream:
    `asyncio.StreamReader.read` is one.
    """

    def __init__(self, read: Callable[[int], Awaitable[bytes]], max_body: int = MAX_BODY) -> None:
        self._read = read
        self._max_body = max_body
        self._buffer = bytearray()

    async def next(self) -> bytes | None:
        """The next body, None at the end of the stream.

        Raises `FramingError` for a header without a usable Content-Length and for a stream that ends inside
        a message.
        """
        header = await self._next_header()
        if header is None:
            return None
        length = content_length(header)
        if length > self._max_body:
            raise FramingError(f"A message of {length} bytes is over the limit of {self._max_body}.")
        while len(self._buffer) < length:
            await self._more()
        return self._take(length)

    async def _next_header(self) -> bytes | None:
        while True:
            while self._buffer.startswith((b"\r", b"\n")):  # some clients end a body with a line end
                del self._buffer[0]
            found = _END_OF_HEADER.search(self._buffer, 0, MAX_HEADER)
            if found is not None:
                header = self._take(found.start())
                del self._buffer[: found.end() - found.start()]
                return header
            if len(self._buffer) >= MAX_HEADER:
                raise FramingError(f"A header is over the limit of {MAX_HEADER} bytes.")
            if not self._buffer:
                data = await self._read(CHUNK)
                if not data:
                    return None
                self._buffer += data
            else:
                await self._more()

    async def _more(self) -> None:
        data = await self._read(CHUNK)
        if not data:
            raise FramingError("The stream ended inside a message.")
        self._buffer += data

    def _take(self, length: int) -> bytes:
        with memoryview(self._buffer) as view:
            data = bytes(view[:length])
        del self._buffer[:length]
        return data


def content_length(header: bytes) -> int:
    """The Content-Length of a header (its lines without the empty one that ends it).

    Names count in any case and any order; other fields are ignored, Content-Type too: LSP knows only UTF-8.
    Raises `FramingError`.
    """
    lengths = set()
    for line in header.split(b"\n"):
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            lengths.add(value.strip())
    if not lengths:
        raise FramingError("A message has no Content-Length.")
    text = lengths.pop()
    if lengths or not text.isdigit() or len(text) > 18:
        raise FramingError(f"A message has a bad Content-Length: {text[:40]!r}.")
    return int(text)

"""LSP's base protocol: messages out of a stream of bytes. No I/O in here.

A separate piece on purpose: it needs nothing of pygls or of this program and could replace pygls's reader.
That one waits for three threads a message (two header lines, one body), which is over half of what a small
message costs; it knows no header but "Content-Length" in these very letters, and it fails when the stream
ends inside a message. This one takes what bytes there are and gives every message in them at once.
"""

from __future__ import annotations

import re

MAX_HEADER = 64 * 1024
MAX_BODY = 256 * 1024 * 1024

_USUAL_HEADER = re.compile(rb"Content-Length: (\d{1,18})\r\n\r\n")
"""What nearly every client writes: it need not be taken apart, which a small message would feel."""
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")


class FramingError(Exception):
    """The stream can't be followed any further: where the next message begins is unknown."""


class Frames:
    """The bodies of the messages in a stream: `feed` bytes in, take bodies out with `next`."""

    def __init__(self, max_body: int = MAX_BODY) -> None:
        self._max_body = max_body
        self._buffer = bytearray()
        self._length: int | None = None  # of the body whose header was read

    def feed(self, data: bytes) -> None:
        """Takes some more bytes of the stream."""
        self._buffer += data

    def next(self) -> bytes | None:
        """The next body, None if it is not complete yet.

        Raises `FramingError` for a header without a usable Content-Length.
        """
        if self._length is None:
            self._length = self._next_length()
        if self._length is None or len(self._buffer) < self._length:
            return None
        body = self._take(self._length)
        self._length = None
        return body

    def finish(self) -> None:
        """The stream has ended. Raises `FramingError` if that was inside a message."""
        self._skip_line_ends()
        if self._buffer or self._length is not None:
            raise FramingError("The stream ended inside a message.")

    def _next_length(self) -> int | None:
        self._skip_line_ends()
        if (found := _USUAL_HEADER.match(self._buffer)) is not None:
            length = int(found[1])
        else:
            found = _END_OF_HEADER.search(self._buffer, 0, MAX_HEADER)
            if found is None:
                if len(self._buffer) >= MAX_HEADER:
                    raise FramingError(f"A header is over the limit of {MAX_HEADER} bytes.")
                return None
            length = content_length(bytes(self._buffer[: found.start()]))
        end = found.end()
        if length > self._max_body:
            raise FramingError(f"A message of {length} bytes is over the limit of {self._max_body}.")
        del self._buffer[:end]
        return length

    def _skip_line_ends(self) -> None:
        """Some clients end a body with a line end."""
        while self._length is None and self._buffer.startswith((b"\r", b"\n")):
            del self._buffer[0]

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

"""LSP's base protocol: messages out of a stream of bytes, without I/O.

It needs nothing of pygls or of this program and could replace pygls's reader. That one waits for three threads a
message (two header lines, one body), which is over half of what a small message costs; it accepts only the exact
spelling "Content-Length", and it fails when the stream ends inside a message. This one takes bytes as they come
and returns every message that is complete.
"""

from __future__ import annotations

import re

MAX_HEADER = 64 * 1024
MAX_BODY = 256 * 1024 * 1024

_USUAL_HEADER = re.compile(rb"Content-Length: (\d{1,18})\r\n\r\n")
"""The header as nearly all clients write it, matched without splitting it: faster for small messages."""
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")


class FramingError(Exception):
    """The start of the next message is unknown, so nothing more can be read from the stream."""


class Frames:
    """The bodies of the messages in a stream: `feed` takes bytes, `next` returns bodies.

    After `feed(b"Content-Length: 2\\r\\n\\r\\n{}Content-Le")`, `next()` returns `b"{}"` and then None: the second
    message is incomplete.
    """

    def __init__(self, max_body: int = MAX_BODY) -> None:
        self._max_body = max_body
        self._buffer = bytearray()
        self._length: int | None = None  # of the body whose header was read

    def feed(self, data: bytes) -> None:
        """Append the next bytes of the stream."""
        self._buffer += data

    def next(self) -> bytes | None:
        """The next body, None if it is incomplete.

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
        if (match := _USUAL_HEADER.match(self._buffer)) is not None:
            length = int(match[1])
        else:
            match = _END_OF_HEADER.search(self._buffer, 0, MAX_HEADER)
            if match is None:
                if len(self._buffer) >= MAX_HEADER:
                    raise FramingError(f"A header is over the limit of {MAX_HEADER} bytes.")
                return None
            length = content_length(bytes(self._buffer[: match.start()]))
        end = match.end()
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
    """The Content-Length of a header, given without the empty line that ends it.

    Field names are read in any case and order; other fields are ignored, as is Content-Type: LSP has only UTF-8.
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

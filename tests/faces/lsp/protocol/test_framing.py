"""Messages out of bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.faces.lsp.protocol.framing import MAX_HEADER, Frames, FramingError, content_length


def everything(*chunks: bytes, max_body: int = 1000) -> list[bytes]:
    """The bodies in a stream that comes in these pieces and then ends."""
    frames = Frames(max_body)
    bodies = []
    for chunk in chunks:
        frames.feed(chunk)
        while (body := frames.next()) is not None:
            bodies.append(body)
    frames.finish()
    return bodies


@given(bodies=st.lists(st.binary(max_size=30), max_size=5), cut=st.integers(1, 20))
def test_any_cutting_gives_the_same_messages(bodies: list[bytes], cut: int) -> None:
    """However the stream is cut into pieces, the bodies come out whole and in order."""
    stream = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
    pieces = [stream[place : place + cut] for place in range(0, len(stream), cut)]
    assert everything(*pieces) == bodies


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"CONTENT-LENGTH :  2 \r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=latin-1\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\r\nContent-Type: x\r\n\r\n",
        b"X-Other: 5\r\nContent-Length: 2\r\nContent-Length: 2\r\nno colon\r\n\r\n",
        b"Content-Length: 2\n\n",
        b"\r\n\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_headers_in_every_dress(header: bytes) -> None:
    """Names in any case, any order, other fields, bare newlines, a line end before: all are read."""
    assert everything(header + b"{}" + header + b"[]") == [b"{}", b"[]"]


@pytest.mark.parametrize(
    ("stream", "sentence"),
    [
        (b"Hello: 5\r\n\r\n{}", "no Content-Length"),
        (b"Content-Length: x\r\n\r\n{}", "bad Content-Length: b'x'"),
        (b"Content-Length: -2\r\n\r\n{}", "bad Content-Length"),
        (b"Content-Length: \r\n\r\n{}", "bad Content-Length"),
        (b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "bad Content-Length"),
        (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", "bad Content-Length"),
        (b"Content-Length: 1001\r\n\r\n", "over the limit of 1000"),
        (b"Content-Length: 5\r\n\r\n{}", "ended inside a message"),
        (b"Content-Len", "ended inside a message"),
        (b"x" * (MAX_HEADER + 10), "header is over the limit"),
    ],
)
def test_what_can_not_be_followed(stream: bytes, sentence: str) -> None:
    """Without a usable length nobody knows where the next message begins: an error that says so."""
    with pytest.raises(FramingError, match=sentence):
        everything(*(stream[place : place + 999] for place in range(0, len(stream), 999)))


def test_an_empty_body() -> None:
    """A length of 0 is a body of no bytes, and the stream goes on."""
    assert everything(b"Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\nx\r\n") == [b"", b"x"]


def test_the_length_of_a_header() -> None:
    """The length is read from the header's lines alone."""
    assert content_length(b"Content-Length: 0012") == 12

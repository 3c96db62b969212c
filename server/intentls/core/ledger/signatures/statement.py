"""What a signature of a segment says, and the file that holds it beside the segment.

    intentls-segment 1
    repository 9fceb02d0ae598e95dc970b74767f19372d61af8
    root .
    segment 3f0c94d1a7be-00000042-9c1d2e3f.jsonl
    content sha256:6f1e...
    chain 3f0c94d1a7be66c1 42 53 sha256:91ab... sha256:d0c4...
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg...
    -----END SSH SIGNATURE-----

The lines before the signature are the message that is signed, byte for byte. They name all that could be exchanged:
the repository (its first commit), the root in it, the segment, its bytes, and where each writer's chain begins and
ends in it, with the hash of the line before and of the last line.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from msgspec import Struct

from intentls.core.hashing import content_hash
from intentls.core.ledger.hash_chain import line_hash, read_link, strip_end
from intentls.core.ledger.signatures.ssh_signature import BEGIN, END, rewrapped
from intentls.late_pattern import late_pattern

NAMESPACE = "segment@intentls"
"""What keeps a signature for another purpose, of a commit or a mail, from being one of a segment."""

_HASH = r"sha256:[0-9a-f]{64}"
_STATEMENT = late_pattern(
    rf"intentls-segment 1\nrepository (?P<repository>[0-9a-f]{{40}}(?:[0-9a-f]{{24}})?)\nroot (?P<root>[!-~]+)\n"
    rf"segment (?P<segment>[!-~]+)\ncontent (?P<content>{_HASH})\n"
    rf"(?P<chains>(?:chain [!-~]+ [1-9][0-9]{{0,17}} [1-9][0-9]{{0,17}} (?:-|{_HASH}) {_HASH}\n)*)"
)
_BLOCK = late_pattern(rb"(?P<statement>(?:[a-z][^\n]*\n)+)(?P<armour>%b(?:[A-Za-z0-9+/=]+\n)+%b)" % (BEGIN, END))
_NARROWEST, _WIDEST = 40, 76  # characters in a line of a signature


class ChainPart(NamedTuple):
    """One writer's lines in a segment: the first and the last number, the hash before the first, that of the last."""

    writer: str
    first: int
    last: int
    prev: str | None
    head: str


class Statement(Struct, frozen=True):
    """`root` is "." for the top of the repository, else the path of the root; `content` the hash of the bytes."""

    repository: str
    root: str
    segment: str
    content: str
    chains: tuple[ChainPart, ...]

    def render(self) -> bytes:
        """The message that is signed."""
        lines = [
            "intentls-segment 1",
            f"repository {self.repository}",
            f"root {_word(self.root)}",
            f"segment {_word(self.segment)}",
            f"content {self.content}",
        ]
        lines += [f"chain {_word(c.writer)} {c.first} {c.last} {c.prev or '-'} {c.head}" for c in self.chains]
        return "".join(f"{line}\n" for line in lines).encode("ascii")


class SignedStatement(Struct, frozen=True):
    """`message` is what is signed, `armour` its signature; `statement` is None where the message is none."""

    message: bytes
    armour: bytes

    @property
    def statement(self) -> Statement | None:
        """What the message says."""
        return parse_statement(self.message)

    @property
    def text(self) -> bytes:
        """As it stands in a file."""
        return self.message + self.armour

    @classmethod
    def of(cls, message: bytes, armour: bytes) -> SignedStatement:
        """A new one: its lines are so wide that git takes no two files of this kind for one that was renamed."""
        width = _NARROWEST + sha256(message).digest()[0] % (_WIDEST - _NARROWEST + 1)
        return cls(message, rewrapped(armour, width))


def statement_of(repository: str, root: str, segment: str, content: bytes) -> Statement:
    """What is to be signed for the segment of this name and content."""
    plain = plain_bytes(content)
    return Statement(repository, root, segment, content_hash(plain), chain_parts(plain.split(b"\n")))


def plain_bytes(content: bytes) -> bytes:
    r"""The content as it was written: a checkout may have made `\r\n` of `\n`, and no record has a `\r` in it."""
    return content.replace(b"\r\n", b"\n")


def chain_parts(lines: Iterable[bytes]) -> tuple[ChainPart, ...]:
    """Where each writer's chain begins and ends in these lines, by writer. Lines without a place in a chain count not.

    Example: the lines a1, a2, b7 are `a 1 2 - hash(a2)` and `b 7 7 hash(b6) hash(b7)`.
    """
    parts: dict[str, tuple[int, str | None]] = {}
    ends: dict[str, tuple[int, bytes]] = {}
    for raw in lines:
        line = strip_end(raw)
        link = read_link(line) if line.strip() else None
        if link is not None:
            parts.setdefault(link.writer, (link.seq, link.prev))
            ends[link.writer] = (link.seq, line)
    return tuple(ChainPart(writer, *_in_order(parts[writer], ends[writer])) for writer in sorted(parts))


def _in_order(begin: tuple[int, str | None], end: tuple[int, bytes]) -> tuple[int, int, str | None, str]:
    return begin[0], end[0], begin[1], line_hash(end[1])


def parse_statement(message: bytes) -> Statement | None:
    """What a message says; None if it is not written exactly as `render` does."""
    try:
        match = _STATEMENT.fullmatch(message.decode("ascii"))
    except UnicodeDecodeError:
        return None
    if match is None:
        return None
    statement = Statement(
        match["repository"],
        _text(match["root"]),
        _text(match["segment"]),
        match["content"],
        tuple(_chain(line) for line in match["chains"].splitlines()),
    )
    return statement if statement.render() == message else None


def parse_signatures(data: bytes) -> tuple[SignedStatement, ...] | None:
    """The signed statements of a file, one after the other; None if there is anything else in it, or nothing."""
    data, end, found = plain_bytes(data), 0, list[SignedStatement]()
    while end < len(data):
        match = _BLOCK.match(data, end)
        if match is None:
            return None
        found.append(SignedStatement(match["statement"], match["armour"]))
        end = match.end()
    return tuple(found) or None


def _chain(line: str) -> ChainPart:
    _, writer, first, last, prev, head = line.split(" ")
    return ChainPart(_text(writer), int(first), int(last), None if prev == "-" else prev, head)


def _word(text: str) -> str:
    """Text without blanks and line ends: percent-encoded, but for what is harmless."""
    return quote(text.encode("utf-8", "surrogateescape"), safe="/._-")


def _text(word: str) -> str:
    return unquote_to_bytes(word).decode("utf-8", "surrogateescape")

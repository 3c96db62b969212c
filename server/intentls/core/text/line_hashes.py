"""A short hash of each line, without its end, by which a line is recognised in another place or file.

line_hash(b"import os") == b"3iq63oMs"      join_hashes([b"import os", b""]) == "3iq63oMs47DEQpj8"
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256

from intentls.core.text.lines import is_binary, split_lines, utf16_codec
from intentls.late_pattern import late_pattern

WIDTH = 8
"""Characters of base64url, which are 48 bits: unlikely to be equal for two different lines of one repository."""

OMITTED = b"-" * WIDTH
"""In the place of the hash of a line that is not distinctive (see `is_distinctive`)."""

MAX_LINES = 20_000
"""The entry of a file with more changed lines has no line hashes: a ledger is no copy of the sources."""

MAX_BYTES = 4 * 1024 * 1024
"""Blame answers for no larger content."""

_FORM = late_pattern(r"[A-Za-z0-9_-]*")
_WORD = late_pattern(rb"[A-Za-z0-9\x80-\xff]+")
_MIN_DISTINCTIVE = 4  # letters and digits
_EMPTY_WORDS = frozenset(
    b"begin break case catch continue default done else endif ensure esac finally loop none null pass private "
    b"protected public return rescue self static then true false void".split()
)
_IMPORT_OR_COMMENT = late_pattern(
    rb"\s*(?:from\s.*\simport\s|import\b|#\s*include\b|use\s|using\s|package\s|require\b|@|#!|//|#|/?\*|--\s|<!--)"
)
_MIN_UNLIKELY_TWICE = 8  # letters and digits
_MIN_PROOF = 2  # different lines


def supports_line_blame(content: bytes) -> bool:
    """Whether blame answers for single lines of the content: it is text of at most MAX_BYTES."""
    return len(content) <= MAX_BYTES and not is_binary(content)


def line_hash(line: bytes) -> bytes:
    """The hash of a line that has no end."""
    return urlsafe_b64encode(sha256(line).digest()[:6])


def bare_lines(data: bytes) -> list[bytes]:
    """The lines of a content without their ends."""
    codec = utf16_codec(data)
    if codec is None:
        return data.splitlines()
    ends = tuple(end.encode(codec) for end in ("\r\n", "\n", "\r"))
    return [line.removesuffix(next(filter(line.endswith, ends), b"")) for line in split_lines(data)]


def join_hashes(lines: Iterable[bytes]) -> str:
    """The hashes of lines as the ledger has them, one after the other."""
    return b"".join(map(line_hash, lines)).decode("ascii")


def split_hashes(text: object, count: int) -> list[bytes] | None:
    """The hashes of `count` lines out of a ledger's text (see `join_hashes`); None if `text` is anything else."""
    if not isinstance(text, str) or len(text) != count * WIDTH or _FORM.fullmatch(text) is None:
        return None
    data = text.encode("ascii")
    return [data[start : start + WIDTH] for start in range(0, len(data), WIDTH)]


def is_distinctive(line: bytes) -> bool:
    """Whether a line says anything of its own: blank lines, brackets and bare keywords stand everywhere."""
    words = _WORD.findall(line)
    return sum(map(len, words)) >= _MIN_DISTINCTIVE and not (len(words) == 1 and words[0].lower() in _EMPTY_WORDS)


def is_unlikely_twice(line: bytes) -> bool:
    """Whether a line would hardly be written twice by chance: no import, no comment, and not short."""
    size = sum(map(len, _WORD.findall(line)))
    return is_distinctive(line) and size >= _MIN_UNLIKELY_TWICE and _IMPORT_OR_COMMENT.match(line) is None


def prove_a_block(lines: Iterable[bytes]) -> bool:
    """Whether lines (or their hashes), all of them unlikely to be written twice, prove together where a block is from.

    Two different ones do. One line alone may be equal by chance, however long it is: `conn = connect(":memory:")`.
    """
    return len(set(lines)) >= _MIN_PROOF

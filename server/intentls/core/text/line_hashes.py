"""A short hash of each line, without its end: by it a line is found again wherever it went."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256

from intentls.core.text.lines import is_binary, split_lines, utf16_codec

WIDTH = 8
"""Characters of base64url, which are 48 bits: two lines of one repository never meet by chance."""

UNTOLD = b"-" * WIDTH
"""In the place of a line that says nothing by itself."""

MOST_LINES = 20_000
"""A file's entry with more changed lines does without: a ledger is no copy of the sources."""

MOST_BYTES = 4 * 1024 * 1024
"""Of a larger content nobody asks line by line who wrote what."""

_FORM = re.compile(r"[A-Za-z0-9_-]*")
_WORD = re.compile(rb"[A-Za-z0-9\x80-\xff]+")
_FEWEST = 4  # letters and digits
_EMPTY_WORDS = frozenset(
    b"begin break case catch continue default done else endif ensure esac finally loop none null pass private "
    b"protected public return rescue self static then true false void".split()
)
_BORROWED = re.compile(
    rb"\s*(?:from\s.*\simport\s|import\b|#\s*include\b|use\s|using\s|package\s|require\b|@|#!|//|#|/?\*|--\s|<!--)"
)
_TELLING = 8  # letters and digits


def is_told_by_line(content: bytes) -> bool:
    """Whether it makes sense to ask who wrote a line of it."""
    return len(content) <= MOST_BYTES and not is_binary(content)


def line_hash(line: bytes) -> bytes:
    """The hash of a line that has no end."""
    return urlsafe_b64encode(sha256(line).digest()[:6])


def bare_lines(data: bytes) -> list[bytes]:
    """The lines of a content without their ends."""
    codec = utf16_codec(data)
    if codec is None:
        return [line.rstrip(b"\r\n") for line in split_lines(data)]
    ends = tuple(end.encode(codec) for end in ("\r\n", "\n", "\r"))
    return [_without(line, ends) for line in split_lines(data)]


def _without(line: bytes, ends: Iterable[bytes]) -> bytes:
    end = next((end for end in ends if line.endswith(end)), b"")
    return line.removesuffix(end)


def joined(lines: Iterable[bytes]) -> str:
    """The hashes of lines as the ledger has them, one after the other."""
    return b"".join(map(line_hash, lines)).decode("ascii")


def apart(text: object, count: int) -> list[bytes] | None:
    """The hashes of `count` lines out of a ledger; None if `text` is anything else."""
    if not isinstance(text, str) or len(text) != count * WIDTH or _FORM.fullmatch(text) is None:
        return None
    data = text.encode("ascii")
    return [data[at : at + WIDTH] for at in range(0, len(data), WIDTH)]


def is_distinctive(line: bytes) -> bool:
    """Whether a line says anything of its own: blank lines, brackets and bare keywords stand everywhere."""
    words = _WORD.findall(line)
    return sum(map(len, words)) >= _FEWEST and not (len(words) == 1 and words[0].lower() in _EMPTY_WORDS)


def is_telling(line: bytes) -> bool:
    """Whether a line would hardly be written twice by chance: no import, no comment, and not short."""
    return is_distinctive(line) and sum(map(len, _WORD.findall(line))) >= _TELLING and _BORROWED.match(line) is None

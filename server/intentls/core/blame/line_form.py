"""Which new lines say the same as old ones in another form: what a formatter does to lines that others wrote.

    old lines              new lines                  the same
    total = f(a,'x')       total = f(a, "x")          line 1 is line 1: white space and the kind of quotes
    call(first, second)    call(                      lines 2 to 4 are line 2, broken in three
                               first,
                               second)
    return total           return total + 1           no: there is a new word

In languages where indentation says something, a line that begins further to the left or right is another line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import basename, splitext
from typing import NamedTuple

from intentls.core.text.line_diff import changed_blocks
from intentls.late_pattern import late_pattern

_TOKEN = late_pattern(
    rb"""
    "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*'    # white space in quotes is no form
    | [A-Za-z0-9_\x80-\xff]+
    | [^\sA-Za-z0-9_\x80-\xff]""",
    re.VERBOSE,
)
_INDENTATION = late_pattern(rb"[ \t]*")
_INDENTATION_COUNTS = frozenset(
    {".py", ".pyi", ".yaml", ".yml", ".mk", ".haml", ".pug", ".coffee", ".sass", ".nim", ".hs", ".fs", ".diff"}
)


def indentation_counts(path: str) -> bool:
    """Whether the white space before a line says something in the language of the file."""
    name = basename(path).lower()
    return splitext(name)[1] in _INDENTATION_COUNTS or name == "makefile"


class SameLines(NamedTuple):
    """The new lines of index `start` to `end` (half-open) are the old ones of `old_start` to `old_end`."""

    start: int
    end: int
    old_start: int
    old_end: int


def same_lines(old: Sequence[bytes], new: Sequence[bytes], *, is_indented: bool) -> Iterator[SameLines]:
    """The new lines that are old ones in another form, or in the same one; `is_indented`: indentation counts."""
    before, after = ([form(line, is_indented=is_indented) for line in lines] for lines in (old, new))
    kept, kept_old = 0, 0
    for old_start, old_end, start, end in changed_blocks(before, after):
        yield from _pairs(kept, start, kept_old)
        kept, kept_old = end, old_end
        text = _joined(old[old_start:old_end])
        begins = not is_indented or _indentation(old[old_start:]) == _indentation(new[start:])
        if text and begins and text == _joined(new[start:end]):
            yield SameLines(start, end, old_start, old_end)
    yield from _pairs(kept, len(new), kept_old)


def _pairs(start: int, end: int, old_start: int) -> Iterator[SameLines]:
    for line in range(start, end):
        old = old_start + line - start
        yield SameLines(line, line + 1, old, old + 1)


def form(line: bytes, *, is_indented: bool) -> bytes:
    """What is left of a line without its form: two lines that have it in common say the same."""
    return (_indentation([line]) if is_indented else b"") + _joined([line])


def _joined(lines: Sequence[bytes]) -> bytes:
    tokens = (token for line in lines for token in _TOKEN.findall(line))
    return b" ".join(token.replace(b"'", b'"') for token in tokens)


def _indentation(lines: Sequence[bytes]) -> bytes:
    match = _INDENTATION.match(lines[0]) if lines else None
    return b"" if match is None else match[0]

"""Lines of a file: where they end, which of them changed, and whose label each line carries."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from intentls.core.text.line_diff import changed_blocks
from intentls.late_pattern import late_pattern

T = TypeVar("T")

_KEPT_BYTES = 4 * 1024 * 1024  # of both contents of a diff that is kept
_BINARY_HEAD = 8000  # bytes: as far as git looks for a NUL
_TEXT_LINE = late_pattern(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def utf16_codec(data: bytes) -> str | None:
    """`utf-16-le` or `utf-16-be` if `data` begins with that byte order mark, else None."""
    if data.startswith(codecs.BOM_UTF32_LE):  # begins with the mark of UTF-16-LE
        return None
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    return "utf-16-be" if data.startswith(codecs.BOM_UTF16_BE) else None


def is_binary(data: bytes) -> bool:
    """Whether `data` is no text: a NUL in its first 8000 bytes, and no byte order mark of UTF-16."""
    return b"\0" in data[:_BINARY_HEAD] and utf16_codec(data) is None


def split_lines(data: bytes) -> list[bytes]:
    r"""The lines of `data` with their ends; joined they are `data` again.

    A line ends with `\n`, `\r\n` or `\r` and nothing else (no form feed, no U+2028), as an editor counts.
    In UTF-16 with a byte order mark those are two-byte units.
    """
    if codec := utf16_codec(data):
        with suppress(UnicodeDecodeError):
            return [line.encode(codec) for line in _TEXT_LINE.findall(data.decode(codec))]
    return data.splitlines(keepends=True)


class Hunk(Struct, frozen=True):
    """`old_lines` lines from `old_start` on became `new_lines` lines from `new_start` on.

    Lines count from 1, as in a unified diff without context: if a count is 0, its start is the line before.
    """

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int


def diff(before: bytes | None, after: bytes | None) -> tuple[Hunk, ...]:
    """What turns `before` into `after`, line by line and byte-exactly. None is a file that does not exist."""
    old, new = before or b"", after or b""
    return _kept_diff(old, new) if len(old) + len(new) <= _KEPT_BYTES else _diff(old, new)


def _diff(before: bytes, after: bytes) -> tuple[Hunk, ...]:
    return diff_lines(split_lines(before), split_lines(after))


_kept_diff = lru_cache(maxsize=1)(_diff)  # a record asks for the ranges of a change, and then for its hunks


def diff_lines(before: list[bytes], after: list[bytes]) -> tuple[Hunk, ...]:
    """The same of contents that are split into lines already."""
    return tuple(
        Hunk(*_start_and_count(a_start, a_end), *_start_and_count(b_start, b_end))
        for a_start, a_end, b_start, b_end in changed_blocks(before, after)
    )


def carry(labels: Sequence[T], hunks: Sequence[Hunk], label: T) -> list[T]:
    """The labels of a file's lines after `hunks`: untouched lines keep theirs, the others get `label`.

    `labels` has one label for each old line. Raises ValueError if a hunk reaches past them.
    With `labels` = [A, A, B], the hunk "line 2 became two lines" and `label` C: [A, C, C, B].
    """
    carried: list[T] = []
    copied = 0
    for hunk in hunks:
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        carried += labels[copied:start]
        carried += [label] * hunk.new_lines
        copied = start + hunk.old_lines
    if copied > len(labels):
        raise ValueError(f"a hunk ends at line {copied}, but there are labels for {len(labels)} lines only")
    carried += labels[copied:]
    return carried


def _start_and_count(start: int, end: int) -> tuple[int, int]:
    return (start + 1 if end > start else start, end - start)


_Edit = tuple[int, int, tuple[bytes, ...]]  # these lines of the base (half-open, from 0) become those


def merge3(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """`base` with what both sides changed; None where they change the same lines, be it in the same way.

    So the result less one side's changes is always the other side. Changes that merely touch are joined, which git
    refuses to do: ask only where the result is compared with a hash.

        base     ours     theirs    merge3
        a        a        a         a
        b        B        b         B
        c        c        c         c
                          d         d

    Taking one side's change out again is a merge too: `merge3(B, A, merge3(A, B, C))` is `C`.
    """
    lines = split_lines(base)
    edits = sorted([*_edits(lines, split_lines(ours)), *_edits(lines, split_lines(theirs))])
    merged: list[bytes] = []
    copied, last_start, only_added = 0, -1, False
    for start, end, replacement in edits:
        is_second_insertion = only_added and start == last_start and start == end
        if start < copied or is_second_insertion:
            return None
        merged += lines[copied:start]
        merged += replacement
        copied, last_start, only_added = end, start, start == end
    return b"".join([*merged, *lines[copied:]])


def _edits(lines: Sequence[bytes], changed: Sequence[bytes]) -> list[_Edit]:
    return [(b.a_start, b.a_end, tuple(changed[b.b_start : b.b_end])) for b in changed_blocks(lines, changed)]

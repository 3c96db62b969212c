"""Two changes of one text, joined: what a merge or a rebase does, and how to take one of the two out again."""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.text.line_diff import changed_blocks
from intentls.core.text.lines import split_lines

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

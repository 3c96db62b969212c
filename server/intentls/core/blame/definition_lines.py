"""How the lines of one definition went through the hunks and origins of a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from intentls.core.blame.version_graph import MAX_LINES
from intentls.core.ledger.line_range import Origin
from intentls.core.text.lines import Hunk


def carried_back(lines: Sequence[int], hunks: Sequence[Hunk]) -> dict[int, int]:
    """The old numbers of those `lines`, which are in order, that no hunk wrote.

    The hunk (2, 1, 2, 3) made lines 2 to 4 of line 2: of [1, 3, 5] there are 1 and 5, which were 1 and 3.
    """
    old: dict[int, int] = {}
    shift = index = 0
    for line in lines:
        while index < len(hunks) and hunks[index].new_start + max(0, hunks[index].new_lines - 1) < line:
            shift += hunks[index].old_lines - hunks[index].new_lines
            index += 1
        is_new = index < len(hunks) and hunks[index].new_lines > 0 and hunks[index].new_start <= line
        if not is_new:
            old[line] = line + shift
    return old


def removed_inside(hunks: Sequence[Hunk], lines: frozenset[int]) -> frozenset[int]:
    """The old lines that a hunk replaced by lines of the definition alone, or took out between two of them."""
    removed: set[int] = set()
    for hunk in hunks:
        inside = range(hunk.new_start, hunk.new_start + hunk.new_lines) or (hunk.new_start, hunk.new_start + 1)
        if hunk.old_lines <= MAX_LINES and lines.issuperset(inside):
            removed.update(range(hunk.old_start, hunk.old_start + hunk.old_lines))
    return frozenset(removed)


def moved_lines_of(origins: Iterable[Origin], lines: frozenset[int]) -> dict[int, tuple[Origin, int]]:
    """Those of `lines` that were moved or formatted: by what origin, and their old number."""
    moved: dict[int, tuple[Origin, int]] = {}
    for origin in origins:
        is_one_by_one = origin.end_line - origin.start_line == origin.old_end_line - origin.old_start_line
        for line in (line for line in lines if origin.start_line <= line <= origin.end_line):
            moved[line] = origin, origin.old_start_line + (line - origin.start_line if is_one_by_one else 0)
    return moved


def with_name(text: bytes, name: str, other: str) -> bytes | None:
    """The line with the parts of another qualified name in the place of its own; None if that changes nothing.

    `def rain(city):` of `City.rain` with `City.snow` is `def snow(city):`.
    """
    own, others = name.split("."), other.split(".")
    if len(own) != len(others):
        return None
    words = {one.encode(): two.encode() for one, two in zip(own, others, strict=True) if one != two}
    if not words:
        return None
    pattern = rb"(?<![\w])(" + b"|".join(map(re.escape, words)) + rb")(?![\w])"
    changed = re.sub(pattern, lambda match: words[match[1]], text)
    return changed if changed != text else None

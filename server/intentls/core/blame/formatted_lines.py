"""A version that was only formatted, of which the older text is not at hand: its lines are found by their hashes.

    older lines, by hash   owner        content         owner
    h1                     Ada          import os       Ada     has the hash h1
    h2                     Ada          (blank)         Ada     a formatter put it between two lines of Ada's
    h3                     Ben          x = 1           Ada     stands where h2 was
                                        y = 2           Ben     has the hash h3

Lines between two that are equal came from those that stood between them. If those have one owner, so have they.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from intentls.core.blame.version_graph import FileVersion, LineOwners, LineState, VersionId
from intentls.core.ledger.line_range import Origin
from intentls.core.text.line_diff import changed_blocks
from intentls.core.text.line_hashes import line_hash
from intentls.core.text.lines import Hunk

C = TypeVar("C")


def with_hashes(lines: LineOwners[C], hashes: Sequence[bytes | None]) -> LineOwners[C]:
    """The lines of a version with those of `hashes`, one a line, that it does not have itself; [] changes nothing."""
    if len(hashes) < len(lines.lines):
        return lines
    unknown: LineState[C] = (None, None, None)
    padded = [*lines.lines, *[unknown] * (len(hashes) - len(lines.lines))]
    known = ((owner, own or other, root) for (owner, own, root), other in zip(padded, hashes, strict=True))
    return LineOwners(list(known), is_whole=True)


def formatted_version(
    older: LineOwners[C], content: Sequence[bytes], base: VersionId, content_hash: str
) -> FileVersion[C]:
    """The version with the lines `content` (without their ends), which says the same as the version `base`."""
    before = [b"?%d" % number if hash_ is None else hash_ for number, (_, hash_, _) in enumerate(older.lines)]
    hunks: list[Hunk] = []
    origins: list[Origin] = []
    for old_start, old_end, start, end in changed_blocks(before, [line_hash(line) for line in content]):
        old_count, count = old_end - old_start, end - start
        hunks.append(Hunk(old_start + bool(old_count), old_count, start + bool(count), count))
        # What was only added stands between two lines that have an owner already.
        first, last = (old_start, old_end) if old_count else (max(0, old_start - 1), min(len(before), old_end + 1))
        owners = {owner for owner, _, _ in older.lines[first:last]}
        is_sure = len(owners) == 1 and (old_end < len(before) or older.is_whole)
        if count and first < last and (is_sure or count == old_count):
            origins.append(Origin(start + 1, end, first + 1, last))
    return FileVersion(None, content_hash, tuple(hunks), (), tuple(origins), base=base)

"""The blocks that a record may have pasted, as the search for moves by two edits takes them.

A record that wrote a new file of three functions has one range of lines, and each function may have come from another
place. So several of its lines are searched for, the longest first, and none within a few lines of another one:

    1  def load_the_cities(path):         searched for
    2      rows = read_rows(path)
    3      return rows
       ..
    9  def parse_one_city(row, limit):    searched for too

Where a paste has an empty line in common with what was there, the diff keeps that line: the record has two ranges, and
still one block. The kept line is in the block, as one that says nothing, and keeps its author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from intentls.core.blame.version_graph import FileVersion, VersionId
from intentls.core.text.line_hashes import MAX_LINES, line_hash, split_hashes
from intentls.core.text.lines import Hunk
from intentls.engine.blame.record_history import Owner

_MIN_UNIQUE = 2  # lines that a block must have in common with the other file and that are unique there
_MAX_KEPT = 2  # lines between two ranges of one block
_APART = 6  # lines between two that are searched for at once
_EMPTY = line_hash(b"")  # what a kept line is taken for
_NO_LINE = b""  # equal to none

_MIN_PASTED = 3  # lines: a smaller block is not searched for


class PastedBlock(Struct, frozen=True):
    """Lines that `version` claims, from `start_line` on; the one at `index` in `hashes` is searched for.

    `kept` are the places of those that it does not claim. `unlikely_twice` are hashes of lines, of these and others,
    that would hardly be written twice by chance.
    """

    version: VersionId
    entry: int
    start_line: int
    hashes: Sequence[bytes]
    kept: Set[int]
    index: int
    unlikely_twice: Set[bytes]

    @property
    def hash(self) -> bytes:
        """Of the line that is searched for."""
        return self.hashes[self.index]


class BlockMatch(NamedTuple):
    """Lines `start` to `end` (included) of a block are the lines from `old_start` on of another content; from 0."""

    start: int
    end: int
    old_start: int


class ClaimedLines(NamedTuple):
    """Lines from `start_line` on that a version claims, but for those at the places `kept`."""

    start_line: int
    hashes: list[bytes]
    kept: set[int]


def claimed(version: FileVersion[Owner]) -> Iterator[ClaimedLines]:
    """The blocks of a version, of three lines or more: its ranges, as one where few lines between them were kept."""
    found: list[ClaimedLines] = []
    for claim in version.claims:
        start, count = claim.where.start_line, claim.where.end_line - claim.where.start_line + 1
        hashes = split_hashes(claim.where.line_hashes, count) or []
        last = found[-1] if found else None
        kept = _MAX_KEPT + 1 if last is None else start - last.start_line - len(last.hashes)
        if last is not None and hashes and 0 <= kept <= _MAX_KEPT:
            last.kept.update(range(len(last.hashes), len(last.hashes) + kept))
            last.hashes.extend([_EMPTY] * kept + hashes)
        else:
            found.append(ClaimedLines(start, hashes, set()))
    return (block for block in found if len(block.hashes) >= _MIN_PASTED)


def removed_lines(hunks: Sequence[Hunk], removed: Sequence[bytes]) -> tuple[list[int], list[bytes]] | None:
    """The lines that hunks removed, from 1, and their hashes; with few kept lines between them, as in `claimed`.

    Where more were kept, a line that is equal to none stands between them. None if the hashes are not those of all.
    """
    sizes = [min(hunk.old_lines, MAX_LINES) for hunk in hunks]
    if len(removed) != sum(sizes):
        return None
    numbers: list[int] = []
    hashes: list[bytes] = []
    left = iter(removed)
    for hunk, size in zip(hunks, sizes, strict=True):
        if size and numbers:
            between = range(numbers[-1] + 1, hunk.old_start)
            is_one = len(between) <= _MAX_KEPT
            numbers += between if is_one else [0]
            hashes += [_EMPTY] * len(between) if is_one else [_NO_LINE]
        numbers += range(hunk.old_start, hunk.old_start + size)
        hashes += islice(left, size)
    return numbers, hashes


def far_apart(lengths: Mapping[bytes, int], block: ClaimedLines) -> Iterator[int]:
    """The places in a block of the lines to search for at once, the longest first; each of `lengths` may be."""
    places = [place for place, hash_ in enumerate(block.hashes) if hash_ in lengths]
    taken: list[int] = []
    for place in sorted(places, key=lambda place: (-lengths[block.hashes[place]], block.hashes[place])):
        if all(abs(place - other) > _APART for other in taken):
            taken.append(place)
            yield place


def match_block(block: PastedBlock, hashes: Sequence[bytes], copied: Set[bytes] = frozenset()) -> BlockMatch | None:
    """The equal lines around the one that was searched for, up to the next one that is `copied`.

    None if they are fewer than three, fewer than two of them are unique in `hashes`, or the line itself is not: then
    they could as well stand at another place.
    """
    counts = Counter(hashes)
    offset = hashes.index(block.hash) - block.index
    start = end = block.index
    equal = [
        hash_ == other and hash_ not in copied
        for hash_, other in zip(block.hashes[max(0, -offset) :], hashes[max(0, offset) :], strict=False)
    ]
    first = max(0, -offset)  # of the block's lines that have a counterpart
    while start > first and equal[start - 1 - first]:
        start -= 1
    last = min(len(block.hashes), len(hashes) - offset) - 1
    while end < last and equal[end + 1 - first]:
        end += 1
    unique = sum(counts[hash_] == 1 for hash_ in block.hashes[start : end + 1])
    is_enough = (
        equal[block.index - first]
        and end - start + 1 >= _MIN_PASTED
        and unique >= _MIN_UNIQUE
        and counts[block.hash] == 1
    )
    return BlockMatch(start, end, start + offset) if is_enough else None

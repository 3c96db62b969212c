"""Which lines differ: the fewest that can, in as few blocks as that allows, in bounded time and memory.

The lines that both texts begin and end with are set aside; the longest common subsequence of the rest is kept, and
what lies between its lines are the changed blocks. A block that only adds or removes can often lie in several places:

    a       a           The same change adds `y, b` behind the first `b`, or `b, y` before it. Each block first slides
    b       b           up as far as it can, then down: blocks that meet on the way become one, and each ends as late
    c       y   <-      as it can. Here that is lines 3 and 4 (`y`, `b`), half-open ChangedLines(2, 2, 2, 4).
            b   <-
            c
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress, count, pairwise
from operator import ne
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rapidfuzz.distance import Opcodes

# The exact comparison takes one bit for each pair of lines: 2**27 bits are 16 MiB and some 50 ms.
MAX_PAIRS = 2**27


class ChangedLines(NamedTuple):
    """`a[a_start:a_end]` became `b[b_start:b_end]`. Indexes count from 0; one side may be empty, not both."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int


def changed_blocks(a: Sequence[bytes], b: Sequence[bytes]) -> list[ChangedLines]:
    """The blocks that turn the lines `a` into the lines `b`, in order and apart from each other.

    Lines outside the blocks are equal, pair by pair. Where the same change can be described in several ways,
    blocks are joined if they can be, and lie as late as they can.
    """
    head = _common_head(a, b)
    tail = _common_tail(a, b, head)
    whole = ChangedLines(head, len(a) - tail, head, len(b) - tail)
    numbers: dict[bytes, int] = {}
    a_numbers = [numbers.setdefault(line, len(numbers)) for line in a[whole.a_start : whole.a_end]]
    b_numbers = [numbers.setdefault(line, len(numbers)) for line in b[whole.b_start : whole.b_end]]
    blocks = _merge_touching(_moved(block, head) for block in _differences(a_numbers, b_numbers))
    early = _mirrored(a, b, _slid_down(a[::-1], b[::-1], _mirrored(a, b, blocks)))
    return _slid_down(a, b, early)


def _common_head(a: Sequence[bytes], b: Sequence[bytes]) -> int:
    return next(compress(count(), map(ne, a, b)), min(len(a), len(b)))


def _common_tail(a: Sequence[bytes], b: Sequence[bytes], head: int) -> int:
    limit = min(len(a), len(b)) - head
    return next(compress(range(limit), map(ne, reversed(a), reversed(b))), limit)


def _differences(a: list[int], b: list[int]) -> Iterator[ChangedLines]:
    """The differing blocks of two lists of line numbers; neighbours may touch.

    Too much to compare at once is first cut at the lines that both sides have once, and in the same order. A
    part that is still too much counts as changed wholly.
    """
    if len(a) * len(b) <= MAX_PAIRS:
        yield from _exact_differences(a, b, ChangedLines(0, len(a), 0, len(b)))
        return
    left = MAX_PAIRS
    fixed = [(-1, -1), *_anchors(a, b), (len(a), len(b))]
    for (a_before, b_before), (a_next, b_next) in pairwise(fixed):
        gap = ChangedLines(a_before + 1, a_next, b_before + 1, b_next)
        pairs = (gap.a_end - gap.a_start) * (gap.b_end - gap.b_start)
        if pairs <= left:
            left -= pairs
            yield from _exact_differences(a, b, gap)
        else:
            yield gap


def edit_script(a: Sequence[int], b: Sequence[int]) -> Opcodes:
    """The steps from `a` to `b` that keep a longest common subsequence: rapidfuzz's `LCSseq.opcodes`."""
    from rapidfuzz.distance import LCSseq  # 3.5 MB, which a server or a verb that compares nothing does without

    return LCSseq.opcodes(a, b)


def _exact_differences(a: list[int], b: list[int], part: ChangedLines) -> Iterator[ChangedLines]:
    """The fewest changed lines inside `part` (longest common subsequence)."""
    before, after = a[part.a_start : part.a_end], b[part.b_start : part.b_end]
    if set(before).isdisjoint(after):  # most small edits: nothing to keep, and nothing to load
        if before or after:
            yield part
        return
    for code in edit_script(before, after):
        if code.tag != "equal":
            yield ChangedLines(
                code.src_start + part.a_start,
                code.src_end + part.a_start,
                code.dest_start + part.b_start,
                code.dest_end + part.b_start,
            )


def _anchors(a: list[int], b: list[int]) -> list[tuple[int, int]]:
    """The longest rising run of index pairs of lines that occur exactly once on each side.

    `a` = p q r s and `b` = q p r s have the pairs (0, 1), (1, 0), (2, 2), (3, 3); a longest run of them that rises in
    `b` too is (1, 0), (2, 2), (3, 3). (Patience sorting: of all runs of one length, the one with the lowest end.)
    """
    a_counts, b_counts = Counter(a), Counter(b)
    b_index = {number: index for index, number in enumerate(b) if b_counts[number] == 1}
    pairs = [(i, b_index[n]) for i, n in enumerate(a) if a_counts[n] == 1 and n in b_index]
    ends: list[int] = []  # ends[k]: the smallest b index that ends a rising run of k + 1 pairs
    end_pairs: list[int] = []  # and the index of that pair in `pairs`
    previous: list[int] = []
    for index, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        ends[length : length + 1] = [j]
        end_pairs[length : length + 1] = [index]
        previous.append(end_pairs[length - 1] if length else -1)
    run = []
    index = end_pairs[-1] if end_pairs else -1
    while index >= 0:
        run.append(pairs[index])
        index = previous[index]
    return run[::-1]


def _moved(block: ChangedLines, by: int) -> ChangedLines:
    return ChangedLines(*(index + by for index in block)) if by else block


def _merge_touching(blocks: Iterator[ChangedLines]) -> list[ChangedLines]:
    """`blocks`, with those that touch merged into one."""
    merged: list[ChangedLines] = []
    for block in blocks:
        if merged and merged[-1].a_end == block.a_start and merged[-1].b_end == block.b_start:
            merged.append(_union(merged.pop(), block))
        else:
            merged.append(block)
    return merged


def _union(first: ChangedLines, second: ChangedLines) -> ChangedLines:
    return ChangedLines(first.a_start, second.a_end, first.b_start, second.b_end)


def _mirrored(a: Sequence[bytes], b: Sequence[bytes], blocks: list[ChangedLines]) -> list[ChangedLines]:
    """`blocks` as they are when both lists are read from the end."""
    return [
        ChangedLines(len(a) - block.a_end, len(a) - block.a_start, len(b) - block.b_end, len(b) - block.b_start)
        for block in reversed(blocks)
    ]


def _slid_down(a: Sequence[bytes], b: Sequence[bytes], blocks: list[ChangedLines]) -> list[ChangedLines]:
    """`blocks` with each insertion or deletion as late as it can be, joined to the next if they meet."""
    below: list[ChangedLines] = []  # the last block first
    for block in reversed(blocks):
        moving = _lowered(a, b, block, below)
        while below and moving.a_end == below[-1].a_start:
            moving = _lowered(a, b, _union(moving, below.pop()), below)
        below.append(moving)
    return below[::-1]


def _lowered(a: Sequence[bytes], b: Sequence[bytes], block: ChangedLines, below: list[ChangedLines]) -> ChangedLines:
    """`block` as late as it can be above the last of `below`, where the lines on both its sides allow it."""
    if block.a_start == block.a_end:
        lines, start, end = b, block.b_start, block.b_end
    elif block.b_start == block.b_end:
        lines, start, end = a, block.a_start, block.a_end
    else:
        return block
    limit = (below[-1].a_start if below else len(a)) - block.a_end
    count = 0
    while count < limit and lines[start + count] == lines[end + count]:
        count += 1
    return _moved(block, count)

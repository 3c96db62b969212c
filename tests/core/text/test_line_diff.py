"""Comparing two lists of lines."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.text import line_diff
from intentls.core.text.line_diff import ChangedLines, changed_blocks

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n", b"d"]), max_size=14)
VARIED = st.lists(st.integers(0, 30).map(lambda number: b"%d\n" % number), max_size=40)


def rebuilt(a: list[bytes], b: list[bytes], blocks: list[ChangedLines]) -> list[bytes]:
    """`b`, made of nothing but `a` and what the blocks replace."""
    lines, done = [], 0
    for block in blocks:
        lines += a[done : block.a_start] + b[block.b_start : block.b_end]
        done = block.a_end
    return lines + a[done:]


def longest_common(a: list[bytes], b: list[bytes]) -> int:
    """The length of the longest common subsequence, by the textbook's table."""
    row = [0] * (len(b) + 1)
    for left in a:
        diagonal = 0
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], diagonal + 1 if left == right else max(row[j], row[j - 1])
    return row[-1]


@given(LINES, LINES)
def test_the_blocks_rebuild_the_new_lines_and_keep_as_many_old_ones_as_possible(a: list[bytes], b: list[bytes]) -> None:
    """The blocks are exact, apart from each other, never empty, and spare the longest common subsequence."""
    blocks = changed_blocks(a, b)
    assert rebuilt(a, b, blocks) == b
    assert all(block.a_end > block.a_start or block.b_end > block.b_start for block in blocks)
    assert all(first.a_end < second.a_start and first.b_end < second.b_start for first, second in pairwise(blocks))
    assert len(b) - sum(block.b_end - block.b_start for block in blocks) == longest_common(a, b)


@pytest.mark.parametrize("most", [0, 1, 4, 60])
@given(a=VARIED, b=VARIED)
def test_the_blocks_stay_exact_when_there_is_too_much_to_compare(most: int, a: list[bytes], b: list[bytes]) -> None:
    """A small bound on what is compared costs precision, never correctness."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_diff, "MAX_PAIRS", most)
        assert rebuilt(a, b, changed_blocks(a, b)) == b


def test_lines_that_occur_once_divide_a_file_that_is_too_long_to_compare_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Edits at the top and at the bottom of a long file stay two small changes."""
    monkeypatch.setattr(line_diff, "MAX_PAIRS", 100)
    a = [b"%d\n" % number for number in range(60)]
    b = [b"top\n", *a[1:59], b"bottom\n"]
    assert changed_blocks(a, b) == [ChangedLines(0, 1, 0, 1), ChangedLines(59, 60, 59, 60)]


def test_a_part_without_such_lines_counts_as_changed_wholly_once_the_bound_is_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bound holds for all parts together: what exceeds it is one block."""
    monkeypatch.setattr(line_diff, "MAX_PAIRS", 20)
    a = [b"x\n", b"y\n", b"x\n", b"y\n", b"middle\n", b"x\n", b"y\n", b"x\n", b"y\n"]
    b = [b"y\n", b"y\n", b"x\n", b"x\n", b"middle\n", b"y\n", b"y\n", b"x\n", b"x\n"]
    first, *others = changed_blocks(a, b)
    assert first.a_end <= 4
    assert others[-1] == ChangedLines(5, 9, 5, 9)


def test_a_new_function_is_one_block_though_it_ends_like_its_neighbours() -> None:
    """An inserted block is not torn apart by lines that it shares with what surrounds it."""
    a = [b"def a\n", b"  return\n", b"\n", b"def c\n", b"  return\n"]
    b = [*a[:3], b"def b\n", b"  return\n", b"\n", *a[3:]]
    assert changed_blocks(a, b) == [ChangedLines(3, 3, 3, 6)]


def test_changes_that_can_meet_become_one_block() -> None:
    """A change that can be told as one block is not told as two, whichever way a part of it must slide."""
    blocks = changed_blocks([b"x\n", b"y\n"], [b"y\n", b"x\n", b"x\n", b"y\n", b"z\n"])
    assert blocks == [ChangedLines(0, 0, 0, 2), ChangedLines(2, 2, 4, 5)]
    blocks = changed_blocks([b"}\n", b"c\n"], [b"x\n", b"}\n", b"y\n", b"}\n", b"c\n"])
    assert blocks == [ChangedLines(0, 0, 0, 3)]


def test_a_repeated_line_is_added_or_removed_at_its_last_place() -> None:
    """Where several places are possible the last is taken, but for one that joins another change."""
    assert changed_blocks([b"a\n", b"a\n"], [b"a\n"]) == [ChangedLines(1, 2, 1, 1)]
    a = [b"p\n", b"-\n", b"a\n", b"a\n", b"q\n", b"z\n"]
    b = [b"P\n", b"-\n", b"a\n", b"q\n", b"Z\n"]
    assert changed_blocks(a, b) == [ChangedLines(0, 1, 0, 1), ChangedLines(3, 4, 3, 3), ChangedLines(5, 6, 4, 5)]


def test_a_megabyte_of_equal_lines_is_compared_within_bounds() -> None:
    """A file without any line to hold on to is one replaced block: no hours, no gigabytes."""
    blocks = changed_blocks([b"\n"] * 500_000, [b"a\n"] * 500_000)
    assert blocks == [ChangedLines(0, 500_000, 0, 500_000)]

"""Telling each record once: numbers kept as rows, and records met in several files."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.ledger.deduplication import Deduplicator, IntervalSet

SMALL = st.lists(st.integers(-12, 12), max_size=40)


def rows(numbers: set[int]) -> int:
    return sum(number - 1 not in numbers for number in numbers)


@given(SMALL)
def test_numbers_are_a_set_kept_as_rows(given_numbers: list[int]) -> None:
    """Whatever order they come in: each is new once, and neighbours are one row."""
    numbers, known = IntervalSet(), set[int]()
    for number in given_numbers:
        assert numbers.add(number) is (number not in known)
        known.add(number)
        assert len(numbers) == rows(known)


def record(writer: str, seq: int) -> dict[str, Any]:
    return {"id": f"{writer}{seq}", "chain": {"writer": writer, "seq": seq, "prev": None}}


def told(once: Deduplicator, *files: list[dict[str, Any]]) -> list[str]:
    return [each["id"] for file in files for each in file if once.is_first(each)]


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_record_of_several_files_is_told_once(newest_first: bool) -> None:
    """Where it is met first, whichever way the files are read."""
    files = [
        [record("a", 1), record("a", 2), record("b", 1)],
        [record("a", 2), record("a", 3), record("b", 1)],
        [record("a", 1), record("a", 3), record("a", 4)],
    ]
    if newest_first:
        files = [file[::-1] for file in files[::-1]]
        assert told(Deduplicator(newest_first=True), *files) == ["a4", "a3", "a1", "b1", "a2"]
    else:
        assert told(Deduplicator(), *files) == ["a1", "a2", "b1", "a3", "a4"]


@pytest.mark.parametrize("chain", [None, "x", {"seq": 1}, {"writer": "a"}, {"writer": "a", "seq": "1"}])
def test_a_record_in_no_chain_is_always_told(chain: object) -> None:
    """Nothing says that two of them are the same."""
    foreign = {"id": "x", "chain": chain}
    assert told(Deduplicator(), [foreign], [foreign]) == ["x", "x"]

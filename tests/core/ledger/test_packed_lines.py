"""Hunks and hashes of lines take few bytes in a record, and come back as they were; older records are read too."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.packed_lines import (
    pack_hunks,
    pack_line_hashes,
    unpack_hunks,
    unpack_line_hashes,
)
from intentls.core.text.lines import Hunk, diff

CONTENTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n"]), max_size=12).map(b"".join)
A, B = "AAAAAAAA", "BBBBBBBB"


@given(CONTENTS, CONTENTS)
def test_hunks_come_back_as_they_were(before: bytes, after: bytes) -> None:
    """Additions, changes and deletions, at the beginning, in the middle and at the end."""
    hunks = diff(before, after)
    assert unpack_hunks(pack_hunks(hunks)) == hunks


def test_a_hunk_is_three_numbers() -> None:
    """The unchanged lines before it, its old and its new lines."""
    assert pack_hunks((Hunk(3, 1, 3, 2), Hunk(9, 1, 9, 0))) == [2, 1, 2, 5, 1, 0]


def test_hunks_of_older_records_are_read() -> None:
    """As a unified diff has them."""
    assert unpack_hunks([[0, 0, 1, 1], [2, 2, 3, 1]]) == (Hunk(0, 0, 1, 1), Hunk(2, 2, 3, 1))
    assert unpack_hunks([]) == ()


@pytest.mark.parametrize("value", [None, "1,2,3", {}, [1, 2], [1, 2, "3"], [[1, 2, 3]], [[1, 2, 3, "4"]], [[], 1, 2]])
def test_what_are_no_hunks_is_known(value: Any) -> None:
    """Anybody may have written the record."""
    assert unpack_hunks(value) is None


def test_hashes_of_lines_are_one_text() -> None:
    """In the order of the ranges, over all conversations."""
    assert pack_line_hashes([LineRange(1, 2, "", A + B), LineRange(9, 9, "", A)]) == A + B + A
    first, second = {"start_line": 1, "end_line": 2}, {"start_line": 9, "end_line": 9}
    file: Any = {"line_hashes": A + B + A, "conversations": [{"ranges": [first]}, {"ranges": [second]}]}
    assert unpack_line_hashes(file) == [A + B, A]


def test_where_some_ranges_have_no_hashes_each_has_its_own_place() -> None:
    """And where none has, there is nothing to say."""
    assert pack_line_hashes([LineRange(1, 1, "", A), LineRange(9, 9, "")]) == [A, None]
    assert pack_line_hashes([LineRange(9, 9, "")]) is None
    assert pack_line_hashes([]) is None
    assert unpack_line_hashes({"line_hashes": [A, None]}) == [A, None]


@pytest.mark.parametrize(
    "where", [{"start_line": 1, "end_line": 2}, {"start_line": "1"}, {"start_line": 5, "end_line": 1}]
)
def test_hashes_that_do_not_fit_the_ranges_are_none(where: Any) -> None:
    """Which line is whose is never guessed."""
    assert unpack_line_hashes({"line_hashes": A, "conversations": [{"ranges": [where]}]}) == []
    assert unpack_line_hashes({}) == []

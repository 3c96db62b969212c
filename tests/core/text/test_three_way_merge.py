"""Joining two changes of one text, and taking one of them out again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.text.lines import merge3

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n"]), max_size=8)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        (b"1\n2\n3\n", b"one\n2\n3\n", b"1\n2\nthree\n", b"one\n2\nthree\n"),
        (b"1\n2\n", b"1\n2\n3\n", b"0\n1\n2\n", b"0\n1\n2\n3\n"),
        (b"1\n2\n3\n", b"2\n3\n", b"1\n2\n3\n", b"2\n3\n"),
        (b"1\n2\n", b"one\n2\n", b"1\ntwo\n", b"one\ntwo\n"),  # they touch
        (b"1\n2\n", b"one\n2\n", b"uno\n2\n", None),
        (b"1\n2\n", b"one\n2\n", b"one\n2\n", None),  # the same in the same way: less one side is not the other
        (b"1\n", b"1\n2\n", b"1\n3\n", None),
        (b"1\n2\n3\n", b"1\n3\n", b"1\n2\nnew\n3\n", b"1\nnew\n3\n"),
        (b"", b"", b"x\n", b"x\n"),
    ],
)
def test_two_changes_are_joined_unless_they_meet(base: bytes, ours: bytes, theirs: bytes, merged: bytes | None) -> None:
    """What both sides changed is there; the same lines changed twice is a conflict, be it in the same way."""
    assert merge3(base, ours, theirs) == merged


@given(LINES, LINES)
def test_a_side_that_changed_nothing_leaves_the_other(base: list[bytes], changed: list[bytes]) -> None:
    """Merging with no change at all is the other change."""
    one, other = b"".join(base), b"".join(changed)
    assert merge3(one, other, one) == other == merge3(one, one, other)

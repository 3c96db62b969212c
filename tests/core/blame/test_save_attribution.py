"""Whose the changed lines are when several hands edited one document between two saves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from intentls.core.blame.save_attribution import AuthoredText, attribute
from intentls.core.ledger.line_range import changed_ranges

BEFORE = b"1\n2\n3\n4\n"


def lines(found: dict[str, tuple[object, ...]]) -> dict[str, list[tuple[int, int]]]:
    return {who: [(r.start_line, r.end_line) for r in ranges] for who, ranges in found.items()}  # type: ignore[attr-defined]


def test_the_example_of_the_module_is_what_it_says() -> None:
    """Two authors between two saves."""
    steps = [AuthoredText("Ada", b"a\nB\nc\nd\ne\n"), AuthoredText("Ben", b"a\nB\nc\nD\nE\ne\n")]
    owned = attribute(b"a\nb\nc\nd\ne\n", steps)
    lines = {author: [(part.start_line, part.end_line) for part in parts] for author, parts in owned.items()}
    assert lines == {"Ada": [(2, 2)], "Ben": [(4, 5)]}


def test_each_hand_gets_the_lines_it_wrote() -> None:
    """Lines keep their author when others edit above and below them."""
    steps = [AuthoredText("ai", b"1\n2\nTHREE\n4\n"), AuthoredText("human", b"zero\n1\n2\nTHREE\n4\nfive\n")]
    assert lines(attribute(BEFORE, steps)) == {"human": [(1, 1), (6, 6)], "ai": [(4, 4)]}


def test_who_was_overwritten_has_no_part() -> None:
    """A line that somebody else rewrote is theirs."""
    steps = [AuthoredText("ai", b"1\nai\n3\n4\n"), AuthoredText("human", b"1\nhuman\n3\n4\n")]
    assert lines(attribute(BEFORE, steps)) == {"human": [(2, 2)]}


def test_who_only_deleted_appears_without_lines() -> None:
    """A deletion leaves no lines, but somebody did it."""
    assert lines(attribute(BEFORE, [AuthoredText("ai", b"1\n4\n")])) == {"ai": []}


def test_a_change_that_was_taken_back_is_nobodys() -> None:
    """What is again as it was before is no change."""
    steps = [AuthoredText("ai", b"1\n2\nX\n4\n"), AuthoredText("human", BEFORE)]
    assert lines(attribute(BEFORE, steps)) == {}


def test_a_line_that_two_diffs_place_differently_goes_to_the_last_hand() -> None:
    """Where the steps can't say who wrote a changed line, whoever saved it did."""
    steps = [AuthoredText("ai", b"a\nb\n"), AuthoredText("human", b"a\nb\na\n")]
    found = attribute(b"b\na\n", steps)
    assert {n for who in found for r in found[who] for n in range(r.start_line, r.end_line + 1)} == {
        n for r in changed_ranges(b"b\na\n", b"a\nb\na\n") for n in range(r.start_line, r.end_line + 1)
    }


text = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=8).map(b"".join)


@given(text, st.lists(st.tuples(st.sampled_from(["ai", "human", "other"]), text), min_size=1, max_size=5))
def test_every_changed_line_has_exactly_one_author(before: bytes, edits: list[tuple[str, bytes]]) -> None:
    """The authors' ranges together are exactly the lines that changed, none twice."""
    steps = [AuthoredText(who, after) for who, after in edits]
    found = attribute(before, steps)
    numbers = [n for ranges in found.values() for r in ranges for n in range(r.start_line, r.end_line + 1)]
    wanted = changed_ranges(before, edits[-1][1])
    assert sorted(numbers) == [n for r in wanted for n in range(r.start_line, r.end_line + 1)]

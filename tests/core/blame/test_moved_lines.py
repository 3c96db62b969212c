"""Lines that a change moved, or only formatted: where they come from."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.blame.moved_lines import FileLines, formatted, moved
from intentls.core.ledger.line_range import Origin, read_origin
from intentls.core.text.line_hashes import OMITTED, bare_lines, join_hashes
from intentls.core.text.lines import diff


def side(before: str, after: str, path: str = "a.py") -> FileLines:
    old, new = before.encode(), after.encode()
    return FileLines(path, bare_lines(old), bare_lines(new), diff(old, new))


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def places(origins: list[Origin]) -> list[tuple[Any, ...]]:
    return [(o.start_line, o.end_line, o.old_start_line, o.old_end_line, o.path) for o in origins]


def test_the_example_of_the_module_is_what_it_says() -> None:
    """One line moved, two changed; and a line of which only the form changed."""
    before = [b"alpha()", b"beta()", b"gamma(1)", b"delta()", b"end()"]
    after = [b"gamma( 1 )", b"delta()", b"end()", b"alpha()", b"BETA()"]
    hunks = diff(b"\n".join([*before, b""]), b"\n".join([*after, b""]))
    assert moved([FileLines("x", before, after, hunks)]) == [[Origin(4, 4, 1, 1)]]
    neat = [*before[:2], b"gamma( 1 )", *before[3:]]
    hunks = diff(b"\n".join([*before, b""]), b"\n".join([*neat, b""]))
    (origin,) = formatted(FileLines("x", before, neat, hunks))
    assert (origin.start_line, origin.end_line, origin.old_start_line, origin.old_end_line) == (3, 3, 3, 3)


def test_a_block_that_moved_in_its_file_comes_from_where_it_was() -> None:
    """With the trivial lines around it."""
    stay = [f"stay_{n}" for n in range(9)]
    block = ("one = 1", "def alpha():", "", "    pass")
    here = side(text(*block, *stay), text(*stay, *block))
    assert places(moved([here])[0]) == [(10, 13, 1, 4, None)]


def test_a_block_that_moved_between_files_names_the_other_file() -> None:
    """Each file of one change is looked at, in both directions."""
    one = side(text("keep", "alpha()", "}", "beta()"), text("keep", "gamma()"), "one.py")
    two = side(text("stay", "gamma()"), text("stay", "new line", "alpha()", "}", "beta()"), "two.py")
    assert [places(found) for found in moved([one, two])] == [[(2, 2, 2, 2, "two.py")], [(3, 5, 2, 4, "one.py")]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (text("}", "keep", "x"), text("keep", "x", "}")),  # says nothing
        (text("alpha()", "x", "alpha()", "keep", "y"), text("keep", "y", "alpha()")),  # which of the two?
        (text("alpha()", "keep", "y"), text("keep", "y", "alpha()", "x", "alpha()")),  # which of the two?
        (text("alpha()", "keep"), text("keep", "other()")),  # not the same
        ("", text("alpha()")),
    ],
)
def test_what_could_have_come_from_elsewhere_by_chance_is_new(before: str, after: str) -> None:
    """Only a line that says something, and stands once on each side, shows that a block moved."""
    assert moved([side(before, after)]) == [[]]


def test_a_block_is_told_once_even_if_it_has_several_telling_lines() -> None:
    """Neighbouring blocks from different places stay apart, and none reaches into another."""
    stay = [f"stay_{n}" for n in range(9)]
    one, other = ("a_first", "a_second"), ("b_first", "b_second")
    here = side(text(*one, "gone", *other, *stay), text(*stay, *other, *one))
    assert places(moved([here])[0]) == [(10, 11, 4, 5, None), (12, 13, 1, 2, None)]


def test_two_added_blocks_never_share_an_old_line() -> None:
    """What was found again is not there for the next."""
    stay = [f"stay_{n}" for n in range(9)]
    here = side(text("alpha_1", "}", "alpha_2", *stay), text(*stay, "alpha_1", "}", "x", "}", "alpha_2"))
    assert places(moved([here])[0]) == [(10, 11, 1, 2, None), (14, 14, 3, 3, None)]


def test_lines_that_were_only_formatted_come_from_the_lines_with_their_words() -> None:
    """Joined, split, spaced, quoted: each line from the lines that said it."""
    here = side(
        text("a=1", "b = call(one,", "  two)", "c = 'x'", "same", "d = [1,2]"),
        text("a = 1", "b = call(one, two)", 'c = "x"', "same", "d = [", "    1,", "    2,", "]"),
    )
    assert places(formatted(here)) == [
        *((1, 1, 1, 1, None), (2, 2, 2, 3, None), (3, 3, 4, 4, None)),
        *((5, 5, 6, 6, None), (6, 6, 6, 6, None), (7, 7, 6, 6, None), (8, 8, 6, 6, None)),
    ]
    assert formatted(here)[1].old_line_hashes == join_hashes([b"b = call(one,"]) + OMITTED.decode()


def test_a_formatted_line_comes_from_the_lines_with_its_words_not_with_its_brackets() -> None:
    """A bracket on a line of its own goes to the line that has words."""
    here = side(text("one &&", "  (", "    two ||", "    three", "  )"), text("one &&", "  (two ||", "    three)"))
    assert places(formatted(here)) == [(2, 3, 3, 4, None)]


def test_a_line_that_stands_everywhere_does_not_keep_a_formatted_line_from_where_it_came() -> None:
    """A comparison may take the blank line below it for the one above it."""
    here = side(text("", "one=1", "two=2", "keep = 3"), text("one = 1", "two = 2", "", "keep = 3"))
    assert [(hunk.old_lines, hunk.new_lines) for hunk in here.hunks] == [(0, 2), (2, 0)]
    assert places(formatted(here)) == [(1, 2, 2, 3, None)]
    there = side(text("one=1", "two=2", "", "keep = 3"), text("", "one = 1", "two = 2", "keep = 3"))
    assert [(hunk.old_lines, hunk.new_lines) for hunk in there.hunks] == [(2, 0), (0, 2)]
    assert places(formatted(there)) == [(2, 3, 1, 2, None)]


def test_neighbours_that_were_formatted_line_by_line_are_told_as_one() -> None:
    """A file of a thousand lines has no thousand entries."""
    before, after = (text(*(f"name_{n}{mark}{n}" for n in range(50))) for mark in ("=", " = "))
    assert places(formatted(side(before, after))) == [(1, 50, 1, 50, None)]


def test_a_line_whose_words_changed_is_not_only_formatted() -> None:
    """Nor is one that shares its words with such a line; what stands apart from it still is."""
    here = side(text("a=old", "keep", "b=2"), text("a = new", "keep", "b = 2"))
    assert places(formatted(here)) == [(3, 3, 3, 3, None)]
    assert formatted(side(text("call(one, two)"), text("call(one,", "three)"))) == []
    assert formatted(side(text("call(one, two)"), text("call(one)"))) == []
    assert formatted(side("", text("a = 1"))) == []
    assert formatted(side(text("a = 1"), text("a = 1", "", "b"))) == []


def test_a_hunk_that_is_too_large_to_compare_is_not_followed() -> None:
    """It costs its lines their authors, not the machine its memory."""
    words = [f"w{n}" for n in range(9000)]
    assert formatted(side(" ".join(words) + "\n", text(*words))) == []


@given(st.builds(Origin, *[st.integers(1, 9)] * 4, st.none() | st.text(), st.none() | st.text()))
def test_an_origin_is_read_as_it_was_written(origin: Origin) -> None:
    """If its lines are in order."""
    in_order = origin.start_line <= origin.end_line and origin.old_start_line <= origin.old_end_line
    assert read_origin(origin.to_json()) == (origin if in_order else None)


@pytest.mark.parametrize("change", [{"start_line": "1"}, {"end_line": None}, {"old_start_line": 0}, {"path": 3}])
def test_what_has_another_shape_is_no_origin(change: dict[str, Any]) -> None:
    """Anybody may have written a record."""
    assert read_origin({**Origin(1, 1, 1, 1).to_json(), **change}) is None

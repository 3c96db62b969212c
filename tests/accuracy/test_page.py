"""docs/internals/accuracy.md says what was measured, and nothing else."""

from __future__ import annotations

import pytest

from accuracy import page


def test_the_tables_of_the_page_are_made_from_the_results() -> None:
    """`python -m accuracy tables` changes nothing: nobody wrote a figure by hand."""
    text = page.PAGE.read_text("utf-8")
    assert page.written(text, page.tables(page.read_results())) == text, "run: make accuracy ARGS=tables"


def test_a_table_without_a_place_is_an_error() -> None:
    """Not a figure that silently is not published."""
    with pytest.raises(ValueError, match="no place for the table cost"):
        page.written("nothing", {"cost": "| a |\n"})


def test_what_was_not_measured_says_so() -> None:
    """A target without results is listed, without a figure."""
    rows = page.targets({})
    assert len(rows) > 5
    assert {measured for _, _, measured in rows} == {"not measured"}

"""The parts of a finding about a changed file."""

from __future__ import annotations

import pytest

from intentls.engine.branch_check.coverage import line_stretches


@pytest.mark.parametrize(
    ("numbers", "stretches"),
    [
        ([], ()),
        ([3], ((3, 3),)),
        ([1, 2, 5], ((1, 2), (5, 5))),
        ([1, 3, 4, 5, 9], ((1, 1), (3, 5), (9, 9))),
    ],
)
def test_a_finding_names_lines_in_stretches(numbers: list[int], stretches: tuple[tuple[int, int], ...]) -> None:
    """Only lines that follow each other are one stretch; both ends are included."""
    assert line_stretches(numbers) == stretches

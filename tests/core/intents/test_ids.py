"""The id of a new intent: the next number, in the form that ids have here."""

from __future__ import annotations

import pytest

from intentls.core.intents.ids import next_id


@pytest.mark.parametrize(
    ("own", "others", "suffix", "expected"),
    [
        ([], [], "", "INT-001"),
        (["INT-001", "INT-041-k7mp"], [], "", "INT-042"),
        (["INT-001"], ["INT-007", "WEB-99", "nonsense"], "x4tz", "INT-008-x4tz"),
        (["WEB-3", "WEB-4", "INT-900"], ["WEB-10"], "", "WEB-11"),
        (["login", "fix the door"], [], "", "INT-001"),
        (["INT-0007"], [], "", "INT-0008"),
        (["INT-999"], [], "", "INT-1000"),
    ],
)
def test_the_number_follows_all_that_are_known(own: list[str], others: list[str], suffix: str, expected: str) -> None:
    """The most common prefix of this root counts, and as many digits as its ids have."""
    assert next_id(own, others, suffix) == expected

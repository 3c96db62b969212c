"""Many edits of one file are one line, which still says what they changed."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.intents.recent_work import RecentChange
from intentls.core.ledger.folded_changes import fold_changes


def record(number: int, path: str = "a.py", **more: Any) -> dict[str, Any]:
    """The edit of a file at minute `number`, by an agent, in the function `f<number>`."""
    where = {"start_line": number, "end_line": number + 1}
    conversation = {"contributor": {"type": "ai", "on_behalf_of": "Ada"}, "ranges": [where], "symbols": [f"f{number}"]}
    file = {"path": path, "conversations": [conversation]}
    return {"timestamp": f"T{number:02}", "mutation_class": "BUG_FIX", "files": [file], **more}


def test_twenty_edits_of_a_file_are_one_line() -> None:
    """With the newest time and lines, and the definitions of all."""
    (change,) = fold_changes([record(number) for number in range(20, 0, -1)], 20)
    symbols = tuple(f"f{number}" for number in range(20, 0, -1))
    assert change == RecentChange("T20", "a.py", "BUG_FIX", 20, symbols, "20-21", ("ai for Ada",))


def test_the_newest_files_are_kept_and_all_their_edits_are_counted() -> None:
    """A file beyond the limit is left out; an older edit of one that is shown still counts."""
    changes = fold_changes([record(4, "b.py"), record(3), record(2, "c.py"), record(1, "b.py")], 2)
    assert [(change.path, change.count, change.timestamp) for change in changes] == [
        ("b.py", 2, "T04"),
        ("a.py", 1, "T03"),
    ]
    assert fold_changes([record(1)], 0) == []


def test_a_reason_is_kept_also_that_of_an_older_edit() -> None:
    """The newest that there is."""
    (change,) = fold_changes([record(3), record(2, reason="newer"), record(1, reason="older")], 20)
    assert change.reason == "newer"


@pytest.mark.parametrize(
    ("ranges", "lines"),
    [
        ([], ""),
        ([{"start_line": 3, "end_line": 3}], "3"),
        ([{"start_line": n, "end_line": n + 1} for n in (1, 5, 9, 13, 17)], "1-2, 5-6, 9-10, 13-14, …"),
        ([{"start_line": None}], ""),
    ],
)
def test_lines_are_named_up_to_a_number(ranges: list[dict[str, Any]], lines: str) -> None:
    """The first ranges, and a mark where there are more."""
    (change,) = fold_changes([{"files": [{"conversations": [{"ranges": ranges}]}]}], 1)
    assert change.lines == lines
    assert (change.timestamp, change.path, change.by) == ("", "", ("unknown",))

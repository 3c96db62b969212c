"""A lesson in a record: written, and read back from whatever stands there."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.derived.lesson import Lesson
from intentls.core.ledger.hash_chain import encode
from intentls.core.ledger.lesson_record import MARK, lesson_json, lesson_of, lessons_in_order
from intentls.core.lint.problems import LinterProblem

TOO_LONG = LinterProblem("line too long", "E501", "ruff", 12)
LESSON = Lesson("2026-02-21", "src/a.py", (TOO_LONG, LinterProblem("tests fail")))


def a_record(lesson: object, **changes: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "timestamp": "2026-02-22T10:00:00.000Z",
        "tool_name": "record_lesson",
        "lesson": lesson,
        **changes,
    }


def test_a_lesson_is_read_back() -> None:
    """With the texts of its problems, as AGENT.md shows them; the intent is there where there was one."""
    entry = lesson_json(LESSON, "INT-001")
    assert entry == {
        "file": "src/a.py",
        "date": "2026-02-21",
        "problems": ["E501 line too long [ruff] line 12", "tests fail"],
        "intent": "INT-001",
    }
    assert "intent" not in lesson_json(LESSON, None)
    read = lesson_of(a_record(entry))
    assert read is not None
    assert read.render() == LESSON.render()
    assert MARK in encode(a_record(entry))


def test_without_a_date_it_is_of_the_day_of_the_record() -> None:
    """Other programs may leave the date out."""
    read = lesson_of(a_record({"file": "a", "problems": ["x", 1, None]}))
    assert read is not None
    assert (read.date, read.text) == ("2026-02-22", "x")


@pytest.mark.parametrize(
    "record",
    [
        {},
        a_record(None),
        a_record({"file": "a", "problems": ["x"]}, tool_name="did_save"),
        a_record({"file": "a", "problems": ["x"]}, imported=True),
        a_record({"file": "a", "problems": ["x"]}, timestamp=None),
        a_record({"file": "a", "problems": "x"}),
        a_record({"file": "a", "problems": [" "]}),
        a_record({"problems": ["x"]}),
    ],
)
def test_what_is_no_lesson_is_passed_over(record: dict[str, Any]) -> None:
    """Anybody may have written a line."""
    assert lesson_of(record) is None
    assert lessons_in_order([record]) == []


def test_the_order_is_that_of_the_moments() -> None:
    """However the lines of two clones were merged; those of one moment are in the order of their ids."""
    entry = lesson_json(LESSON, None)
    late, first = a_record(entry, id="0", timestamp="2026-02-23T10:00:00.000Z"), a_record(entry)
    second = a_record(entry, id="2")
    unnamed = a_record({**entry}, id=None, timestamp=None)
    for records in ([late, second, unnamed, first], [first, unnamed, second, late]):
        assert [id_ for id_, _ in lessons_in_order(records)] == ["", "1", "2", "0"]

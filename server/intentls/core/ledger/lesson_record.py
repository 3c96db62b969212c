"""Lessons on record: how a record carries one, and how it is read from a line that anybody may have written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from intentls.core.derived.lesson import Lesson
from intentls.core.errors import InvalidInput
from intentls.core.ledger.hash_chain import member
from intentls.core.ledger.record_json import LessonJson, is_imported, text_of
from intentls.core.lint.problems import LinterProblem

RECORD_LESSON = "record_lesson"
"""The tool's name in a record of a lesson."""

MARK = member("tool_name", RECORD_LESSON)
"""What the line of every such record contains."""

_MAX_PROBLEMS = 100  # of one record; the engine writes fewer


def lesson_json(lesson: Lesson, intent_id: str | None) -> LessonJson:
    """What a record says of a lesson that was learned under an intent."""
    problems = [problem.line_text for problem in lesson.problems]
    result: LessonJson = {"file": lesson.path, "date": lesson.date, "problems": problems}
    if intent_id is not None:
        result["intent"] = intent_id
    return result


def lesson_of(record: Mapping[str, Any]) -> Lesson | None:
    """The lesson of a record; None if it is no record of one, or can't be read as one.

    Without a date of its own it is of the day of the record.
    """
    entry = record.get("lesson")
    if text_of(record, "tool_name") != RECORD_LESSON or is_imported(record) or not isinstance(entry, dict):
        return None
    problems = entry.get("problems")
    texts = problems[:_MAX_PROBLEMS] if isinstance(problems, list) else []
    date = text_of(entry, "date") or (text_of(record, "timestamp") or "")[:10]
    try:
        parsed = tuple(LinterProblem.from_line_text(text) for text in texts if isinstance(text, str))
        return Lesson(date, text_of(entry, "file") or "", parsed)
    except InvalidInput:
        return None


def lessons_in_order(records: Iterable[Mapping[str, Any]]) -> list[tuple[str, Lesson]]:
    """The id and the lesson of each record of one, oldest first: the order is the same in every clone.

    Records of the same moment are in the order of their ids.
    """
    lessons = [
        (text_of(record, "timestamp") or "", text_of(record, "id") or "", lesson)
        for record in records
        if (lesson := lesson_of(record)) is not None
    ]
    lessons.sort(key=lambda entry: entry[:2])
    return [(record_id, lesson) for _, record_id, lesson in lessons]

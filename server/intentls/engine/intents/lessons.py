"""Lessons: what linters said of a change, put on record so that the next agent does not repeat it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.derived.lesson import Lesson
from intentls.core.errors import InvalidArgument, InvalidInput, StoreError
from intentls.core.lint.problems import LinterProblem, from_diagnostics, from_text, introduced
from intentls.engine.actions.request import EditResult
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.records.recorded_lessons import bring_lessons, bring_locked, current_lessons
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import now
from intentls.store.process.linter import lint_content, run_linter

_MAX_PROBLEMS = 50  # of one file at one time: more are of no use
_MOVER = "intentls init"
log = logging.getLogger(__name__)


class LessonResult(Struct, frozen=True):
    """How many problems were recorded, and how many stood there already."""

    recorded: int
    duplicates: int


def all_lessons(engine: Engine) -> tuple[Lesson, ...]:
    """The lessons of all roots, each root's oldest first. Raises StoreError."""
    return tuple(lesson for workspace in engine.workspaces() for lesson in current_lessons(workspace))


def record_lesson(engine: Engine, session_id: str, path: str, problems: str | list[Any]) -> LessonResult:
    """Record problems of a file as a lesson. Raises InvalidArgument for a path that no root governs."""
    governing = engine.resolve((path,), session_id)
    if governing.workspace is None or not governing.paths:
        raise InvalidArgument("path", f"{path} lies in no governed workspace, so there is nowhere to keep a lesson")
    try:
        reported = from_text(problems) if isinstance(problems, str) else from_diagnostics(problems)
    except InvalidInput as error:
        raise InvalidArgument("problems", str(error)) from error
    return _learn(governing.workspace, governing.paths[0], reported, session_id)


def _learn(workspace: Workspace, path: str, problems: Sequence[LinterProblem], session_id: str) -> LessonResult:
    """Append to AGENT.md, and put on record, those problems that do not stand there yet for this file."""
    problems, derived = problems[:_MAX_PROBLEMS], workspace.derived
    bring_lessons(workspace, session_id)  # those of others stand as well
    record = None
    with workspace.derived_lock.hold(("derived files",), workspace.holder(session_id)):
        date = now().date().isoformat()
        new = derived.append_lesson(date, path, problems)
        if new:
            record = RecordWriter(workspace).lesson(session_id, Lesson(date, path, new))
            note = derived.lesson_note()
            derived.note_lessons(replace(note, brought=note.brought | {record.id}))
    if record is not None:
        workspace.trace(record, durable=False)
    return LessonResult(len(new), len(problems) - len(new))


def record_older_lessons(workspace: Workspace) -> None:
    """Put on record, with their dates, the lessons of AGENT.md that are from before there were records of lessons."""
    writer, derived = RecordWriter(workspace), workspace.derived
    with workspace.derived_lock.hold(("derived files",), workspace.holder(_MOVER)):
        note = bring_locked(workspace)
        records = [] if note.brought else [writer.lesson(_MOVER, lesson) for lesson in derived.lessons()]
        derived.note_lessons(replace(note, brought=note.brought | {record.id for record in records}))
    for record in records:
        workspace.trace(record, durable=record is records[-1])


def lint_result(engine: Engine, result: EditResult, session_id: str) -> None:
    """Learn from what a guarded edit left on disk."""
    if result.root is None or result.in_editor:
        return  # what an editor holds is linted when it is saved
    workspace = engine.workspace(result.root)
    for edit in result.edits:
        if edit.after is not None:
            lint(workspace, edit.path, edit.before, session_id)


def lint(workspace: Workspace, path: str, before: bytes | None, session_id: str) -> LessonResult:
    """Run the policy's linters on a changed file and learn what the change introduced.

    Runs nothing unless the user trusts the workspace: the commands come from a file in it.
    """
    total = LessonResult(0, 0)
    if not workspace.host.trusted:
        return total
    file = workspace.root / path
    for linter in workspace.configuration().policy.linters:
        if not linter.handles(path):
            continue
        try:
            after = run_linter(linter, file, workspace.root)
            before_edit = lint_content(linter, before, file, workspace.root) if after and before is not None else ()
        except StoreError as error:
            log.warning("no lessons from %s for %s: %s", linter.name, path, error)
            continue
        lesson = _learn(workspace, path, introduced(before_edit, after), session_id)
        total = LessonResult(total.recorded + lesson.recorded, total.duplicates + lesson.duplicates)
    return total

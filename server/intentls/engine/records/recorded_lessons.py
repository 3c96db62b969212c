"""The lessons of everybody: they are records of the ledger, and the local AGENT.md follows it.

AGENT.md holds what stands: the lessons that were learned here, those of others that came by git, lessons from before
they were on record, and people's own text. A block that a person deleted is learned, and is not brought again; if
the whole file is gone, all lessons on record are.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from msgspec.structs import replace

from intentls.core.derived.lesson import Lesson
from intentls.core.errors import StoreError
from intentls.core.ledger.lesson_record import MARK, lessons_in_order
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_search.query import RecordQuery

if TYPE_CHECKING:
    from intentls.store.derived import LessonNote

log = logging.getLogger(__name__)


def current_lessons(workspace: Workspace) -> tuple[Lesson, ...]:
    """The lessons that stand, oldest first, those included that are not in the local AGENT.md yet.

    Writes nothing. Raises StoreError where AGENT.md can't be read.
    """
    lessons = workspace.derived.lessons()
    try:
        note = workspace.derived.lesson_note()
        if _is_behind(workspace, note, workspace.ledger.generation()):
            lessons += workspace.derived.missing_lessons(lesson for _, lesson in _to_bring(workspace, note))
    except StoreError:
        log.warning("the ledger's lessons can't be read, so only those of AGENT.md are known", exc_info=True)
    return tuple(sorted(lessons, key=lambda lesson: lesson.date))


def bring_lessons(workspace: Workspace, holder: str) -> None:
    """Let the local AGENT.md have the lessons on record that it lacks. Derived: trouble is logged."""
    try:
        if _is_behind(workspace, workspace.derived.lesson_note(), workspace.ledger.generation()):
            with workspace.derived_lock.hold(("derived files",), workspace.holder(holder)):
                bring_locked(workspace)
    except (StoreError, OSError):
        log.warning("AGENT.md is behind the ledger; `intentls map --rebuild` lets it follow", exc_info=True)


def bring_locked(workspace: Workspace, *, deleted_too: bool = False) -> LessonNote:
    """The same, for a caller that holds the lock of the derived files; what is noted now.

    With `deleted_too` lessons come back whose blocks a person deleted. Raises StoreError.
    """
    generation, note = workspace.ledger.generation(), workspace.derived.lesson_note()
    if deleted_too:
        note = replace(note, generation=None, brought=frozenset())
    if not _is_behind(workspace, note, generation):
        return note
    recorded = _to_bring(workspace, note)
    workspace.derived.append_lessons(lesson for _, lesson in recorded)
    note = replace(note, generation=generation, brought=note.brought | {record_id for record_id, _ in recorded})
    workspace.derived.note_lessons(note)
    return note


def _is_behind(workspace: Workspace, note: LessonNote, generation: str) -> bool:
    """Whether records may have lessons to bring: others came by git, or the file is gone."""
    return note.generation != generation or (bool(note.brought) and not workspace.derived.has_lessons())


def _to_bring(workspace: Workspace, note: LessonNote) -> list[tuple[str, Lesson]]:
    """The records of lessons that were not brought yet, of all where there is no AGENT.md: each with its id."""
    known = note.brought if workspace.derived.has_lessons() else frozenset[str]()
    recorded = lessons_in_order(workspace.ledger.search(RecordQuery(containing=MARK)))
    return [(record_id, lesson) for record_id, lesson in recorded if record_id not in known]

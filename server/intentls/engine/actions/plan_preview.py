"""What a plan would change, and its edits in the form that the checks and the disk take."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from intentls.core.errors import HunkMismatch, InvalidInput
from intentls.core.gate.policy import MutationCheck
from intentls.engine.actions.request import EditRequest, Plan, PlannedEdit
from intentls.engine.workspace.file_contents import Content

if TYPE_CHECKING:
    from intentls.core.constraints.check import FileEdit
    from intentls.engine.workspace.configuration import Configuration
    from intentls.store.sessions.sessions import Session

log = logging.getLogger(__name__)


def preview_edits(plan: Plan, paths: Mapping[str, str], contents: Mapping[str, Content]) -> tuple[PlannedEdit, ...]:
    """The plan's edits, to look at and not to be written; none where they can't be told."""
    try:
        return plan.edits(paths, {path: content.data for path, content in contents.items()})
    except (HunkMismatch, InvalidInput) as error:
        log.info("what %s would change can't be told: %s", plan.tool_name, error)
        return ()


def predicted_edits(
    request: EditRequest,
    configuration: Configuration,
    session: Session,
    paths: Mapping[str, str],
    contents: Mapping[str, Content],
) -> tuple[PlannedEdit, ...]:
    """What a host's own tool would make of its files, where a rule or the declared class asks for that."""
    intent = configuration.intents.intents.get(session.intent_id or "")
    declared = request.mutation_class or session.mutation_class
    is_compared = declared is not None and configuration.policy.mutation_check is not MutationCheck.RECORD
    if request.predict_plan is None or not (is_compared or (intent is not None and intent.rules)):
        return ()
    plan = request.predict_plan()
    return () if plan is None else preview_edits(plan, paths, contents)


def keep_mode(edit: PlannedEdit, contents: Mapping[str, Content]) -> PlannedEdit:
    """The edit with the permission bits of what it replaces, unless it has some of its own."""
    if edit.mode is not None:
        return edit
    source = contents.get(edit.old_path or edit.path)
    return replace(edit, mode=source.mode if source is not None else None)


def file_edits(edits: tuple[PlannedEdit, ...]) -> tuple[FileEdit, ...]:
    """The edits as rules about content see them."""
    if not edits:
        return ()
    from intentls.core.constraints.check import FileEdit  # hooks need it only where a rule or a class is compared

    return tuple(FileEdit(edit.path, edit.before, edit.after) for edit in edits)

"""Keeping the derived maps up to date after a change. Derived: trouble here is logged and never refuses."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from intentls.core.errors import StoreError
from intentls.core.gate.policy import Policy
from intentls.core.ledger.record import Record
from intentls.core.ledger.record_json import UNTRACKED
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.rebuild_maps import MAPPED, rebuild_locked
from intentls.engine.records.recorded_lessons import bring_locked
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.derived import LineSpan, SpatialEntry, SpatialOperation
from intentls.store.fs.ignore_file import ignore_local_files

log = logging.getLogger(__name__)


def update_maps(
    workspace: Workspace, record: Record, edits: Sequence[PlannedEdit], configuration: Configuration
) -> None:
    """Note in `intent_map.md` and `spatial_map.json` what `record` says of `edits`."""
    try:
        with workspace.derived_lock.hold(("derived files",), workspace.holder(record.session_id)):
            _follow_policy(workspace, configuration.policy)
            is_moved = workspace.derived.generation() != workspace.ledger.generation()
            if is_moved:  # a switch or a merge changed the ledger
                rebuild_locked(workspace)
            _update_intent_map(workspace, record, edits, configuration)
            workspace.derived.record_spatial(_entries(record))
            if is_moved:
                bring_locked(workspace)
    except (StoreError, OSError):
        log.warning("the derived maps are behind the ledger; rebuild them from it", exc_info=True)


def _follow_policy(workspace: Workspace, policy: Policy) -> None:
    """Let git keep the derived files, or ignore them, as the policy says: looked at when it is not what it was."""
    done: dict[str, bool] = workspace.part("commit_derived", dict)
    if done.get("is") != policy.commit_derived:
        ignore_local_files(workspace.layout, commit_derived=policy.commit_derived)
        done["is"] = policy.commit_derived


def _update_intent_map(
    workspace: Workspace, record: Record, edits: Sequence[PlannedEdit], configuration: Configuration
) -> None:
    removed = [edit.path for edit in edits if edit.change is Change.DELETE]
    renamed = [(edit.old_path, edit.path) for edit in edits if edit.old_path is not None]
    added: list[str] = []
    if record.intent_id is not None and record.mutation_class in MAPPED:
        added = [edit.path for edit in edits if edit.change is not Change.DELETE]
    if not (added or removed or renamed):
        return
    intent_id = record.intent_id or UNTRACKED
    intent = configuration.intents.intents.get(intent_id)
    workspace.derived.record_map(
        intent_id, intent.name if intent is not None else "", added=added, removed=removed, renamed=renamed
    )


def _entries(record: Record) -> list[SpatialEntry]:
    if record.intent_id is None:
        return []
    return [
        SpatialEntry(
            file_path=file.path,
            intent_id=conversation.intent_id or record.intent_id,
            operation_type=SpatialOperation.WRITE if file.change is Change.ADD else SpatialOperation.MODIFY,
            timestamp=record.timestamp,
            line_range=LineSpan(where.start_line, where.end_line),
            content_hash=where.content_hash,
        )
        for file in record.files
        for conversation in file.conversations
        for where in conversation.ranges
    ]

"""Tools that a host ran itself: what they changed is recorded."""

from __future__ import annotations

import logging

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.gate.refusal import Refusal
from intentls.core.gate.tool_class import ToolClass, classify
from intentls.core.hashing import hash_of
from intentls.core.ledger.trace_state import TraceState
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit, with_known_contents
from intentls.engine.records.derived_maps import update_maps
from intentls.engine.records.file_history import FileHistory
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.records.record_writer import ToolReport as ToolReport
from intentls.engine.tools.host_tools import refused_calls
from intentls.engine.tools.tool_paths import paths_of
from intentls.engine.workspace.engine import Engine, GoverningWorkspace
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshot
from intentls.store.sessions.sessions import Session

log = logging.getLogger(__name__)


class ReportResult(Struct, frozen=True):
    """The record of a report: `trace_id` is None if it is nowhere, `degraded` if it is not in the ledger (yet)."""

    trace_id: str | None
    degraded: bool = False


def after_tool(engine: Engine, session_id: str, report: ToolReport) -> ReportResult | None:
    """A host ran a tool: record what it changed. None if there was nothing to record."""
    if classify(report.tool_name) is ToolClass.SAFE:
        return None
    return record_report(engine.resolve(paths_of(report.tool_name, report.params), session_id), session_id, report)


def record_report(governing: GoverningWorkspace, session_id: str, report: ToolReport) -> ReportResult | None:
    """As `after_tool`, where it is known already which workspace governs the paths."""
    workspace = governing.workspace
    if workspace is None:
        return None
    paths = governing.paths
    snapshots = [workspace.snapshots.take(session_id, path) for path in paths]
    changes = (
        _edit(workspace, session_id, path, snapshot, report if path == paths[0] else None)
        for path, snapshot in zip(paths, snapshots, strict=True)
    )
    edits = tuple(edit for edit in changes if edit is not None)
    if report.success:
        edits = tuple(edit for edit in edits if edit.pre_hash != edit.post_hash)
    if not edits and paths:
        return None
    session = workspace.sessions.load(session_id)
    # It was admitted under what was selected then: what the session has selected or cleared since is another's matter.
    admitted = next((one.intent_id for one in snapshots if one is not None and one.intent_id is not None), None)
    return record_edits(workspace, session.under(admitted or session.intent_id), report, edits)


def record_edits(
    workspace: Workspace,
    session: Session,
    report: ToolReport,
    edits: tuple[PlannedEdit, ...],
    refusal: Refusal | None = None,
) -> ReportResult:
    """Record `edits`, and note them in the maps, the open documents and the session.

    Nothing is noted of what no record will hold. Edits with a `refusal` and without `success` were put back: they are
    only recorded.
    """
    record = RecordWriter(workspace).reported(session, report, edits, refusal)
    state = workspace.trace(record)
    if state is TraceState.LOST:
        return ReportResult(None, degraded=True)
    if refusal is None or report.success:
        if report.success:
            update_maps(workspace, record, edits, workspace.configuration())
        for edit in edits:
            workspace.pending.written(edit.path, edit.after)
        try:
            workspace.sessions.update(session.session_id, lambda latest: with_known_contents(latest, edits))
        except StoreError:  # what is on record stands: the session just has to read the files again
            log.warning("session %s does not know what it wrote", session.session_id, exc_info=True)
    return ReportResult(record.id, degraded=state is TraceState.WAITING)


def _edit(
    workspace: Workspace, session_id: str, path: str, snapshot: PreEditSnapshot | None, report: ToolReport | None
) -> PlannedEdit | None:
    """What a report means for one file. None where the call was refused: then it is not known who changed the file."""
    refused = refused_calls(workspace).take(session_id, path)
    after = workspace.contents.read(path).data
    if snapshot is None and refused is not None:
        log.warning("a refused call of session %s on %s was reported all the same", session_id, path)
        refused_calls(workspace).keep(session_id, path, None)  # and may be once more
        return None
    if snapshot is not None and snapshot.unkept is not None:
        change = Change.DELETE if after is None else Change.MODIFY
        return PlannedEdit(path, change, None, after, claimed_pre_hash=snapshot.unkept)
    if report is not None and report.pre_hash_known and (snapshot is None or report.pre_hash != hash_of(snapshot.data)):
        # The host names another base than was kept: its word counts, with the whole file as changed.
        return PlannedEdit(path, Change.MODIFY, None, after, claimed_pre_hash=report.pre_hash)
    if snapshot is None:
        return _unannounced(FileHistory(workspace, path), path, after)
    return _change(path, snapshot.data, after)


def _unannounced(history: FileHistory, path: str, after: bytes | None) -> PlannedEdit:
    """The change that a host reports and did not announce: what was there before is what history had last."""
    before, recorded = history.committed, history.recorded
    if recorded is None or recorded.hash == hash_of(before):
        return _change(path, before, after)
    if recorded.hash == hash_of(after):
        return _change(path, after, after)
    if recorded.hash is None:
        return _change(path, None, after)
    kind = Change.DELETE if after is None else Change.MODIFY
    return PlannedEdit(path, kind, None, after, claimed_pre_hash=recorded.hash)


def _change(path: str, before: bytes | None, after: bytes | None) -> PlannedEdit:
    if after is None:
        return PlannedEdit(path, Change.DELETE, before, None)
    return PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, after)

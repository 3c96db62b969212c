"""Tools that a host ran itself: what they changed is recorded."""

from __future__ import annotations

from dataclasses import dataclass

from intentls.core.gate.refusal import Refusal, ToolClass, classify
from intentls.core.hashing import hash_of
from intentls.core.ledger.trace_state import TraceState
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit, with_known_contents
from intentls.engine.records.derived_maps import update_maps
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.records.record_writer import ToolReport as ToolReport
from intentls.engine.tools.tool_paths import paths_of
from intentls.engine.workspace.engine import Engine, GoverningWorkspace
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session


@dataclass(frozen=True, slots=True)
class ReportResult:
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
    edits = tuple(_edit(workspace, session_id, path, report if path == paths[0] else None) for path in paths)
    if report.success:
        edits = tuple(edit for edit in edits if edit.pre_hash != edit.post_hash)
        if not edits:
            return None
    return record_edits(workspace, workspace.sessions.load(session_id), report, edits)


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
            update_maps(workspace, record, edits)
        for edit in edits:
            workspace.pending.written(edit.path, edit.after)
        workspace.sessions.update(session.session_id, lambda latest: with_known_contents(latest, edits))
    return ReportResult(record.id, degraded=state is TraceState.WAITING)


def _edit(workspace: Workspace, session_id: str, path: str, report: ToolReport | None) -> PlannedEdit:
    after = workspace.contents.read(path).data
    snapshot = workspace.snapshots.take(session_id, path)
    before = snapshot.data if snapshot is not None else None
    if report is not None and report.pre_hash_known and report.pre_hash != hash_of(before):
        # The host names another base than was kept: its word counts, with the whole file as changed.
        return PlannedEdit(path, Change.MODIFY, None, after, claimed_pre_hash=report.pre_hash)
    if after is None:
        return PlannedEdit(path, Change.DELETE, before, None)
    return PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, after)

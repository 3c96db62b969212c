"""A guarded edit as one use case: find the root that governs the paths, decide there, perform."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from intentls.core.errors import StoreError
from intentls.core.gate.refusal import Code, Override, Refusal
from intentls.engine.actions.approved_action import ApprovedAction
from intentls.engine.actions.effects import Steps
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.edits.apply import Applier
from intentls.engine.edits.guard import Guard
from intentls.engine.edits.ungoverned import perform_ungoverned
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.path_argument import ResolvedPath
from intentls.engine.workspace.workspace import Workspace
from intentls.store.journal.failures import EditLapsed, UnsettledEdit

log = logging.getLogger(__name__)

_MOST_LAPSES = 3  # of an edit that takes longer than its lease lasts


def perform(engine: Engine, request: EditRequest) -> Steps[EditResult | Refusal]:
    """Decide on `request` and carry it out. Raises InvalidInput for arguments that make no sense; nothing is written.

    Example: `write_to_file` of a path in the scope of the selected intent is written and recorded. Of a path outside
    it, a person is asked; after a yes the action is judged again, for files may have changed meanwhile.
    """
    governing = engine.resolve(request.plan.paths, request.session_id)
    workspace = governing.workspace
    if workspace is None:
        return (yield from perform_ungoverned(engine, request, governing.resolved))
    try:
        return (yield from _perform_guarded(workspace, request, governing.resolved))
    except (StoreError, OSError) as error:
        # The old content stands: what the disk refuses is a clean no, not a crash.
        log.warning("%s did not happen", request.plan.tool_name, exc_info=True)
        refusal = _store_refusal(error)
        RecordWriter(workspace).refusal(request, refusal, workspace.sessions.load(request.session_id))
        return refusal


def perform_or_raise(engine: Engine, request: EditRequest) -> Steps[EditResult | Refusal]:
    """`perform`, for who tries again later: what the disk refuses is no verdict, and not on record.

    Raises StoreError and OSError where the disk refuses, InvalidInput as `perform`.
    """
    governing = engine.resolve(request.plan.paths, request.session_id)
    if governing.workspace is None:
        return (yield from perform_ungoverned(engine, request, governing.resolved))
    return (yield from _perform_guarded(governing.workspace, request, governing.resolved))


def _perform_guarded(
    workspace: Workspace, request: EditRequest, resolved: Mapping[str, ResolvedPath]
) -> Steps[EditResult | Refusal]:
    """One decision and one write under one lock across processes; no lock is held while a person or editor answers."""
    guard, applier = Guard(workspace), Applier(workspace)
    names = [str(path.real) for path in resolved.values()]
    overrides: tuple[Override, ...] = ()
    lapses = 0
    while True:
        with workspace.journal.hold(names, workspace.holder(request.session_id)):
            evaluation = guard.evaluate(request, resolved, overrides)
            action = evaluation.outcome
            if isinstance(action, ApprovedAction) and evaluation.leases.have_lapsed():
                continue
            if isinstance(action, ApprovedAction) and not action.editor_edits:
                try:
                    with evaluation.leases as leases:
                        return leases.settle(applier.to_disk(action, leases.have_lapsed))
                except EditLapsed:
                    lapses += 1
                    if lapses == _MOST_LAPSES:
                        raise
                    continue
        if isinstance(action, ApprovedAction):
            with evaluation.leases as leases:
                return leases.settle((yield from applier.in_editor(action)))
        override = yield from guard.override(request, evaluation.gathered, action)
        if isinstance(override, Refusal):
            return override
        overrides = (*overrides, override)


def _store_refusal(error: StoreError | OSError) -> Refusal:
    reason = str(error) if isinstance(error, StoreError) else error.strerror or type(error).__name__
    outcome = "" if isinstance(error, UnsettledEdit) else " Nothing was changed."
    return Refusal.of(Code.HOOK_ERROR, f"Store Error: {reason.rstrip('.')}.{outcome}")

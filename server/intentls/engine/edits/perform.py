"""The guarded edits as one use case: find the root that governs the paths, and act there."""

from __future__ import annotations

import logging

from intentls.core.errors import StoreError
from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.effects import Steps
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.edits.guard import Guard
from intentls.engine.edits.ungoverned import perform_ungoverned
from intentls.engine.records.record_writer import RecordWriter
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.journal.journal import UnsettledEdit

log = logging.getLogger(__name__)


def perform(engine: Engine, request: EditRequest) -> Steps[EditResult | Refusal]:
    """Judge and carry out `request` where it belongs. Raises InvalidInput for arguments that make no sense."""
    venue = engine.venue(request.plan.paths, request.session_id)
    if venue.workspace is None:
        return (yield from perform_ungoverned(engine, request, venue.places))
    try:
        return (yield from Guard(venue.workspace).run(request, venue.places))
    except (StoreError, OSError) as trouble:
        # The old content stands: what the disk refuses is a clean no, not a crash.
        log.warning("%s did not happen", request.plan.tool_name, exc_info=True)
        return _store_refusal(venue.workspace, request, trouble)


def _store_refusal(workspace: Workspace, request: EditRequest, trouble: StoreError | OSError) -> Refusal:
    reason = str(trouble) if isinstance(trouble, StoreError) else trouble.strerror or type(trouble).__name__
    outcome = "" if isinstance(trouble, UnsettledEdit) else " Nothing was changed."
    refusal = Refusal.of(Code.HOOK_ERROR, f"Store Error: {reason.rstrip('.')}.{outcome}")
    RecordWriter(workspace).refusal(request, refusal)
    return refusal

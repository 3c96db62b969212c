"""What the gate would say of an action without a session: under a given intent, or under none."""

from __future__ import annotations

from dataclasses import replace

from intentls.core.errors import InvalidPath
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_names import ToolClass, classify
from intentls.engine.actions.request import EditRequest
from intentls.engine.edits.guard import Guard
from intentls.engine.workspace.engine import Engine, GoverningWorkspace
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session


def check_as(engine: Engine, request: EditRequest, intent_id: str | None) -> tuple[str, ...] | Refusal:
    """The gate's answer to somebody who works under `intent_id` and has just read the files: warnings, or a refusal.

    With None it is that nobody may act without an intent; its `owners` are the intents that could. Asks nobody,
    writes nothing. Raises InvalidPath.
    """
    if classify(request.plan.tool_name) is ToolClass.SAFE:
        return ()
    venue = engine.venue(request.plan.paths, request.session_id)
    workspace = venue.workspace
    if workspace is None:
        return ()
    below = _below(venue, workspace)
    session = Session(request.session_id, intent_id=intent_id, reads=_reads(workspace, below))
    verdict = Guard(workspace).check(request, venue.places, session)
    if not isinstance(verdict, Refusal) or verdict.code is not Code.INTENT_REQUIRED:
        return verdict
    configuration = workspace.configuration()
    return replace(verdict, paths=below, owners=configuration.facts(session).owners(configuration.policy, *below))


def _below(venue: GoverningWorkspace, workspace: Workspace) -> tuple[str, ...]:
    found = (place.below(workspace.root) for place in venue.places.values())
    return tuple(path for path in found if path is not None)


def _reads(workspace: Workspace, paths: tuple[str, ...]) -> dict[str, str]:
    known: dict[str, str] = {}
    for path in paths:
        try:
            found = workspace.contents.read(path).hash
        except InvalidPath:
            continue  # no file to have read; the gate says so itself
        if found is not None:
            known[path] = found
    return known

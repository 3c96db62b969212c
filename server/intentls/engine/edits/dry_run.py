"""What the gate would say of an action without a session: under a given intent, or under none."""

from __future__ import annotations

from msgspec.structs import replace

from intentls.core.errors import InvalidPath
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_class import ToolClass, classify
from intentls.engine.actions.request import EditRequest
from intentls.engine.edits.guard import Guard
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session


def check_as(engine: Engine, request: EditRequest, intent_id: str | None) -> tuple[str, ...] | Refusal:
    """The gate's answer to a session that works under `intent_id` and has just read the files: warnings or a refusal.

    With None it refuses, since no action may happen without an intent; its `owners` are the intents that could. No
    question, no record. Raises InvalidPath.
    """
    if classify(request.plan.tool_name) is ToolClass.SAFE:
        return ()
    governing = engine.resolve(request.plan.paths, request.session_id)
    workspace, paths = governing.workspace, governing.paths
    if workspace is None:
        return ()
    session = Session(request.session_id, intent_id=intent_id, reads=_reads(workspace, paths))
    verdict = Guard(workspace).check(request, governing.resolved, session)
    if not isinstance(verdict, Refusal) or verdict.code is not Code.INTENT_REQUIRED:
        return verdict
    configuration = workspace.configuration()
    return replace(verdict, paths=paths, owners=configuration.facts(session).owners(configuration.policy, *paths))


def _reads(workspace: Workspace, paths: tuple[str, ...]) -> dict[str, str]:
    """The hash of each path that is a file, as if the session had read it."""
    hashes: dict[str, str] = {}
    for path in paths:
        try:
            hash_ = workspace.contents.read(path).hash
        except InvalidPath:
            continue  # not a file that could be read; the gate says so itself
        if hash_ is not None:
            hashes[path] = hash_
    return hashes

"""Tools that a host runs itself, before they run: may they? `tool_reports` records what they did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from intentls.core.gate.policy import Mode, Shell
from intentls.core.gate.refusal import ActionHint, Code, Refusal
from intentls.core.gate.tool_class import SHELL, ToolClass, classify
from intentls.engine.actions.effects import Steps
from intentls.engine.actions.request import EditRequest, PlannedEdit
from intentls.engine.edits.folder_boundary import outside_folders
from intentls.engine.edits.guard import Guard
from intentls.engine.workspace.engine import Engine, GoverningWorkspace
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots


class HostTool(Struct, frozen=True):
    """The plan of a tool that its host performs: paths to judge, no edits to make."""

    tool_name: str
    paths: tuple[str, ...]

    def edits(self, paths: Mapping[str, str], contents: Mapping[str, bytes | None]) -> tuple[PlannedEdit, ...]:  # noqa: ARG002  the protocol's signature
        """No edits: the host makes them."""
        return ()


class ToolPermission(Struct, frozen=True):
    """A tool that may run; `pre_hash` is that of the first file it names."""

    classification: ToolClass
    pre_hash: str | None = None
    warnings: tuple[str, ...] = ()


def check(engine: Engine, request: EditRequest) -> tuple[str, ...] | Refusal:
    """What the gate would say of a tool call now: its warnings, or the refusal. No question, no record."""
    if classify(request.plan.tool_name) is ToolClass.SAFE:
        return ()
    governing = engine.resolve(request.plan.paths, request.session_id)
    if governing.workspace is None:
        return outside_folders(engine, governing.resolved) or ()
    verdict = Guard(governing.workspace).check(request, governing.resolved)
    return verdict if isinstance(verdict, Refusal) else _shell_refusal(governing.workspace, request) or verdict


def before_tool(engine: Engine, request: EditRequest) -> Steps[ToolPermission | Refusal]:
    """A host is about to run a tool: may it? The contents of its files are kept for the report."""
    if classify(request.plan.tool_name) is ToolClass.SAFE:
        return ToolPermission(ToolClass.SAFE)
    governing = engine.resolve(request.plan.paths, request.session_id)
    refusal = outside_folders(engine, governing.resolved) if governing.workspace is None else None
    return refusal or (yield from admit(governing, request))


def admit(governing: GoverningWorkspace, request: EditRequest) -> Steps[ToolPermission | Refusal]:
    """As `before_tool`, where it is known already which workspace governs the paths."""
    classification = classify(request.plan.tool_name)
    workspace = governing.workspace
    if classification is ToolClass.SAFE or workspace is None:
        return ToolPermission(classification)
    guard = Guard(workspace)
    action = yield from guard.admit(request, governing.resolved)
    if isinstance(action, Refusal):
        _note_refused(workspace, request.session_id, governing.paths)
        return action
    refusal = _shell_refusal(workspace, request)
    if refusal is not None:
        guard.record_refusal(request, refusal, action.session)
        _note_refused(workspace, request.session_id, governing.paths)
        return refusal
    intent_id = action.session.intent_id
    for path, content in action.contents.items():
        refused_calls(workspace).take(request.session_id, path)
        workspace.snapshots.keep(request.session_id, path, content.data, request.plan.tool_name, intent_id)
    hashes = [content.hash for content in action.contents.values()]
    return ToolPermission(classification, hashes[0] if hashes else None, action.warnings)


def refuse_shell(workspaces: Iterable[Workspace], request: EditRequest) -> Refusal | None:
    """The refusal of the first root that allows no shell commands, on record there."""
    for workspace in workspaces:
        refusal = _shell_refusal(workspace, request)
        if refusal is not None:
            Guard(workspace).record_refusal(request, refusal, workspace.sessions.load(request.session_id))
            return refusal
    return None


def refused_calls(workspace: Workspace) -> PreEditSnapshots:
    """The files that a session's newest call was refused for. A report of such a call is not the agent's word."""
    return PreEditSnapshots(workspace.layout.announced / "refused")


def _note_refused(workspace: Workspace, session_id: str, paths: tuple[str, ...]) -> None:
    for path in paths:
        refused_calls(workspace).keep(session_id, path, None)


def _shell_refusal(workspace: Workspace, request: EditRequest) -> Refusal | None:
    policy = workspace.configuration().policy
    if request.plan.tool_name != SHELL or policy.shell is not Shell.DENY or policy.mode is Mode.ADVISE:
        return None
    return Refusal.of(
        Code.HOOK_ERROR,
        "Shell Refused: this workspace allows no shell commands (policy.yaml, shell: deny). Use the editing tools.",
        action_hint=ActionHint.FIX_CONFIGURATION,
    )

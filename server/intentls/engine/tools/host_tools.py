"""Tools that a host runs itself: announced before (the gate), reported after (the trace)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from intentls.core.errors import InvalidArgument, InvalidPatch
from intentls.core.gate.policy import Mode, Shell
from intentls.core.gate.refusal import ActionHint, Code, Refusal
from intentls.core.gate.tool_names import SHELL as SHELL
from intentls.core.gate.tool_names import ToolClass, classify, named_paths
from intentls.core.hashing import hash_of
from intentls.engine.actions.effects import Steps
from intentls.engine.actions.request import EditRequest, PlannedEdit
from intentls.engine.edits.guard import Guard
from intentls.engine.workspace.engine import Engine, GoverningWorkspace
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.sessions import Session

if TYPE_CHECKING:
    from intentls.core.ledger.record import Override
    from intentls.core.mutation.classes import MutationClass

# The rest is imported where it is needed: a hook judges one action, and its agent waits.
PATCH_KEYS = ("patch", "diff", "input")
"""Where a tool that applies a patch is given it, the usual place first."""

# Tools that always change a named file: without a name there is nothing to judge, so the call makes no sense.
_NEED_PATH = frozenset(
    {
        *("write_to_file", "edit_file", "edit", "search_replace", "insert_code_block", "apply_diff"),
        *("apply_patch", "delete_file", "rename_file"),
    }
)


@dataclass(frozen=True, slots=True)
class HostTool:
    """The plan of a tool that somebody else performs: paths to judge, no edits to make."""

    tool_name: str
    paths: tuple[str, ...]

    def edits(self, paths: Mapping[str, str], contents: Mapping[str, bytes | None]) -> tuple[PlannedEdit, ...]:  # noqa: ARG002  the protocol's signature
        """Nothing is ours to do."""
        return ()


@dataclass(frozen=True, slots=True)
class ToolPermission:
    """A tool that may run; `pre_hash` is that of the first file it names."""

    classification: ToolClass
    pre_hash: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolReport:
    """What a host says of a tool it ran. `pre_hash` counts only if `pre_hash_known`.

    `overrides`: what a person let pass for it, asked by the host.
    """

    tool_name: str
    params: Mapping[str, Any]
    success: bool
    pre_hash: str | None = None
    pre_hash_known: bool = False
    error: str | None = None
    mutation_class: MutationClass | None = None
    model: str | None = None
    overrides: tuple[Override, ...] = ()


def paths_of(tool_name: str, params: Mapping[str, Any]) -> tuple[str, ...]:
    """Every path that a tool call names, those inside a patch included.

    Raises InvalidArgument where an editing tool names no path, for what can't be judged must not pass.
    """
    found = list(named_paths(params))
    for key in PATCH_KEYS:
        text = params.get(key)
        if isinstance(text, str):
            found.extend(_paths_in_patch(key, text, named=bool(found), required=tool_name == "apply_patch"))
    if not found and tool_name in _NEED_PATH:
        raise InvalidArgument("params", f"{tool_name} names no path")
    return tuple(dict.fromkeys(found))


def check(engine: Engine, request: EditRequest) -> tuple[str, ...] | Refusal:
    """What the gate would say of a tool call now: its warnings, or the refusal. Asks nobody, writes nothing."""
    if classify(request.plan.tool_name) is ToolClass.SAFE:
        return ()
    venue = engine.venue(request.plan.paths, request.session_id)
    if venue.workspace is None:
        return ()
    verdict = Guard(venue.workspace).check(request, venue.places)
    return verdict if isinstance(verdict, Refusal) else _no_shell(venue.workspace, request) or verdict


def announce(engine: Engine, request: EditRequest) -> Steps[ToolPermission | Refusal]:
    """A host is about to run a tool: may it? Remembers what the files hold, for the report."""
    classification = classify(request.plan.tool_name)
    if classification is ToolClass.SAFE:
        return ToolPermission(classification)
    venue = engine.venue(request.plan.paths, request.session_id)
    if venue.workspace is None:
        return ToolPermission(classification)
    outcome = yield from Guard(venue.workspace).admit(request, venue.places)
    if isinstance(outcome, Refusal):
        return outcome
    refusal = _no_shell(venue.workspace, request)
    if refusal is not None:
        from intentls.engine.records.record_writer import RecordWriter

        RecordWriter(venue.workspace).refusal(request, refusal)
        return refusal
    hashes = [_keep(venue.workspace, request.session_id, path) for path in _below(venue, request.plan.paths)]
    return ToolPermission(classification, hashes[0] if hashes else None, outcome.warnings)


def report(engine: Engine, session_id: str, told: ToolReport) -> str | None:
    """A host ran a tool: record what it changed. The record's id; None if there was nothing to record."""
    if classify(told.tool_name) is ToolClass.SAFE:
        return None
    paths = paths_of(told.tool_name, told.params)
    venue = engine.venue(paths, session_id)
    workspace = venue.workspace
    if workspace is None:
        return None
    below = _below(venue, paths)
    edits = tuple(_edit(workspace, session_id, path, told if path == below[0] else None) for path in below)
    if told.success:
        edits = tuple(edit for edit in edits if edit.pre_hash != edit.post_hash)
        if not edits:
            return None
    from intentls.engine.records.derived_maps import update_maps
    from intentls.engine.records.record_writer import RecordWriter

    record = RecordWriter(workspace).reported(
        session_id=session_id,
        tool_name=told.tool_name,
        model=told.model,
        declared=told.mutation_class,
        edits=edits,
        success=told.success,
        error=told.error,
        overrides=told.overrides,
    )
    if not workspace.trace(record):
        return None
    if told.success:
        update_maps(workspace, record, edits)
    for edit in edits:
        workspace.pending.written(edit.path, edit.after)
    workspace.sessions.update(session_id, lambda session: _knowing(session, edits))
    return record.id


def _no_shell(workspace: Workspace, request: EditRequest) -> Refusal | None:
    policy = workspace.configuration().policy
    if request.plan.tool_name != SHELL or policy.shell is not Shell.DENY or policy.mode is Mode.ADVISE:
        return None
    return Refusal.of(
        Code.HOOK_ERROR,
        "Shell Refused: this workspace allows no shell commands (policy.yaml, shell: deny). Use the editing tools.",
        action_hint=ActionHint.FIX_CONFIGURATION,
    )


def _paths_in_patch(key: str, text: str, *, named: bool, required: bool) -> list[str]:
    from intentls.core.patch.unified_diff import parse_patch

    try:
        patches = parse_patch(text)
    except InvalidPatch as error:
        if named or not required:
            return []  # some other notation; the parameters that name the path are judged
        raise InvalidArgument(f"params.{key}", str(error)) from error
    return [path for patch in patches for path in (patch.old_path, patch.path) if path is not None]


def _below(venue: GoverningWorkspace, paths: tuple[str, ...]) -> list[str]:
    assert venue.workspace is not None
    found = (venue.places[given].below(venue.workspace.root) for given in paths)
    return list(dict.fromkeys(path for path in found if path is not None))


def _knowing(session: Session, edits: tuple[PlannedEdit, ...]) -> Session:
    for edit in edits:
        session = session.with_read(edit.path, edit.post_hash)
    return session


def _keep(workspace: Workspace, session_id: str, path: str) -> str | None:
    content = workspace.contents.read(path)
    workspace.snapshots.keep(session_id, path, content.data)
    return content.hash


def _edit(workspace: Workspace, session_id: str, path: str, told: ToolReport | None) -> PlannedEdit:
    from intentls.core.change_kind import Change

    after = workspace.contents.read(path).data
    snapshot = workspace.snapshots.take(session_id, path)
    before = snapshot.data if snapshot is not None else None
    if told is not None and told.pre_hash_known and told.pre_hash != hash_of(before):
        # The host names another base than we saw: its word, and the whole file as changed.
        return PlannedEdit(path, Change.MODIFY, None, after, claimed_pre_hash=told.pre_hash)
    if after is None:
        return PlannedEdit(path, Change.DELETE, before, None)
    return PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, after)

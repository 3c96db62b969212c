"""Tools that may write anywhere: what they changed is found by comparing the working tree before and after."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.gate import checks
from intentls.core.gate.action import Action, Target
from intentls.core.gate.gate import first_refusal
from intentls.core.gate.policy import Mode, Shell
from intentls.core.gate.refusal import Override, Refusal
from intentls.core.hashing import hash_of
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.ledger.record_json import files_of, text_of
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.declared_files import parse_intents, parse_policy
from intentls.store.fs.atomic_write import write_new
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.path_resolution import find_root
from intentls.store.git.worktree_diff import TreeChange, TreeState, Worktree
from intentls.store.layout import MAX_BYTES
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.sessions.sessions import Session

_PATHS = (checks.paths_are_writable, checks.paths_are_not_ignored, checks.paths_are_in_scope)


@dataclass(frozen=True, slots=True)
class ShellCall:
    """A tool call of a session. `key` is the call's id before and after; `overrides` let it run."""

    session_id: str
    tool_name: str
    key: str
    model: str | None = None
    overrides: tuple[Override, ...] = ()


@dataclass(frozen=True, slots=True)
class ShellChanges:
    """What a tool changed: `recorded` counts the files, `refusals` are what should not have been, by reason.

    `reverted` of those were put back. `no_baseline`: nothing was remembered before the tool ran, so its changes are
    not known.
    """

    recorded: int = 0
    refusals: tuple[Refusal, ...] = ()
    reverted: tuple[str, ...] = ()
    no_baseline: bool = False


def remember(workspace: Workspace, session_id: str, key: str) -> None:
    """A tool is about to run that may write anywhere: remember the tree and the declarations. Raises StoreError."""
    _worktree(workspace).remember(_key(session_id, key))
    _declarations(workspace).keep(session_id, key, _declared(workspace))


def reconcile(workspace: Workspace, call: ShellCall) -> ShellChanges:
    """Record all that changed since `remember`, but for what is on record already. Raises StoreError.

    Example: under `shell: revert`, a command that edits `src/a.py` (in scope) and `docs/b.md` (outside) leaves one
    record of the former, and one refusal of the latter, which holds its old content again.
    """
    worktree = _worktree(workspace)
    baseline = worktree.recall(_key(call.session_id, call.key))
    if baseline is None:
        return ShellChanges(no_baseline=True)
    configuration = _configuration_before(workspace, call)
    session = workspace.sessions.load(call.session_id)
    on_record = _on_record(workspace, baseline)
    changes = [
        change
        for change in worktree.changes(baseline)
        if (change.path, hash_of(change.after)) not in on_record and _governs(workspace, change.path)
    ]
    refused = _refusals(configuration, session, call, changes)
    policy = configuration.policy
    reverts = policy.shell is Shell.REVERT and policy.mode is Mode.ENFORCE
    reverted = [change for change in changes if reverts and change.path in refused and _revert(workspace, call, change)]
    reverted_paths = {change.path for change in reverted}
    kept = [change for change in changes if change.path not in reverted_paths]
    _record(workspace, call, session, _edits(change for change in kept if change.path not in refused), None)
    refusals = tuple(dict.fromkeys(refused.values()))
    for refusal in refusals:
        _record(workspace, call, session, _edits(c for c in kept if refused.get(c.path) is refusal), refusal)
        undone = _edits(c for c in reverted if refused.get(c.path) is refusal)
        _record(workspace, call, session, undone, refusal, undone=True)
    return ShellChanges(len(kept), refusals, tuple(sorted(reverted_paths)))


def _worktree(workspace: Workspace) -> Worktree:
    return Worktree(workspace.root, workspace.layout.announced)


def _declarations(workspace: Workspace) -> PreEditSnapshots:
    return PreEditSnapshots(workspace.layout.announced / "terms")


def _declared(workspace: Workspace) -> bytes:
    """The files that a tool is judged by, as they are now, as JSON."""
    layout = workspace.layout
    contents = [_bytes(path) for path in (layout.intents, layout.policy, *layout.ignore_files)]
    return json.dumps([None if data is None else data.decode("latin-1") for data in contents]).encode("ascii")


def _bytes(path: Path) -> bytes | None:
    """A declared file; None without one. One that can't be read, such as a FIFO, counts as one with an error."""
    try:
        return read_bounded(path, MAX_BYTES)
    except OSError:
        return _UNREADABLE


def _configuration_before(workspace: Workspace, call: ShellCall) -> Configuration:
    """What was declared before the tool ran: a tool can't widen its own scope, or switch the gate off for itself."""
    snapshot = _declarations(workspace).take(call.session_id, call.key)
    if snapshot is None or snapshot.data is None:
        return workspace.configuration()
    texts: list[str | None] = json.loads(snapshot.data)
    intents, policy, *ignores = (None if text is None else text.encode("latin-1") for text in texts)
    declared = parse_intents(intents)
    rules = IgnoreRules.parse((data or b"").decode("utf-8", "surrogateescape") for data in ignores)
    error = None if declared.valid else "The intents had errors before the tool ran."
    return Configuration(declared, parse_policy(policy), rules, error)


_UNREADABLE = b"\0"  # no YAML


def _key(session_id: str, key: str) -> str:
    return f"{session_id}\0{key}"


def _governs(workspace: Workspace, path: str) -> bool:
    """Whether the path belongs to this root, and not to a root inside it."""
    return find_root((workspace.root / path).parent) == workspace.root


def _on_record(workspace: Workspace, baseline: TreeState) -> set[tuple[str, str | None]]:
    """The (path, hash) pairs that others, or a tool that ran at the same time, wrote since then."""
    written: set[tuple[str, str | None]] = set()
    for record in workspace.ledger.newest_first():
        if str(record.get("timestamp", "")) < baseline.at:
            return written
        if record.get("success") is True:
            for file in files_of(record):
                written.add((str(file.get("path")), text_of(file, "post_hash")))
                if file.get("old_path") is not None:
                    written.add((str(file["old_path"]), None))
    return written


def _refusals(
    configuration: Configuration, session: Session, call: ShellCall, changes: list[TreeChange]
) -> dict[str, Refusal]:
    """The paths that the tool should have left alone; paths that are refused for one reason share a refusal."""
    facts, policy = configuration.facts(session), configuration.policy
    by_code: dict[str, list[str]] = {}
    for change in changes:
        refusal = first_refusal(facts, Action(call.tool_name, (Target(change.path),)), policy, _PATHS)
        if refusal is not None:
            by_code.setdefault(refusal.code, []).append(change.path)
    refused: dict[str, Refusal] = {}
    for paths in by_code.values():
        targets = tuple(Target(path) for path in paths)
        refusal = first_refusal(facts, Action(call.tool_name, targets), policy, _PATHS)
        refused |= {path: refusal for path in paths if refusal is not None}
    return refused


def _revert(workspace: Workspace, call: ShellCall, change: TreeChange) -> bool:
    """Restore what was there before the tool; False where that is not known or can't be restored any more."""
    if not change.known or change.is_link:
        return False
    staged = workspace.layout.announced / f"back-{os.getpid()}"
    try:
        with workspace.journal.hold((str(workspace.root / change.path),), workspace.holder(call.session_id)):
            if workspace.tree.read(change.path) != change.after:
                return False  # it was changed since
            if change.before is None:
                workspace.tree.remove(change.path)
                return True
            staged.unlink(missing_ok=True)
            write_new(staged, change.before, durable=True)
            state = workspace.tree.state(change.path)
            workspace.tree.put(change.path, staged, change.mode or (state.mode if state is not None else None))
            return True
    except (StoreError, InvalidPath, OSError):
        return False


def _edits(changes: Iterable[TreeChange]) -> tuple[PlannedEdit, ...]:
    """As edits; a file that vanished where the same content appeared elsewhere was renamed."""
    changes = list(changes)
    vanished = {hash_of(c.before): c for c in changes if c.after is None and c.known and c.before}
    edits: list[PlannedEdit] = []
    renamed: set[str] = set()
    for change in changes:
        origin = vanished.get(hash_of(change.after)) if change.before is None and change.known else None
        if origin is not None and origin.path not in renamed:
            renamed.add(origin.path)
            edits.append(PlannedEdit(change.path, Change.RENAME, origin.before, change.after, old_path=origin.path))
        else:
            edits.append(_edit(change))
    return tuple(edit for edit in edits if not (edit.change is Change.DELETE and edit.path in renamed))


def _edit(change: TreeChange) -> PlannedEdit:
    if change.after is None and change.known:
        return PlannedEdit(change.path, Change.DELETE, change.before, None)
    is_new = change.before is None and change.known
    return PlannedEdit(change.path, Change.ADD if is_new else Change.MODIFY, change.before, change.after)


def _record(
    workspace: Workspace,
    call: ShellCall,
    session: Session,
    edits: tuple[PlannedEdit, ...],
    refusal: Refusal | None,
    *,
    undone: bool = False,
) -> None:
    """Append the record of `edits`, if there are any; `undone`: they were put back."""
    if not edits:
        return
    paths = {path for edit in edits for path in (edit.path, edit.old_path)}
    if refusal is not None:
        refusal = replace(refusal, paths=tuple(path for path in refusal.paths if path in paths))
    from intentls.engine.tools import tool_reports  # most commands change nothing, and need no ledger

    report = tool_reports.ToolReport(call.tool_name, success=not undone, model=call.model, overrides=call.overrides)
    tool_reports.record_edits(workspace, session, report, edits, refusal)

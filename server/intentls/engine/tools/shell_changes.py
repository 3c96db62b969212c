"""Tools that may write anywhere: what they changed is found by comparing the working tree before and after."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.change_kind import Change
from intentls.core.errors import InvalidPath, StoreError
from intentls.core.gate import checks
from intentls.core.gate.action import Action, Target
from intentls.core.gate.gate import first_refusal
from intentls.core.gate.policy import Mode, Shell
from intentls.core.gate.refusal import Refusal
from intentls.core.hashing import hash_of
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.ledger.record_json import files_of, text_of
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.tools.aftermath import ShellChanges
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.atomic_write import write_new
from intentls.store.fs.path_resolution import find_root
from intentls.store.git.worktree_diff import TreeChange, TreeState, Worktree
from intentls.store.layout import MAX_BYTES
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.sessions.sessions import Session

if TYPE_CHECKING:
    from intentls.core.ledger.record import Override

_PATHS = (checks.paths_are_writable, checks.paths_are_not_ignored, checks.paths_are_in_scope)


@dataclass(frozen=True, slots=True)
class ShellCall:
    """Who ran which tool. `key` is what the call is known by before and after; `overrides` let it run."""

    session_id: str
    tool_name: str
    key: str
    model: str | None = None
    overrides: tuple[Override, ...] = ()


def remember(workspace: Workspace, session_id: str, key: str) -> None:
    """A tool is about to run that may write anywhere. Raises StoreError."""
    _worktree(workspace).remember(_key(session_id, key))
    _terms(workspace).keep(session_id, key, _declared(workspace))


def reconcile(workspace: Workspace, ran: ShellCall) -> ShellChanges:
    """Record all that changed since `remember`, but for what is on record already. Raises StoreError."""
    worktree = _worktree(workspace)
    view = worktree.recall(_key(ran.session_id, ran.key))
    if view is None:
        return ShellChanges(blind=True)
    configuration = _configuration(workspace, ran)
    known = _on_record(workspace, view)
    found = [
        change
        for change in worktree.changes(view)
        if (change.path, hash_of(change.after)) not in known and _governs(workspace, change.path)
    ]
    refused = _judge(workspace, configuration, ran, found)
    policy = configuration.policy
    reverting = policy.shell is Shell.REVERT and policy.mode is Mode.ENFORCE
    reverted = [
        change for change in found if reverting and change.path in refused and _put_back(workspace, ran, change)
    ]
    gone = {change.path for change in reverted}
    standing = [change for change in found if change.path not in gone]
    _record(workspace, ran, _edits(change for change in standing if change.path not in refused), None)
    for refusal in dict.fromkeys(refused.values()):
        _record(workspace, ran, _edits(c for c in standing if refused.get(c.path) is refusal), refusal)
        _record(workspace, ran, _edits(c for c in reverted if refused.get(c.path) is refusal), refusal, undone=True)
    return ShellChanges(len(standing), tuple(dict.fromkeys(refused.values())), tuple(sorted(gone)))


def _worktree(workspace: Workspace) -> Worktree:
    return Worktree(workspace.root, workspace.layout.announced)


def _terms(workspace: Workspace) -> PreEditSnapshots:
    return PreEditSnapshots(workspace.layout.announced / "terms")


def _declared(workspace: Workspace) -> bytes:
    """The files that a tool is judged by, as they are now."""
    layout = workspace.layout
    found = [_bytes(path) for path in (layout.intents, layout.policy, *layout.ignore_files)]
    return json.dumps([None if data is None else data.decode("latin-1") for data in found]).encode("ascii")


def _bytes(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError:
        return None


def _configuration(workspace: Workspace, ran: ShellCall) -> Configuration:
    """What was declared before the tool ran: it must not widen its own scope, or switch its judge off."""
    kept = _terms(workspace).take(ran.session_id, ran.key)
    if kept is None or kept.data is None:
        return workspace.configuration()
    texts: list[str | None] = json.loads(kept.data)
    intents, policy, *ignores = (None if text is None else text.encode("latin-1") for text in texts)
    # Reading YAML takes long to import; most commands change no declared file.
    from intentls.store.config.intents_parser import parse_intents
    from intentls.store.config.policy_parser import parse_policy

    declared = parse_intents(intents)
    rules = IgnoreRules.parse((data or b"").decode("utf-8", "surrogateescape") for data in ignores)
    error = None if declared.valid else "The intents had errors before the tool ran."
    return Configuration(declared, parse_policy(policy), rules, error)


def _key(session_id: str, key: str) -> str:
    return f"{session_id}\0{key}"


def _governs(workspace: Workspace, path: str) -> bool:
    """Whether the path is this root's business, and not that of a root inside it."""
    return find_root((workspace.root / path).parent) == workspace.root


def _on_record(workspace: Workspace, view: TreeState) -> set[tuple[str, str | None]]:
    """What others, or a tool that ran at the same time, wrote since then."""
    found: set[tuple[str, str | None]] = set()
    for record in workspace.ledger.newest_first():
        if str(record.get("timestamp", "")) < view.at:
            return found
        if record.get("success") is True:
            for file in files_of(record):
                found.add((str(file.get("path")), text_of(file, "post_hash")))
                if file.get("old_path") is not None:
                    found.add((str(file["old_path"]), None))
    return found


def _judge(
    workspace: Workspace, configuration: Configuration, ran: ShellCall, found: list[TreeChange]
) -> dict[str, Refusal]:
    """The paths that the tool should have left alone, each with the refusal that it shares with its like."""
    session = workspace.sessions.load(ran.session_id)
    facts, policy = configuration.facts(session), configuration.policy
    kinds: dict[str, list[str]] = {}
    for change in found:
        refusal = first_refusal(facts, Action(ran.tool_name, (Target(change.path),)), policy, _PATHS)
        if refusal is not None:
            kinds.setdefault(refusal.code, []).append(change.path)
    refused: dict[str, Refusal] = {}
    for paths in kinds.values():
        targets = tuple(Target(path) for path in paths)
        refusal = first_refusal(facts, Action(ran.tool_name, targets), policy, _PATHS)
        refused |= {path: refusal for path in paths if refusal is not None}
    return refused


def _put_back(workspace: Workspace, ran: ShellCall, change: TreeChange) -> bool:
    """Restore what was there before the tool; False where that is not known or not to be had any more."""
    if not change.known or change.is_link:
        return False
    staged = workspace.layout.announced / f"back-{os.getpid()}"
    try:
        with workspace.journal.hold((str(workspace.root / change.path),), workspace.holder(ran.session_id)):
            if workspace.tree.read(change.path) != change.after:
                return False  # somebody has changed it since
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
    found = list(changes)
    gone = {hash_of(c.before): c for c in found if c.after is None and c.known and c.before}
    edits: list[PlannedEdit] = []
    renamed: set[str] = set()
    for change in found:
        origin = gone.get(hash_of(change.after)) if change.before is None and change.known else None
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
    ran: ShellCall,
    edits: tuple[PlannedEdit, ...],
    refusal: Refusal | None,
    *,
    undone: bool = False,
) -> None:
    if not edits:
        return
    paths = {path for edit in edits for path in (edit.path, edit.old_path)}
    if refusal is not None:
        refusal = replace(refusal, paths=tuple(path for path in refusal.paths if path in paths))
    # What changed nothing leaves no record, and is the most of what agents run: it need not wait for these modules.
    from intentls.engine.records.derived_maps import update_maps
    from intentls.engine.records.record_writer import RecordWriter

    record = RecordWriter(workspace).reported(
        session_id=ran.session_id,
        tool_name=ran.tool_name,
        model=ran.model,
        declared=None,
        edits=edits,
        success=not undone,
        error=None,
        overrides=ran.overrides,
        refusal=refusal,
    )
    if not workspace.trace(record) or undone:
        return
    update_maps(workspace, record, edits)
    workspace.sessions.update(ran.session_id, lambda session: _knowing(session, edits))


def _knowing(session: Session, edits: tuple[PlannedEdit, ...]) -> Session:
    for edit in edits:
        session = session.with_read(edit.path, edit.post_hash)
        if edit.old_path is not None:
            session = session.with_read(edit.old_path, None)
    return session

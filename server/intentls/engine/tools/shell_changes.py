"""Tools that may write anywhere: what they changed is found by comparing the working tree before and after."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from intentls.core.errors import InvalidPath, LedgerUnavailable, StoreError
from intentls.core.gate import checks
from intentls.core.gate.action import Action, Target
from intentls.core.gate.gate import first_refusal
from intentls.core.gate.policy import Mode, Shell
from intentls.core.gate.refusal import Override, Refusal
from intentls.core.hashing import content_hash, hash_of
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.ledger.record_json import files_of, text_of
from intentls.core.mutation.classes import Change
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.declared_files import parse_all_intents, parse_policy
from intentls.store.fs.atomic_write import write_new
from intentls.store.fs.path_resolution import find_root
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.git.worktree_diff import Worktree
from intentls.store.git.worktree_state import Presence, TreeChange, TreeState
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.sessions.sessions import Session

log = logging.getLogger(__name__)

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

    `reverted` of those were put back; `trash` is the root-relative folder that keeps what they held, if they held
    anything. `unknown` are files that may have come, changed or gone: they are neither recorded nor put back.
    `git_failed`: there may be more of them, for git can't tell any more. `no_baseline`: nothing was remembered before
    the tool ran, so its changes are not known.
    """

    recorded: int = 0
    refusals: tuple[Refusal, ...] = ()
    reverted: tuple[str, ...] = ()
    trash: str | None = None
    unknown: tuple[str, ...] = ()
    git_failed: bool = False
    no_baseline: bool = False


def remember(workspace: Workspace, session_id: str, key: str) -> None:
    """A tool is about to run that may write anywhere: remember the tree and the declarations. Raises StoreError."""
    _worktree(workspace).remember(_key(session_id, key))
    workspace.accepted.begin(_key(session_id, key))
    _declarations(workspace).keep(session_id, key, _declared(workspace))


def reconcile(workspace: Workspace, call: ShellCall) -> ShellChanges:
    """Record all that changed since `remember`; declared files that changed wait for a person. Raises StoreError."""
    try:
        return _reconcile(workspace, call)
    finally:
        workspace.accepted.end(_key(call.session_id, call.key))


def _reconcile(workspace: Workspace, call: ShellCall) -> ShellChanges:
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
    recorded = _on_record(workspace, baseline)
    on_record = recorded or {}
    found = worktree.changes(baseline)
    governed = [change for change in found.files if _governs(workspace, change.path)]
    unknown = tuple(change.path for change in governed if change.is_unknown and not _is_recorded(change, on_record))
    changes = [change for change in governed if not change.is_unknown and not _is_recorded(change, on_record)]
    refused = _refusals(configuration, session, call, changes)
    policy = configuration.policy
    shared = _shared(changes, on_record)
    trash = _Trash(workspace, call)
    # What others wrote meanwhile is never undone, so nothing is where their records can't be read.
    reverts = policy.shell is Shell.REVERT and policy.mode is Mode.ENFORCE and recorded is not None
    reverted = [
        change
        for change in changes
        if reverts and change.path in refused and change.path not in shared and _revert(workspace, trash, change)
    ]
    reverted_paths = {change.path for change in reverted}
    kept = [change for change in changes if change.path not in reverted_paths]
    allowed = [change for change in kept if change.path not in refused]
    _record(workspace, call, session, _edits(allowed, shared), None)
    refusals = tuple(dict.fromkeys(refused.values()))
    for refusal in refusals:
        _record(workspace, call, session, _edits((c for c in kept if refused.get(c.path) is refusal), shared), refusal)
        undone = _edits(c for c in reverted if refused.get(c.path) is refusal)
        _record(workspace, call, session, undone, trash.noted_in(refusal), undone=True)
    return ShellChanges(
        len(kept), refusals, tuple(sorted(reverted_paths)), trash.path, unknown, git_failed=found.git_failed
    )


def _worktree(workspace: Workspace) -> Worktree:
    return Worktree(workspace.root, workspace.layout.announced)


def _declarations(workspace: Workspace) -> PreEditSnapshots:
    return PreEditSnapshots(workspace.layout.announced / "terms")


def _declared(workspace: Workspace) -> bytes:
    """The files that a tool is judged by, with what counts of them now, as JSON."""
    layout, configuration = workspace.layout, workspace.configuration()
    # What counts, which after a merge with conflicts is not what the files hold.
    files = configuration.intents.files
    intents = {path: file.encode(file.text).decode("latin-1") for path, file in files.items()}
    if configuration.error is not None:
        intents = {INTENTS_FILE: _UNREADABLE.decode("latin-1")}
    contents = [_bytes(workspace, path) for path in (layout.policy, *layout.ignore_files)]
    texts = [None if data is None else data.decode("latin-1") for data in contents]
    return json.dumps([intents, *texts]).encode("ascii")


def _bytes(workspace: Workspace, path: Path) -> bytes | None:
    """A declared file; None without one. One that can't be read, such as a FIFO, counts as one with an error."""
    try:
        return workspace.accepted.read(path.relative_to(workspace.root).as_posix())
    except (OSError, StoreError):
        return _UNREADABLE


def _configuration_before(workspace: Workspace, call: ShellCall) -> Configuration:
    """What was declared before the tool ran: a tool can't widen its own scope, or switch the gate off for itself."""
    snapshot = _declarations(workspace).take(call.session_id, call.key)
    if snapshot is None or snapshot.data is None:
        return workspace.configuration()
    intents, *texts = json.loads(snapshot.data)
    policy, *ignores = (None if text is None else text.encode("latin-1") for text in texts)
    declared = parse_all_intents({path: text.encode("latin-1") for path, text in intents.items()})
    rules = IgnoreRules.parse((data or b"").decode("utf-8", "surrogateescape") for data in ignores)
    error = None if declared.valid else "The intents had errors before the tool ran."
    links = workspace.configuration().settings_links
    return Configuration(declared, parse_policy(policy), rules, error, settings_links=links)


_UNREADABLE = b"\0"  # no YAML


def _key(session_id: str, key: str) -> str:
    return f"{session_id}\0{key}"


def _governs(workspace: Workspace, path: str) -> bool:
    """Whether the path belongs to this root, and not to a root inside it."""
    return find_root((workspace.root / path).parent) == workspace.root


def _on_record(workspace: Workspace, baseline: TreeState) -> dict[str, str | None] | None:
    """The newest hash (None: no file) of each path that others, or a tool that ran at the same time, wrote since.

    None where the ledger can't be read.
    """
    written: dict[str, str | None] = {}
    try:
        for record in workspace.newest_records(RecordQuery()):
            if str(record.get("timestamp", "")) < baseline.at:
                return written
            if record.get("success") is True:
                for file in files_of(record):
                    written.setdefault(str(file.get("path")), text_of(file, "post_hash"))
                    if file.get("old_path") is not None:
                        written.setdefault(str(file["old_path"]), None)
    except LedgerUnavailable:
        log.warning("what others recorded meanwhile is not known", exc_info=True)
        return None
    return written


def _is_recorded(change: TreeChange, on_record: Mapping[str, str | None]) -> bool:
    """Whether the file is as the newest record left it."""
    after = change.after
    return after.is_known and change.path in on_record and on_record[change.path] == hash_of(after.data)


def _shared(changes: Iterable[TreeChange], on_record: Mapping[str, str | None]) -> dict[str, str | None]:
    """Those of the changed files that others wrote to since, with the newest hash on record.

    Example: a person saves `a.py` while a command runs, and the command appends a line. The line is the command's, the
    save is not, and to put the old content back would destroy it.
    """
    return {
        change.path: on_record[change.path]
        for change in changes
        if change.path in on_record
        and not (change.before.is_known and on_record[change.path] == hash_of(change.before.data))
    }


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


class _Trash:
    """Where the contents go that one command left and that are undone."""

    def __init__(self, workspace: Workspace, call: ShellCall) -> None:
        self.session_id = call.session_id
        self._workspace = workspace
        self._name = content_hash(_key(call.session_id, call.key).encode("utf-8", "surrogatepass"))[-16:]
        self._folder: str | None = None
        self._files = RootedFiles(workspace.layout.state)

    @property
    def path(self) -> str | None:
        """The root-relative folder; None while there is nothing in it."""
        if self._folder is None:
            return None
        return (self._workspace.layout.trash / self._folder).relative_to(self._workspace.root).as_posix()

    def keep(self, path: str, data: bytes, mode: int | None) -> None:
        """Keep what a file holds, durably. Raises StoreError, InvalidPath and OSError."""
        trash = self._workspace.layout.trash
        folder = self._folder or self._unused_name(trash)
        staged = _staged(self._workspace, data)
        try:
            self._files.put(f"{trash.name}/{folder}/{path}", staged, mode)
        finally:
            staged.unlink(missing_ok=True)
        self._folder = folder

    def noted_in(self, refusal: Refusal) -> Refusal:
        """The refusal as the ledger shows it, with the place of what was undone."""
        if self.path is None:
            return refusal
        return replace(refusal, error=f"{refusal.error} Put back; what the command left is in {self.path}.")

    def _unused_name(self, trash: Path) -> str:
        names = (f"{self._name}-{number}" if number else self._name for number in count())
        return next(name for name in names if not os.path.lexists(trash / name))


def _staged(workspace: Workspace, data: bytes) -> Path:
    staged = workspace.layout.announced / f"back-{os.getpid()}"
    staged.unlink(missing_ok=True)
    write_new(staged, data, durable=True)
    return staged


def _revert(workspace: Workspace, trash: _Trash, change: TreeChange) -> bool:
    """Restore what was there before the tool, and keep what is there now in the trash.

    False where that is not known or not possible; the file is then as it was.
    """
    if not change.may_be_undone:
        return False
    before, after = change.before.data, change.after.data
    try:
        with workspace.journal.hold((str(workspace.root / change.path),), workspace.holder(trash.session_id)):
            if workspace.tree.read(change.path) != after:
                return False  # it was changed since
            state = workspace.tree.state(change.path)
            mode = None if state is None else state.mode
            if after is not None:
                trash.keep(change.path, after, mode)
            if before is None:
                workspace.tree.remove(change.path)
            else:
                workspace.tree.put(change.path, _staged(workspace, before), change.mode or mode)
            return True
    except (StoreError, InvalidPath, OSError):
        log.info("%s can't be put back", change.path, exc_info=True)
        return False


def _edits(changes: Iterable[TreeChange], shared: Mapping[str, str | None] | None = None) -> tuple[PlannedEdit, ...]:
    """As edits; a file that vanished where the same content appeared elsewhere was renamed.

    `shared` has the newest hash on record of files that others changed, too.
    """
    shared = shared or {}
    changes = list(changes)
    own = [change for change in changes if change.path not in shared]
    vanished = {hash_of(c.before.data): c for c in own if c.after.presence is Presence.ABSENT and c.before.data}
    edits: list[PlannedEdit] = []
    renamed: set[str] = set()
    for change in changes:
        if change.path in shared:
            edits.append(_shared_edit(change, shared[change.path]))
            continue
        origin = vanished.get(hash_of(change.after.data)) if change.before.presence is Presence.ABSENT else None
        if origin is not None and origin.path not in renamed:
            renamed.add(origin.path)
            before, after = origin.before.data, change.after.data
            edits.append(PlannedEdit(change.path, Change.RENAME, before, after, old_path=origin.path))
        else:
            edits.append(_edit(change))
    return tuple(edit for edit in edits if not (edit.change is Change.DELETE and edit.path in renamed))


def _edit(change: TreeChange) -> PlannedEdit:
    before, after = change.before, change.after
    if after.presence is Presence.ABSENT:
        return PlannedEdit(change.path, Change.DELETE, before.data, None)
    is_new = before.presence is Presence.ABSENT and after.is_known
    return PlannedEdit(change.path, Change.ADD if is_new else Change.MODIFY, before.data, after.data)


def _shared_edit(change: TreeChange, newest: str | None) -> PlannedEdit:
    """The command's part of a file that others wrote to meanwhile: whose each line is can't be told."""
    kind = Change.DELETE if change.after.presence is Presence.ABSENT else Change.MODIFY
    return PlannedEdit(change.path, kind, None, change.after.data, claimed_pre_hash=newest, is_shared=True)


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

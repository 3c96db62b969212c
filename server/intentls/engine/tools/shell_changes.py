"""Tools that may write anywhere: what they changed is found by comparing the working tree before and after.

What the comparison finds is explained first, in this order: by the ledger (others recorded it since), by git (a pull
or a checkout brought it), by the calls that other sessions have announced. The rest is the command's: it is judged by
what was declared before it ran, undone where policy says so, and recorded.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from intentls.core.gate import checks
from intentls.core.gate.action import Action, Target
from intentls.core.gate.gate import first_refusal
from intentls.core.gate.policy import Mode, Shell
from intentls.core.gate.refusal import Refusal
from intentls.core.intents.intentignore import IgnoreRules
from intentls.engine.tools import ledger_evidence, shell_records
from intentls.engine.tools.shell_call import ShellCall as ShellCall
from intentls.engine.tools.shell_call import ShellChanges as ShellChanges
from intentls.engine.tools.shell_shares import Shares, share
from intentls.engine.tools.shell_undo import Trash, put_back
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.config.declared_files import parse_intents, parse_policy
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.named_locks import Locks
from intentls.store.git.git_moves import charge
from intentls.store.git.worktree_diff import Worktree
from intentls.store.git.worktree_state import TreeChange
from intentls.store.layout import MAX_BYTES
from intentls.store.sessions.announced_calls import AnnouncedCall, AnnouncedCalls
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.sessions.sessions import Session

log = logging.getLogger(__name__)

_PATIENCE_S = 5  # a hook has a time limit of its own
_PATHS = (checks.paths_are_writable, checks.paths_are_not_ignored, checks.paths_are_in_scope)


def remember(workspace: Workspace, call: ShellCall) -> ShellChanges | None:
    """A tool is about to run that may write anywhere: remember the tree and the declarations. Raises StoreError.

    What earlier calls of the session changed, which nobody has reported, is settled first: that is the result.
    """
    calls = announced_calls(workspace)
    with _alone(workspace, call.session_id):
        settled = _settle(workspace, call.session_id)
        _remember_tree(workspace, call.session_id)
        _declarations(workspace).keep(call.session_id, call.key, _declared(workspace))
        others = tuple(other.name for other in calls.all() if other.session_id != call.session_id)
        calls.announce(AnnouncedCall(call.session_id, call.key, call.tool_name, timestamp(), call.model, others=others))
    return settled


def reconcile(workspace: Workspace, call: ShellCall) -> ShellChanges:
    """Record all that changed since `remember`, but for what others answer for. Raises StoreError.

    Example: under `shell: revert`, a command that edits `src/a.py` (in scope) and `docs/b.md` (outside) leaves one
    record of the former, and one refusal of the latter, which holds its old content again.
    """
    calls = announced_calls(workspace)
    with _alone(workspace, call.session_id):
        announced = calls.load(call.session_id, call.key)
        if announced is None:
            return ShellChanges(no_baseline=True)
        changes = _compare(workspace, call, announced)
        if call.runs_on:
            calls.runs_on(announced)
        else:
            _declarations(workspace).take(call.session_id, call.key)
            calls.close(call.session_id, call.key)
        if calls.of(call.session_id):
            _remember_tree(workspace, call.session_id)
        else:
            _worktree(workspace).forget(call.session_id)
    return changes


def settle(workspace: Workspace, session_id: str, *, ended: bool = False) -> ShellChanges | None:
    """Record what the session's calls changed that nobody has reported, or that run on; None if there is no such call.

    `ended`: the session or its agent has ended, and so have its calls. Raises StoreError.
    """
    calls = announced_calls(workspace)
    if not calls.of(session_id):
        return None
    with _alone(workspace, session_id):
        changes = _settle(workspace, session_id)
        if not ended:
            _remember_tree(workspace, session_id)
            return changes
        for call in calls.of(session_id):
            _declarations(workspace).take(session_id, call.key)
            calls.close(session_id, call.key)
        _worktree(workspace).forget(session_id)
    return changes


def announced_calls(workspace: Workspace) -> AnnouncedCalls:
    """The calls of this root that are not over."""
    return AnnouncedCalls(workspace.layout.announced / "calls")


def _settle(workspace: Workspace, session_id: str) -> ShellChanges | None:
    """Compare for the oldest call of the session that is not over."""
    announced = announced_calls(workspace).of(session_id)
    if not announced:
        return None
    first = announced[0]
    call = ShellCall(session_id, first.tool_name, first.key, first.model, runs_on=first.is_reported)
    return _compare(workspace, call, first)


def _remember_tree(workspace: Workspace, session_id: str) -> None:
    _worktree(workspace).remember(session_id, ledger_evidence.mark(workspace.layout).text)


def _compare(workspace: Workspace, call: ShellCall, announced: AnnouncedCall) -> ShellChanges:
    """Explain, judge, undo and record what changed since the session's tree was remembered."""
    worktree = _worktree(workspace)
    baseline = worktree.recall(call.session_id)
    if baseline is None:
        return ShellChanges(no_baseline=True)
    configuration = _configuration_before(workspace, call)
    session = workspace.sessions.load(call.session_id)
    ledger = ledger_evidence.evidence_since(workspace, ledger_evidence.read_mark(baseline.note), baseline.at)
    found = worktree.changes(call.session_id, baseline)
    governed = [change for change in found.files if baseline.governs(change.path)]
    unrecorded = [change for change in governed if not ledger_evidence.is_recorded(change, ledger.written)]
    unknown = tuple(change.path for change in unrecorded if change.is_unknown)
    changes = charge(workspace.root, baseline, [change for change in unrecorded if not change.is_unknown])
    refused = _refusals(configuration, session, call, changes)
    shares = share(workspace, call, announced, changes, refused, ledger.written, _refusals)
    trash = Trash(workspace, call)
    reverted = _undo(workspace, configuration, announced, shares, trash)
    reverted_paths = {change.path for change in reverted}
    kept = [change for change in shares.own if change.path not in reverted_paths]
    _record(workspace, call, session, kept, reverted, shares, trash)
    refusals = tuple(dict.fromkeys(shares.refused.values()))
    for change in kept:
        shares.note_recorded(workspace, change)
    return ShellChanges(
        len(kept),
        refusals,
        tuple(sorted(reverted_paths)),
        trash.path,
        unknown,
        git_failed=found.git_failed,
        ledger_damage=ledger.damage,
    )


def _undo(
    workspace: Workspace,
    configuration: Configuration,
    announced: AnnouncedCall,
    shares: Shares,
    trash: Trash,
) -> list[TreeChange]:
    """Those of the command's changes that were put back. What runs on behind its report may be a person's, too."""
    policy = configuration.policy
    if policy.shell is not Shell.REVERT or policy.mode is not Mode.ENFORCE or announced.is_reported:
        return []
    return [
        change
        for change in shares.own
        if change.path in shares.refused and change.path not in shares.shared and put_back(workspace, trash, change)
    ]


def _record(
    workspace: Workspace,
    call: ShellCall,
    session: Session,
    kept: list[TreeChange],
    reverted: list[TreeChange],
    shares: Shares,
    trash: Trash,
) -> None:
    refused, shared = shares.refused, shares.shared
    allowed = [change for change in kept if change.path not in refused]
    shell_records.record(workspace, call, session, shell_records.edits_of(allowed, shared), None)
    for refusal in dict.fromkeys(refused.values()):
        left = shell_records.edits_of((c for c in kept if refused.get(c.path) == refusal), shared)
        shell_records.record(workspace, call, session, left, refusal)
        undone = shell_records.edits_of(c for c in reverted if refused.get(c.path) == refusal)
        shell_records.record(workspace, call, session, undone, trash.noted_in(refusal), undone=True)


def _alone(workspace: Workspace, session_id: str) -> AbstractContextManager[None]:
    """No two processes compare at the same time, or both would record the same change."""
    return Locks(workspace.layout.locks / "shell").hold(["tree"], workspace.holder(session_id), _PATIENCE_S)


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
    snapshot = _declarations(workspace).look(call.session_id, call.key)
    if snapshot is None or snapshot.data is None:
        return workspace.configuration()
    texts: list[str | None] = json.loads(snapshot.data)
    intents, policy, *ignores = (None if text is None else text.encode("latin-1") for text in texts)
    declared = parse_intents(intents)
    rules = IgnoreRules.parse((data or b"").decode("utf-8", "surrogateescape") for data in ignores)
    error = None if declared.valid else "The intents had errors before the tool ran."
    return Configuration(declared, parse_policy(policy), rules, error)


_UNREADABLE = b"\0"  # no YAML


def _refusals(
    configuration: Configuration, session: Session, call: ShellCall, changes: Sequence[TreeChange]
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

"""What a tool changed that may write anywhere: explained, judged, undone where policy says so, and recorded.

What the comparison of the trees finds is explained first, in this order: by the ledger (others recorded it since), by
git (a pull or a checkout brought it), by the calls that other sessions have announced. The rest is the command's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from intentls.core.gate import checks
from intentls.core.gate.action import Action, Target
from intentls.core.gate.gate import first_refusal
from intentls.core.gate.policy import Mode, Shell
from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.acceptance import is_declared
from intentls.engine.tools import ledger_evidence, shell_changes, shell_records
from intentls.engine.tools.ledger_mark import read_mark
from intentls.engine.tools.shell_call import ShellCall, ShellChanges
from intentls.engine.tools.shell_shares import ChangeShares, selections, share
from intentls.engine.tools.shell_undo import Trash, put_back
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.announced_calls import AnnouncedCall
from intentls.store.sessions.sessions import Session
from intentls.store.worktree.git_moves import charge
from intentls.store.worktree.ignored_files import hidden_changes
from intentls.store.worktree.state import TreeChange, TreeChanges, TreeState

_CHECKS = (
    checks.intent_is_selected,
    checks.intent_exists,
    checks.intent_is_open,
    checks.intent_is_not_ignored,
    checks.paths_are_writable,
    checks.paths_are_not_ignored,
    checks.paths_are_in_scope,
)
_OF_INTENTS = (Code.INTENT_REQUIRED, Code.INTENT_NOT_FOUND, Code.INTENT_CLOSED, Code.INTENT_IGNORED)
"""What a person who let the command run has let pass; what it may write to was not known then."""


def reconcile(workspace: Workspace, call: ShellCall) -> ShellChanges:
    """Record all that changed since `remember`, but for what others answer for. Raises StoreError.

    Example: under `shell: revert`, a command that edits `src/a.py` (in scope) and `docs/b.md` (outside) leaves one
    record of the former, and one refusal of the latter, which holds its old content again.
    """
    calls = shell_changes.announced_calls(workspace)
    with shell_changes.alone(workspace, call.session_id):
        announced = calls.load(call.session_id, call.key)
        if announced is None:
            return ShellChanges(no_baseline=True)
        changes = _compare(workspace, call, [announced])
        if call.runs_on:
            calls.runs_on(announced)
        else:
            shell_changes.end(workspace, call.session_id, call.key)
        if calls.of(call.session_id):
            shell_changes.remember_tree(workspace, call.session_id)
        else:
            shell_changes.worktree_of(workspace).forget(call.session_id)
    return changes


def settle(
    workspace: Workspace, session_id: str, *, ended: bool = False, between_turns: bool = False
) -> ShellChanges | None:
    """Record what the session's calls changed that nobody has reported, or that run on; None if there is no such call.

    `ended`: the session or its agent has ended, and so have its calls. `between_turns`: a call that is not reported now
    won't be; it may run on. Raises StoreError.
    """
    calls = shell_changes.announced_calls(workspace)
    if not calls.of(session_id):
        return None
    with shell_changes.alone(workspace, session_id):
        changes = _settle(workspace, session_id)
        if not ended:
            for call in calls.of(session_id) if between_turns else ():
                calls.runs_on(call)
            shell_changes.remember_tree(workspace, session_id)
            return changes
        for call in calls.of(session_id):
            shell_changes.end(workspace, session_id, call.key)
        shell_changes.worktree_of(workspace).forget(session_id)
    return changes


def unreported_paths(workspace: Workspace, session_id: str) -> set[str]:
    """What changed since the session announced a call whose report is due; nothing without one. Raises StoreError."""
    if all(call.is_reported for call in shell_changes.announced_calls(workspace).of(session_id)):
        return set()
    with shell_changes.alone(workspace, session_id):
        baseline = shell_changes.worktree_of(workspace).recall(session_id)
        if baseline is None:
            return set()
        ledger = ledger_evidence.evidence_since(workspace, read_mark(baseline.note), baseline.at)
        _, changes, unknown = _unexplained(workspace, session_id, baseline, ledger.written)
    return {*(change.path for change in changes), *unknown}


def _settle(workspace: Workspace, session_id: str) -> ShellChanges | None:
    """Compare for the oldest call of the session that is not over. Any of them may have done what one of them may."""
    announced = shell_changes.announced_calls(workspace).of(session_id)
    if not announced:
        return None
    first = announced[0]
    call = ShellCall(session_id, first.tool_name, first.key, first.model, runs_on=first.is_reported)
    return _compare(workspace, call, announced)


def _compare(workspace: Workspace, call: ShellCall, announced: Sequence[AnnouncedCall]) -> ShellChanges:
    """Explain, judge, undo and record what changed since the session's tree was remembered.

    The changes may be those of each of the calls that were `announced`, the oldest first.
    """
    baseline = shell_changes.worktree_of(workspace).recall(call.session_id)
    if baseline is None:
        return ShellChanges(no_baseline=True)
    configurations = shell_changes.configurations_before(workspace, announced)
    sessions = selections(workspace, call.session_id, announced)
    ledger = ledger_evidence.evidence_since(workspace, read_mark(baseline.note), baseline.at)
    found, changes, unknown = _unexplained(workspace, call.session_id, baseline, ledger.written)
    refused = _refusals(configurations, sessions, call, changes)
    unsure = frozenset(one.path for one in changes if found.git_is_back or _is_unsure(workspace, one))
    shares = share(workspace, call, announced[0], changes, refused, unsure, ledger.written, _refusals)
    trash = Trash(workspace, call)
    # What others wrote meanwhile is never undone, so nothing is where their records can't be read.
    reverted = _undo(workspace, configurations[0], announced[0], shares, trash) if ledger.is_readable else []
    reverted_paths = {change.path for change in reverted}
    kept = [change for change in shares.own if change.path not in reverted_paths]
    allowed = _by_selection(configurations, sessions, call, [one for one in kept if one.path not in shares.refused])
    for session, part in allowed:
        shell_records.record(workspace, call, session, shell_records.edits_of(part, shares.shared), None)
    _record_refused(workspace, call, sessions[0], kept, reverted, shares, trash)
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


def _unexplained(
    workspace: Workspace, session_id: str, baseline: TreeState, written: Mapping[str, str | None]
) -> tuple[TreeChanges, tuple[TreeChange, ...], tuple[str, ...]]:
    """What the trees differ in; of that, what neither the ledger nor git explains; the paths that can't be compared."""
    worktree = shell_changes.worktree_of(workspace)
    found = worktree.changes(session_id, baseline)
    unrecorded = _unrecorded(baseline, written, found.files)
    unknown = tuple(change.path for change in unrecorded if change.is_unknown)
    known = [change for change in unrecorded if not change.is_unknown]
    same_index = worktree.has_same_index(session_id)
    changes = charge(workspace.root, baseline, known, same_index=same_index)
    hidden = _unrecorded(baseline, written, hidden_changes(workspace.root, baseline, found.ignored, changes))
    changes += charge(workspace.root, baseline, hidden, same_index=same_index)
    return found, changes, unknown


def _unrecorded(
    baseline: TreeState, written: Mapping[str, str | None], changes: Iterable[TreeChange]
) -> list[TreeChange]:
    """Those of this root that nobody has recorded since."""
    governed = (change for change in changes if baseline.governs(change.path))
    return [change for change in governed if not ledger_evidence.is_recorded(change, written)]


def _is_unsure(workspace: Workspace, change: TreeChange) -> bool:
    """Whether others may have written it: what it held before is not known, or a person has accepted what it holds."""
    if not change.before.is_known:
        return True
    return is_declared(change.path) and workspace.accepted.counts_meanwhile(change.path, change.after.data)


def _undo(
    workspace: Workspace,
    configuration: Configuration,
    announced: AnnouncedCall,
    shares: ChangeShares,
    trash: Trash,
) -> list[TreeChange]:
    """Those of the command's changes that were put back. What runs on behind its report may be a person's, too."""
    policy = configuration.policy
    if policy.shell is not Shell.REVERT or policy.mode is not Mode.ENFORCE or announced.is_reported:
        return []
    unsure = shares.shared.keys() | shares.asked
    return [
        change
        for change in shares.own
        if change.path in shares.refused and change.path not in unsure and put_back(workspace, trash, change)
    ]


def _by_selection(
    configurations: Sequence[Configuration],
    sessions: Sequence[Session],
    call: ShellCall,
    changes: Sequence[TreeChange],
) -> Iterator[tuple[Session, Sequence[TreeChange]]]:
    """The changes that were allowed, by the selection under which they were."""
    for session in sessions[:-1]:
        refused = _refusals(configurations, [session], call, changes)
        yield session, [change for change in changes if change.path not in refused]
        changes = [change for change in changes if change.path in refused]
    yield sessions[-1], changes


def _record_refused(
    workspace: Workspace,
    call: ShellCall,
    session: Session,
    kept: list[TreeChange],
    reverted: list[TreeChange],
    shares: ChangeShares,
    trash: Trash,
) -> None:
    refused, shared = shares.refused, shares.shared
    for refusal in dict.fromkeys(refused.values()):
        left = shell_records.edits_of((c for c in kept if refused.get(c.path) == refusal), shared)
        shell_records.record(workspace, call, session, left, refusal)
        undone = shell_records.edits_of(c for c in reverted if refused.get(c.path) == refusal)
        shell_records.record(workspace, call, session, undone, trash.noted_in(refusal), undone=True)


def _refusals(
    configurations: Sequence[Configuration],
    sessions: Sequence[Session],
    call: ShellCall,
    changes: Sequence[TreeChange],
) -> dict[str, Refusal]:
    """The paths that the tool should have left alone by each of the configurations and selections.

    The reasons are those of the first selection.
    """
    refused: dict[str, Refusal] = {}
    for session, configuration in product(reversed(sessions), configurations):
        refused = _refused_by(configuration, session, call, changes)
        changes = [change for change in changes if change.path in refused]
    return refused


def _refused_by(
    configuration: Configuration, session: Session, call: ShellCall, changes: Sequence[TreeChange]
) -> dict[str, Refusal]:
    """The same by one configuration; paths that are refused for one reason share a refusal."""
    facts, policy = configuration.facts(session), configuration.policy
    waived = {code for override in call.overrides if (code := Code(override.code)) in _OF_INTENTS}
    by_code: dict[str, list[str]] = {}
    for change in changes:
        refusal = first_refusal(facts, Action(call.tool_name, (Target(change.path),)), policy, _CHECKS, waived=waived)
        if refusal is not None:
            by_code.setdefault(refusal.code, []).append(change.path)
    refused: dict[str, Refusal] = {}
    for paths in by_code.values():
        targets = tuple(Target(path) for path in paths)
        refusal = first_refusal(facts, Action(call.tool_name, targets), policy, _CHECKS, waived=waived)
        refused |= {path: refusal for path in paths if refusal is not None}
    return refused

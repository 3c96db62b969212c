"""Whose a change is, where several sessions have announced calls: a command's own, another session's, or both's.

    this command may write the file   another open command may   the change is
    yes                               no                         this command's
    no                                yes                        the other's, whose report will record it
    yes                               yes                        of unknown share: recorded, never undone
    no                                no                         of unknown share, and a violation

What another session may do is judged as its own report will be, by what was declared when its calls were announced;
what a person has taken from it since, it may not write any more.

Nothing is left to a call that runs on behind its report, or that outlived its turn: no report of it is due. What it may
write as well is of unknown share, and a violation where this command may not write it.

A file that another session has announced to edit is that session's until it reports the edit. One that this session
was refused to edit may have been let pass by a person: asked since the command began, it waits for the edit's report;
asked before, the person most likely said no, and the change is the command's, but is not undone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.gate.policy import Mode
from intentls.core.gate.refusal import Refusal
from intentls.core.hashing import hash_of
from intentls.engine.records.file_history import FileHistory
from intentls.engine.tools.shell_call import ShellCall
from intentls.engine.tools.shell_changes import configurations_before
from intentls.engine.workspace.configuration import Configuration
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.announced_calls import AnnouncedCall, AnnouncedCalls
from intentls.store.sessions.sessions import Session
from intentls.store.worktree.state import TreeChange

Judge = Callable[[Sequence[Configuration], Sequence[Session], ShellCall, Sequence[TreeChange]], dict[str, Refusal]]


class ChangeShares(Struct, frozen=True):
    """`own` are the changes that are recorded now, `refused` those of them that should not have been.

    `shared` are those that others have a part in, or may have, with the hash that was there before their last known
    change, else the newest on record. `asked` are files that a person may have let the session edit: they are not
    undone.
    """

    session_id: str
    own: tuple[TreeChange, ...]
    refused: Mapping[str, Refusal]
    shared: Mapping[str, str | None]
    asked: frozenset[str] = frozenset()

    def note_recorded(self, workspace: Workspace, change: TreeChange) -> None:
        """An edit of the same session that is not reported yet goes on from here."""
        snapshot = workspace.snapshots.look(self.session_id, change.path)
        if snapshot is not None and change.after.is_known:
            after, tool_name, intent_id = change.after.data, snapshot.tool_name, snapshot.intent_id
            workspace.snapshots.keep(self.session_id, change.path, after, tool_name, intent_id)


def selections(workspace: Workspace, session_id: str, announced: Sequence[AnnouncedCall]) -> list[Session]:
    """The session with what it had selected when each of its calls was announced, then with what it has selected now.

    Its calls may do what one of these may: a command can't rid itself of its intent. A session that had none and has
    none is as it is.
    """
    session = workspace.sessions.load(session_id)
    intent_ids = dict.fromkeys((*(call.intent_id for call in announced), session.intent_id))
    return [session.under(intent_id) for intent_id in intent_ids if intent_id is not None] or [session]


def share(
    workspace: Workspace,
    call: ShellCall,
    announced: AnnouncedCall,
    changes: Sequence[TreeChange],
    refused: Mapping[str, Refusal],
    unsure: Collection[str],
    written: Mapping[str, str | None],
    judge: Judge,
) -> ChangeShares:
    """Divide the changes that nothing else explains. `written` are the hashes that were recorded meanwhile.

    `unsure` are the paths of which it can't be seen what the calls of agents did to them and what others did.
    """
    edited, asked = _edited_paths(workspace, call.session_id, refused, announced.at)
    own = [change for change in changes if change.path not in edited]
    shared = {
        change.path: written[change.path]
        for change in own
        if change.path in written
        and not (change.before.is_known and written[change.path] == hash_of(change.before.data))
    }
    shared |= {
        change.path: _newest_on_record(workspace, change.path)
        for change in own
        if change.path in unsure and change.path not in shared
    }
    due, running = _other_sessions(workspace, call, announced)
    if own and (due or running):
        may_report = _allowed_to(workspace, due, own, judge)
        own = [change for change in own if change.path not in refused or change.path not in may_report]
        allowed = may_report | _allowed_to(workspace, running, own, judge)
        both = {change.path for change in own if change.path in allowed or change.path in refused}
        shared |= {change.path: hash_of(change.before.data) for change in own if change.path in both - shared.keys()}
    paths = {change.path for change in own}
    return ChangeShares(
        call.session_id,
        tuple(own),
        {path: _only(refusal, paths) for path, refusal in refused.items() if path in paths},
        shared,
        asked,
    )


def _newest_on_record(workspace: Workspace, path: str) -> str | None:
    recorded = FileHistory(workspace, path).recorded
    return None if recorded is None else recorded.hash


def _only(refusal: Refusal, paths: set[str]) -> Refusal:
    """The refusal without the files that are another session's."""
    return replace(refusal, paths=tuple(path for path in refusal.paths if path in paths))


def _edited_paths(
    workspace: Workspace, session_id: str, refused: Mapping[str, Refusal], since: str
) -> tuple[set[str], frozenset[str]]:
    """The files whose announced edits are not reported: those to leave to the edits, and those that were asked before.

    The former are another session's, or this session asked a person for them since the command was announced.
    """
    snapshots = workspace.snapshots.all()
    asked = [one for one in snapshots if one.session_id == session_id and one.path in refused]
    edited = {one.path for one in snapshots if one.session_id != session_id}
    edited |= {one.path for one in asked if one.at >= since}
    return edited, frozenset(one.path for one in asked if one.at < since)


def _other_sessions(
    workspace: Workspace, call: ShellCall, announced: AnnouncedCall
) -> tuple[dict[str, list[AnnouncedCall]], dict[str, list[AnnouncedCall]]]:
    """The other sessions, each with its calls whose report is due, and those with calls that run on.

    A call whose file was taken away counts as due.
    """
    calls = AnnouncedCalls(workspace.layout.announced / "calls").all()
    names = {other.name for other in calls}
    due: dict[str, list[AnnouncedCall]] = {}
    for session, key in announced.others:
        if (session, key) not in names:
            due.setdefault(session, []).append(AnnouncedCall(session, key, call.tool_name, announced.at))
    running: dict[str, list[AnnouncedCall]] = {}
    for other in calls:
        if other.session_id != call.session_id:
            sessions = running if other.is_reported else due
            sessions.setdefault(other.session_id, []).append(other)
    return due, running


def _allowed_to(
    workspace: Workspace, others: Mapping[str, Sequence[AnnouncedCall]], changes: Sequence[TreeChange], judge: Judge
) -> set[str]:
    """The paths that one of the other sessions may write, by what was declared before its calls and still is."""
    now = workspace.configuration()
    allowed: set[str] = set()
    for session_id, calls in others.items():
        sessions = selections(workspace, session_id, calls)
        if now.policy.mode is Mode.ENFORCE and sessions[0].intent_id is None:
            continue
        call = ShellCall(session_id, calls[0].tool_name, calls[0].key)
        refused = judge(configurations_before(workspace, calls), sessions, call, changes)
        refused |= judge([now], sessions, call, changes)
        allowed |= {change.path for change in changes if change.path not in refused}
    return allowed

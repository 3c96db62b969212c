"""The calls of agents' shells in all roots that they reach: announced, reported, and settled where nobody reports them.

A command whose host was killed, that ran on in the background, or whose host sends no event after it, is not forgotten:
what it changed is recorded at the session's next event, at its end, or once the process that announced it is gone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from intentls.core.errors import IntentlsError
from intentls.core.hashing import hash_of
from intentls.engine.tools import ledger_evidence, shell_changes, shell_comparison, tool_reports
from intentls.engine.tools.shell_call import ShellCall, ShellChanges
from intentls.engine.tools.shell_call import combine as combine
from intentls.engine.tools.tool_reports import ToolReport
from intentls.engine.workspace.engine import GoverningWorkspace
from intentls.engine.workspace.path_argument import ResolvedPath
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.announced_calls import is_orphan
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshot

log = logging.getLogger(__name__)


def report(home: Workspace, others: Iterable[Workspace], call: ShellCall) -> ShellChanges:
    """It ran: record what it changed. A root where it was not announced is passed over, but for the session's home."""
    changes = [shell_comparison.reconcile(home, call)]
    elsewhere = (shell_comparison.reconcile(workspace, call) for workspace in others if workspace is not home)
    return combine([*changes, *(part for part in elsewhere if not part.no_baseline)])


def settle(workspace: Workspace, session_id: str, *, ended: bool = False, between_turns: bool = False) -> ShellChanges:
    """Record what the session's calls changed that nobody has reported. Raises StoreError.

    `ended`: the session has ended, and so have its calls. `between_turns`: no tool of it runs, so that an announced
    edit or command that is not reported won't be.
    """
    if ended or between_turns:
        _settle_edits(workspace, session_id)
    changes = shell_comparison.settle(workspace, session_id, ended=ended, between_turns=between_turns)
    return changes or ShellChanges()


def settle_orphans(workspace: Workspace) -> None:
    """The same for the sessions whose agents are gone. Trouble is logged: it stops no engine from starting."""
    try:
        calls = shell_changes.announced_calls(workspace).all()
        sessions = dict.fromkeys(call.session_id for call in calls)
        for session_id in sessions:
            if all(is_orphan(call) for call in calls if call.session_id == session_id):
                settle(workspace, session_id, ended=True)
    except IntentlsError:
        log.warning("calls that nobody reported could not be settled in %s", workspace.root, exc_info=True)


def unreported_paths(workspace: Workspace) -> set[str]:
    """The files that changed since an edit or a command was announced whose report is due: who changed them is not
    known yet. Raises StoreError.
    """
    sessions = {call.session_id for call in shell_changes.announced_calls(workspace).all()}
    paths = {path for session_id in sessions for path in shell_comparison.unreported_paths(workspace, session_id)}
    edits = (one for one in workspace.snapshots.all() if one.tool_name and not one.announcer.is_gone)
    return paths | {edit.path for edit in edits if not _is_known(workspace, edit)}


def _settle_edits(workspace: Workspace, session_id: str) -> None:
    """Record the announced edits of a session that happened and were not reported."""
    snapshots = [snapshot for snapshot in workspace.snapshots.all() if snapshot.session_id == session_id]
    for snapshot in snapshots:
        if snapshot.tool_name and not _is_known(workspace, snapshot):
            path = ResolvedPath(snapshot.path, workspace.root / snapshot.path, workspace.root)
            governing = GoverningWorkspace(workspace, {snapshot.path: path})
            tool_reports.record_report(governing, session_id, ToolReport(snapshot.tool_name))
        workspace.snapshots.take(session_id, snapshot.path)


def _is_known(workspace: Workspace, snapshot: PreEditSnapshot) -> bool:
    """Whether the file is as it was, or as a record since says."""
    now = workspace.contents.read(snapshot.path).data
    if now == snapshot.data:
        return True
    written = ledger_evidence.evidence_since(workspace, None, snapshot.at).written
    return snapshot.path in written and written[snapshot.path] == hash_of(now)

"""Showing other machines which sessions are at work here, where leases are shared."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.engine.workspace.people import person
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import now, timestamp
from intentls.store.process.liveness import this_process
from intentls.store.sessions.coordination.protocol import LiveSession
from intentls.store.sessions.sessions import Session

log = logging.getLogger(__name__)

SETTLE_S = 3.0
"""As long as a keeper takes to start on a busy machine: so long waits who would otherwise know or tell nothing."""
_RECENT = timedelta(minutes=10)


def show(workspace: Workspace, session: Session) -> bool:
    """Show a session with the intent that it has selected; whether other machines see it now. Errors are logged."""
    coordination = workspace.coordination
    if not coordination.is_shared:
        return False
    try:
        coordination.announce(
            _live(workspace, session), this_process() if session.session_id == workspace.host.own_session else None
        )
    except StoreError as error:
        log.info("session %s is not shown to other machines: %s", session.session_id, error)
        return False
    return True


def recent(workspace: Workspace) -> list[LiveSession]:
    """The sessions that selected an intent here lately: what a keeper that starts shows to other machines.

    Raises StoreError.
    """
    since = timestamp(now() - _RECENT)
    sessions = [each for each in workspace.sessions.all() if each.intent_id is not None and each.updated >= since]
    return [_live(workspace, session) for session in sessions]


def _live(workspace: Workspace, session: Session) -> LiveSession:
    moment = now()
    return LiveSession(
        session.session_id,
        session.intent_id,
        host="",
        person=person(workspace) or "",
        branch=workspace.git.branch() or "",
        face=session.face,
        since=moment,
        seen=moment,
    )


class ShownSession:
    """Keeps the own session of a connection that lasts in view of other machines. Used in one thread at a time."""

    def __init__(self) -> None:
        self._shown: dict[Path, object] = {}

    def keep(self, workspace: Workspace, session_id: str) -> None:
        """Show the session with its intent, unless that was done: a keeper that started since knows nothing of it."""
        coordination = workspace.coordination
        if not coordination.is_shared:
            return
        session = workspace.sessions.load(session_id)
        current = (session.intent_id, workspace.git.branch(), coordination.generation())
        if current == self._shown.get(workspace.root):
            return
        if session.intent_id is None:
            if workspace.root in self._shown:
                hide(workspace, session_id)
            self._shown[workspace.root] = current
        elif show(workspace, session):
            self._shown[workspace.root] = current


def connect(workspace: Workspace) -> None:
    """Wait a moment for a connection to other machines that is only just being made: who selects has the time."""
    workspace.coordination.settle(SETTLE_S)


def hide(workspace: Workspace, session_id: str) -> None:
    """Show a session no longer. Errors are logged: it fades after a while."""
    try:
        workspace.coordination.leave(session_id)
    except StoreError as error:
        log.info("session %s is still shown to other machines: %s", session_id, error)

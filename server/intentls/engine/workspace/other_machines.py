"""Who works on other machines, where leases are shared: what is known of them, in words for people and agents."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.errors import StoreError
from intentls.core.intents.lease import Lease
from intentls.core.intents.proposal import one_line
from intentls.engine.workspace.leases import enforces, held_by_others
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.coordination.protocol import LiveSession

log = logging.getLogger(__name__)

_MAX_NAME, _MAX_PATH, _MAX_TROUBLE = 60, 300, 300
_AWAY = "Coordination Away: "
_MAX_NAMED = 3  # sessions in one text


class WorkElsewhere(Struct, frozen=True):
    """A session at work on another machine, and the root-relative paths that it is changing; fit to be shown."""

    session: LiveSession
    paths: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Who works where, under what, since when, without a full stop.

        Example: `INT-001 is taken by Ada on laptop-7 (session agent-1, branch main) since 2026-11-23T14:05:00Z`.
        """
        return f"{self.session.intent_id or 'No intent'} is taken by {self.who_since}"

    @property
    def who_since(self) -> str:
        """The same without the intent."""
        session = self.session
        branch = f"branch {session.branch}" if session.branch else ""
        who = session.person or f"session {session.session_id}"
        facts = ", ".join(filter(None, (f"session {session.session_id}" if session.person else "", branch)))
        return f"{who} on {session.host}{f' ({facts})' if facts else ''} since {_shown_time(session.since)}"


class OtherMachines(Struct, frozen=True):
    """What is known of other machines. `trouble` says why they can't be asked now; then `work` is empty."""

    work: tuple[WorkElsewhere, ...] = ()
    trouble: str | None = None

    def under(self, intent_id: str) -> tuple[WorkElsewhere, ...]:
        """The sessions that have selected this intent."""
        return tuple(work for work in self.work if work.session.intent_id == one_line(intent_id, _MAX_NAME))


def other_machines(workspace: Workspace, settle_s: float = 0.0) -> OtherMachines | None:
    """Who works on other machines, by machine and session; None where machines share nothing.

    `settle_s`: how long to wait for a connection that is only just being made.
    """
    coordination = workspace.coordination
    if not coordination.is_shared:
        return None
    try:
        trouble = coordination.settle(settle_s) if settle_s else None
        if trouble is None:
            leases = [lease for lease in coordination.standing() if lease.host]
            return OtherMachines(_work(coordination.elsewhere(), leases))
    except StoreError as error:
        log.info("who works on other machines is not known: %s", error)
        trouble = str(error)
    reason = trouble.removeprefix(_AWAY).rstrip(".")
    return OtherMachines(trouble=one_line(f"{_AWAY}{reason}.", _MAX_TROUBLE))


def taken_elsewhere(workspace: Workspace, intent_id: str, *, for_agent: bool) -> tuple[str, ...]:
    """What a session that selects an intent should know of those who work on it elsewhere: one text, or none.

    Who asks has waited for a connection that is only just being made (`live_sessions.connect`).
    """
    machines = other_machines(workspace)
    if machines is None:
        return ()
    if machines.trouble is not None:
        return (f"It is not known who works on {intent_id} on other machines. {machines.trouble}",)
    work = machines.under(intent_id)
    if not work:
        return ()
    more = f" So do {len(work) - _MAX_NAMED} more." if len(work) > _MAX_NAMED else ""
    named = " ".join(f"{each.sentence}." for each in work[:_MAX_NAMED])
    policy = workspace.configuration().policy
    refused = f" What is being changed there is refused {'to you' if for_agent else 'here'} meanwhile."
    advice = " Select another intent, or ask the person you work for whether to go on." if for_agent else ""
    return (f"{named}{more}{refused if enforces(policy) else ''}{advice}",)


def who_else(workspace: Workspace, path: str, session_id: str) -> list[str]:
    """Who else is changing root-relative `path`, and who works elsewhere under the intent of this session: sentences
    without a full stop.
    """
    try:
        sentences = [lease.sentence for lease in held_by_others(workspace, (path,), session_id).values()]
        intent_id = workspace.sessions.load(session_id).intent_id
    except StoreError as error:
        log.info("who else works on %s is not known: %s", path, error)
        return []
    machines = other_machines(workspace)
    if intent_id is not None and machines is not None:
        sentences += [work.sentence for work in machines.under(intent_id)[:_MAX_NAMED]]
    return sentences


def _work(sessions: Iterable[LiveSession], leases: Iterable[Lease]) -> tuple[WorkElsewhere, ...]:
    """Sessions with their files; a session that only its leases tell of has neither person nor branch."""
    known = {(session.host, session.session_id): (session, list[str]()) for session in sessions}
    for lease in leases:
        path = one_line(lease.path, _MAX_PATH)
        if path.startswith("/") or ".." in path.split("/"):
            continue  # clients offer to open it
        unknown = LiveSession(
            lease.session_id,
            lease.intent_id,
            lease.host,
            person="",
            branch="",
            face="",
            since=lease.since,
            seen=lease.since,
        )
        known.setdefault((lease.host, lease.session_id), (unknown, []))[1].append(path)
    return tuple(WorkElsewhere(_shown(session), tuple(paths)) for _, (session, paths) in sorted(known.items()))


def _shown(session: LiveSession) -> LiveSession:
    """What another machine says of a session is its word: on one line, and cut to size."""
    return replace(
        session,
        session_id=one_line(session.session_id, _MAX_NAME),
        intent_id=one_line(session.intent_id, _MAX_NAME) if session.intent_id else None,
        host=one_line(session.host, _MAX_NAME),
        person=one_line(session.person, _MAX_NAME),
        branch=one_line(session.branch, _MAX_NAME),
        face=one_line(session.face, _MAX_NAME),
    )


def _shown_time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"

"""Two agents, one file: leases taken by use, seen by others, given back with the session.

Where they are kept, on this machine or in a database of many, see `store.sessions.coordination`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta
from types import TracebackType
from typing import TypeVar

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.gate.policy import LeasePolicy, Mode, Policy
from intentls.core.gate.refusal import Refusal
from intentls.core.intents.lease import Lease
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from intentls.store.process.liveness import this_process
from intentls.store.sessions.coordination.elapsed import elapsed_s
from intentls.store.sessions.coordination.protocol import Claim, CoordinationAway
from intentls.store.sessions.sessions import Session

Outcome = TypeVar("Outcome")

log = logging.getLogger(__name__)


class LeaseHolder(Struct, frozen=True):
    """A session that is changing a file. `since` and `until` are RFC 3339 times; `host` is "" for this machine."""

    path: str
    session_id: str
    intent_id: str
    since: str
    until: str
    host: str = ""


def who_works_on(workspace: Workspace) -> list[LeaseHolder]:
    """Who is changing what in this root now, by path; without other machines while these can't be asked.

    Raises StoreError.
    """
    try:
        standing = workspace.coordination.standing()
    except CoordinationAway as away:
        log.info("%s", away)
        return []
    return [
        LeaseHolder(
            lease.path, lease.session_id, lease.intent_id, timestamp(lease.since), timestamp(lease.until), lease.host
        )
        for lease in standing
    ]


def held_by_others(workspace: Workspace, paths: Iterable[str], session_id: str) -> dict[str, Lease]:
    """The leases on root-relative `paths` that a session other than `session_id` holds now; none while away."""
    try:
        return workspace.coordination.on(paths, session_id)
    except CoordinationAway as away:
        log.debug("%s", away)
        return {}


def all_of_others(workspace: Workspace, session_id: str) -> list[Lease]:
    """Every lease in this root that a session other than `session_id` holds now, by path; [] where none can be read."""
    try:
        return [lease for lease in workspace.coordination.standing() if not lease.belongs_to(session_id)]
    except StoreError as error:
        log.debug("the leases can't be read: %s", error)
        return []


def enforces(policy: Policy) -> bool:
    """Whether another session's lease really stops an edit."""
    return policy.leases is LeasePolicy.ENFORCE and policy.mode is Mode.ENFORCE


def release(workspace: Workspace, session_id: str, but: str | None = None) -> None:
    """Remove the leases of a session that ended, or that works under the intent `but` from now on.

    Errors are logged only: these leases count no longer, or lapse.
    """
    try:
        workspace.coordination.release(session_id, but)
    except CoordinationAway as away:
        log.info("leases of session %s are given back later, or lapse: %s", session_id, away)
    except StoreError:
        log.warning("leases of session %s were not removed; they lapse", session_id, exc_info=True)


class LeaseRequest:
    """Leases that an action takes on its paths before it happens.

    As a context manager it gives back those that are new, unless the action happened (`settle`). `lost` are the
    leases of other sessions that stood in the way, `error` is why none could be taken. `away` is a sentence while other
    machines can't be asked.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.lost: tuple[Lease, ...] = ()
        self.error: StoreError | None = None
        self.away: str | None = None
        self._workspace = workspace
        self._new: list[Lease] = []
        self._ends_s: float | None = None

    @classmethod
    def take(cls, workspace: Workspace, session: Session, paths: Iterable[str], policy: Policy) -> LeaseRequest:
        """Take or renew the leases on root-relative `paths`, for as long as `policy` says.

        A session without an intent takes none.
        """
        request = cls(workspace)
        if session.intent_id is not None:
            try:
                request._take(session, session.intent_id, paths, timedelta(seconds=policy.lease_ttl_s))
            except CoordinationAway as away:
                log.info("session %s could not lease what it changes: %s", session.session_id, away)
                request.error, request.away = away, str(away)
            except StoreError as error:
                log.warning("session %s could not lease what it changes", session.session_id, exc_info=True)
                request.error = error
        return request

    def have_lapsed(self) -> bool:
        """Whether one of them is over, as after this process was stopped for long: what was decided counts no more."""
        return self._ends_s is not None and elapsed_s() >= self._ends_s

    def settle(self, outcome: Outcome) -> Outcome:
        """Pass the action's outcome on: what is not refused has happened, and its leases stay."""
        if not isinstance(outcome, Refusal):
            self._new.clear()
        return outcome

    def give_back(self) -> None:
        """Remove the leases that this request made; renewed ones stay. Errors are logged: the leases lapse."""
        try:
            self._workspace.coordination.drop(self._new)
        except StoreError:
            log.warning("a lease was not given back; it lapses", exc_info=True)
        self._new.clear()

    def __enter__(self) -> LeaseRequest:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._new:
            self.give_back()

    def _take(self, session: Session, intent_id: str, paths: Iterable[str], ttl: timedelta) -> None:
        session_id = session.session_id
        process = this_process() if session_id == self._workspace.host.own_session else None
        claim = Claim(session_id, intent_id, tuple(dict.fromkeys(paths)), ttl, process)
        taking = self._workspace.coordination.take(claim)
        self.lost = tuple(lease for lease in taking.leases if not lease.belongs_to(session_id))
        self._ends_s = taking.ends_s
        if taking.is_away:
            self.away = "Coordination Away: other machines can't be asked who changes what."
        self._new = [lease for lease in taking.leases if lease.path in taking.new]

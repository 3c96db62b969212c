"""Two agents, one file: leases taken by use, seen by others, given back with the session.

A lease counts only while its session still works under the lease's intent. So a session that clears its intent,
selects another one or ends holds nothing from that moment on; the files are only removed afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import TypeVar

from intentls.core.errors import InvalidArgument, StoreError
from intentls.core.gate.policy import LeasePolicy, Mode, Policy
from intentls.core.gate.refusal import Refusal
from intentls.core.intents.lease import Lease, use
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import now, timestamp
from intentls.store.process.liveness import is_gone, this_process
from intentls.store.sessions.sessions import Session

Outcome = TypeVar("Outcome")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeaseHolder:
    """A session that is changing a file. `since` and `until` are RFC 3339 times."""

    path: str
    session_id: str
    intent_id: str
    since: str
    until: str


def who_works_on(workspace: Workspace) -> list[LeaseHolder]:
    """Who is changing what in this root now, by path. Raises StoreError."""
    return [
        LeaseHolder(lease.path, lease.session_id, lease.intent_id, timestamp(lease.since), timestamp(lease.until))
        for lease in _standing(workspace)
    ]


def held_by_others(workspace: Workspace, paths: Iterable[str], session_id: str) -> dict[str, Lease]:
    """The leases on root-relative `paths` that a session other than `session_id` holds now."""
    active = _ActiveLeases(workspace)
    leases = (workspace.leases.load(path) for path in dict.fromkeys(paths))
    others = (lease for lease in leases if lease is not None and lease.session_id != session_id)
    return {lease.path: lease for lease in others if active.includes(lease)}


def all_of_others(workspace: Workspace, session_id: str) -> list[Lease]:
    """Every lease in this root that a session other than `session_id` holds now, by path; [] where none can be read."""
    try:
        return [lease for lease in _standing(workspace) if lease.session_id != session_id]
    except StoreError as error:
        log.debug("the leases can't be read: %s", error)
        return []


def enforces(policy: Policy) -> bool:
    """Whether another session's lease really stops an edit."""
    return policy.leases is LeasePolicy.ENFORCE and policy.mode is Mode.ENFORCE


def release(workspace: Workspace, session_id: str, but: str | None = None) -> None:
    """Remove the leases of a session that ended, or that works under the intent `but` from now on.

    Errors are logged only: these leases count no longer.
    """
    try:
        for lease in workspace.leases.all():
            if lease.session_id == session_id and lease.intent_id != but:
                _drop(workspace, lease)
    except StoreError:
        log.warning("leases of session %s were not removed; they lapse", session_id, exc_info=True)


class LeaseRequest:
    """Leases that an action takes on its paths before it happens.

    As a context manager it gives back those that are new, unless the action happened (`settle`). `lost` are the
    leases of other sessions that stood in the way, `error` is why none could be taken.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.lost: tuple[Lease, ...] = ()
        self.error: StoreError | None = None
        self._workspace = workspace
        self._new: list[Lease] = []

    @classmethod
    def take(cls, workspace: Workspace, session: Session, paths: Iterable[str], policy: Policy) -> LeaseRequest:
        """Take or renew the leases on root-relative `paths`, for as long as `policy` says.

        A session without an intent takes none.
        """
        request = cls(workspace)
        if session.intent_id is not None:
            try:
                request._take(session, session.intent_id, paths, timedelta(seconds=policy.lease_ttl_s))
            except StoreError as error:
                log.warning("session %s could not lease what it changes", session.session_id, exc_info=True)
                request.error = error
                request.give_back()
        return request

    def settle(self, outcome: Outcome) -> Outcome:
        """Pass the action's outcome on: what is not refused has happened, and its leases stay."""
        if not isinstance(outcome, Refusal):
            self._new.clear()
        return outcome

    def give_back(self) -> None:
        """Remove the leases that this request made; renewed ones stay. Errors are logged: the leases lapse."""
        try:
            while self._new:
                _drop(self._workspace, self._new.pop())
        except StoreError:
            log.warning("a lease was not given back; it lapses", exc_info=True)

    def __enter__(self) -> LeaseRequest:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def _take(self, session: Session, intent_id: str, paths: Iterable[str], ttl: timedelta) -> None:
        workspace, session_id = self._workspace, session.session_id
        process = this_process() if session_id == workspace.host.own_session else None
        active = _ActiveLeases(workspace, session)
        was_free = False

        def used(lease: Lease | None) -> Lease:
            nonlocal was_free
            standing = lease if lease is not None and active.includes(lease) else None
            was_free = standing is None
            return use(standing, path, session_id, intent_id, active.now, ttl, process)

        for path in dict.fromkeys(paths):
            lease = workspace.leases.update(path, used, workspace.holder(session_id))
            if lease.session_id != session_id:
                self.lost = (*self.lost, lease)
            elif was_free:
                self._new.append(lease)


class _ActiveLeases:
    """Which leases count at one moment. Loads each session once; `session` is one that is loaded already."""

    def __init__(self, workspace: Workspace, session: Session | None = None) -> None:
        self.now: datetime = now()
        self._workspace = workspace
        self._selected = {} if session is None else {session.session_id: session.intent_id}

    def includes(self, lease: Lease) -> bool:
        """Whether the lease counts."""
        session_id = lease.session_id
        if session_id not in self._selected:
            self._selected[session_id] = self._intent_of(session_id)
        gone = lease.process is not None and is_gone(lease.process)
        return lease.stands(self.now, self._selected[session_id], process_gone=gone)

    def _intent_of(self, session_id: str) -> str | None:
        try:
            return self._workspace.sessions.load(session_id).intent_id
        except InvalidArgument:  # a forged lease: no session can have such an id
            return None


def _standing(workspace: Workspace) -> list[Lease]:
    """The leases that count now, by path; the files of all others are removed."""
    active = _ActiveLeases(workspace)
    standing = []
    for lease in workspace.leases.all():
        if active.includes(lease):
            standing.append(lease)
            continue
        try:
            _drop(workspace, lease)
        except StoreError as error:
            log.debug("a lease that is over was not removed: %s", error)
    return standing


def _drop(workspace: Workspace, lease: Lease) -> None:
    """Remove exactly this lease; one that was renewed or taken meanwhile stays."""

    def without(current: Lease | None) -> Lease | None:
        return None if current == lease else current

    workspace.leases.update(lease.path, without, workspace.holder(lease.session_id))

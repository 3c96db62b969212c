"""Leases of one machine: a file each, and whatever the sessions' own files say.

A lease counts only while its session still works under the lease's intent. So a session that clears its intent,
selects another one or ends holds nothing from that moment on; the files are only removed afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from intentls.core.errors import InvalidArgument, StoreError
from intentls.core.intents.lease import FencedUse, Lease, Process, use
from intentls.store.clock import now
from intentls.store.process.liveness import is_gone
from intentls.store.sessions.coordination.protocol import Claim, LiveSession, Taking
from intentls.store.sessions.leases import Leases
from intentls.store.sessions.sessions import Sessions

log = logging.getLogger(__name__)


class FileCoordination:
    """Leases in the files of one root. `holder` says how this process names itself in a lock, for a session."""

    is_shared = False

    def __init__(self, leases: Leases, sessions: Sessions, holder: Callable[[str], str]) -> None:
        self._leases = leases
        self._sessions = sessions
        self._holder = holder

    def take(self, claim: Claim) -> Taking:
        """See the protocol. What was taken is given back if one can't be."""
        active = _ActiveLeases(self._sessions, {claim.session_id: claim.intent_id})
        leases: list[Lease] = []
        new: list[Lease] = []
        was_free = False

        def used(lease: Lease | None) -> Lease:
            nonlocal was_free
            standing = lease if lease is not None and active.includes(lease) else None
            was_free = standing is None
            return use(standing, path, claim.session_id, claim.intent_id, active.now, claim.ttl, claim.process)

        try:
            for path in dict.fromkeys(claim.paths):
                lease = self._leases.update(path, used, self._holder(claim.session_id))
                leases.append(lease)
                if was_free and lease.session_id == claim.session_id:
                    new.append(lease)
        except StoreError:
            try:
                self.drop(new)
            except StoreError:
                log.warning("a lease was not given back; it lapses", exc_info=True)
            raise
        return Taking(tuple(leases), frozenset(lease.path for lease in new))

    def on(self, paths: Iterable[str], but: str | None = None) -> dict[str, Lease]:
        """See the protocol."""
        active = _ActiveLeases(self._sessions)
        leases = [lease for path in dict.fromkeys(paths) if (lease := self._leases.load(path)) is not None]
        return {lease.path: lease for lease in leases if lease.session_id != but and active.includes(lease)}

    def standing(self) -> list[Lease]:
        """See the protocol. The files of leases that are over are removed."""
        active = _ActiveLeases(self._sessions)
        standing = []
        for lease in self._leases.all():
            if active.includes(lease):
                standing.append(lease)
                continue
            try:
                self.drop([lease])
            except StoreError as error:
                log.debug("a lease that is over was not removed: %s", error)
        return standing

    def drop(self, leases: Iterable[Lease]) -> None:
        """See the protocol."""
        for lease in leases:
            self._drop(lease)

    def release(self, session_id: str, but: str | None = None) -> None:
        """See the protocol."""
        self.drop(lease for lease in self._leases.all() if lease.session_id == session_id and lease.intent_id != but)

    def fences(self, session_id: str, paths: Iterable[str]) -> dict[str, FencedUse]:  # noqa: ARG002  the protocol's
        """None: on one machine each change and its lease are under one lock."""
        return {}

    def announce(self, session: LiveSession, process: Process | None) -> None:
        """Nothing: the session's own file shows it."""

    def leave(self, session_id: str) -> None:
        """Nothing, as for `announce`."""

    def elsewhere(self) -> list[LiveSession]:
        """None: other machines have other files."""
        return []

    def trouble(self) -> str | None:
        """None."""
        return None

    def settle(self, within_s: float) -> str | None:  # noqa: ARG002  the protocol's
        """None: there is nothing to connect to."""
        return None

    def generation(self) -> object:
        """None: nothing is announced."""
        return None

    def _drop(self, lease: Lease) -> None:
        def without(current: Lease | None) -> Lease | None:
            return None if current == lease else current

        self._leases.update(lease.path, without, self._holder(lease.session_id))


class _ActiveLeases:
    """Which leases count at one moment. Loads each session once; `selected` are intents that are known already."""

    def __init__(self, sessions: Sessions, selected: dict[str, str | None] | None = None) -> None:
        self.now: datetime = now()
        self._sessions = sessions
        self._selected = {} if selected is None else selected

    def includes(self, lease: Lease) -> bool:
        """Whether the lease counts."""
        session_id = lease.session_id
        if session_id not in self._selected:
            self._selected[session_id] = self._intent_of(session_id)
        gone = lease.process is not None and is_gone(lease.process)
        return lease.stands(self.now, self._selected[session_id], process_gone=gone)

    def _intent_of(self, session_id: str) -> str | None:
        try:
            return self._sessions.load(session_id).intent_id
        except InvalidArgument:  # a forged lease: no session can have such an id
            return None

"""What the keeper answers: one clone's part in the database, and what is known of it while that is away.

The keeper is the one process of a clone and a user that has a connection. It knows which leases this clone holds, until
when by this machine's own count, and which of its sessions are alive.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

import psycopg
from msgspec import Struct
from psycopg.rows import TupleRow

from intentls.core.intents.held_leases import HeldLease, HeldLeases
from intentls.core.intents.lease import FencedUse, Lease, Process
from intentls.store.process.liveness import is_gone
from intentls.store.sessions.coordination import wire
from intentls.store.sessions.coordination.connection import BackgroundConnection
from intentls.store.sessions.coordination.database import ClonePlace, Database
from intentls.store.sessions.coordination.elapsed import elapsed_s
from intentls.store.sessions.coordination.protocol import Claim, CoordinationAway, LiveSession, Taking

log = logging.getLogger(__name__)

T = TypeVar("T")

_TELL_S = 0.3  # from a change of leases to telling of it
_STATEMENT_S = 2.0  # nobody waits for that
_USED_S = 600.0  # a session without a process is alive for so long after its last use
_MAX_OWED = 1000  # leases that are to be given back when the database is there again


class _Shown(Struct):
    """A session that others see, and when it gave its last sign here."""

    session: LiveSession | None
    process: Process | None
    used_s: float


Work = Callable[["psycopg.Connection[TupleRow]"], object]


class KeeperGuest(Protocol):
    """Something else that is kept over the same connection."""

    def begin(self, ask: Callable[[Work, float], object]) -> None:
        """Start. `ask` does a piece of work with the connection, within so many seconds, or raises CoordinationAway."""

    def greet(self, connection: psycopg.Connection[TupleRow]) -> None:
        """There is a new connection. Raises psycopg.Error."""

    def hear(self, channel: str) -> None:
        """Something was told on this channel."""

    @property
    def is_needed(self) -> bool:
        """Whether the keeper has to stay for it."""

    def close(self) -> None:
        """End."""


class Keeper:
    """Leases and live sessions of one clone. Safe to use from several threads.

    `wait_s` is how long an answer may take. `hear` is called when who works on what in the root has changed, here or
    elsewhere. `guest` is begun and closed with the keeper. `sessions` are shown from the start.
    """

    def __init__(
        self,
        address: str,
        place: ClonePlace,
        wait_s: float,
        *,
        hear: Callable[[], object] = lambda: None,
        guest: KeeperGuest | None = None,
        sessions: Iterable[LiveSession] = (),
        count_s: Callable[[], float] = elapsed_s,
        tick_s: float = 20.0,
    ) -> None:
        self._place, self._wait_s, self._count_s = place, wait_s, count_s
        self._guest, self._heard = guest, hear
        self._lock = threading.Lock()
        self._held = HeldLeases()
        self._shown = {session.session_id: _Shown(session, None, count_s()) for session in sessions}
        self._owed: deque[Lease] = deque(maxlen=_MAX_OWED)
        self._news: threading.Timer | None = None
        self._connection = BackgroundConnection(
            address, greet=self._greet, tick=self._tick, hear=self._hear, tick_s=tick_s
        )
        if guest is not None:
            guest.begin(self._connection.ask)

    def close(self) -> None:
        """End the connection. The leases stay until they run out."""
        with self._lock:
            if self._news is not None:
                self._news.cancel()
        if self._guest is not None:
            self._guest.close()
        self._connection.close()

    def settle(self, wait_s: float) -> None:
        """Wait until the first attempt to connect has ended, but no longer than that."""
        self._connection.settle(wait_s)

    def trouble(self) -> str | None:
        """Why the database is away; None while it is connected."""
        return self._connection.trouble

    def is_needed(self) -> bool:
        """Whether a session of this clone is alive, or the guest is needed."""
        if self._guest is not None and self._guest.is_needed:
            return True
        with self._lock:
            return any(self._is_alive(shown) for shown in self._shown.values())

    def take(self, claim: Claim) -> Taking:
        """See the protocol. While away: what this clone holds, if that decides about every path."""
        asked_s = self._count_s()

        def work(database: Database) -> Taking:
            self._note_use(claim)
            result = database.claim(claim.session_id, claim.intent_id, claim.paths, claim.ttl)
            known_s = self._count_s()
            own = [lease for lease in result.leases if lease.belongs_to(claim.session_id)]
            if result.new:
                self._tell_soon()
            granted = [HeldLease.granted(lease, result.moment, asked_s, known_s) for lease in own]
            with self._lock:
                for held in granted:
                    self._held.note(held)
            return Taking(result.leases, result.new, ends_s=min((held.ends_s for held in granted), default=None))

        try:
            return self._ask(work)
        except CoordinationAway:
            self._note_use(claim)
            with self._lock:
                leases = [self._held.on(path, self._count_s()) for path in claim.paths]
                ends_s = self._held.ends_s(claim.session_id, claim.paths)
            known = [lease for lease in leases if lease is not None]
            others = [lease for lease in known if lease.session_id != claim.session_id]
            own = [lease for lease in known if lease not in others and lease.intent_id == claim.intent_id]
            if not others and len(own) < len(claim.paths):
                raise
            return Taking((*own, *others), is_away=True, ends_s=ends_s)

    def on(self, paths: Iterable[str]) -> list[Lease]:
        """The leases on `paths`; while away those of this clone."""
        paths = tuple(paths)
        try:
            return self._ask(lambda database: database.held(paths))
        except CoordinationAway:
            with self._lock:
                leases = [self._held.on(path, self._count_s()) for path in paths]
            return [lease for lease in leases if lease is not None]

    def standing(self) -> list[Lease]:
        """All leases of the root; while away those of this clone."""
        try:
            return self._ask(lambda database: database.standing())
        except CoordinationAway:
            with self._lock:
                return self._held.all(self._count_s())

    def drop(self, leases: Iterable[Lease]) -> None:
        """Give exactly these back; while away, later."""
        gone = tuple(leases)
        if gone:
            self._tell_soon()
        with self._lock:
            for lease in gone:
                self._held.drop(lease)
        try:
            self._ask(lambda database: database.drop(gone))
        except CoordinationAway:
            self._owed.extend(gone)

    def release(self, session_id: str, but: str | None) -> None:
        """Give back the leases of a session that are not under `but`; while away, later."""
        with self._lock:
            held = self._held.all(self._count_s())
            gone = [lease for lease in held if lease.session_id == session_id and lease.intent_id != but]
            self._held.release(session_id, but)
        if gone:
            self._tell_soon()
        try:
            self._ask(lambda database: database.release(session_id, but))
        except CoordinationAway:
            self._owed.extend(gone)

    def fences(self, session_id: str, paths: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What a record says of the session's leases on `paths`. Nothing is asked of the database."""
        uses = {}
        with self._lock:
            now_s = self._count_s()
            for path in paths:
                held = self._held.last_of(session_id, path)
                if held is not None and held.lease.fence is not None:
                    use = FencedUse(held.lease.fence, held.lease.since, held.server_time(now_s))
                    uses[path] = use.to_json()
        return uses

    def announce(self, session: LiveSession, process: Process | None) -> None:
        """Show a session; while away, later."""
        with self._lock:
            self._shown[session.session_id] = _Shown(session, process, self._count_s())

        def work(database: Database) -> None:
            database.announce([session])
            database.notify()

        self._ask(work)

    def leave(self, session_id: str) -> None:
        """Show a session no longer. While away it is forgotten here, and fades there."""
        with self._lock:
            self._shown.pop(session_id, None)

        def work(database: Database) -> None:
            database.leave(session_id)
            database.notify()

        self._ask(work)

    def elsewhere(self) -> list[LiveSession]:
        """The live sessions of other places. Raises CoordinationAway."""
        return self._ask(lambda database: database.elsewhere())

    def _note_use(self, claim: Claim) -> None:
        with self._lock:
            shown = self._shown.setdefault(claim.session_id, _Shown(None, claim.process, 0.0))
            shown.used_s, shown.process = self._count_s(), claim.process

    def _tell_soon(self) -> None:
        """Tell other machines soon that leases have changed, once for many: no claim waits for it."""
        with self._lock:
            if self._news is None:
                self._news = threading.Timer(_TELL_S, self._tell)
                self._news.daemon = True
                self._news.start()

    def _tell(self) -> None:
        with self._lock:
            self._news = None
        with suppress(CoordinationAway):  # who greets looks at all
            self._connection.ask(lambda connection: Database(connection, self._place).notify(), _STATEMENT_S)

    def _ask(self, work: Callable[[Database], T]) -> T:
        def with_the_living(connection: psycopg.Connection[TupleRow]) -> T:
            database = Database(connection, self._place)
            self._end_sessions(database)
            return work(database)

        return self._connection.ask(with_the_living, self._wait_s)

    def _greet(self, connection: psycopg.Connection[TupleRow]) -> None:
        """After each connect: hear of changes, show who is alive, and give back what waits for it."""
        database = Database(connection, self._place)
        database.listen()
        if self._guest is not None:
            self._guest.greet(connection)
        with self._lock:
            owed = tuple(self._owed)
            alive = [shown.session for shown in self._shown.values() if self._is_alive(shown)]
        if owed:
            database.drop(owed)
            with self._lock:
                for _ in owed:
                    self._owed.popleft()
        sessions = [session for session in alive if session is not None]
        if sessions:
            database.announce(sessions)
            database.notify()
        self._heard()  # what changed while it was away

    def _hear(self, channel: str) -> None:
        if self._guest is not None:
            self._guest.hear(channel)
        if channel == Database.channel(self._place):
            self._heard()

    def _tick(self, connection: psycopg.Connection[TupleRow]) -> None:
        """The heartbeat: who is alive gave a sign."""
        database = Database(connection, self._place)
        self._end_sessions(database)
        with self._lock:
            alive = [session_id for session_id, shown in self._shown.items() if self._is_alive(shown)]
        if alive:
            database.touch(alive)

    def _end_sessions(self, database: Database) -> None:
        """Sessions whose process has ended leave, and hold nothing any more."""
        with self._lock:
            ended = [session_id for session_id, shown in self._shown.items() if self._has_ended(shown)]
        for session_id in ended:
            database.release(session_id, None)
            database.leave(session_id)
            with self._lock:
                self._shown.pop(session_id, None)
                self._held.release(session_id, None)
        if ended:
            database.notify()

    def _is_alive(self, shown: _Shown) -> bool:
        if shown.process is not None:
            return not is_gone(shown.process)
        return self._count_s() - shown.used_s < _USED_S

    @staticmethod
    def _has_ended(shown: _Shown) -> bool:
        return shown.process is not None and is_gone(shown.process)


def answer(keeper: Keeper, message: dict[str, Any]) -> dict[str, Any]:
    """The answer to one question of `keeper_client`. Raises KeyError, TypeError, ValueError for what is none."""
    operation = message["op"]
    try:
        if operation == "take":
            return wire.taking_to_json(keeper.take(wire.claim_from_json(message)))
        if operation == "on":
            return {"leases": [wire.lease_to_json(lease) for lease in keeper.on(map(str, message["paths"]))]}
        if operation == "standing":
            return {"leases": [wire.lease_to_json(lease) for lease in keeper.standing()]}
        if operation == "drop":
            keeper.drop(wire.leases_from_json(message["leases"]))
        elif operation == "release":
            keeper.release(str(message["session_id"]), message["but"])
        elif operation == "fences":
            return {"fences": keeper.fences(str(message["session_id"]), map(str, message["paths"]))}
        elif operation == "announce":
            keeper.announce(wire.session_from_json(message["session"]), wire.process_from_json(message["process"]))
        elif operation == "leave":
            keeper.leave(str(message["session_id"]))
        elif operation == "elsewhere":
            return {"sessions": [wire.session_to_json(session) for session in keeper.elsewhere()]}
        elif operation == "settle":
            keeper.settle(min(float(message["wait_s"]), 10.0))
        elif operation != "trouble":
            raise ValueError(f"there is no operation {operation!r}")
    except CoordinationAway as away:
        return {"away": str(away)}
    return {"trouble": keeper.trouble()}

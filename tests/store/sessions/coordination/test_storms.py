"""Claims of several hosts while the database restarts, is full, slow, or out of reach: each path has one holder.

`make soak` has each fault several times, and networks that are broken for 30 s; `make test` has one restart.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import TupleRow

from intentls.store.sessions.coordination.elapsed import elapsed_s
from intentls.store.sessions.coordination.protocol import Claim, CoordinationAway
from tests.support.database import DatabaseServer
from tests.support.database_line import Line, line
from tests.support.keepers import SimulatedHost, host
from tests.support.patience import PATIENCE_S, eventually

Connection = psycopg.Connection[TupleRow]
LONG = os.environ.get("INTENTLS_LONG") == "1"
HOSTS, WORKERS, PATHS = 3, 4 if LONG else 2, ("x", "y")
ROUNDS, PARTITION_S = (3, 30.0) if LONG else (1, 0.0)
TTL = timedelta(seconds=2)
WAIT_S = 0.3 if LONG else 2.0
"""How long an answer may take: in a soak an answer is late now and then, which loses nothing."""
MOST_S = 1800.0
"""How long the workers of a fleet work at most."""


@dataclass
class Use:
    """A holder was sure that it holds `path`, from `began` to `ended`, in seconds that all hosts here count alike."""

    path: str
    holder: tuple[str, str]
    fence: int
    began: float
    ended: float


@dataclass
class Fleet:
    """Workers on each host that claim, hold, renew, give back or forget, until the fleet is closed."""

    hosts: list[SimulatedHost]
    uses: list[Use] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    away: set[str] = field(default_factory=set)
    granted: set[str] = field(default_factory=set)
    _end: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        for one in self.hosts:
            for number in range(WORKERS):
                thread = threading.Thread(target=self._work, args=(one, f"s{number}"), daemon=True)
                self._threads.append(thread)
                thread.start()

    def close(self) -> None:
        """End the workers. Raises what one of them met beside `CoordinationAway`."""
        self._end.set()
        for thread in self._threads:
            thread.join(PATIENCE_S)
        assert not any(thread.is_alive() for thread in self._threads)
        assert self.errors == []

    def see_away(self) -> None:
        """Wait until each host has been turned away since now."""
        self.away.clear()
        eventually(lambda: len(self.away) == len(self.hosts))

    def see_granted(self) -> None:
        """Wait until each host has been given a lease by the database since now."""
        self.granted.clear()
        eventually(lambda: len(self.granted) == len(self.hosts))

    def _work(self, one: SimulatedHost, session: str) -> None:
        chance = random.Random(f"{one.name} {session}")
        last = time.monotonic() + MOST_S
        try:
            while not self._end.is_set() and time.monotonic() < last:
                try:
                    self._use(one, session, chance)
                except CoordinationAway:
                    self.away.add(one.name)
                    self._end.wait(0.02)
        except BaseException as error:
            self.errors.append(error)
            raise

    def _use(self, one: SimulatedHost, session: str, chance: random.Random) -> None:
        path = chance.choice(PATHS)
        for _ in range(chance.randint(1, 3)):
            taking = one.client.take(Claim(session, "INT-001", (path,), TTL))
            began = elapsed_s()
            (lease,) = taking.leases
            if not lease.belongs_to(session):
                self._end.wait(0.01)
                return
            assert lease.fence is not None
            assert taking.ends_s is not None
            (self.away if taking.is_away else self.granted).add(one.name)
            self.uses.append(Use(path, (one.name, session), lease.fence, began, taking.ends_s))
            self._end.wait(chance.random() * 0.02)
        if chance.random() < 0.98:  # else it is forgotten, as by a host that dies
            now_s = elapsed_s()
            for use in self.uses:
                if (use.path, use.holder) == (path, (one.name, session)):  # it may have been forgotten before
                    use.ended = min(use.ended, now_s)
            with suppress(CoordinationAway):
                one.client.drop([lease])


def check(uses: list[Use]) -> None:
    """Two holders were never sure at once, and each later one has the higher fence."""
    for path in PATHS:
        of_path = sorted((use for use in uses if use.path == path), key=lambda use: use.began)
        last: dict[tuple[str, str], Use] = {}
        for use in of_path:
            for other in last.values():
                if other.holder != use.holder:
                    assert other.ended <= use.began, f"two holders at once: {other} {use}"
            if use.holder not in last or last[use.holder].ended < use.ended:
                last[use.holder] = use
        for before, after in pairwise(of_path):
            assert before.fence <= after.fence, f"a fence went back: {before} {after}"
            assert (before.fence == after.fence) <= (before.holder == after.holder), f"one fence, two: {before} {after}"


@contextmanager
def fleet(server: DatabaseServer, folder: Path) -> Iterator[tuple[Fleet, Line]]:
    """A fleet at work, over one line to the server; checked at its end."""
    with ExitStack() as stack:
        way, shared = stack.enter_context(line(server))
        hosts = [stack.enter_context(host(folder, shared, f"h{number}", wait_s=WAIT_S)) for number in range(HOSTS)]
        made = Fleet(hosts)
        made.start()
        try:
            made.see_granted()
            yield made, way
            made.see_granted()
        finally:
            made.close()
        check(made.uses)


def partition(fleet: Fleet, way: Line, server: DatabaseServer) -> None:
    """The network swallows everything, in both directions."""
    way.is_whole.clear()
    fleet.see_away()
    fleet._end.wait(PARTITION_S)
    way.is_whole.set()


def restart(fleet: Fleet, way: Line, server: DatabaseServer) -> None:
    """The server ends at once, and starts again."""
    server.stop()
    fleet.see_away()
    server.start()


def slow(fleet: Fleet, way: Line, server: DatabaseServer) -> None:
    """Each answer takes longer than is waited for."""
    way.delay_s = WAIT_S
    fleet.see_away()
    fleet._end.wait(3.0 if LONG else 0.0)
    way.delay_s = 0.0


def full(fleet: Fleet, way: Line, server: DatabaseServer) -> None:
    """Others have all connections that there may be."""
    with every_connection(server):
        fleet.see_away()
        fleet._end.wait(3.0 if LONG else 0.0)


@contextmanager
def every_connection(server: DatabaseServer) -> Iterator[None]:
    """All connections of the server are taken, from all that had one or were about to.

    A refusal alone does not say that: the server lists a connection only some time after it has given it its place, and
    that one is let in afterwards. So it is full when all the places that it has are ours.
    """
    with ExitStack() as stack:

        def take() -> Connection:
            return stack.enter_context(psycopg.connect(server.address(), autocommit=True, connect_timeout=10))

        own = [take()]
        (places,) = own[0].execute("SHOW max_connections").fetchone() or ("",)

        def is_full() -> bool:
            own[0].execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'intentls' AND backend_type = 'client backend'"
            )
            with suppress(psycopg.OperationalError):
                while len(own) < int(places):
                    own.append(take())
            return len(own) == int(places)

        eventually(is_full)
        yield


FAULTS: tuple[Callable[[Fleet, Line, DatabaseServer], None], ...] = (
    (restart, partition, full, slow) if LONG else (restart,)
)


def test_whatever_happens_to_the_database_each_path_has_one_holder(
    fragile: DatabaseServer, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """And each host goes on after it, by itself."""
    chance = random.Random(20)
    with fleet(fragile, tmp_path) as (made, way):
        for _ in range(ROUNDS):
            for fault in chance.sample(FAULTS, len(FAULTS)):
                fault(made, way, fragile)
                made.see_granted()
    figure(f"{len(made.uses):,} uses of {len(PATHS)} paths, {ROUNDS * len(FAULTS)} faults, one holder each")


def refused(one: SimulatedHost, session: str, path: str) -> str:
    """Why a claim can't be decided."""
    with pytest.raises(CoordinationAway) as away:
        one.client.take(Claim(session, "INT-001", (path,), timedelta(minutes=10)))
    return str(away.value)


@pytest.mark.skipif(sys.platform != "linux", reason="the name of a process tells what it does, in /proc")
def test_a_connection_that_only_just_begins_is_taken_as_well(fragile: DatabaseServer) -> None:
    """The server has given it a place, and does not list it yet."""
    slow = {"application_name": "intentls", "options": "-c post_auth_delay=2"}
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(psycopg.connect, fragile.address(), **slow)
        eventually(lambda: late.done() or "startup" in fragile.backends())
        with every_connection(fragile), pytest.raises(psycopg.OperationalError), late.result(PATIENCE_S) as connection:
            connection.execute("SELECT 1")


def test_a_full_database_is_a_sentence_and_takes_nothing_away(fragile: DatabaseServer, tmp_path: Path) -> None:
    """What is held is held on, by who held it, and the connection comes back by itself."""
    with host(tmp_path, fragile.new_repository(), "one", wait_s=PATIENCE_S) as one:
        (lease,) = one.client.take(Claim("a", "INT-001", ("x",), timedelta(minutes=10))).leases
        with every_connection(fragile):
            eventually(lambda: "too many clients" in str(one.client.trouble()))
            taking = one.client.take(Claim("a", "INT-001", ("x",), timedelta(minutes=10)))
            assert (taking.is_away, [held.fence for held in taking.leases]) == (True, [lease.fence])
            eventually(
                lambda: "too many clients" in refused(one, "b", "y")
            )  # or that the server took too long to say so
        one.connect()
        (again,) = one.client.take(Claim("a", "INT-001", ("x",), timedelta(minutes=10))).leases
        assert (again.fence, again.since) == (lease.fence, lease.since)

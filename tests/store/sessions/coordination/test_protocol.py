"""What a store of leases promises: the same of files and of PostgreSQL."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from intentls.core.intents.lease import Process
from intentls.store.layout import Layout
from intentls.store.process.liveness import this_process
from intentls.store.sessions.coordination.files import FileCoordination
from intentls.store.sessions.coordination.protocol import Claim, Coordination, Taking
from intentls.store.sessions.leases import Leases
from intentls.store.sessions.sessions import Session, Sessions
from tests.support.database import DatabaseServer
from tests.support.keepers import host
from tests.support.patience import PATIENCE_S, eventually

INTENT = "INT-001"
HOUR, MOMENT = timedelta(hours=1), timedelta(milliseconds=30)


@pytest.fixture(params=["files", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Coordination]:
    """A store in which the sessions a, b and others work under INT-001."""
    if request.param == "postgresql":
        server: DatabaseServer = request.getfixturevalue("database")
        with host(tmp_path, server.new_repository(), "one") as one:
            yield one.client
        return
    layout = Layout(tmp_path)
    layout.orchestration.mkdir()
    sessions = Sessions(layout.sessions)
    for name in ("a", "b", *(f"s{number}" for number in range(8))):
        sessions.save(Session(name, INTENT))
    yield FileCoordination(Leases(layout.leases), sessions, lambda session: session)


def take(store: Coordination, session: str, *paths: str, ttl: timedelta = HOUR) -> Taking:
    """A claim under INT-001."""
    return store.take(Claim(session, INTENT, paths, ttl))


def holders(store: Coordination) -> list[tuple[str, str]]:
    """Who holds what."""
    return [(lease.path, lease.session_id) for lease in store.standing()]


def test_a_free_path_is_taken_and_a_held_one_is_not(store: Coordination) -> None:
    """The worked example of the protocol."""
    first = take(store, "a", "src/a.py")
    assert ([lease.session_id for lease in first.leases], first.new) == (["a"], {"src/a.py"})
    second = take(store, "b", "src/a.py")
    assert ([lease.session_id for lease in second.leases], second.new) == (["a"], frozenset())
    assert holders(store) == [("src/a.py", "a")]


def test_all_free_paths_of_a_claim_are_taken(store: Coordination) -> None:
    """Those that another holds stay as they are, and the claimant knows who has them."""
    take(store, "a", "x")
    taking = take(store, "b", "y", "x", "z", "y")
    assert {lease.path: lease.session_id for lease in taking.leases} == {"x": "a", "y": "b", "z": "b"}
    assert taking.new == {"y", "z"}


def test_a_lease_is_renewed_by_its_holder(store: Coordination) -> None:
    """It began when it began, and ends later."""
    (first,) = take(store, "a", "x").leases
    again = take(store, "a", "x")
    (second,) = again.leases
    assert (second.since, again.new) == (first.since, frozenset())
    assert second.until > first.until


def test_a_lease_that_ran_out_is_free(store: Coordination) -> None:
    """For whoever comes first."""
    take(store, "a", "x", ttl=MOMENT)
    assert eventually(lambda: take(store, "b", "x").new) == {"x"}
    assert holders(store) == [("x", "b")]


def test_what_a_process_held_is_free_when_it_has_ended(store: Coordination) -> None:
    """A killed server says no goodbye. What a process elsewhere holds is not missed here."""
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    here = this_process().place
    for session, process in (("a", Process(child.pid, here)), ("s1", Process(child.pid, "another machine"))):
        store.take(Claim(session, INTENT, (session,), HOUR, process))
    assert "a" not in store.on(["a"])
    assert take(store, "b", "a").new == {"a"}
    assert holders(store) == [("a", "b"), ("s1", "s1")]


def test_leases_are_found_by_path(store: Coordination) -> None:
    """Those that stand."""
    take(store, "a", "x", "y")
    assert {path: lease.session_id for path, lease in store.on(["y", "z"]).items()} == {"y": "a"}


def test_exactly_the_lease_that_is_meant_is_given_back(store: Coordination) -> None:
    """One that was renewed meanwhile stays."""
    (old,) = take(store, "a", "x").leases
    (new,) = take(store, "a", "x").leases
    store.drop([old])
    assert holders(store) == [("x", "a")]
    store.drop([new])
    assert holders(store) == []
    assert take(store, "b", "x").new == {"x"}


def test_a_session_gives_back_all_but_what_its_new_intent_needs(store: Coordination) -> None:
    """And other sessions keep theirs."""
    take(store, "a", "x")
    store.take(Claim("a", "INT-002", ("y",), HOUR))
    take(store, "b", "z")
    store.release("a", INTENT)
    assert ("x", "a") in holders(store)
    assert ("z", "b") in holders(store)
    assert set(store.on(["y"])) == set()
    store.release("a")
    assert holders(store) == [("z", "b")]


def test_any_name_is_a_name(store: Coordination) -> None:
    """Quotes, line ends, what is no character, and what would be a command elsewhere."""
    names = ["a'; DROP TABLE intentls.leases; --", "ü\n\t", "%s %(x)s", "\udcff", "$$", 'x"y', "\\", "a" * 3000]
    for name in names:
        assert take(store, "a", name).new == {name}
    assert [path for path, _ in holders(store)] == sorted(names)


def test_of_claims_at_once_one_wins(store: Coordination) -> None:
    """Eight sessions, twenty paths."""
    for number in range(20):
        ready = threading.Barrier(8)

        def claim(session: int, path: str = f"p{number}", ready: threading.Barrier = ready) -> int:
            ready.wait(PATIENCE_S)
            return len(take(store, f"s{session}", path).new)

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(claim, range(8))) == 1

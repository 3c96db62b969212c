"""While the database is away: what is held counts until its end, nothing new is claimed, no answer is waited for."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intentls.store.layout import Layout
from intentls.store.sessions.coordination.keeper_client import KeeperClient
from intentls.store.sessions.coordination.protocol import Claim, CoordinationAway, LiveSession
from tests.support.database import DatabaseServer
from tests.support.database_line import line
from tests.support.keepers import WAIT_S, SimulatedHost, host
from tests.support.patience import eventually

TTL = timedelta(minutes=10)
INTENT = "INT-001"


def claim(session: str, *paths: str) -> Claim:
    """A claim for ten minutes."""
    return Claim(session, INTENT, paths, TTL)


def refused(one: SimulatedHost, session: str, *paths: str) -> str:
    """Why a claim can't be decided."""
    with pytest.raises(CoordinationAway) as away:
        one.client.take(claim(session, *paths))
    return str(away.value)


def test_what_is_held_counts_while_the_database_is_away_and_nothing_new_is_claimed(
    fragile: DatabaseServer, tmp_path: Path
) -> None:
    """A restart of the server: away and back, with the leases that stood."""
    with host(tmp_path, fragile.new_repository(), "one") as one:
        one.client.take(claim("a", "x"))
        fragile.stop()
        try:
            assert "Coordination Away" in refused(one, "a", "y")
            held = one.client.take(claim("a", "x"))
            assert ([lease.path for lease in held.leases], held.new, held.is_away) == (["x"], frozenset(), True)
            lost = one.client.take(claim("b", "x"))
            assert [lease.session_id for lease in lost.leases] == ["a"]
            assert list(one.client.on(["x", "y"])) == ["x"]
            assert [lease.path for lease in one.client.standing()] == ["x"]
            assert one.client.trouble() is not None
            one.seconds = TTL.total_seconds() + 1
            refused(one, "a", "x")
        finally:
            fragile.start()
        one.seconds = 0
        one.connect()
        assert [lease.session_id for lease in one.client.take(claim("b", "x")).leases] == ["a"]
        assert one.client.take(claim("b", "y")).new == {"y"}


def test_what_is_given_back_while_away_is_given_back_later(fragile: DatabaseServer, tmp_path: Path) -> None:
    """And a session that selected an intent meanwhile is shown later."""
    shared = fragile.new_repository()
    with host(tmp_path, shared, "one") as one, host(tmp_path, shared, "two") as two:
        (dropped,) = one.client.take(claim("a", "x")).leases
        one.client.take(claim("b", "y"))
        fragile.stop()
        try:
            for each in (one, two):  # else its old connection would do for the one that is waited for below
                eventually(lambda keeper=each.keeper: keeper.trouble() is not None)  # type: ignore[misc]
            one.client.drop([dropped])
            one.client.release("b")
            moment = datetime.now(UTC)
            with pytest.raises(CoordinationAway):
                one.client.announce(LiveSession("a", INTENT, "", "Ann", "main", "lsp", moment, moment), None)
        finally:
            fragile.start()
        one.connect()
        two.connect()
        assert two.client.standing() == []
        assert [(live.session_id, live.host, live.person) for live in two.client.elsewhere()] == [("a", "one", "Ann")]


def test_a_database_that_does_not_answer_is_waited_for_once_and_then_not_at_all(
    fragile: DatabaseServer, tmp_path: Path
) -> None:
    """A network that swallows what is sent: one late answer, then none is waited for until it is back."""
    with line(fragile) as (way, shared), host(tmp_path, shared, "one", wait_s=1.0) as one:
        eventually(lambda: _holds(one, "x"))
        one.client._answer_s = WAIT_S
        way.is_whole.clear()
        with pytest.raises(CoordinationAway):
            one.client.take(claim("b", "z"))
        assert one.client.take(claim("a", "x")).is_away
        started = time.monotonic()
        for _ in range(60):
            refused(one, "a", "y")
        assert time.monotonic() - started < 30, "each waited for the database"
        way.is_whole.set()
        eventually(lambda: _holds(one, "y"))


def _holds(one: SimulatedHost, path: str) -> bool:
    """Whether the session a holds a path now, by the word of the database."""
    try:
        return not one.client.take(claim("a", path)).is_away
    except CoordinationAway:
        return False


def test_a_database_that_never_was_there_is_away_at_once(tmp_path: Path) -> None:
    """No address that works, no port, no database: each is a sentence."""
    for name, address in {
        "port": "postgresql://127.0.0.1:1/none",
        "address": "mysql://db/none",
        "folder": "postgresql:///none?host=/nowhere",
    }.items():
        with host(tmp_path, (address, "5eed" * 10), name, is_connected=False) as one:
            one.keeper.settle(60)
            assert refused(one, "a", "x").startswith("Coordination Away: ")


def test_without_a_keeper_one_is_started_and_the_answer_is_away(tmp_path: Path) -> None:
    """Once, however often it is asked meanwhile; a start that failed says why."""
    layout = Layout(tmp_path)
    layout.orchestration.mkdir()
    starts: list[Layout] = []
    client = KeeperClient(layout, "postgresql:///none", 0.04, starts.append)
    for _ in range(3):
        with pytest.raises(CoordinationAway, match="is being started"):
            client.take(claim("a", "x"))
    assert starts == [layout]
    client._files.note_failure("there is no git here")
    assert client.trouble() == "Coordination Away: there is no git here."
    assert client.settle(0.05) == "Coordination Away: there is no git here."


def test_a_keeper_that_hangs_is_not_waited_for(tmp_path: Path, database: DatabaseServer) -> None:
    """It is stopped, say: its socket takes the question, and nothing comes."""
    with host(tmp_path, database.new_repository(), "one") as one:
        one.client._answer_s = 0.04
        with one.keeper._lock, pytest.raises(CoordinationAway, match="does not answer"):
            one.client.fences("a", ["x"])

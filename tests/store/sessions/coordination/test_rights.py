"""Who may see and do what in the database, and what rows that somebody else wrote can do here: nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from intentls.store.sessions.coordination import schema
from intentls.store.sessions.coordination.connecting import connect, connected
from intentls.store.sessions.coordination.database import ClonePlace, Database
from intentls.store.sessions.coordination.protocol import CoordinationAway, LiveSession
from intentls.store.sessions.coordination.question_rows import OwnQuestion, QuestionRows
from tests.support.database import DatabaseServer, make_tables

HOUR = timedelta(hours=1)
NOON = datetime(2026, 2, 18, 12, 0, tzinfo=UTC)
RED, BLUE = "ed" * 20, "b1" * 20


@pytest.fixture(scope="module")
def address(database: DatabaseServer) -> str:
    """A database in which the team red has one repository and the team blue another."""
    address = database.new_database()
    with connected(address) as connection:
        for team in ("red", "blue"):
            connection.execute(f"CREATE ROLE {team} NOLOGIN")  # type: ignore[arg-type]
            connection.execute(f"CREATE ROLE agent_{team} LOGIN IN ROLE {team}")  # type: ignore[arg-type]
    make_tables(address, RED, "red")
    make_tables(address, BLUE, "blue")
    return address


@pytest.fixture
def red(address: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection of an agent of the team red, which sees none of what other tests left."""
    with connected(address) as owner:
        owner.execute("TRUNCATE intentls.leases, intentls.sessions, intentls.questions CASCADE")
    with connect(address.replace("owner@", "agent_red@")) as connection:
        yield connection


def test_a_team_works_in_its_own_repositories(red: psycopg.Connection[tuple[object, ...]]) -> None:
    """With the rights that `init` gives."""
    own = Database(red, ClonePlace(RED, "", "one", "one"))
    assert own.claim("s", "I", ["x"], HOUR).new == {"x"}
    own.release("s", None)
    assert own.standing() == []
    own.listen()
    own.notify()
    seen = schema.state(red, RED)
    assert (seen.is_ready, seen.bypasses_rights) == (True, False)


def test_a_team_neither_sees_nor_takes_what_is_another_teams(
    address: str, red: psycopg.Connection[tuple[object, ...]]
) -> None:
    """Whatever it asks for: rows of other repositories are not there, and can't be made."""
    with connect(address) as owner:
        Database(owner, ClonePlace(BLUE, "", "one", "one")).claim("s", "I", ["x"], HOUR)
    foreign = Database(red, ClonePlace(BLUE, "", "one", "one"))
    assert foreign.standing() == []
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        foreign.claim("s", "I", ["y"], HOUR)
    foreign.release("s", None)
    assert red.execute("SELECT count(*) FROM intentls.leases").fetchone() == (0,)
    assert red.execute("SELECT id FROM intentls.repositories").fetchall() == [(RED,)]
    assert not schema.state(red, BLUE).may_use
    with connect(address) as owner:
        assert len(Database(owner, ClonePlace(BLUE, "", "one", "one")).standing()) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO intentls.repositories VALUES (repeat('b1', 20), 'red')",
        "DELETE FROM intentls.leases",
        "TRUNCATE intentls.sessions",
        "ALTER TABLE intentls.leases DISABLE ROW LEVEL SECURITY",
        "CREATE TABLE intentls.more (x int)",
        "DROP SCHEMA intentls CASCADE",
        "SET ROLE blue",
    ],
)
def test_an_agents_role_can_do_no_more_than_it_needs(
    red: psycopg.Connection[tuple[object, ...]], statement: str
) -> None:
    """It gives itself no rights, and takes nothing away from the history of fences."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        red.execute(statement)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "about",
    ["", "[]", '{"path": 7}', "null", "[" * 60_000, '{"path": "other", "session": "s", "intent": "I", "host": "h"}'],
)  # fmt: skip
def test_a_row_that_makes_no_sense_is_data(
    address: str, red: psycopg.Connection[tuple[object, ...]], caplog: pytest.LogCaptureFixture, about: str
) -> None:
    """It is left out of a list, and still holds the path that its key says."""
    caplog.set_level(logging.ERROR)
    other = Database(red, ClonePlace(RED, "", "two", "two"))
    other.claim("t", "I", ["x"], HOUR)
    red.execute("UPDATE intentls.leases SET about = %s", (about,))
    own = Database(red, ClonePlace(RED, "", "one", "one"))
    assert own.standing() == []
    (lease,) = own.claim("s", "I", ["x"], HOUR).leases
    assert not lease.belongs_to("s")
    assert lease.path == "x"


def test_a_row_can_not_pretend_to_be_mine(red: psycopg.Connection[tuple[object, ...]]) -> None:
    """Whose a lease is says its holder's hash, not the name beside it."""
    other = Database(red, ClonePlace(RED, "", "two", "two"))
    other.claim("t", "I", ["x"], HOUR)
    about = '{"path": "x", "session": "s", "intent": "I", "host": ""}'
    red.execute("UPDATE intentls.leases SET about = %s", (about,))
    (lease,) = Database(red, ClonePlace(RED, "", "one", "one")).claim("s", "I", ["x"], HOUR).leases
    assert (lease.belongs_to("s"), lease.host) == (False, "another machine")


@pytest.mark.parametrize("moment", ["infinity", "-infinity", "9999-12-31 23:59:59.999999+00", "0001-01-01 00:00:00+00"])
def test_a_row_of_an_impossible_time_is_data(red: psycopg.Connection[tuple[object, ...]], moment: str) -> None:
    """Leases, sessions and questions of others are read all the same."""
    place, other = (ClonePlace(RED, "", name, name) for name in ("one", "two"))
    own, foreign = Database(red, place), Database(red, other)
    foreign.claim("t", "I", ["x"], HOUR)
    foreign.announce([LiveSession("t", None, "", "", "", "", NOON, NOON)])
    foreign.claim("t", "I", ["y"], HOUR)
    QuestionRows(red, other).ask([OwnQuestion("q1", {}, 0, 60), OwnQuestion("q2", {}, 0, 60)])
    about_x = (other.key("x"),)
    red.execute("UPDATE intentls.leases SET since = %s", (moment,))
    red.execute("UPDATE intentls.leases SET renewed = greatest(%s, renewed) WHERE key = %s", (moment, *about_x))
    red.execute("UPDATE intentls.leases SET until = greatest(%s, until) WHERE key = %s", (moment, *about_x))
    red.execute("UPDATE intentls.sessions SET since = %s, seen = greatest(%s, seen)", (moment, moment))
    red.execute(
        "INSERT INTO intentls.questions (repository, key, area, place, asked, until, about)"
        " SELECT repository, sha256(key), area, place, %s, %s, about FROM intentls.questions",
        (moment, moment),
    )
    assert [lease.path for lease in own.standing()] == ["x", "y"]
    assert [lease.session_id for lease in own.claim("s", "I", ["x"], HOUR).leases] == ["t"]
    assert [live.session_id for live in own.elsewhere()] == ["t"]
    assert len(QuestionRows(red, place).standing()) >= 2


def test_the_tables_are_made_once_however_often_and_by_however_many(database: DatabaseServer) -> None:
    """Two that run `init` at once, and a third afterwards."""
    address = database.new_database()
    with connect(address) as one, connect(address) as two:
        assert schema.initialize(one, RED, None) == [number for number, _ in schema.migrations()]
        assert schema.initialize(two, RED, None) == []
        numbers = [number for number, _ in schema.migrations()]
        assert numbers == list(range(1, len(numbers) + 1))
        assert schema.state(two, RED).is_ready


def test_a_database_without_tables_says_so(database: DatabaseServer) -> None:
    """Its state is no error."""
    with connect(database.new_database()) as connection:
        assert (schema.state(connection, RED).migration, schema.state(connection, RED).is_ready) == (0, False)


def test_what_is_long_over_is_pruned_and_the_rest_stays(address: str) -> None:
    """After a day; the next fence is higher all the same."""
    with connect(address) as owner:
        owner.execute("TRUNCATE intentls.leases, intentls.sessions, intentls.questions CASCADE")
        own = Database(owner, ClonePlace(RED, "", "prune", "one"))
        (old,) = own.claim("s", "I", ["old"], HOUR).leases
        own.claim("s", "I", ["new"], HOUR)
        owner.execute(
            "UPDATE intentls.leases SET until = until - interval '2 days', renewed = renewed - interval '2 days'"
            " WHERE key = %s",
            (ClonePlace(RED, "", "", "").key("old"),),
        )
        assert schema.prune(owner) == 1
        assert {"new"} == {lease.path for lease in own.standing()} - {"x"}
        (again,) = own.claim("s", "I", ["old"], HOUR).leases
        assert (again.fence or 0) > (old.fence or 0)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:t0psecret@/none?host=/nowhere",
        "postgresql://ann:t0psecret@127.0.0.1:1/none",
        "postgresql:///none?host=/nowhere&password=t0psecret",
        "postgresql://ann:t0psecret@h/none?nonsense=1",
        "postgresql://ann:t0psecret@[::1/none",
    ],
)
def test_no_error_shows_the_secret(address: str, tmp_path: Path) -> None:
    """Neither the sentence nor what it was raised from."""
    with pytest.raises(CoordinationAway) as away:
        connect(address)
    assert "t0psecret" not in str(away.value)
    assert away.value.__cause__ is None
    assert away.value.__suppress_context__


def test_a_fence_only_grows(red: psycopg.Connection[tuple[object, ...]]) -> None:
    """Over holders, over what was given back, and for one holder that comes again."""
    places = [Database(red, ClonePlace(RED, "", name, name)) for name in ("one", "two")]
    fences = []
    for number in range(10):
        place = places[number % 2]
        (lease,) = place.claim("s", "I", ["x"], HOUR).leases
        fences.append(lease.fence or 0)
        assert place.claim("s", "I", ["x"], HOUR).leases[0].fence == lease.fence
        place.release("s", None)
    assert fences == sorted(set(fences))

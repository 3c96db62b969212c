"""What a machine knows of its own leases without asking: until when they last, by a clock that is never set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from intentls.core.intents import held_leases
from intentls.core.intents.held_leases import HeldLease, HeldLeases
from intentls.core.intents.lease import Lease

NOON = datetime(2026, 2, 18, 12, 0, tzinfo=UTC)
TTL = timedelta(minutes=10)


def lease(path: str = "a", session: str = "s", intent: str = "I", since: datetime = NOON, fence: int = 1) -> Lease:
    """A lease from `since` for ten minutes."""
    return Lease(path, session, intent, since, since, since + TTL, fence=fence)


def held(of: Lease, asked_s: float = 1000.0) -> HeldLease:
    """The same, asked for then and known two seconds later."""
    return HeldLease.granted(of, of.since, asked_s, asked_s + 2)


def test_a_lease_lasts_from_the_moment_that_it_was_asked_for() -> None:
    """The worked example of the module."""
    one = held(lease())
    assert one.lasts(1599)
    assert not one.lasts(1600)
    assert one.server_time(1010) == NOON + timedelta(seconds=8)
    assert one.server_time(900) == NOON


def test_what_is_held_is_told_until_its_end() -> None:
    """By path, and all of it in order."""
    known = HeldLeases()
    for path in "ba":
        known.note(held(lease(path)))
    assert known.on("a", 1500) == lease("a")
    assert known.all(1500) == [lease("a"), lease("b")]
    assert known.on("a", 1600) is None
    assert known.all(1600) == []
    assert known.on("c", 1500) is None


def test_what_was_given_back_is_held_no_more_and_still_known() -> None:
    """A record of what was done under it may come later."""
    known = HeldLeases()
    known.note(held(lease()))
    known.drop(lease())
    assert known.on("a", 1001) is None
    known.drop(lease())
    assert known.last_of("s", "a") == held(lease())
    assert known.last_of("t", "a") is None


def test_a_renewed_lease_is_not_given_back_by_who_has_the_old_one() -> None:
    """As when two threads of a session use a file."""
    known = HeldLeases()
    known.note(held(lease(since=NOON + timedelta(seconds=5))))
    known.drop(lease())
    assert known.on("a", 1001) is not None


def test_the_first_end_of_a_sessions_leases_is_known() -> None:
    """What others hold, and what is not held, has no part in it."""
    known = HeldLeases()
    for one, asked_s in ((lease("a"), 1000.0), (lease("b"), 900.0), (lease("c", session="t"), 0.0)):
        known.note(held(one, asked_s))
    assert known.ends_s("s", ["a", "b", "c", "d"]) == 1500
    assert known.ends_s("s", ["d"]) is None


def test_a_session_gives_back_what_is_not_under_its_new_intent() -> None:
    """What others hold stays."""
    known = HeldLeases()
    for one in (lease("a"), lease("b", intent="J"), lease("c", session="t")):
        known.note(held(one))
    known.release("s", "J")
    assert [one.path for one in known.all(1001)] == ["b", "c"]


def test_what_ended_long_ago_is_forgotten() -> None:
    """A machine that changes ten thousand files does not keep them all."""
    known = HeldLeases()
    known.note(held(lease("old"), asked_s=0))
    for number in range(held_leases._SWEEP):
        known.note(held(lease(str(number)), asked_s=10_000))
    assert known.last_of("s", "old") is None
    assert known.on("1", 10_001) is not None

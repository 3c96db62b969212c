"""Leases on paper: how long one counts, who gets it, and what the gate says of another session's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from intentls.core.gate import checks
from intentls.core.gate.action import Action, Facts, Target
from intentls.core.gate.gate import GATE, first_refusal
from intentls.core.gate.policy import LeasePolicy, Policy
from intentls.core.gate.refusal import ActionHint, Code, ErrorType
from intentls.core.intents.intent import Intent
from intentls.core.intents.lease import MAX_TTL, FencedUse, Lease, Process, use
from intentls.core.intents.scope import Scope

NOON = datetime(2026, 2, 18, 12, 0, tzinfo=UTC)
TTL = timedelta(minutes=10)
SECOND = timedelta(seconds=1)
LEASE = Lease("src/a.py", "builder", "INT-001", NOON - 3 * TTL, NOON, NOON + TTL)
SENTENCE = (
    "src/a.py is being changed by session builder under INT-001 since 2026-02-18T11:30:00Z, "
    "lease until 2026-02-18T12:10:00Z"
)


@pytest.mark.parametrize(
    ("now", "counts"),
    [
        (NOON, True),
        (NOON + TTL - SECOND, True),
        (NOON + TTL, False),
        (NOON + timedelta(days=9000), False),
        (NOON - TTL, True),
        (NOON - TTL - SECOND, False),
        (datetime(1, 1, 1, tzinfo=UTC), False),
    ],
)
def test_a_lease_counts_until_its_time_is_over(now: datetime, counts: bool) -> None:
    """It ends at its last moment; a clock set back is borne with by as much as the lease is long, no more."""
    assert LEASE.stands(now, "INT-001") is counts


def test_a_lease_counts_only_while_its_session_works_under_its_intent() -> None:
    """A session that cleared its intent, took up another one, or whose process is gone holds nothing."""
    assert LEASE.stands(NOON, "INT-001")
    assert not LEASE.stands(NOON, None)
    assert not LEASE.stands(NOON, "INT-002")
    assert not LEASE.stands(NOON, "INT-001", process_gone=True)


def test_a_free_path_is_leased_to_whoever_uses_it() -> None:
    """From now on, for the given time."""
    process = Process(7, "here")
    made = use(None, "src/a.py", "builder", "INT-001", NOON, TTL, process)
    assert made == Lease("src/a.py", "builder", "INT-001", NOON, NOON, NOON + TTL, process)


def test_use_renews_a_sessions_own_lease() -> None:
    """It lasts longer, since when stays known, and the policy's new time counts."""
    later = NOON + SECOND
    assert use(LEASE, "src/a.py", "builder", "INT-001", later, 2 * TTL) == replace(
        LEASE, renewed=later, until=later + 2 * TTL
    )


def test_under_another_intent_a_lease_begins_anew() -> None:
    """Who works under something else now has not been at it since then."""
    assert use(LEASE, "src/a.py", "builder", "INT-002", NOON, TTL).since == NOON


def test_another_sessions_lease_stays_as_it_is() -> None:
    """The second one to come gets nothing, and prolongs nothing."""
    assert use(LEASE, "src/a.py", "tester", "INT-001", NOON + SECOND, TTL) is LEASE


def test_a_clock_set_back_does_not_make_a_lease_begin_after_its_use() -> None:
    """`since` is never later than the use it is renewed by."""
    early = LEASE.since - SECOND
    assert use(LEASE, "src/a.py", "builder", "INT-001", early, TTL).since == early


MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
LENGTHS = st.timedeltas(SECOND, MAX_TTL)


@given(MOMENTS, LENGTHS, st.timedeltas(-MAX_TTL, MAX_TTL))
def test_a_lease_never_counts_longer_than_twice_its_length(used: datetime, ttl: timedelta, shift: timedelta) -> None:
    """Whatever the clock does: from one length before its use to one length after, and at no other time."""
    lease = use(None, "a", "s", "I", used, ttl)
    assert lease.stands(used + shift, "I") is (-ttl <= shift < ttl)
    assert lease.ttl == ttl


@pytest.mark.parametrize(
    "wrong",
    [
        {"until": NOON},
        {"until": NOON - SECOND},
        {"until": NOON + MAX_TTL + SECOND},
        {"since": NOON.replace(tzinfo=None)},
        {"renewed": NOON.astimezone(timezone(timedelta(hours=1)))},
    ],
)
def test_times_that_no_lease_has_are_refused(wrong: dict[str, datetime]) -> None:
    """It lasts more than nothing and no longer than policy can allow, and all its times are in UTC."""
    with pytest.raises(ValueError, match="lease"):
        replace(LEASE, **wrong)  # type: ignore[arg-type]


def test_a_lease_says_who_what_since_when_and_until_when() -> None:
    """In one sentence; the part before the comma is the one that a renewal leaves alone."""
    assert LEASE.sentence == SENTENCE
    assert SENTENCE.startswith(LEASE.who_since)
    renewed = use(LEASE, "src/a.py", "builder", "INT-001", NOON + TTL - SECOND, TTL)
    assert (renewed.who_since, renewed.sentence) != (LEASE.who_since, LEASE.sentence)
    assert renewed.who_since == LEASE.who_since


def test_an_endless_name_does_not_flood_the_sentence() -> None:
    """Ids are as long as their makers like; a message stays one readable line."""
    assert len(replace(LEASE, session_id="x" * 500, intent_id="y" * 500).sentence) < 300


# -- the gate -------------------------------------------------------------------------------------------------

INTENTS = {"INT-002": Intent("INT-002", scope=Scope.parse(["src/**"]))}
FACTS = Facts("INT-002", INTENTS)
ENFORCED = Policy(leases=LeasePolicy.ENFORCE)
FREE, TAKEN = Target("src/b.py"), Target("src/a.py", lease=LEASE)


def test_under_enforcement_another_sessions_file_is_refused() -> None:
    """With the code that says "retry": who has it, since when, under which intent and until when."""
    refusal = first_refusal(FACTS, Action("write_to_file", (FREE, TAKEN)), ENFORCED, GATE)
    assert refusal is not None
    assert refusal.error == (f"Leased File: {SENTENCE}. Work on something else, and retry when the lease has ended.")
    assert (refusal.code, refusal.error_type) == (Code.HOOK_ERROR, ErrorType.HOOK_BLOCKED)
    assert (refusal.action_hint, refusal.overridable) == (ActionHint.RETRY, False)
    assert refusal.paths == ("src/a.py",)


def test_every_leased_file_of_an_action_is_named() -> None:
    """An agent that is told of one would only run into the next."""
    other = Target("src/c.py", lease=replace(LEASE, path="src/c.py", session_id="tester"))
    refusal = first_refusal(FACTS, Action("apply_patch", (TAKEN, other)), ENFORCED, GATE)
    assert refusal is not None
    assert refusal.paths == ("src/a.py", "src/c.py")
    assert "session builder" in refusal.error and "; src/c.py is being changed by session tester" in refusal.error


def test_a_free_file_passes_and_without_enforcement_so_does_a_leased_one() -> None:
    """By default a lease only warns, which is not the gate's business."""
    assert first_refusal(FACTS, Action("write_to_file", (FREE,)), ENFORCED, GATE) is None
    assert first_refusal(FACTS, Action("write_to_file", (TAKEN,)), Policy(), GATE) is None


def test_leases_come_last() -> None:
    """The contract's ten checks keep their order and their numbers; whoever may not write at all hears that first."""
    assert GATE[-1] is checks.paths_are_not_leased
    stale = replace(TAKEN, current_hash="sha256:1", base_hash="sha256:2")
    refusal = first_refusal(FACTS, Action("write_to_file", (stale,)), ENFORCED, GATE)
    assert refusal is not None and refusal.code is Code.STALE_CONTEXT


def test_a_lease_of_another_machine_names_it_and_belongs_to_no_session_here() -> None:
    """Two machines may have sessions of one id."""
    here = Lease("a.py", "s", "INT-001", NOON, NOON, NOON + timedelta(minutes=1), fence=7)
    there = replace(here, host="build-7")
    assert (here.belongs_to("s"), here.belongs_to("t"), there.belongs_to("s")) == (True, False, False)
    assert "by session s under" in here.sentence
    assert "by session s on build-7 under" in there.sentence


def test_a_record_tells_of_a_lease_by_its_fence_and_two_times() -> None:
    """Exactly, and in UTC."""
    use = FencedUse(7, NOON, NOON + timedelta(microseconds=1500))
    day = NOON.date().isoformat()
    assert use.to_json() == {"fence": 7, "since": f"{day}T12:00:00Z", "used": f"{day}T12:00:00.001500Z"}


def test_no_name_in_the_sentence_hides_something_or_begins_a_line() -> None:
    """Another process or machine chose them."""
    odd = replace(LEASE, session_id="a\x1b[2J\nb", intent_id="I\u202e", host="h\u200b", path="x")
    assert odd.sentence.isprintable()
    assert "session a[U+001B][2J[U+000A]b on h[U+200B] under I[U+202E] since" in odd.sentence

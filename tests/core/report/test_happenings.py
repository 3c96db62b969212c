"""Attempts, approvals, decisions, and what kind of thing a record tells of."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.report.happenings import approvals, attempts, decisions
from intentls.core.report.records import Kind, approver_of, is_outside, kind_of, moment_of, name_of, who_of
from intentls.core.report.timeline import PARTS, timeline
from tests.core.report.samples import ADA, record, refusal

OVERRIDE = {"by": "Ben", "action": "Approve", "code": "SCOPE_VIOLATION"}


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (record("a.py"), Kind.CHANGED),
        (refusal("a.py"), Kind.REFUSED),
        (record("a.py", override=OVERRIDE), Kind.LET_PASS),
        (record("a.py", tool_name="attest", attestation={"by": "Ben"}), Kind.ATTESTED),
        (record("i.yaml", tool_name="set_status"), Kind.DECIDED),
        (record(), Kind.OTHER),
        (record("a.py", success=False), Kind.OTHER),
        ({}, Kind.OTHER),
    ],
)
def test_a_record_is_of_one_kind(one: Any, kind: Kind) -> None:
    """What a person let pass is no ordinary change; a tool that failed by itself was not refused."""
    assert kind_of(one) is kind


def test_attempts_out_of_scope_are_told_from_other_refusals() -> None:
    """Those that went ahead all the same, too; what a person let pass or vouched for is neither."""
    ahead = record("b.py", scope_validation="FAIL", code="SCOPE_VIOLATION", error="Out.")
    silent = record("c.py", scope_validation="FAIL")
    stale = refusal("a.py", code="STALE_CONTEXT")
    passed = record("d.py", scope_validation="FAIL", overrides=[OVERRIDE])
    vouched = record("e.py", scope_validation="FAIL", tool_name="attest", attestation={"by": "Ben"})
    outside, others = attempts(".", [refusal("a.py"), ahead, silent, stale, passed, vouched, record("f.py")])
    assert [(one.paths, one.went_ahead, one.message) for one in outside] == [
        (("a.py",), False, "SCOPE_VIOLATION it is."),
        (("b.py",), True, "Out."),
        (("c.py",), True, ""),
    ]
    assert [(one.code, one.went_ahead) for one in others] == [("STALE_CONTEXT", False)]
    assert not is_outside(vouched)


def test_the_same_refusal_again_is_counted() -> None:
    """With the first and the last time; another message is another attempt."""
    late, early = refusal("a.py", time="2026-02-18T12:00:00Z"), refusal("a.py", time="2026-02-18T09:00:00Z")
    (one, other), _ = attempts(".", [late, early, refusal("a.py", error="Else.")])
    assert (one.count, one.first, one.last) == (2, "2026-02-18T09:00:00Z", "2026-02-18T12:00:00Z")
    assert (other.count, other.message) == (1, "Else.")


def test_an_approval_names_who_let_what_pass_for_whom() -> None:
    """Each override of a record, with its reason where one is on record."""
    second = {"action": 7}
    (one, two) = approvals(".", [record("a.py", overrides=[OVERRIDE, second], reason="urgent"), record("b.py")])
    assert (one.by, one.action, one.code, one.paths, one.who, one.reason) == (
        *("Ben", "Approve", "SCOPE_VIOLATION", ("a.py",)),
        *("claude-opus-4-5 for Ada", "urgent"),
    )
    assert (two.by, two.action, two.code) == ("user", "", "")


def test_decisions_about_intents_have_who_and_why() -> None:
    """In the ledger's words for what was done."""
    wider = record("i.yaml", by=ADA, tool_name="expand_scope", reason="the build needs it")
    (one,) = decisions(".", [wider, record("a.py")])
    assert (one.what, one.who, one.reason, one.intent_id) == ("expand_scope", "Ada", "the build needs it", "INT-001")


@pytest.mark.parametrize(
    ("contributor", "name"),
    [
        ({"type": "human", "name": "Ada"}, "Ada"),
        ({"type": "human"}, "person"),
        ({"type": "ai"}, "agent"),
        ({"type": "ai", "on_behalf_of": "Ada"}, "agent for Ada"),
        ({"type": "ai", "model_id": "a/b/opus", "name": "Eve"}, "opus"),
        ({"type": "mixed"}, "several"),
        ({"type": ["human"], "model_id": 3}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_a_contributor_is_called_by_name_or_kind(contributor: dict[str, Any], name: str) -> None:
    """An agent does not pass for a person, whatever a record says."""
    assert name_of(contributor) == name


def test_odd_records_break_nothing() -> None:
    """A ledger's line may have been written by anybody."""
    odd: Any = {"files": [{"path": 3, "conversations": [{"contributor": "Eve"}]}], "overrides": "all", "code": 1}
    assert who_of(odd) == "session unknown"
    assert approver_of({"by": 1}) == "user"
    assert attempts(".", [odd]) == ((), ())
    assert approvals(".", [odd]) == ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-02-18T10:00:00Z", "2026-02-18T10:00:00+00:00"),
        ("2026-02-18T10:00:00", "2026-02-18T10:00:00+00:00"),
        ("2026-02-18T10:00:00+02:00", "2026-02-18T08:00:00+00:00"),
        ("9999-12-31T23:59:59-14:00", None),
        ("soon", None),
    ],
)
def test_a_moment_is_in_utc(text: str, shown: str | None) -> None:
    """What is no time, or none that a calendar has, is None."""
    moment = moment_of(text)
    assert (None if moment is None else moment.isoformat()) == shown


def test_a_timeline_counts_in_equal_parts() -> None:
    """From the first moment to the last; what has no time is counted apart."""
    hours = [("x", f"2026-02-18T{hour}:00:00Z") for hour in (10, 11, 14)]
    drawn = timeline([*hours, ("x", "soon")], ["x", "y"])
    (lane,) = drawn.lanes
    assert {place: number for place, number in enumerate(lane.parts) if number} == {0: 1, PARTS // 4: 1, PARTS - 1: 1}
    assert (lane.count, drawn.undated) == (3, 1)


def test_a_timeline_of_one_moment_or_none() -> None:
    """One moment is its first part; without any there is no lane."""
    assert timeline([("x", "2026-02-18T10:00:00Z")] * 2, ["x"]).lanes[0].parts[0] == 2
    assert timeline([("x", "")], ["x"]).lanes == ()

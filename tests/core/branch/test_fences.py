"""Late writes are found by what records say of their leases, whatever the hosts' clocks said."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from intentls.core.branch.fences import finished_later, late_writes
from intentls.core.branch.findings import BranchCode
from intentls.core.intents.lease import FencedUse

Json = dict[str, Any]


def record(session: str, fence: int, since: str, used: str, path: str = "a.py", **other: object) -> Json:
    """A record of one change under a lease; times as minutes of one hour."""
    lease = {"fence": fence, "since": f"2026-02-18T12:{since}:00Z", "used": f"2026-02-18T12:{used}:00Z"}
    file = {"path": path, "change": "modify", "lease": lease}
    return {"id": f"{session}-{fence}-{used}", "session_id": session, "success": True, "files": [file], **other}


def late(new: list[Json], old: list[Json]) -> list[tuple[str, ...]]:
    """The ids of late records, each with the one that shows it."""
    return [finding.record_ids for finding in late_writes(new, lambda: old, "")]


def test_a_write_after_the_path_was_taken_over_is_late() -> None:
    """The worked example of the module, with the path as git has it."""
    found = late_writes([record("s", 5, "00", "31")], lambda: [record("t", 7, "30", "32")], "services/")
    assert [(one.code, one.path, one.record_ids) for one in found] == [
        (BranchCode.LATE_WRITE, "services/a.py", ("s-5-31", "t-7-32"))
    ]
    assert (
        "session s at 2026-02-18T12:31:00Z under lease 5, which session t had taken over as lease 7" in found[0].message
    )


def test_a_write_before_the_path_was_taken_over_is_in_time() -> None:
    """And so is the one of whoever took it over, and one of another path."""
    assert late([record("s", 5, "00", "29"), record("t", 7, "30", "32")], []) == []
    assert late([record("s", 5, "00", "31")], [record("t", 7, "30", "32", path="b.py")]) == []


def test_the_first_that_took_over_shows_it() -> None:
    """However many did, in whatever order their records stand."""
    others = [
        record("v", 9, "50", "51"),
        record("t", 7, "20", "22"),
        record("t", 7, "20", "23"),
        record("u", 8, "40", "41"),
    ]
    assert late([record("s", 5, "00", "31")], others) == [("s-5-31", "t-7-22")]
    assert late([record("t", 7, "20", "45")], others) == [("t-7-45", "u-8-41")]


def test_records_of_one_branch_are_compared_with_each_other() -> None:
    """The base may have neither."""
    assert late([record("t", 7, "30", "32"), record("s", 5, "00", "31")], []) == [("s-5-31", "t-7-32")]


def test_only_the_branch_answers_for_its_records() -> None:
    """What the base has was judged where it came from; it is not even read where no lease is named."""
    assert late([record("t", 7, "30", "32")], [record("s", 5, "00", "31")]) == []
    assert late_writes([{"success": True, "files": [{"path": "a.py"}]}], lambda: pytest.fail("it was read"), "") == []


@pytest.mark.parametrize(
    "lease",
    [None, 7, {}, {"fence": "7"}, {"fence": 5, "since": "noon", "used": "2026-02-18T12:31:00Z"},
     {"fence": 5, "since": "2026-02-18T12:00:00", "used": "2026-02-18T12:31:00Z"},
     {"fence": 5, "since": "2026-02-18T12:00:00Z", "used": 3}],
)  # fmt: skip
def test_what_is_no_lease_counts_for_nothing(lease: object) -> None:
    """A ledger may hold anything."""
    strange = record("s", 5, "00", "31")
    strange["files"][0]["lease"] = lease
    assert late([strange], [record("t", 7, "30", "32")]) == []


def test_a_refused_change_is_not_late() -> None:
    """It did not happen."""
    assert late([record("s", 5, "00", "31", success=False)], [record("t", 7, "30", "32")]) == []


def test_a_change_that_was_finished_nobody_knows_when_may_be_late() -> None:
    """As soon as another took the path over; before that there is nothing it could be late for."""
    unknown = finished_later(record("s", 5, "00", "01"), {})
    assert unknown["files"][0]["lease"] == {"fence": 5, "since": "2026-02-18T12:00:00Z"}
    found = late_writes([unknown], lambda: [record("t", 7, "30", "32")], "")
    assert [one.record_ids for one in found] == [("s-5-01", "t-7-32")]
    assert (
        "finished by the next process after a kill, at a time that is not known: maybe after session t had"
        in found[0].message
    )
    assert late([unknown], [record("t", 4, "00", "00")]) == []


def test_a_change_that_was_finished_later_says_when() -> None:
    """By what the store of leases knew then. Files without a lease stay as they are."""
    other = {"path": "b.py", "change": "add"}
    before = record("s", 5, "00", "01")
    before["files"].append(other)
    moment = datetime(2026, 2, 18, 12, 40, tzinfo=UTC)
    after = finished_later(before, {"a.py": FencedUse(6, moment, moment)})
    lease = {"fence": 5, "since": "2026-02-18T12:00:00Z", "used": "2026-02-18T12:40:00Z"}
    assert [file.get("lease") for file in after["files"]] == [lease, None]
    assert after["files"][1] == other
    assert late([after], [record("t", 7, "30", "32")]) == [("s-5-01", "t-7-32")]
    assert finished_later({"id": "x"}, {}) == {"id": "x"}

"""Which attestations count, by policy, and what is said of each."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.gate.policy import Attest
from intentls.core.ledger.record_json import ATTEST
from intentls.engine.branch_check.attested_changes import AttestationState, AttestedChange, attested_changes


def record(by: str, author: str = "Ada", *, success: bool = True) -> dict[str, Any]:
    """Of `a`, which went from content `1` to `2`."""
    ranges = [{"start_line": 2, "end_line": 3}]
    return {
        "id": f"of {by}",
        "tool_name": ATTEST,
        "success": success,
        "attestation": {"by": by, "reason": "why", "author": author, "commit": "c0ffee"},
        "files": [{"path": "a", "pre_hash": "1", "post_hash": "2", "conversations": [{"ranges": ranges}]}],
    }


def states(policy: Attest, *records: dict[str, Any]) -> list[str]:
    return [change.state.value for change in attested_changes(records, "", policy)]


def test_an_attested_change_says_who_vouched_for_what() -> None:
    assert attested_changes([record("Bob")], "sub/", Attest.REVIEW) == [
        AttestedChange(
            *("sub/a", ((2, 3),), "Bob", "why", "Ada", "c0ffee", "of Bob", ("1", "2")), AttestationState.ACCEPTED
        )
    ]


@pytest.mark.parametrize(
    ("policy", "by", "state"),
    [
        (Attest.ALLOW, "Ada", "accepted"),
        (Attest.REVIEW, "Ada", "unreviewed"),
        (Attest.REVIEW, "Bob", "accepted"),
        (Attest.DENY, "Ada", "denied"),
        (Attest.DENY, "Bob", "denied"),
    ],
)
def test_the_policy_decides_whether_an_attestation_counts(policy: Attest, by: str, state: str) -> None:
    assert states(policy, record(by)) == [state]


def test_one_review_counts_for_every_attestation_of_the_same_change() -> None:
    assert states(Attest.REVIEW, record("Ada"), record("Bob")) == ["accepted", "accepted"]


def test_what_was_refused_and_what_nobody_attested_is_no_attestation() -> None:
    plain = record("Ada") | {"tool_name": "write_to_file"}
    assert states(Attest.ALLOW, record("Ada", success=False), plain) == []

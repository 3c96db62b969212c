"""What people vouched for on a branch, and whether the policy lets that stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.core.gate.policy import Attest
from intentls.core.ledger.person import UNNAMED
from intentls.core.ledger.record_json import FileJson, RecordJson, attestation_of, files_of, objects, text_of


class AttestationState(StrEnum):
    """Whether an attestation counts. One that is unreviewed counts, and is a warning."""

    ACCEPTED = "accepted"
    UNREVIEWED = "unreviewed"
    DENIED = "denied"


class AttestedChange(Struct, frozen=True):
    """A change of one file that `by` vouched for. `author` made it; `commit` is None if it was not committed then.

    `path` is relative to the top of the repository, `lines` (from 1, both included) are those of the new content.
    `content` is what the file had before and after it, by hash.
    """

    path: str
    lines: tuple[tuple[int, int], ...]
    by: str
    reason: str
    author: str
    commit: str | None
    record_id: str
    content: tuple[str | None, str | None]
    state: AttestationState

    def finding(self) -> BranchFinding:
        """The warning that somebody else should look at it."""
        return BranchFinding(
            BranchCode.UNREVIEWED_ATTESTATION,
            self.path,
            f"Attested by {self.by}, who made the change. The policy asks for somebody else: `intentls attest`.",
            self.lines,
            record_ids=(self.record_id,),
            level=FindingLevel.WARNING,
        )


def attested_changes(records: Iterable[RecordJson], prefix: str, policy: Attest) -> list[AttestedChange]:
    """The attestations among `records` of the root at `prefix`, file by file.

    Under `review`, a change is reviewed as soon as somebody other than its author vouched for it.
    """
    changes = [
        (record, file)
        for record in records
        if attestation_of(record) is not None and record.get("success") is True
        for file in files_of(record)
    ]
    reviewed = {
        _content(file)
        for record, file in changes
        if _text(record, "by") not in (_text(record, "author"), UNNAMED)  # an unnamed person may be the author
    }
    return [
        AttestedChange(
            prefix + str(file.get("path")),
            tuple(_lines(file)),
            _text(record, "by"),
            _text(record, "reason"),
            _text(record, "author"),
            text_of(attestation_of(record) or {}, "commit"),
            str(record.get("id")),
            (text_of(file, "pre_hash"), text_of(file, "post_hash")),
            _state(policy, is_reviewed=_content(file) in reviewed),
        )
        for record, file in changes
    ]


def _state(policy: Attest, *, is_reviewed: bool) -> AttestationState:
    if policy is Attest.DENY:
        return AttestationState.DENIED
    return AttestationState.UNREVIEWED if policy is Attest.REVIEW and not is_reviewed else AttestationState.ACCEPTED


def _content(file: FileJson) -> tuple[str | None, ...]:
    return tuple(text_of(file, key) for key in ("path", "pre_hash", "post_hash"))


def _text(record: RecordJson, key: str) -> str:
    return text_of(attestation_of(record) or {}, key) or "unknown"


def _lines(file: FileJson) -> Iterator[tuple[int, int]]:
    for conversation in objects(file.get("conversations")):
        for lines in objects(conversation.get("ranges")):
            start, end = lines.get("start_line"), lines.get("end_line")
            if isinstance(start, int) and isinstance(end, int):
                yield start, end

"""What `check --base` found, for programs: JSON and GitHub's annotations; `branch_sarif` has SARIF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from intentls.core.branch.findings import BranchCode
from intentls.engine.wire.reports import ok

if TYPE_CHECKING:  # as in `reports`
    from intentls.core.branch.findings import BranchFinding
    from intentls.engine.branch_check.attest import AttestResult
    from intentls.engine.branch_check.attested_changes import AttestedChange
    from intentls.engine.branch_check.check import BranchReport
    from intentls.engine.branch_check.commit_binding import CommitBinding
    from intentls.engine.branch_check.settle import Settlement

Json = dict[str, Any]

RULES: Mapping[BranchCode, str] = {
    BranchCode.UNCOVERED_CHANGE: "A file changed, and no record of the ledger tells of it.",
    BranchCode.CONTENT_MISMATCH: "A file has records, and none of them leads to what it holds.",
    BranchCode.INTENT_REQUIRED: "A change is on record, under no intent.",
    BranchCode.INTENT_NOT_FOUND: "A change was made under an intent that is not declared.",
    BranchCode.INTENT_CLOSED: "A change was made under an intent that was closed all along.",
    BranchCode.INTENT_IGNORED: "A change was made under an intent that .intentignore takes out of use.",
    BranchCode.SCOPE_VIOLATION: "A change was made outside the scope of its intent.",
    BranchCode.INTENTIGNORE_PATH_BLOCKED: "A file changed that .intentignore puts off limits.",
    BranchCode.PROTECTED_PATH: "A file changed where no guarded edit may write.",
    BranchCode.CONSTRAINT_VIOLATION: "A change breaks a constraint of its intent.",
    BranchCode.SUBMODULE_CHANGED: "A submodule was added, moved or removed.",
    BranchCode.LEDGER_REWRITTEN: "Records of the base's ledger are gone or altered.",
    BranchCode.LEDGER_BROKEN: "The ledger no longer verifies.",
    BranchCode.SCOPE_WIDENED: "A scope reaches further, and no record gives a reason.",
    BranchCode.INTENT_REOPENED: "A closed intent is open again, which no record tells.",
    BranchCode.INTENT_REMOVED: "An intent is no longer declared.",
    BranchCode.INTENT_NEW: "An intent was declared on this branch.",
    BranchCode.RULE_DROPPED: "An intent lost a constraint or an acceptance criterion.",
    BranchCode.POLICY_LOOSENED: "The policy is less strict.",
    BranchCode.IGNORE_LOOSENED: "What .intentignore put off limits no longer is.",
    BranchCode.UNCOVERED_DECLARATION: "A declared or derived file changed, without a record or a commit of its own.",
    BranchCode.CONFIGURATION_INVALID: "The intents have an error, or are gone.",
    BranchCode.ROOT_CHANGED: "A root was removed, or begun inside another one.",
    BranchCode.UNREVIEWED_ATTESTATION: "Only the author of a change without a record vouched for it.",
    BranchCode.UNSIGNED_RECORDS: "Records are in no segment that is signed as the policy asks.",
    BranchCode.SIGNATURE_DAMAGED: "A signature is altered or damaged.",
    BranchCode.SIGNATURE_NAMESPACE: "A signature was made for another purpose.",
    BranchCode.SIGNATURE_REPOSITORY: "A signature was made in another repository.",
    BranchCode.SIGNATURE_SWAPPED: "A signature was made for another segment.",
    BranchCode.SIGNATURE_REPLAYED: "A signature is an older one, and the segment has grown since.",
    BranchCode.SIGNATURE_REMOVED: "A signature of the base is gone or altered.",
    BranchCode.SEGMENT_TRUNCATED: "Records are missing that were signed.",
    BranchCode.SEGMENT_REBUILT: "A segment holds other records than those that were signed.",
    BranchCode.SIGNER_ADDED: "A key may sign only as this branch has it.",
    BranchCode.SIGNER_NOT_ALLOWED: "A signature is by a key that may not sign.",
    BranchCode.APPROVAL_UNSIGNED: "Nobody signed an approval in the name that it bears.",
    BranchCode.LATE_WRITE: "A session changed a file after another one had taken its lease over.",
}
ATTESTED = "ATTESTED"
"""The rule and the title under which viewers show what people vouched for."""


def as_json(report: BranchReport) -> Json:
    """The whole report."""
    return ok(
        clean=not report.errors,
        base=report.base,
        head=report.head,
        roots=list(report.roots),
        files=report.files,
        errors=report.errors,
        warnings=report.warnings,
        findings=[_finding(finding) for finding in report.findings],
        notes=list(report.notes),
        attestations=[_attestation(change) for change in report.attestations],
    )


def _attestation(change: AttestedChange) -> Json:
    return {
        "path": change.path,
        "lines": [{"start_line": start, "end_line": end} for start, end in change.lines],
        "by": change.by,
        "reason": change.reason,
        "author": change.author,
        "commit": change.commit,
        "record_id": change.record_id,
        "state": change.state.value,
    }


def _finding(finding: BranchFinding) -> Json:
    return {
        "code": finding.code.value,
        "level": finding.level.value,
        "path": finding.path,
        "lines": [{"start_line": start, "end_line": end} for start, end in finding.lines],
        "message": finding.message,
        "intent_id": finding.intent_id,
        "record_ids": list(finding.record_ids),
    }


def attested_sentence(change: AttestedChange) -> str:
    """Who vouched for a change, who made it, and why."""
    where = f" in {change.commit[:12]}" if change.commit else ""
    return f"Attested by {change.by}, changed by {change.author}{where}: {change.reason} ({change.state})"


def as_annotations(report: BranchReport) -> Iterator[str]:
    """Lines that GitHub Actions shows beside the changed lines. One for each stretch of lines."""
    for finding in report.findings:
        for start, end in finding.lines or ((1, 1),):
            properties = {"file": finding.path, "line": str(start), "endLine": str(end), "title": finding.code.value}
            shown = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
            yield f"::{finding.level} {shown}::{_data(finding.message)}"
    for change in report.attestations:
        start, end = change.lines[0] if change.lines else (1, 1)
        properties = {"file": change.path, "line": str(start), "endLine": str(end), "title": ATTESTED}
        shown = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
        yield f"::notice {shown}::{_data(attested_sentence(change))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_attested(result: AttestResult, *, dry_run: bool) -> Json:
    """`attest`."""
    return ok(
        by=result.by,
        dry_run=dry_run,
        attested=[
            {
                "path": step.path,
                "author": step.author,
                "commit": step.commit or None,
                "lines": step.lines,
                "trace_id": step.record_id,
            }
            for step in result.steps
        ],
        explained=list(result.untouched),
    )


def as_bound(found: Sequence[CommitBinding], settlements: Sequence[Settlement]) -> Json:
    """`trace bind`: what was bound, and the classes that the commit settled."""
    return ok(
        bindings=[
            {
                "root": str(bound.root),
                "revision": bound.revision,
                "records": list(bound.records),
                "waiting": list(bound.waiting),
                "trace_id": bound.record_id,
            }
            for bound in found
        ],
        settled=[
            {
                "root": str(settlement.root),
                "trace_id": settlement.record_id,
                "supersedes": [one.to_json() for one in settlement.superseded],
            }
            for settlement in settlements
        ],
    )

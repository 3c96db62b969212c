"""What `check --base` found, for programs: JSON, SARIF 2.1.0, GitHub's annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import intentls
from intentls.core.branch.findings import BranchCode
from intentls.engine.wire.reports import ok

if TYPE_CHECKING:  # as in `reports`
    from intentls.core.branch.findings import BranchFinding
    from intentls.engine.branch_check.attest import AttestResult
    from intentls.engine.branch_check.attested_changes import AttestedChange
    from intentls.engine.branch_check.check import BranchReport
    from intentls.engine.branch_check.commit_binding import CommitBinding

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


def as_sarif(report: BranchReport) -> Json:
    """A SARIF 2.1.0 log with one run. Paths are relative to the top of the repository (`%SRCROOT%`)."""
    rules = [{"id": code.value, "shortDescription": {"text": text}} for code, text in RULES.items()]
    rules.append({"id": ATTESTED, "shortDescription": {"text": "A person vouched for a change without a record."}})
    return {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "intentls", "semanticVersion": intentls.__version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top of the repository."}}},
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": {"text": note}} for note in report.notes
                        ],
                    }
                ],
                "results": [*map(_result, report.findings), *map(_note, report.attestations)],
            }
        ],
    }


def _result(finding: BranchFinding) -> Json:
    place: Json = {"artifactLocation": {"uri": _uri(finding.path), "uriBaseId": "%SRCROOT%"}}
    locations = [
        {"physicalLocation": {**place, "region": {"startLine": start, "endLine": end}}} for start, end in finding.lines
    ]
    properties: Json = {"recordIds": list(finding.record_ids)}
    if finding.intent_id is not None:
        properties["intentId"] = finding.intent_id
    return {
        "ruleId": finding.code.value,
        "ruleIndex": list(RULES).index(finding.code),
        "level": finding.level.value,
        "message": {"text": finding.message},
        "locations": locations[:1] or [{"physicalLocation": place}],
        "relatedLocations": [{"id": number, **each} for number, each in enumerate(locations[1:], start=1)],
        "partialFingerprints": {"intentls/v1": f"{finding.code}:{_uri(finding.path)}:{finding.intent_id or ''}"},
        "properties": properties,
    }


def _note(change: AttestedChange) -> Json:
    start, end = change.lines[0] if change.lines else (1, 1)
    place = {"artifactLocation": {"uri": _uri(change.path), "uriBaseId": "%SRCROOT%"}}
    return {
        "ruleId": ATTESTED,
        "ruleIndex": len(RULES),
        "level": "note",
        "message": {"text": attested_sentence(change)},
        "locations": [{"physicalLocation": {**place, "region": {"startLine": start, "endLine": end}}}],
        "properties": {"recordIds": [change.record_id]},
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


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


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


def as_bound(found: Sequence[CommitBinding]) -> Json:
    """`trace bind`."""
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
        ]
    )

"""What `check --base` found, as a SARIF 2.1.0 log: with all that code-scanning hosts ask of a log and its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import intentls
from intentls.core.branch.findings import BranchCode
from intentls.engine.wire.branch_report import ATTESTED, RULES, attested_sentence

if TYPE_CHECKING:  # as in `reports`
    from intentls.core.branch.findings import BranchFinding
    from intentls.engine.branch_check.attested_changes import AttestedChange
    from intentls.engine.branch_check.check import BranchReport

Json = dict[str, Any]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_HOME = "https://github.com/intentls/intentls"
_PAGE = f"{_HOME}/blob/main/docs/reference/branch-check.md"
_ATTESTED = "A person vouched for a change without a record."

_ADVICE: Mapping[str, str] = {
    BranchCode.UNCOVERED_CHANGE: "Commit the ledger with the record of the change, or attest it: `intentls attest`.",
    BranchCode.CONTENT_MISMATCH: "Commit the ledger with all records, or attest the lines: `intentls attest`.",
    BranchCode.INTENT_REQUIRED: "Select an intent, and save the file again under it.",
    BranchCode.INTENT_NOT_FOUND: "Declare the intent.",
    BranchCode.INTENT_CLOSED: "Open the intent, or work under another one.",
    BranchCode.INTENT_IGNORED: "Work under another intent.",
    BranchCode.SCOPE_VIOLATION: "Revert the change, or expand the scope with a reason: `intentls expand`.",
    BranchCode.INTENTIGNORE_PATH_BLOCKED: "Revert the change.",
    BranchCode.PROTECTED_PATH: "Keep the file elsewhere.",
    BranchCode.CONSTRAINT_VIOLATION: "Change it so that the constraint holds, or have a person approve it.",
    BranchCode.SUBMODULE_CHANGED: "Look at what the submodule brings in.",
    BranchCode.LEDGER_REWRITTEN: "Put the records back: `intentls trace restore`.",
    BranchCode.LEDGER_BROKEN: "`intentls trace verify` shows the lines.",
    BranchCode.SCOPE_WIDENED: "Expand the scope with a reason, or attest it: `intentls attest`.",
    BranchCode.INTENT_REOPENED: "Set the status on record (`intentls set-status`), or attest it.",
    BranchCode.INTENT_REMOVED: "Close the intent instead: the ledger may cite it.",
    BranchCode.INTENT_NEW: "Read its scope: is that what was agreed on?",
    BranchCode.RULE_DROPPED: "Put the rule back, or attest it: `intentls attest`.",
    BranchCode.POLICY_LOOSENED: "Decide it on a branch of its own.",
    BranchCode.IGNORE_LOOSENED: "Decide it on a branch of its own.",
    BranchCode.UNCOVERED_DECLARATION: "Commit the file by itself, so that a reviewer sees the decision.",
    BranchCode.CONFIGURATION_INVALID: "Fix the file.",
    BranchCode.ROOT_CHANGED: "Decide it on a branch of its own.",
    BranchCode.UNREVIEWED_ATTESTATION: "Let another person attest the change: `intentls attest`.",
    BranchCode.UNSIGNED_RECORDS: "Sign the segments, and commit the signatures: `intentls sign`.",
    BranchCode.SIGNATURE_DAMAGED: "Restore the signature, or sign again: `intentls sign`.",
    BranchCode.SIGNATURE_NAMESPACE: "Sign the segment: `intentls sign`.",
    BranchCode.SIGNATURE_REPOSITORY: "Sign the segment here: `intentls sign`.",
    BranchCode.SIGNATURE_SWAPPED: "Restore the segment and its signature.",
    BranchCode.SIGNATURE_REPLAYED: "Read what was added since it was signed.",
    BranchCode.SIGNATURE_REMOVED: "Restore the base's file: `git checkout`.",
    BranchCode.SEGMENT_TRUNCATED: "Restore the segment.",
    BranchCode.SEGMENT_REBUILT: "Restore the segment.",
    BranchCode.SIGNER_ADDED: "Decide it on a branch of its own.",
    BranchCode.SIGNER_NOT_ALLOWED: "Have a person sign who may.",
    BranchCode.APPROVAL_UNSIGNED: "Have the person named in it sign: `intentls sign --countersign`.",
    BranchCode.LATE_WRITE: "Look at what each session made of the file.",
    ATTESTED: "Is that the person who may vouch for it, and is the reason one?",
}
"""What to do about a finding, in a sentence."""


def as_sarif(report: BranchReport) -> Json:
    """A SARIF 2.1.0 log with one run. Paths are relative to the top of the repository (`%SRCROOT%`)."""
    driver = {
        "name": "intentls",
        "fullName": f"intentls {intentls.__version__}",
        "semanticVersion": intentls.__version__,
        "informationUri": _HOME,
        "rules": list(_rules()),
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
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


def _rules() -> Iterator[Json]:
    """Each rule, with a name in the form that viewers expect, and what to do about its findings."""
    for code, sentence in {**{str(code): text for code, text in RULES.items()}, ATTESTED: _ATTESTED}.items():
        anchor = "attestations" if code == ATTESTED else "findings"
        advice = _ADVICE[code]
        yield {
            "id": code,
            "name": "".join(word.capitalize() for word in f"{code}_FINDING".split("_")),  # must differ from the id
            "shortDescription": {"text": sentence},
            "fullDescription": {"text": f"{sentence} {advice.replace('`', '')}"},
            "help": {
                "text": f"{advice.replace('`', '')} {_PAGE}#{anchor}",
                "markdown": f"{advice} [All findings of the branch check]({_PAGE}#{anchor}).",
            },
            "helpUri": f"{_PAGE}#{anchor}",
        }


def _result(finding: BranchFinding) -> Json:
    place: Json = {"artifactLocation": {"uri": _uri(finding.path), "uriBaseId": "%SRCROOT%"}}
    locations = [
        {"physicalLocation": {**place, "region": {"startLine": start, "endLine": end}}}
        for start, end in finding.lines or ((1, 1),)  # hosts show no finding without a line
    ]
    properties: Json = {"recordIds": list(finding.record_ids)}
    if finding.intent_id is not None:
        properties["intentId"] = finding.intent_id
    return {
        "ruleId": finding.code.value,
        "ruleIndex": list(RULES).index(finding.code),
        "level": finding.level.value,
        "message": {"text": finding.message},
        "locations": locations[:1],
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


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")

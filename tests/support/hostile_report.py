"""A report whose every text is an attacker's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from intentls.core.branch.findings import BranchCode, BranchFinding
from intentls.core.intents.intent import Command, Intent, Status
from intentls.core.intents.scope import Scope
from intentls.core.mutation.classes import Change
from intentls.core.report.compose import make_report
from intentls.core.report.content import Report
from intentls.core.report.facts import (
    FileFacts,
    LineGroup,
    LoggedCommit,
    ReportFacts,
    ReportSubject,
    RootFacts,
    Vouched,
)


def report_of(text: str) -> Report:
    """A report in which `text` stands at each place that others may write."""
    return make_report(facts_of(text))


def report_of_all(texts: Iterable[str]) -> Report:
    """One report with all of the texts, each at every place."""
    all_ = [facts_of(text) for text in texts]
    return make_report(
        ReportFacts(
            all_[0].subject,
            tuple(root for facts in all_ for root in facts.roots),
            tuple(file for facts in all_ for file in facts.files),
            0,
            tuple(finding for facts in all_ for finding in facts.findings),
            tuple(one for facts in all_ for one in facts.attestations),
            tuple(commit for facts in all_ for commit in facts.commits),
            tuple(note for facts in all_ for note in facts.notes),
        )
    )


def facts_of(text: str) -> ReportFacts:
    """What such a report is made from."""
    who: Any = {"type": "human", "name": text}
    model: Any = {"type": "ai", "model_id": text, "on_behalf_of": text}

    def record(intent_id: str, **keys: Any) -> Any:
        return {
            "timestamp": "2026-02-18T10:00:00Z",
            "intent_id": intent_id,
            "session_id": text,
            "tool_name": text,
            "mutation_class": text,
            "success": True,
            "files": [{"path": text, "post_hash": "x", "conversations": [{"contributor": model}]}],
            **keys,
        }

    wrote, free = record(text), record("UNTRACKED")
    vouched = record("UNTRACKED", tool_name="attest", attestation={"by": text, "reason": text, "author": text})
    records = [
        *(wrote, free, vouched, record(text, timestamp=text)),
        record(text, success=False, code=text, error=text, scope_validation="FAIL"),
        record(text, success=False, code=text, error=text, files=[]),
        record(text, override={"by": text, "action": text, "code": text}, reason=text),
        record(text, tool_name="expand_scope", reason=text),
        record(
            text,
            tool_name="accept_intent",
            acceptance={"by": text, "criteria": [{"criterion": f"run: {text}", "result": text}]},
        ),
    ]
    intent = Intent(
        text, text, Status.DONE, text, Scope(), constraints=(text,), acceptance_criteria=(text, Command(text))
    )
    groups = (LineGroup(3, wrote, model), LineGroup(2, free, who), LineGroup(2, vouched, who), LineGroup(1))
    return ReportFacts(
        ReportSubject("branch", text, "b" * 40, "a" * 40),
        (RootFacts(text, {text: intent}, records),),
        (FileFacts(text, text, Change.RENAME, groups, tuple(records), old_path=text),),
        findings=(
            BranchFinding(BranchCode.CONTENT_MISMATCH, text, text, ((1, 2), (4, 4)), text, (text,)),
            BranchFinding(BranchCode.POLICY_LOOSENED, text, text),
            BranchFinding(BranchCode.INTENT_NEW, text, text),
        ),
        attestations=(Vouched(text, 2, text, text, text, text, "accepted"),),
        commits=(LoggedCommit("c" * 40, text, text, text),),
        notes=(text,),
    )

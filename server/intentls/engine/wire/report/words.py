"""What all forms of a report say in words: the verdict, names of kinds, numbers with their nouns, times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from intentls.core.report.content import DeclaredStep, LineKind, LineShare, Report, Verdict
from intentls.core.report.records import moment_of

_Item = TypeVar("_Item")

KIND_NAMES = {
    LineKind.UNTRACKED: "under no intent",
    LineKind.ATTESTED: "attested",
    LineKind.EARLIER: "explained otherwise",
    LineKind.UNEXPLAINED: "unexplained",
}
CONTRIBUTORS = {"human": "person", "ai": "agent", "mixed": "person and agent"}
STEPS = {
    "new_intent": "declared",
    "set_status": "status set",
    "expand_scope": "scope widened",
    "accept_intent": "accepted",
}
CHANGES = {"add": "added", "modify": "changed", "delete": "deleted", "rename": "renamed"}

HEADINGS = {
    "branch": "What this branch did since it parted from",
    "since": "What was done since",
    "intent": "The life of",
}


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 record`, `2,000 records`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def verdict(report: Report) -> str:
    """The verdict in two or three words."""
    match report.verdict:
        case Verdict.CLEAN:
            return "Clean"
        case Verdict.WARNINGS:
            return f"Passes, with {count(report.warnings, 'warning')}"
        case Verdict.UNGOVERNED:
            return "Not governed"
        case Verdict.UNJUDGED:
            return _state(report)
        case Verdict.ERRORS:
            warnings = f" and {count(report.warnings, 'warning')}" if report.warnings else ""
            return f"{count(report.errors, 'error')}{warnings}"


def _state(report: Report) -> str:
    status = next((intent.status for intent in report.intents), None)
    return status or "Not declared"


def explanation(report: Report) -> str:
    """The verdict in a sentence."""
    match report.verdict:
        case Verdict.CLEAN:
            return "A record explains every change, and every change is in the scope of its intent."
        case Verdict.WARNINGS:
            return "Nothing stands in the way, but somebody should look at the warnings."
        case Verdict.UNGOVERNED:
            return "Nothing governs this repository, so there is nothing to judge it by."
        case Verdict.UNJUDGED:
            return "All that the ledger has about this intent. A report about an intent judges nothing."
        case Verdict.ERRORS:
            return "The ledger does not explain all of this, or rules were broken. The findings say where."


def coverage_sentence(report: Report) -> str:
    """How much is explained, in a sentence."""
    if report.subject.kind == "intent":
        return f"{count(report.lines, 'line')} of this intent {'stands' if report.lines == 1 else 'stand'} today."
    if report.percent is None:
        return "No line of text was added or changed."
    return f"{report.explained:,} of {count(report.lines, 'changed line')} accounted for: {report.percent} %."


def share_name(share: LineShare, *, with_root: bool) -> str:
    """What a share of the lines is called: the intent's id, or its kind."""
    if share.kind is not LineKind.RECORD:
        return KIND_NAMES[share.kind]
    return f"{share.intent_id} ({share.root})" if with_root else str(share.intent_id)


def has_roots(report: Report) -> bool:
    """Whether the report is about more than one root, so that each has to be named."""
    roots = {intent.root for intent in report.intents} | {file.root for file in report.files}
    return roots - {"."} != set()


def step_name(step: DeclaredStep) -> str:
    """What a decision did."""
    return STEPS.get(step.what, step.what)


def lines_of(stretches: Sequence[tuple[int, int]], most: int = 12) -> str:
    """`line 3`, `lines 3-5, 9`; "" for none. Of more than `most` stretches the rest is counted."""
    if not stretches:
        return ""
    shown = [str(start) if start == end else f"{start}-{end}" for start, end in stretches[:most]]
    if len(stretches) > most:
        shown.append(f"and {len(stretches) - most} more stretches")
    return f"{'line' if shown == [str(stretches[0][1])] else 'lines'} {', '.join(shown)}"


def when(timestamp: str | None) -> str:
    """A time to the minute, in UTC; `at an unknown time` for what is none."""
    moment = moment_of(timestamp or "")
    return "at an unknown time" if moment is None else f"{moment:%Y-%m-%d %H:%M}Z"


def first_of(items: Sequence[_Item], most: int) -> tuple[Sequence[_Item], int]:
    """The first `most`, and how many are left out. One alone is never left out: naming it is as short."""
    return (items, 0) if len(items) <= most + 1 else (items[:most], len(items) - most)

"""A report as a value: what every form of it shows, in the order in which it is shown. Texts are as others wrote them.

Times are RFC 3339 as the records have them. Numbers of lines count lines of the new content that are new or changed;
what was deleted has no line to count.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from intentls.core.branch.findings import BranchFinding
from intentls.core.report.facts import LoggedCommit, ReportSubject, Vouched


class Verdict(StrEnum):
    """How the check of a branch ended. `UNGOVERNED`: there is no root; `UNJUDGED`: a report that checks nothing."""

    CLEAN = "clean"
    WARNINGS = "warnings"
    ERRORS = "errors"
    UNGOVERNED = "ungoverned"
    UNJUDGED = "unjudged"


class LineKind(StrEnum):
    """What tells of a changed line."""

    RECORD = "record"  # a record of this report, under an intent
    UNTRACKED = "untracked"  # a record under no intent
    ATTESTED = "attested"  # a person vouched for it
    EARLIER = "earlier"  # the file is explained, but no record of this report wrote the line
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class LineShare:
    """Lines of one kind: those of one intent in one root, for RECORD."""

    kind: LineKind
    lines: int
    intent_id: str | None = None
    root: str | None = None


@dataclass(frozen=True, slots=True)
class CriterionState:
    """An acceptance criterion. `result`: of the newest acceptance on record, else `not run` or `for a person`."""

    criterion: str
    result: str
    by: str | None = None
    timestamp: str | None = None


@dataclass(frozen=True, slots=True)
class IntentReport:
    """An intent that records or lines are under. `changes` counts records of changes, `files` those with its lines."""

    root: str
    intent_id: str
    name: str
    status: str | None
    lines: int
    files: int
    changes: int
    refused: int
    authors: tuple[str, ...]
    approvers: tuple[str, ...]
    scope: tuple[str, ...]
    constraints: tuple[str, ...]
    criteria: tuple[CriterionState, ...]


@dataclass(frozen=True, slots=True)
class AuthorReport:
    """A person or an agent. `kind` is `human`, `ai`, `mixed` or `unknown`; `changes` counts records."""

    name: str
    kind: str
    lines: int
    changes: int
    refused: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the gate refused, or would have, `count` times. `went_ahead`: it was done all the same, unapproved."""

    root: str
    intent_id: str
    code: str
    paths: tuple[str, ...]
    who: str
    tool: str
    message: str
    went_ahead: bool
    count: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Approval:
    """A person let a refused action pass, for `count` records. `reason` is "" where none is on record."""

    root: str
    intent_id: str
    by: str
    action: str
    code: str
    paths: tuple[str, ...]
    who: str
    reason: str
    count: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class DeclaredStep:
    """A decision about an intent that is on record: declared, widened, given a status, accepted."""

    root: str
    intent_id: str
    what: str
    who: str
    reason: str
    timestamp: str


@dataclass(frozen=True, slots=True)
class FileOwner:
    """So many changed lines of a file, and whose they are; `who` is "" for what no record has."""

    kind: LineKind
    intent_id: str | None
    who: str
    lines: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """A file that changed. `intents` are those of its records, also where it has no lines. `findings` counts."""

    root: str
    path: str
    change: str
    old_path: str | None
    lines: int
    owners: tuple[FileOwner, ...]
    intents: tuple[str, ...]
    findings: int


@dataclass(frozen=True, slots=True)
class ClassReport:
    """A mutation class: how many changes on record have it, and how many lines they wrote.

    Of so many of the changes their change set settled it, of so many somebody declared it.
    """

    mutation_class: str
    changes: int
    settled: int
    declared: int
    lines: int


@dataclass(frozen=True, slots=True)
class Lane:
    """One kind of happening: how many, and how many in each of the timeline's equal parts."""

    kind: str
    count: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """When things happened. `start` and `end` are the first and the last moment; `undated` counts those without."""

    start: str | None
    end: str | None
    lanes: tuple[Lane, ...]
    undated: int


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. `percent` of the changed lines are explained, rounded down; None where no line changed."""

    subject: ReportSubject
    verdict: Verdict
    errors: int
    warnings: int
    records: int
    lines: int
    explained: int
    percent: int | None
    own_files: int
    coverage: tuple[LineShare, ...]
    intents: tuple[IntentReport, ...]
    authors: tuple[AuthorReport, ...]
    approvers: tuple[str, ...]
    attestations: tuple[Vouched, ...]
    outside: tuple[Attempt, ...]
    refusals: tuple[Attempt, ...]
    approvals: tuple[Approval, ...]
    unexplained: tuple[BranchFinding, ...]
    loosened: tuple[BranchFinding, ...]
    findings: tuple[BranchFinding, ...]
    decisions: tuple[DeclaredStep, ...]
    classes: tuple[ClassReport, ...]
    timeline: Timeline
    files: tuple[FileReport, ...]
    commits: tuple[LoggedCommit, ...]
    notes: tuple[str, ...]

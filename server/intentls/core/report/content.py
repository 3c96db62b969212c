"""A report as a value: what every form of it shows, in the order in which it is shown. Texts are as others wrote them.

Times are RFC 3339 as the records have them. Numbers of lines count lines of the new content that are new or changed;
what was deleted has no line to count.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

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


class LineShare(Struct, frozen=True):
    """Lines of one kind: those of one intent in one root, for RECORD."""

    kind: LineKind
    lines: int
    intent_id: str | None = None
    root: str | None = None


class CriterionState(Struct, frozen=True):
    """An acceptance criterion. `result`: of the newest acceptance on record, else `not run` or `for a person`."""

    criterion: str
    result: str
    by: str | None = None
    timestamp: str | None = None


class IntentReport(Struct, frozen=True):
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


class AuthorReport(Struct, frozen=True):
    """A person or an agent. `kind` is `human`, `ai`, `mixed` or `unknown`; `changes` counts records."""

    name: str
    kind: str
    lines: int
    changes: int
    refused: int


class Attempt(Struct, frozen=True):
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


class Approval(Struct, frozen=True):
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


class DeclaredStep(Struct, frozen=True):
    """A decision about an intent that is on record: declared, widened, given a status, accepted."""

    root: str
    intent_id: str
    what: str
    who: str
    reason: str
    timestamp: str


class FileOwner(Struct, frozen=True):
    """So many changed lines of a file, and whose they are; `who` is "" for what no record has."""

    kind: LineKind
    intent_id: str | None
    who: str
    lines: int


class FileReport(Struct, frozen=True):
    """A file that changed. `intents` are those of its records, also where it has no lines. `findings` counts."""

    root: str
    path: str
    change: str
    old_path: str | None
    lines: int
    owners: tuple[FileOwner, ...]
    intents: tuple[str, ...]
    findings: int


class ClassReport(Struct, frozen=True):
    """A mutation class: how many changes on record have it, and how many lines they wrote.

    Of so many of the changes their change set settled it, of so many somebody declared it.
    """

    mutation_class: str
    changes: int
    settled: int
    declared: int
    lines: int


class Lane(Struct, frozen=True):
    """One kind of happening: how many, and how many in each of the timeline's equal parts."""

    kind: str
    count: int
    parts: tuple[int, ...]


class Timeline(Struct, frozen=True):
    """When things happened. `start` and `end` are the first and the last moment; `undated` counts those without."""

    start: str | None
    end: str | None
    lanes: tuple[Lane, ...]
    undated: int


class Report(Struct, frozen=True):
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

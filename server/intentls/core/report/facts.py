"""What a report is made from: records, findings, and whose each changed line is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from intentls.core.branch.findings import BranchFinding
from intentls.core.intents.intent import Intent
from intentls.core.ledger.record_json import RecordJson
from intentls.core.mutation.classes import Change


class LineGroup(Struct, frozen=True):
    """So many lines of a file that one conversation of one record wrote; `record` None: no record of this report."""

    lines: int
    record: RecordJson | None = None
    contributor: Mapping[str, Any] = field(default_factory=dict)


class FileFacts(Struct, frozen=True):
    """One file that changed. `path` is relative to the top of the repository, `root` is the one that governs it.

    `groups` are its changed lines as they stand at the end; none of a binary or deleted file. `records` are those of
    the branch that tell of the file. `old_path`: of a rename.
    """

    root: str
    path: str
    change: Change
    groups: tuple[LineGroup, ...] = ()
    records: tuple[RecordJson, ...] = ()
    old_path: str | None = None


class RootFacts(Struct, frozen=True):
    """One root: its intents by id, and the records to report, oldest first."""

    root: str
    intents: Mapping[str, Intent]
    records: Sequence[RecordJson]


class Vouched(Struct, frozen=True):
    """A change without a record that a person vouched for; `lines` counts those of the new content."""

    path: str
    lines: int
    by: str
    reason: str
    author: str
    commit: str | None
    state: str


class LoggedCommit(Struct, frozen=True):
    """A commit, as git tells of it. `timestamp` is its committer's, RFC 3339."""

    commit: str
    author: str
    timestamp: str
    subject: str


class ReportSubject(Struct, frozen=True):
    """What a report is about.

    `kind` is `branch`, `since` or `intent`. `base` and `head` are commits (None for an intent; `base` also before the
    first commit), `name` is what the user called it: a ref, a date, an intent's id.
    """

    kind: str
    name: str
    base: str | None = None
    head: str | None = None


class ReportFacts(Struct, frozen=True):
    """All of them. `own_files` counts changes of the ledger and of declared files, which `files` has not."""

    subject: ReportSubject
    roots: tuple[RootFacts, ...]
    files: tuple[FileFacts, ...] = ()
    own_files: int = 0
    findings: tuple[BranchFinding, ...] = ()
    attestations: tuple[Vouched, ...] = ()
    commits: tuple[LoggedCommit, ...] = ()
    notes: tuple[str, ...] = ()

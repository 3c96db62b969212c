"""A report about a branch, or about the time since a commit: its check, its records, and whose each changed line is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from intentls.core.ledger.record_json import RecordJson, objects, text_of
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
from intentls.engine.branch_check.attested_changes import AttestedChange
from intentls.engine.branch_check.check import BranchReport, check_branch
from intentls.engine.branch_check.comparison import ChangedPath, ComparisonRequest
from intentls.engine.branch_check.coverage import changed_lines
from intentls.engine.branch_check.kept_files import is_kept
from intentls.engine.branch_check.root_check import RootCheck
from intentls.store.git.commits import commit_id, commits_between


def report_branch(start: Path, request: ComparisonRequest, kind: str, name: str) -> Report:
    """The report about what `request` compares, in the repository that has `start`.

    `kind` (`branch` or `since`) and `name` are what the user asked for. Raises ConfigurationError where git can't
    answer, and LedgerUnavailable where an archive can't be read.
    """
    facts = BranchFacts()
    return facts.report(check_branch(start, request, facts.look), kind, name)


class BranchFacts:
    """What a report needs to know of a branch besides its check, which calls `look` with each root."""

    def __init__(self) -> None:
        self._roots: list[RootFacts] = []
        self._files: list[FileFacts] = []
        self._own_files = 0

    def look(self, root: RootCheck, changes: Sequence[ChangedPath]) -> None:
        """Take note of a root that is judged, and of the changes below it."""
        ordinary = [change for change in changes if not is_kept(change.path.removeprefix(root.prefix))]
        self._own_files += len(changes) - len(ordinary)
        intents = {**root.base.intents.intents, **root.head.intents.intents}
        self._roots.append(RootFacts(_label(root), intents, tuple(root.ledgers.records)))
        self._files.extend(_files(root, ordinary))

    def report(self, checked: BranchReport, kind: str, name: str) -> Report:
        """The report, once the check is done. Raises ConfigurationError where git can't answer."""
        head = commit_id(checked.top, checked.head)
        commits = commits_between(checked.top, checked.base, head)
        return make_report(
            ReportFacts(
                ReportSubject(kind, name, checked.base, head),
                tuple(self._roots),
                tuple(self._files),
                self._own_files,
                checked.findings,
                tuple(dict.fromkeys(map(_vouched, checked.attestations))),  # of a merge one leads from both its sides
                tuple(LoggedCommit(one.commit, one.author, one.timestamp, one.subject) for one in commits),
                checked.notes,
            )
        )


def _label(root: RootCheck) -> str:
    return root.prefix.removesuffix("/") or "."


def _files(root: RootCheck, changes: Sequence[ChangedPath]) -> Iterator[FileFacts]:
    renames = {change.path: old for change in changes if (old := _old_path(root, change)) is not None}
    paths = [change.path for change in changes]
    after = dict(root.comparison.head.read_all(paths))
    before = dict(root.comparison.base.read_all([*paths, *renames.values()]))
    for change in changes:
        contents = before.get(renames.get(change.path, change.path)), after.get(change.path)
        records = tuple(root.ledgers.record(ref) for ref, _ in root.ledgers.entries(_below(root, change.path)))
        yield FileFacts(
            _label(root),
            change.path,
            Change.RENAME if change.path in renames else _change(change),
            tuple(_groups(root, change.path, contents[1], changed_lines(contents))),
            tuple({id(record): record for record in records}.values()),
            renames.get(change.path),
        )


def _old_path(root: RootCheck, change: ChangedPath) -> str | None:
    """What the base calls a file that records say was renamed to this new path."""
    path = change.path
    if change.old is not None:
        return None
    seen: set[str] = set()
    while path not in seen and path not in root.comparison.base.entries:
        seen.add(path)
        former = [
            old
            for _, file in root.ledgers.entries(_below(root, path))
            if (old := text_of(file, "old_path")) is not None and text_of(file, "path") == _below(root, path) != old
        ]
        path = root.prefix + former[-1] if former else path
    return path if path != change.path and path in root.comparison.base.entries else None


def _groups(root: RootCheck, path: str, content: bytes | None, numbers: Sequence[int]) -> Iterator[LineGroup]:
    """The changed lines by who wrote them; neighbours and others of one author together, in order of their first."""
    if not numbers:
        return
    authors = root.coverage.authors(path, content)
    counts: dict[tuple[int, int] | None, int] = {}
    parts: dict[tuple[int, int], LineGroup] = {}
    for number in numbers:
        author = authors[number - 1] if authors else None
        key = None if author is None else author.owner
        counts[key] = counts.get(key, 0) + 1
        if author is not None and key is not None and key not in parts:
            record: RecordJson = root.ledgers.record(author.record)
            conversation = objects(author.file.get("conversations"))[key[1]]
            (contributor,) = objects([conversation.get("contributor")]) or [{}]
            parts[key] = LineGroup(0, record, contributor)
    for key, lines in counts.items():
        part = LineGroup(0) if key is None else parts[key]
        yield LineGroup(lines, part.record, part.contributor)


def _change(change: ChangedPath) -> Change:
    if change.old is None:
        return Change.ADD
    return Change.DELETE if change.new is None else Change.MODIFY


def _below(root: RootCheck, path: str) -> str:
    return path.removeprefix(root.prefix)


def _vouched(change: AttestedChange) -> Vouched:
    lines = sum(end - start + 1 for start, end in change.lines)
    return Vouched(change.path, lines, change.by, change.reason, change.author, change.commit, change.state.value)

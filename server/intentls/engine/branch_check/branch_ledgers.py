"""The two ledgers of a branch: is the older one wholly in the newer one, and what does the newer one add?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from msgspec import Struct, field

from intentls.core.branch.change_path import LedgerName, RecordRef
from intentls.core.branch.findings import BranchCode, BranchFinding
from intentls.core.derived.lesson import Lesson
from intentls.core.ledger.hash_chain import ChainLink, parse, read_link
from intentls.core.ledger.integrity_problems import ProblemKind
from intentls.core.ledger.lesson_record import lesson_of
from intentls.core.ledger.record_json import FileJson, RecordJson, attestation_of, files_of, is_imported, is_work
from intentls.store.git.ledger_at_commit import LedgerCopy, is_archive, is_segment, lay_out
from intentls.store.git.tree_snapshot import TreeSnapshot
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION
from intentls.store.ledger_files.segments import digest_of

_LEDGERS: tuple[LedgerName, ...] = ("branch", "base")
_MAX_NAMED = 10  # lines; who rewrote a thousand rewrote them all
_MAX_PROBLEMS = 100

Entry = tuple[RecordRef, FileJson]
"""A record, and what it says of one file."""


class BranchLedgers(Struct):
    """A root's ledgers at the base and at the head. `records` are those that the base does not have.

    `home` is the path of the root's `.orchestration/`, from the top of the repository.

    What another program wrote and `trace import` took in is evidence of nothing here, and not among the records. What
    a person attested is none where `attestations_count` is False.
    """

    home: str
    base: LedgerCopy
    head: LedgerCopy
    records: list[RecordJson] = field(default_factory=list)
    findings: list[BranchFinding] = field(default_factory=list)
    attestations_count: bool = True
    _base_records: list[RecordJson] | None = None
    _lessons: set[tuple[str, str]] | None = None
    _entries: dict[str, dict[str, list[Entry]]] = field(default_factory=dict)  # by ledger and path

    @property
    def path(self) -> str:
        """Where the ledger is, for a finding about all of it."""
        return f"{self.home}{LEDGER_NAME}"

    def entries(self, path: str) -> list[Entry]:
        """What each of `records` that succeeded says of a path, be it as the old name of a rename; oldest first."""
        return self._entries_in("branch", path)

    def older(self, path: str) -> list[Entry]:
        """The same of the records that the base has."""
        return self._entries_in("base", path)

    def older_records(self) -> list[RecordJson]:
        """The records that the base has."""
        return self._records_in("base")

    def has_lesson(self, lesson: Lesson) -> bool:
        """Whether records tell of all problems of a lesson."""
        if self._lessons is None:
            recorded = (lesson_of(record) for name in _LEDGERS for record in self._records_in(name))
            texts = ((one.path, problem) for one in recorded if one is not None for problem in one.problems)
            self._lessons = {(path, problem.standing) for path, problem in texts}
        return all((lesson.path, problem.standing) in self._lessons for problem in lesson.problems)

    def late(self, path: str, passed: Iterable[str | None]) -> list[Entry]:
        """Those of `older` that no commit up to the base has used: the file was not committed with its record.

        `passed` are the hashes of all contents that the history ever made of the file: a record that led to one of them
        is used up, and so is all before it.
        """
        older, ends = self.older(path), frozenset(passed)
        used = max((place for place, (_, file) in enumerate(older) if file.get("post_hash") in ends), default=-1)
        return [(ref, file) for ref, file in older[used + 1 :] if file.get("path") == path]

    def has_work_in_base(self, intent_id: str) -> bool:
        """Whether the base has a record of a change under the intent."""
        return any(record.get("intent_id") == intent_id and is_work(record) for record in self._records_in("base"))

    def record(self, ref: RecordRef) -> RecordJson:
        """The record that is meant."""
        return self._records_in(ref.ledger)[ref.number]

    def _counts(self, record: RecordJson) -> bool:
        return record.get("success") is True and (self.attestations_count or attestation_of(record) is None)

    def _records_in(self, ledger: LedgerName) -> list[RecordJson]:
        if ledger == "branch":
            return self.records
        if self._base_records is None:
            self._base_records = _parsed(self.base.all_lines())
        return self._base_records

    def _entries_in(self, ledger: LedgerName, path: str) -> list[Entry]:
        if ledger not in self._entries:
            by_path: dict[str, list[Entry]] = {}
            for number, record in enumerate(self._records_in(ledger)):
                for file in files_of(record) if self._counts(record) else ():
                    for name in {str(file.get("path")), str(file.get("old_path") or file.get("path"))}:
                        by_path.setdefault(name, []).append((RecordRef(ledger, number), file))
            self._entries[ledger] = by_path
        return self._entries[ledger].get(path, [])


def open_ledgers(base: TreeSnapshot, head: TreeSnapshot, prefix: str, directory: Callable[[], Path]) -> BranchLedgers:
    """Both ledgers of the root at `prefix`, and what is wrong; `directory` makes one, in which archives are laid out.

    Raises LedgerUnavailable.
    """
    old = lay_out(base, prefix, lambda: directory() / "base")
    new = lay_out(head, prefix, lambda: directory() / "head", old)
    ledgers = BranchLedgers(f"{prefix}{ORCHESTRATION}/", old, new)
    ledgers.records = _parsed(ledgers.head.new_lines(old))
    ledgers.findings += _rewritten(ledgers)
    ledgers.findings += _new_problems(ledgers)
    return ledgers


def _parsed(lines: Iterable[bytes]) -> list[RecordJson]:
    records = (parse(line) for line in lines)
    return cast("list[RecordJson]", [record for record in records if record is not None and not is_imported(record)])


def _rewritten(ledgers: BranchLedgers) -> Iterator[BranchFinding]:
    """Lines of the base that the head has nowhere, and segments that a commit changed: it may only add some."""
    base, head = ledgers.base, ledgers.head
    altered = [name for name in base.objects if not base.is_shared(name, head)]
    kept = head.digests() if altered else set[bytes]()
    count = 0
    for name in altered:
        gone = [line for line in base.lines(name) if line.strip() and digest_of(line) not in kept]
        if is_segment(name) and name not in head.objects and gone:
            message = (
                f"This segment is gone, with {len(gone):,} records that stand nowhere else. The ledger is append-only: "
                "`intentls trace restore` puts it back."
            )
            ids = [str(record["id"]) for line in gone[:_MAX_NAMED] if (record := parse(line)) and "id" in record]
            yield BranchFinding(BranchCode.LEDGER_REWRITTEN, ledgers.home + name, message, record_ids=tuple(ids))
            continue
        if is_segment(name) and name in head.objects and not gone:
            message = "This segment of the base has other content now, and a commit may only add segments. Restore it."
            yield BranchFinding(BranchCode.LEDGER_REWRITTEN, ledgers.home + name, message)
        numbers = _numbers(ledgers, name) if gone else {}
        for line in gone[: max(0, _MAX_NAMED - count)]:
            yield _gone(ledgers.home + name, line, numbers)
        count += len(gone)
    if count > _MAX_NAMED:
        message = f"{count - _MAX_NAMED:,} more records of the base are gone or have other content now."
        yield BranchFinding(BranchCode.LEDGER_REWRITTEN, ledgers.path, message)


def _numbers(ledgers: BranchLedgers, name: str) -> dict[tuple[str, int], int]:
    """Which line of the head's file has a place in a chain."""
    lines = enumerate(ledgers.head.lines(name), start=1) if name in ledgers.head.texts else ()
    links = ((read_link(line), number) for number, line in lines)
    return {(link.writer, link.seq): number for link, number in links if link is not None}


def _gone(path: str, line: bytes, numbers: dict[tuple[str, int], int]) -> BranchFinding:
    link, record = read_link(line), parse(line) or {}
    number = None if link is None else numbers.get((link.writer, link.seq))
    state = "is gone" if number is None else "has other content now"
    return BranchFinding(
        BranchCode.LEDGER_REWRITTEN,
        path,
        f"{_name(link, record)} of the base {state}. The ledger is append-only: restore the line.",
        lines=() if number is None else ((number, number),),
        record_ids=(str(record["id"]),) if "id" in record else (),
    )


def _name(link: ChainLink | None, record: Mapping[str, Any]) -> str:
    name = f"The record of {record.get('timestamp', 'an unknown time')}"
    return name if link is None else f"{name} (number {link.seq} of writer {link.writer[:8]})"


def _new_problems(ledgers: BranchLedgers) -> Iterator[BranchFinding]:
    """What verification finds in the head's ledger and did not find in the base's."""
    problems = ledgers.head.problems()
    base = ledgers.base
    known = Counter((old.kind, base.line_at(old)) for old in base.problems()) if problems else Counter()
    for problem in problems[:_MAX_PROBLEMS]:
        key = (problem.kind, ledgers.head.line_at(problem))
        if known[key]:
            known[key] -= 1
            continue
        name = ledgers.head.file_of(problem)
        lines = ((problem.line, problem.line),) if problem.line and not is_archive(name) else ()
        message = f"{problem.kind}: {problem.message}"
        if problem.kind is ProblemKind.REMOVED and any(map(is_segment, ledgers.head.objects)):
            message += " `intentls trace restore` puts back a segment that a revert took out."
        yield BranchFinding(BranchCode.LEDGER_BROKEN, ledgers.home + name, message, lines=lines)

"""The two ledgers of a branch: is the older one wholly in the newer one, and what does the newer one add?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from intentls.core.branch.change_path import LedgerName, RecordRef
from intentls.core.branch.findings import BranchCode, BranchFinding
from intentls.core.ledger.hash_chain import ChainLink, parse, read_link
from intentls.core.ledger.record_json import FileJson, RecordJson, attestation_of, files_of, is_imported
from intentls.core.patterns.protected_paths import LEDGER_FILE
from intentls.store.git.ledger_at_commit import LedgerCopy, continues, fingerprint, lay_out
from intentls.store.git.tree_snapshot import TreeSnapshot
from intentls.store.layout import LEDGER_NAME

_MAX_NAMED = 10  # lines; who rewrote a thousand rewrote them all
_MAX_PROBLEMS = 100

Entry = tuple[RecordRef, FileJson]
"""A record, and what it says of one file."""


@dataclass(slots=True)
class BranchLedgers:
    """A root's ledgers at the base and at the head. `records` are those that the base does not have.

    What another program wrote and `trace import` took in is evidence of nothing here, and not among the records. What
    a person attested is none where `attestations_count` is False.
    """

    path: str
    base: LedgerCopy
    head: LedgerCopy
    records: list[RecordJson] = field(default_factory=list)
    findings: list[BranchFinding] = field(default_factory=list)
    attestations_count: bool = True
    _base_records: list[RecordJson] | None = None
    _entries: dict[str, dict[str, list[Entry]]] = field(default_factory=dict)  # by ledger and path

    def entries(self, path: str) -> list[Entry]:
        """What each of `records` that succeeded says of a path, be it as the old name of a rename; oldest first."""
        return self._entries_in("branch", path)

    def older(self, path: str) -> list[Entry]:
        """The same of the records that the base has."""
        return self._entries_in("base", path)

    def record(self, ref: RecordRef) -> RecordJson:
        """The record that is meant."""
        return self._records_in(ref.ledger)[ref.number]

    def _counts(self, record: RecordJson) -> bool:
        return record.get("success") is True and (self.attestations_count or attestation_of(record) is None)

    def _records_in(self, ledger: LedgerName) -> list[RecordJson]:
        if ledger == "branch":
            return self.records
        if self._base_records is None:
            self._base_records = _parsed(self.base.lines())
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


def open_ledgers(base: TreeSnapshot, head: TreeSnapshot, prefix: str, directory: Path) -> BranchLedgers:
    """Both ledgers of the root at `prefix`, laid out in `directory`, and what is wrong. Raises LedgerUnavailable."""
    ledgers = BranchLedgers(
        f"{prefix}{LEDGER_FILE}",
        lay_out(base, prefix, directory / "base"),
        lay_out(head, prefix, directory / "head"),
    )
    offset = continues(ledgers.base, ledgers.head)
    if offset is None:
        _compare(ledgers)
    else:
        ledgers.records = _parsed(ledgers.head.lines(offset))
    ledgers.findings += _new_problems(ledgers)
    return ledgers


def _parsed(lines: Iterable[bytes]) -> list[RecordJson]:
    records = (parse(line) for line in lines)
    return cast("list[RecordJson]", [record for record in records if record is not None and not is_imported(record)])


def _compare(ledgers: BranchLedgers) -> None:
    """Line by line: git may have joined the lines of two branches, or moved them into an archive."""
    before = {fingerprint(line) for line in ledgers.base.lines() if line.strip()}
    numbers: dict[tuple[str, int], int] = {}
    kept: set[bytes] = set()
    for number, line in enumerate(ledgers.head.lines(), start=1):
        print_ = fingerprint(line)
        if print_ in before:
            kept.add(print_)
            continue
        link = read_link(line)
        if link is not None:
            numbers[link.writer, link.seq] = number
        record = parse(line)
        if record is not None and not is_imported(record):
            ledgers.records.append(cast("RecordJson", record))
    if len(kept) != len(before):
        gone = [line for line in ledgers.base.lines() if line.strip() and fingerprint(line) not in kept]
        ledgers.findings += _rewritten(ledgers.path, gone, numbers)


def _rewritten(path: str, gone: list[bytes], numbers: dict[tuple[str, int], int]) -> Iterator[BranchFinding]:
    for line in gone[:_MAX_NAMED]:
        link, record = read_link(line), parse(line) or {}
        number = None if link is None else numbers.get((link.writer, link.seq))
        state = "is gone" if number is None else "has other content now"
        yield BranchFinding(
            BranchCode.LEDGER_REWRITTEN,
            path,
            f"{_name(link, record)} of the base {state}. The ledger is append-only: restore the line.",
            lines=() if number is None else ((number, number),),
            record_ids=(str(record["id"]),) if "id" in record else (),
        )
    if len(gone) > _MAX_NAMED:
        message = f"{len(gone) - _MAX_NAMED:,} more records of the base are gone or have other content now."
        yield BranchFinding(BranchCode.LEDGER_REWRITTEN, path, message)


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
        path, lines = ledgers.path, ((problem.line, problem.line),) if problem.line else ()
        if problem.archive is not None:
            path, lines = path.replace(LEDGER_NAME, f"archive/{problem.archive}"), ()
        yield BranchFinding(BranchCode.LEDGER_BROKEN, path, f"{problem.kind}: {problem.message}", lines=lines)

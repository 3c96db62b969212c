"""The two ledgers of a branch: is the older one wholly in the newer one, and what does the newer one add?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intentls.core.branch.findings import BranchCode, BranchFinding
from intentls.core.ledger.hash_chain import ChainLink, parse, read_link
from intentls.core.patterns.protected_paths import LEDGER_FILE
from intentls.engine.ledger.queries import files_of
from intentls.store.git.ledger_at_commit import LedgerCopy, continues, fingerprint, lay_out
from intentls.store.git.tree_snapshot import TreeSnapshot
from intentls.store.layout import LEDGER_NAME

_MOST = 10  # lines that are named; who rewrote a thousand rewrote them all

Record = dict[str, Any]
Entry = tuple[int, Record]
Entries = dict[str, list[Entry]]


@dataclass(slots=True)
class BranchLedgers:
    """A root's ledgers at the base and at the head. `records` are those that the base does not have."""

    path: str
    base: LedgerCopy
    head: LedgerCopy
    records: list[Record] = field(default_factory=list)
    findings: list[BranchFinding] = field(default_factory=list)
    _entries: Entries | None = None
    _older: tuple[list[Record], Entries] | None = None

    def entries(self, path: str) -> list[Entry]:
        """The number of each of `records` that says that it changed a path (or renamed it), and what it says of it."""
        if self._entries is None:
            self._entries = _by_path(self.records)
        return self._entries.get(path, [])

    def older(self, path: str) -> list[Entry]:
        """The same of the records that the base has."""
        return self._read_older()[1].get(path, [])

    def record(self, number: int, *, is_older: bool = False) -> Record:
        """The record of that number."""
        return self._read_older()[0][number] if is_older else self.records[number]

    def _read_older(self) -> tuple[list[Record], Entries]:
        if self._older is None:
            records = [record for line in self.base.lines() if (record := parse(line)) is not None]
            self._older = (records, _by_path(records))
        return self._older


def open_book(base: TreeSnapshot, head: TreeSnapshot, prefix: str, folder: Path) -> BranchLedgers:
    """Both ledgers of the root at `prefix`, laid out in `folder`, and what is wrong. Raises LedgerUnavailable."""
    book = BranchLedgers(
        f"{prefix}{LEDGER_FILE}",
        lay_out(base, prefix, folder / "base"),
        lay_out(head, prefix, folder / "head"),
    )
    offset = continues(book.base, book.head)
    if offset is None:
        _compare(book)
    else:
        book.records = [record for line in book.head.lines(offset) if (record := parse(line)) is not None]
    book.findings += _breaks(book)
    return book


def _compare(book: BranchLedgers) -> None:
    """Line by line: git may have joined the lines of two branches, or moved them into an archive."""
    before = {fingerprint(line) for line in book.base.lines() if line.strip()}
    numbers: dict[tuple[str, int], int] = {}
    kept: set[bytes] = set()
    for number, line in enumerate(book.head.lines(), start=1):
        mark = fingerprint(line)
        if mark in before:
            kept.add(mark)
            continue
        link = read_link(line)
        if link is not None:
            numbers[link.writer, link.seq] = number
        record = parse(line)
        if record is not None:
            book.records.append(record)
    if len(kept) != len(before):
        gone = [line for line in book.base.lines() if line.strip() and fingerprint(line) not in kept]
        book.findings += _rewritten(book.path, gone, numbers)


def _rewritten(path: str, gone: list[bytes], numbers: dict[tuple[str, int], int]) -> Iterator[BranchFinding]:
    for line in gone[:_MOST]:
        link, record = read_link(line), parse(line) or {}
        at = None if link is None else numbers.get((link.writer, link.seq))
        what = "is gone" if at is None else "has other content now"
        yield BranchFinding(
            BranchCode.LEDGER_REWRITTEN,
            path,
            f"{_name(link, record)} of the base {what}. The ledger is append-only: restore the line.",
            lines=() if at is None else ((at, at),),
            record_ids=(str(record["id"]),) if "id" in record else (),
        )
    if len(gone) > _MOST:
        message = f"{len(gone) - _MOST:,} more records of the base are gone or have other content now."
        yield BranchFinding(BranchCode.LEDGER_REWRITTEN, path, message)


def _name(link: ChainLink | None, record: Record) -> str:
    what = f"The record of {record.get('timestamp', 'an unknown time')}"
    return what if link is None else f"{what} (number {link.seq} of writer {link.writer[:8]})"


def _breaks(book: BranchLedgers) -> Iterator[BranchFinding]:
    """What verification finds in the head's ledger and did not find in the base's."""
    problems = book.head.problems()
    known = Counter((problem.kind, book.base.line_at(problem)) for problem in book.base.problems()) if problems else {}
    for problem in problems[:100]:
        key = (problem.kind, book.head.line_at(problem))
        if known.get(key, 0):
            known[key] -= 1
            continue
        path = book.path if problem.archive is None else book.path.replace(LEDGER_NAME, f"archive/{problem.archive}")
        lines = ((problem.line, problem.line),) if problem.line and problem.archive is None else ()
        yield BranchFinding(BranchCode.LEDGER_BROKEN, path, f"{problem.kind}: {problem.message}", lines=lines)


def _by_path(records: list[Record]) -> Entries:
    found: Entries = {}
    for number, record in enumerate(records):
        if record.get("success") is True:
            for file in files_of(record):
                for path in {str(file.get("path")), str(file.get("old_path") or file.get("path"))}:
                    found.setdefault(path, []).append((number, file))
    return found

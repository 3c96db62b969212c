"""Taking in Agent Trace records of other programs. They stay other programs' word: nothing here relies on them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.hash_chain import encode, parse, strip_end
from intentls.core.ledger.record_json import UNTRACKED
from intentls.core.ledger.trace_state import TraceState
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger import jsonl_import
from intentls.store.ledger.jsonl_import import MAX_LINE, numbered_lines, size

Record = dict[str, Any]

_MAX_PROBLEMS = 1000
_STEP = 500  # lines between two words about the progress
_BATCH, _BATCH_BYTES = 200, 2**20  # records, and bytes of theirs, that the journal holds at once


class BadLine(Struct, frozen=True):
    """A line (from 1) that was not taken in, and why."""

    line: int
    message: str


class ImportResult(Struct):
    """What became of a file's lines. `problems` are at most 1,000, `bad` counts all."""

    records: int
    duplicates: int
    bad: int
    problems: list[BadLine]

    def refuse(self, line: int, message: str) -> None:
        """Note a line that was not taken in."""
        self.bad += 1
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(BadLine(line, message))


def import_records(
    workspace: Workspace, file: Path, *, dry_run: bool = False, progress: Progress = no_progress
) -> ImportResult:
    """Append the file's records that are valid and not in the ledger yet, in their order; each on its own merits.

    What Agent Trace gives a meaning stays as it is; all other keys go under `foreign`, so that nothing another program
    says can be mistaken for a verdict of ours. Stopped half-way, it can be run again. Raises StoreError, and
    LedgerUnavailable as soon as a record does not reach the ledger.
    """
    total = 2 * size(file)
    outcome = ImportResult(0, 0, 0, [])
    with workspace.derived_lock.hold(("trace import",), workspace.holder("trace import")):
        known = _known(workspace, {str(record["id"]).lower() for _, record in _sound(file, ImportResult(0, 0, 0, []))})
        done = total // 2
        batch: list[Record] = []
        size_of_batch = 0
        for number, (length, record) in enumerate(_sound(file, outcome), start=1):
            done += length
            if not number % _STEP:
                progress(done, total)
            identity = str(record["id"]).lower()
            if identity in known:
                outcome.duplicates += 1
                continue
            known.add(identity)
            outcome.records += 1
            if dry_run:
                continue
            if len(batch) >= _BATCH or size_of_batch + length > _BATCH_BYTES:
                _append(workspace, batch)
                batch, size_of_batch = [], 0
            batch.append(_as_foreign(record))
            size_of_batch += length
        _append(workspace, batch)
    return outcome


def _append(workspace: Workspace, batch: list[Record]) -> None:
    """Put a batch on record through the journal. Raises LedgerUnavailable."""
    state = workspace.journal.record_all(batch, durable=True) if batch else TraceState.RECORDED
    if state is TraceState.RECORDED:
        return
    rest = "What waits follows once it can; then run" if state is TraceState.WAITING else "Make it writable and run"
    raise LedgerUnavailable(
        f"{workspace.layout.ledger} can't be written, so not all records are taken in. {rest} the import again."
    )


def _sound(file: Path, outcome: ImportResult) -> Iterator[tuple[int, Record]]:
    """The valid records, with the length of their lines; the others go into `outcome`."""
    for number, line in numbered_lines(file):
        if line is None:
            outcome.refuse(number, f"it is longer than {MAX_LINE:,} bytes")
            continue
        record = parse(strip_end(line))
        trouble = _trouble(record)
        if record is None or trouble:
            outcome.refuse(number, trouble)
        else:
            yield len(line), record


def _trouble(record: Record | None) -> str:
    if record is None:
        return "it is no JSON object on one line"
    if not jsonl_import.is_valid(record):
        return jsonl_import.problems(record)
    try:
        kept = parse(encode(record)) == record
    except (OverflowError, ValueError, RecursionError):
        kept = False
    return "" if kept else "it holds a number that not every program can read"


def _known(workspace: Workspace, wanted: set[str]) -> set[str]:
    """Which of these ids are on record already: in the ledger, its archives, or where records wait for it."""
    if not wanted:
        return set()
    records = chain(workspace.journal.waiting(), workspace.ledger.oldest_first())
    return {found for record in records if (found := str(record.get("id")).lower()) in wanted}


def _as_foreign(record: Record) -> Record:
    meant = jsonl_import.keys()
    kept = {key: value for key, value in record.items() if key in meant}
    rest = {key: value for key, value in record.items() if key not in meant}
    return {**kept, "intent_id": UNTRACKED, "imported": True, **({"foreign": rest} if rest else {})}

"""The answer of `intentls trace archive`, as JSON."""

from __future__ import annotations

from typing import Any

from intentls.engine.ledger.archive import ArchiveResult, UnverifiedLedger
from intentls.engine.wire.results import ok, verification
from intentls.store.archiving.archiver import ArchiveMove
from intentls.store.layout import ORCHESTRATION

Json = dict[str, Any]


def archived(outcome: ArchiveResult | UnverifiedLedger, *, dry_run: bool) -> Json:
    """What was moved (or, in a dry run, would be), or why nothing was."""
    if isinstance(outcome, UnverifiedLedger):
        return {
            "status": "error",
            "error": "The ledger does not verify. Nothing was moved.",
            "problems": verification(outcome.verification)["problems"],
        }
    prefix = outcome.prefix
    return ok(
        dry_run=dry_run,
        archive=None if outcome.moved is None else place(outcome.moved),
        records=prefix.records,
        bytes=prefix.length,
        archive_bytes=None if outcome.moved is None else outcome.moved.archive.size,
        first=prefix.first,
        last=prefix.last,
        kept=prefix.kept,
        trace_id=None if outcome.moved is None else outcome.moved.record_id,
        finished=None if outcome.finished is None else place(outcome.finished),
    )


def place(moved: ArchiveMove) -> str:
    """Where an archive is, relative to the root."""
    return f"{ORCHESTRATION}/{moved.archive.path.parent.name}/{moved.archive.name}"

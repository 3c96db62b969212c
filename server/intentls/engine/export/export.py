"""The ledger's records for other programs: all, or those that meet conditions; archives included, oldest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO

from intentls.core.errors import InvalidArgument
from intentls.engine.export import writer
from intentls.engine.ledger.queries import Progress, Query, Record, no_progress
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ExportResult:
    """How many records were written, and how many the format has no place for."""

    records: int
    left_out: int


def export(
    engine: Engine,
    workspace: Workspace,
    wanted: Query,
    form: str,
    out: IO[bytes],
    progress: Progress = no_progress,
) -> ExportResult:
    """Write the records that meet `wanted` (its `limit` does not count) as `form`, a key of `FORMATS`.

    Raises InvalidArgument for a path outside the root, ConfigurationError where a library is missing, and
    LedgerUnavailable, also where just an archive can't be read: what is exported is whole.
    """
    if wanted.path is not None:
        below = engine.atlas.place(wanted.path, workspace.root).below(workspace.root)
        if below is None:
            raise InvalidArgument("path", f"{wanted.path} lies outside the root, so nothing is on record")
        wanted = replace(wanted, path=below)
    counted = _RecordCounter(record for record in workspace.ledger.oldest_first(progress) if wanted.meets(record))
    left_out = writer(form)(counted, out)
    return ExportResult(counted.number - left_out, left_out)


class _RecordCounter(Iterator[Record]):
    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records
        self.number = 0

    def __next__(self) -> Record:
        record = next(self._records)
        self.number += 1
        return record

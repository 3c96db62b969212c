"""The ledger's records for other programs: all, or those that meet conditions; archives included, oldest first.

Each has its settled class (`engine.ledger.settled_classes`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.errors import InvalidArgument
from intentls.engine.export import writer
from intentls.engine.ledger.queries import Query, Record
from intentls.engine.ledger.settled_classes import all_settled
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace


class ExportResult(Struct, frozen=True):
    """How many records were written, and how many the format has no place for."""

    records: int
    left_out: int


def export(
    engine: Engine,
    workspace: Workspace,
    query: Query,
    form: str,
    out: IO[bytes],
    progress: Progress = no_progress,
) -> ExportResult:
    """Write the records that meet `query` (its `limit` does not count) as `form`, a key of `FORMATS`.

    Raises InvalidArgument for a path outside the root, ConfigurationError where a library is missing, and
    LedgerUnavailable, also where just an archive can't be read: what is exported is whole.
    """
    if query.path is not None:
        path = engine.path_resolver.resolve(query.path, workspace.root).relative_to(workspace.root)
        if path is None:
            raise InvalidArgument("path", f"{query.path} lies outside the root, so nothing is on record")
        query = replace(query, path=path)
    number = 0

    def records() -> Iterator[Record]:
        nonlocal number
        for record in all_settled(workspace, workspace.ledger.oldest_first(progress)):
            if query.matches(record):
                number += 1
                yield record

    left_out = writer(form)(records(), out)
    return ExportResult(number - left_out, left_out)

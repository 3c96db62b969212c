"""Answers from the ledger: who changed what, under which intent, and is the ledger whole."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from intentls.core.ledger.record_json import files_of as files_of
from intentls.engine.ledger.former_names import names_before
from intentls.engine.ledger.removed_segments import verify_root
from intentls.engine.ledger.settled_classes import all_settled
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.store.ledger.ledger import Verification
from intentls.store.ledger_search.query import RecordQuery

Record = dict[str, Any]


class Query(RecordQuery, frozen=True):
    """Which records to find, and at most how many."""

    limit: int = 20


def query(engine: Engine, query: Query, progress: Progress = no_progress, root: str | None = None) -> list[Record]:
    """The newest records of `root`, else of all roots, that meet every condition, newest first, with settled classes.

    Those of a path include the ones that its file got under former names.

    Raises InvalidPath, and InvalidArgument for a `root` that is none.

    `progress` is called with the bytes of a ledger that have been read, and all its bytes; what it raises ends this.
    """
    streams = []
    for workspace in engine.workspaces() if root is None else (engine.root_named(root),):
        path = None
        if query.path is not None:
            path = engine.path_resolver.resolve(query.path, workspace.root).relative_to(workspace.root)
            if path is None:
                continue
        streams.append(all_settled(workspace, workspace.ledger.search(replace(query, path=path), progress)))
        for former in () if path is None else names_before(workspace, path):
            records = workspace.ledger.search(replace(query, path=former.path), progress)
            streams.append(all_settled(workspace, _until(records, former.until)))
    newest = heapq.merge(*streams, key=lambda record: str(record.get("timestamp")), reverse=True)
    different = newest if query.path is None else _each_once(newest)
    return list(islice(different, query.limit))


def _until(records: Iterator[Record], moment: str) -> Iterator[Record]:
    """The records up to a moment; "" is no limit."""
    return (record for record in records if not moment or str(record.get("timestamp")) <= moment)


def _each_once(records: Iterable[Record]) -> Iterator[Record]:
    """A rename is found under both names."""
    seen: set[str] = set()
    for record in records:
        record_id = str(record.get("id"))
        if record_id not in seen:
            seen.add(record_id)
            yield record


def verify(engine: Engine, progress: Progress = no_progress, base: str | None = None) -> Verification:
    """Check every root's ledger against its chains; a record on another git branch is not missing.

    `progress` is as for `query`. Signatures are judged by the list of signers that `base` has, or else HEAD.
    """
    verifications = [verify_root(workspace, progress, base) for workspace in engine.workspaces()]
    return Verification(
        sum(part.records for part in verifications),
        tuple(problem for part in verifications for problem in part.problems),
        tuple(summary for part in verifications for summary in part.signatures),
    )

"""Answers from the ledger: who changed what, under which intent, and is the ledger whole."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from intentls.core.ledger.record_json import files_of as files_of
from intentls.engine.workspace.engine import Engine
from intentls.store.git.ledger_branches import is_on_another_branch
from intentls.store.ledger.ledger import Verification
from intentls.store.ledger_search.query import RecordQuery

Record = dict[str, Any]

Progress = Callable[[int, int], None]


def no_progress(_done: int, _total: int) -> None:
    """For callers that nobody waits beside."""


@dataclass(frozen=True, slots=True)
class Query(RecordQuery):
    """Which records are wanted, and at most how many."""

    limit: int = 20


def query(engine: Engine, wanted: Query, progress: Progress = no_progress) -> list[Record]:
    """The newest records of all roots that meet every condition, newest first. Raises InvalidPath.

    `progress` is told now and then how many bytes of how many of a ledger have been read; what it raises ends this.
    """
    streams = []
    for workspace in engine.workspaces():
        path = None
        if wanted.path is not None:
            path = engine.atlas.place(wanted.path, workspace.root).below(workspace.root)
            if path is None:
                continue
        streams.append(workspace.ledger.search(replace(wanted, path=path), progress))
    newest = heapq.merge(*streams, key=lambda record: str(record.get("timestamp")), reverse=True)
    return list(islice(newest, wanted.limit))


def verify(engine: Engine, progress: Progress = no_progress) -> Verification:
    """Check every root's ledger against its chains; a record on another git branch is not missing.

    `progress` is as for `query`.
    """
    found = [
        workspace.ledger.verify(partial(is_on_another_branch, workspace.root), progress)
        for workspace in engine.workspaces()
    ]
    return Verification(
        sum(part.records for part in found), tuple(problem for part in found for problem in part.problems)
    )


def keep_up(engine: Engine) -> None:
    """For after an answer: bring every root's index on, where searches had to read far without it."""
    for workspace in engine.workspaces():
        while workspace.ledger.catch_up():
            time.sleep(0)  # whoever waits for the interpreter gets it

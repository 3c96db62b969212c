"""Answers from the ledger: who changed what, under which intent, and is the ledger whole."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from intentls.core.foreign import files_of as files_of
from intentls.engine.engine import Engine
from intentls.engine.workspace import Workspace
from intentls.store.clock import parse_timestamp
from intentls.store.git_history import is_on_another_branch
from intentls.store.ledger import Verification

Record = dict[str, Any]

Progress = Callable[[int, int], None]

_PLAIN = re.compile(r"[A-Za-z0-9_.-]+")  # no program escapes these


def no_progress(_done: int, _total: int) -> None:
    """For callers that nobody waits beside."""


@dataclass(frozen=True, slots=True)
class Query:
    """Which records are wanted; None leaves a condition out."""

    intent_id: str | None = None
    path: str | None = None
    session_id: str | None = None
    since: datetime | None = None
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
        here = replace(wanted, path=path)
        streams.append(matching(workspace, here, progress))
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


def matching(workspace: Workspace, wanted: Query, progress: Progress = no_progress) -> Iterator[Record]:
    """The records of one root that meet every condition, newest first; `path` is root-relative. No limit."""
    name = (wanted.path or "").rpartition("/")[2]
    containing = needle(wanted.intent_id, wanted.session_id, name)
    return (record for record in workspace.ledger.newest_first(containing, progress) if meets(record, wanted))


def needle(*names: str | None) -> bytes:
    """Bytes without which no record can have all these: the longest that every writer of JSON spells alike."""
    plain = [name for name in names if name is not None and _PLAIN.fullmatch(name)]
    return max(plain, key=len, default="").encode("ascii")


def meets(record: Record, wanted: Query) -> bool:
    """Whether a record meets every condition but the limit; `path` is root-relative here."""
    if wanted.intent_id is not None and record.get("intent_id") != wanted.intent_id:
        return False
    if wanted.session_id is not None and record.get("session_id") != wanted.session_id:
        return False
    if wanted.path is not None and not any(wanted.path in _names(file) for file in files_of(record)):
        return False
    return wanted.since is None or _is_since(record, wanted.since)


def _is_since(record: Record, moment: datetime) -> bool:
    try:
        return parse_timestamp(str(record.get("timestamp"))) >= moment
    except ValueError:
        return False


def _names(file: Record) -> tuple[Any, Any]:
    return file.get("path"), file.get("old_path")

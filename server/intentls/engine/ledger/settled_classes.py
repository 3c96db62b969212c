"""The one place that says a record's settled class: as its change set showed it, or else its own."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from intentls.core.ledger.settlement import SUPERSEDES, all_superseded, digest_of, with_settled_class
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_search.query import RecordQuery

SESSION = "intentls-settle"
"""The session of all records that settle classes: an index knows where they are by it."""

_QUERY = RecordQuery(session_id=SESSION, containing=f'"{SUPERSEDES}"'.encode("ascii"))


class SettledClasses:
    """The settled classes of one root, kept while no record settles another one. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read: tuple[Sequence[dict[str, Any]], Mapping[str, str]] = ((), {})

    @classmethod
    def of(cls, workspace: Workspace) -> Mapping[str, str]:
        """By record id. Raises LedgerUnavailable."""
        return workspace.part("settled classes", cls)._classes(settlements(workspace))

    def _classes(self, records: Sequence[dict[str, Any]]) -> Mapping[str, str]:
        with self._lock:
            if self._read[0] is not records:
                self._read = records, all_superseded(records)
            return self._read[1]


def settlements(workspace: Workspace) -> Sequence[dict[str, Any]]:
    """The records that settle classes, the newest first. Raises LedgerUnavailable."""
    return workspace.ledger.newest(_QUERY)


def settled(workspace: Workspace, records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The records as they are shown: with the classes that their change sets showed. Raises LedgerUnavailable.

    The ledger is asked once, with the first record: a file may have as many authors as lines.
    """
    classes: Mapping[str, str] | None = None
    for record in records:
        classes = SettledClasses.of(workspace) if classes is None else classes
        yield with_settled_class(record, classes.get(str(record.get("id"))))


def all_settled(workspace: Workspace, records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The same; of equal verdicts on one change set, as two clones make them, the first one alone.

    Raises LedgerUnavailable.
    """
    return settled(workspace, _verdicts_once(records))


def _verdicts_once(records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for record in records:
        digest = digest_of(record)
        if digest is None or digest not in seen:
            yield record
        if digest is not None:
            seen.add(digest)

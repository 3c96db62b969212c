"""What blame asks of the ledger: question by question for one file, or in rounds for many files at once.

    three files     each asks for its own records         one reading answers the three questions
    two of them     then ask for five lines between them  one reading answers the five
    none asks more  so all are blamed, after two readings of the ledger instead of eight

A blame that asks what was not read yet ends with `Unanswered`, and begins again after the next reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from intentls.core.ledger.record_json import Record
from intentls.late_module import LateModule
from intentls.store.ledger_search.query import RecordQuery

if TYPE_CHECKING:
    from intentls.engine.workspace.progress import Progress
    from intentls.engine.workspace.workspace import Workspace
    from intentls.store.ledger import batch_search
else:
    batch_search = LateModule("intentls.store.ledger.batch_search")  # only for many files at once


def _in_silence(_done: int, _total: int) -> None:
    """Report no progress."""


class Unanswered(Exception):
    """A question that the next reading of the ledger will answer."""


class Searches:
    """The questions of one root's ledger, each searched for when it is asked."""

    def __init__(self, workspace: Workspace) -> None:
        self._ledger = workspace.ledger

    def newest(self, query: RecordQuery, limit: int = 0, progress: Progress = _in_silence) -> Sequence[Record]:
        """The newest `limit` records that match (0: all), last line first. Raises LedgerUnavailable."""
        return self._ledger.newest(query, limit, progress)

    def expect(self, queries: Iterable[RecordQuery]) -> None:
        """These will be asked now."""


class BatchedSearches(Searches):
    """The same for many files. What is asked is noted, and `read` finds the answers to all of it at once."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._batch = batch_search.BatchSearch()
        self._asked = dict[RecordQuery, None]()
        self._read = set[RecordQuery]()

    def read(self) -> bool:
        """Read the ledger for all that was asked since; whether that can be done. Raises LedgerUnavailable."""
        is_read = self._ledger.read_batch(self._batch, self._asked)
        self._read.update(self._asked)
        self._asked.clear()
        return is_read

    def newest(self, query: RecordQuery, limit: int = 0, progress: Progress = _in_silence) -> Sequence[Record]:
        """As above. Raises Unanswered."""
        records = self._ledger.newest_of(self._batch, query, limit)
        if records is not None:
            return records
        self.expect((query,))
        return super().newest(query, limit, progress)  # it was read, but the ledger is another one now

    def expect(self, queries: Iterable[RecordQuery]) -> None:
        """As above. Raises Unanswered."""
        unread = [query for query in queries if query not in self._read]
        self._asked |= dict.fromkeys(unread)
        if unread:
            raise Unanswered

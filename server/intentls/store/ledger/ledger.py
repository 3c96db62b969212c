"""The ledger: append-only, one record a line, any number of processes at once. Nothing rewrites a record.

Whole prefixes may move into archives (`store.archiving.archiver`); reading here includes those.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.hash_chain import NewestLine
from intentls.core.ledger.integrity_problems import IntegrityProblem
from intentls.core.ledger.verifier import Verifier
from intentls.store.fs.file_lock import is_still_at, unlock
from intentls.store.fs.primitives import stamp_of
from intentls.store.layout import Layout
from intentls.store.ledger.appender import Appender, LockedLedger, lock, unavailable
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.history import History, Progress
from intentls.store.ledger_files.archive import archives
from intentls.store.ledger_files.line_reader import opened
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.ledger_search.search import Indexes

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Verification:
    """`records` is the number of records in the file. At most 1,000 problems are listed, by line."""

    records: int
    problems: tuple[IntegrityProblem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


class Ledger:
    """The ledger of one root. Safe to use from several threads."""

    def __init__(self, layout: Layout, heads: ChainHeads) -> None:
        self._layout = layout
        self._path = layout.ledger
        self._heads = heads
        self._appender = Appender(layout, heads)
        self._indexes = Indexes(layout)

    def append(self, record: Mapping[str, Any], *, durable: bool) -> None:
        """Add a record (without `chain`) as one line. With `durable` it is on the disk itself on return.

        Raises LedgerUnavailable where that can't be done. Part of the line may then stand in the file; the
        next append puts a newline behind it.
        """
        self._appender.append(record, durable=durable)

    def newest_first(
        self, containing: bytes = b"", progress: Progress = lambda _done, _total: None
    ) -> Iterator[dict[str, Any]]:
        """The records, last line first, of all lines that contain these bytes; lines that hold none are passed over.

        `progress` is as for `verify`. Raises LedgerUnavailable.
        """
        return self.search(RecordQuery(containing=containing), progress)

    def search(self, query: RecordQuery, progress: Progress = lambda _done, _total: None) -> Iterator[dict[str, Any]]:
        """The records that match the query, last line first. It reads only where they may be.

        `progress` is as for `verify`. Raises LedgerUnavailable.
        """
        with self._reading() as history:
            yield from history.search(query, self._indexes, progress)

    def catch_up(self) -> bool:
        """Extend the index a step if searches had to read far without it: to be called after an answer.

        Whether there is more to do. It never fails: without an index everything is just read.
        """
        try:
            with self._reading() as history:
                return self._indexes.catch_up(history.live, history.end, history.archives)
        except LedgerUnavailable:
            log.debug("not indexed", exc_info=True)
            return False

    def oldest_first(self, progress: Progress = lambda _done, _total: None) -> Iterator[dict[str, Any]]:
        """The records in the files' order; lines that hold none are passed over. `progress` is as for `verify`.

        Raises LedgerUnavailable, also where just an archive can't be read.
        """
        with self._reading() as history:
            yield from history.oldest_first(progress)

    def contains(self, record_id: str) -> bool:
        """Whether a record stands in the ledger; the newest are looked at first. Raises LedgerUnavailable."""
        with self._reading() as history:
            return history.contains(record_id)

    def size(self) -> int:
        """The live file's size in bytes, 0 if there is none. Raises LedgerUnavailable."""
        status = self._status()
        return status.st_size if status is not None and stat.S_ISREG(status.st_mode) else 0

    def archived_size(self) -> int:
        """The size of all archives in bytes, compressed as they are. Raises LedgerUnavailable."""
        return sum(archive.size for archive in archives(self._layout))

    def stamp(self) -> tuple[int, ...]:
        """A value that changes with the live file; () if there is none. Raises LedgerUnavailable."""
        status = self._status()
        return () if status is None else stamp_of(status)

    def has_records(self) -> bool:
        """Whether anything was ever recorded; a damaged line counts."""
        return self.size() > 0

    def is_writable(self) -> bool:
        """Whether the ledger can be opened for appending now. A full disk shows only when something is appended."""
        return self._appender.can_write()

    def verify(
        self,
        elsewhere: Callable[[str], bool] = lambda _: False,
        progress: Progress = lambda _done, _total: None,
    ) -> Verification:
        """Check every line against its writer's chain, and the newest against what this clone wrote.

        `elsewhere` is asked, with a record's id, whether a record that is missing at a chain's end is kept in
        another place: on another git branch, say. Lines that are added meanwhile don't count. `progress` gets,
        now and then, how many bytes of how many have been read; what it raises ends the check.
        Raises LedgerUnavailable.
        """
        verifier = Verifier()
        while True:
            with self._live() as live:
                settled = self._settled(live)
                if settled is not None:
                    history, newest = settled
                    history.verify(verifier, progress)
                    return Verification(verifier.records, verifier.finish(newest, elsewhere))

    def hold(self) -> AbstractContextManager[LockedLedger]:
        """Keep all others from appending. Raises LedgerUnavailable."""
        return self._appender.hold()

    def _status(self) -> os.stat_result | None:
        try:
            return self._path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unavailable(self._path, error, "read") from error

    @contextmanager
    def _reading(self) -> Iterator[History]:
        with self._live() as live:
            yield self._history(live)

    @contextmanager
    def _live(self) -> Iterator[int | None]:
        try:
            with opened(self._path) as descriptor:
                yield descriptor
        except OSError as error:
            raise unavailable(self._path, error, "read") from error

    def _settled(self, live: int | None) -> tuple[History, dict[str, NewestLine]] | None:
        """The files at a moment when no process appends, and what this clone wrote. None if `live` was replaced."""
        if live is None:
            newest = self._heads.newest()
            # A ledger that was begun meanwhile must not look like one whose lines are gone.
            return None if self._path.exists() else (self._history(None), newest)
        lock(self._path, live)
        try:
            return (self._history(live), self._heads.newest()) if is_still_at(live, self._path) else None
        finally:
            unlock(live)

    def _history(self, live: int | None) -> History:
        """All files as they are now. The live one is open by then: what moves meanwhile is seen twice, never not."""
        return History(tuple(archives(self._layout)), live, 0 if live is None else os.fstat(live).st_size)

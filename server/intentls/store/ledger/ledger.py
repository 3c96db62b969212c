"""The ledger: append-only, one record a line, any number of processes at once. Nothing rewrites a record.

Whole prefixes may move into archives (`store.archive_move`); whoever reads here reads those first.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.hash_chain import NewestLine
from intentls.core.ledger.integrity_problems import IntegrityProblem
from intentls.core.ledger.verifier import Verifier
from intentls.store.fs.file_lock import is_still_at, unlock
from intentls.store.layout import Layout
from intentls.store.ledger.appender import Appender, LockedLedger, lock
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.history import History, Progress
from intentls.store.ledger.live_file import unavailable
from intentls.store.ledger_files.archive import archives
from intentls.store.ledger_files.line_reader import opened
from intentls.store.ledger_search.query import RecordQuery

if TYPE_CHECKING:
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

    def __init__(self, layout: Layout, writers: ChainHeads) -> None:
        self._layout = layout
        self._path = layout.ledger
        self._writers = writers
        self._pen = Appender(layout, writers)

    @cached_property
    def _indexes(self) -> Indexes:
        from intentls.store.ledger_search.search import Indexes  # an agent's hook hardly ever searches

        return Indexes(self._layout)

    def append(self, record: Mapping[str, Any], *, durable: bool) -> None:
        """Add a record (without `chain`) as one line. With `durable` it is on the disk itself on return.

        Raises LedgerUnavailable where that can't be done. Part of the line may then stand in the file; the
        next append puts a newline behind it.
        """
        self._pen.append(record, durable=durable)

    def newest_first(
        self, containing: bytes = b"", progress: Progress = lambda _done, _total: None
    ) -> Iterator[dict[str, Any]]:
        """The records, last line first; lines that hold none are passed over.

        `containing` (see `core.chain.member`) leaves out lines without these bytes before they are parsed, so
        that rare records are found quickly. `progress` is as for `verify`. Raises LedgerUnavailable.
        """
        with self._reading() as history:
            yield from history.newest_first(containing, progress)

    def search(self, sought: RecordQuery, progress: Progress = lambda _done, _total: None) -> Iterator[dict[str, Any]]:
        """The records that meet all conditions, last line first. It reads only where they may be.

        `progress` is as for `verify`. Raises LedgerUnavailable.
        """
        with self._reading() as history:
            yield from history.search(sought, self._indexes, progress)

    def catch_up(self) -> bool:
        """Bring the index on a step, where searches had to read far without it: for after an answer.

        Whether there is more to do. It never fails: without an index everything is just read.
        """
        try:
            with self._reading() as history:
                return history.catch_up(self._indexes)
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
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise unavailable(self._path, error, "read") from error
        return found.st_size if stat.S_ISREG(found.st_mode) else 0

    def archived_size(self) -> int:
        """The size of all archives in bytes, compressed as they are. Raises LedgerUnavailable."""
        return sum(archive.size for archive in archives(self._layout))

    def stamp(self) -> tuple[int, ...]:
        """A value that changes with the live file; () if there is none. Raises LedgerUnavailable."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise unavailable(self._path, error, "read") from error
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    def has_records(self) -> bool:
        """Whether anything was ever recorded; a damaged line counts."""
        return self.size() > 0

    def is_writable(self) -> bool:
        """Whether the ledger can be opened for appending now. A full disk shows only when something is appended."""
        return self._pen.can_write()

    def verify(
        self,
        elsewhere: Callable[[str], bool] = lambda _: False,
        progress: Progress = lambda _done, _total: None,
    ) -> Verification:
        """Check every line against its writer's chain, and the newest against what this clone wrote.

        `elsewhere` is asked, with a record's id, whether a record that is missing at a chain's end is kept in
        another place: on another git branch, say. Lines that are added meanwhile don't count. `progress` is told
        now and then how many bytes of how many have been read; what it raises ends the check.
        Raises LedgerUnavailable.
        """
        verifier = Verifier()
        while True:
            with self._live() as live:
                found = self._settled(live)
                if found is not None:
                    found[0].verify(verifier, progress)
                    break
        return Verification(verifier.records, verifier.finish(found[1], elsewhere))

    def hold(self) -> AbstractContextManager[LockedLedger]:
        """Keep everybody else from appending. Raises LedgerUnavailable."""
        return self._pen.hold()

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
        """The files at a moment when nobody appends, and what this clone wrote by then. None if `live` was replaced."""
        if live is None:
            newest = self._writers.newest()
            # A ledger that was begun meanwhile must not look like one whose lines are gone.
            return None if self._path.exists() else (self._history(None), newest)
        lock(self._path, live)
        try:
            return (self._history(live), self._writers.newest()) if is_still_at(live, self._path) else None
        finally:
            unlock(live)

    def _history(self, live: int | None) -> History:
        """All files as they are now. The live one is open by then: what moves meanwhile is seen twice, never not."""
        return History(tuple(archives(self._layout)), live, 0 if live is None else os.fstat(live).st_size)

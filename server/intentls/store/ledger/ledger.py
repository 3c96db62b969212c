"""The ledger: append-only, one record a line, any number of processes at once. Nothing rewrites a record.

Git carries it as segments (`store.ledger_files.segments`); what is read and searched is the local file, which has their
lines. Segments may be packed into archives (`store.archiving.archiver`); reading here includes those.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.hash_chain import NewestLine
from intentls.core.ledger.integrity_problems import MAX_PROBLEMS, IntegrityProblem
from intentls.core.ledger.verifier import Verifier
from intentls.store.fs.atomic_write import sync_file
from intentls.store.fs.file_lock import is_still_at, unlock
from intentls.store.fs.primitives import stamp_of
from intentls.store.layout import Layout
from intentls.store.ledger.appender import Appender, LockedLedger, lock, unavailable
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.commits import Commits, NoCommits
from intentls.store.ledger.history import LedgerHistory, LedgerRecord, Progress
from intentls.store.ledger.kept_searches import KeptSearches
from intentls.store.ledger.ledger_mark import Appended, LedgerPosition, LinePlace, mark_of, places_of, records_at, since
from intentls.store.ledger.local_file import LocalFile
from intentls.store.ledger.segment_repair import EnterRecords
from intentls.store.ledger_files.line_reader import opened
from intentls.store.ledger_files.segments import LedgerSegment, segments
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.ledger_search.search import Indexes

if TYPE_CHECKING:  # who asks for one thing alone does without
    from intentls.store.ledger.batch_search import BatchSearch

log = logging.getLogger(__name__)


class SignatureSummary(Struct, frozen=True):
    """How many of the `segments` are `signed`, and how many by whom; `note` says why that was not looked at."""

    signed: int
    segments: int
    signers: tuple[tuple[str, int], ...]
    note: str = ""


class Verification(Struct, frozen=True):
    """`records` is the number of records in the file. At most 1,000 problems are listed, by line.

    `signatures` has one summary for each root that has signatures.
    """

    records: int
    problems: tuple[IntegrityProblem, ...]
    signatures: tuple[SignatureSummary, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


_Settled = tuple[LedgerHistory, Path, list[LedgerSegment], dict[str, NewestLine]]


class Ledger:
    """The ledger of one root. Safe to use from several threads."""

    def __init__(self, layout: Layout, heads: ChainHeads, commits: Commits | None = None) -> None:
        """`commits` is what git knows of the root; without it the ledger is that of a root outside git."""
        commits = NoCommits() if commits is None else commits
        self._layout = layout
        self._path = layout.ledger
        self._heads = heads
        self._indexes = Indexes(layout)
        self._local = LocalFile(layout, commits, self._indexes.carry_over)
        self._appender = Appender(layout, heads, self._local, commits)
        self._kept = KeptSearches()

    def append(self, record: Mapping[str, Any], *, durable: bool) -> None:
        """Add a record (without `chain`) as one line. With `durable` it is on the disk itself on return.

        Raises LedgerUnavailable where that can't be done. Part of the line may then stand in the segment; the
        next append puts a newline behind it.
        """
        self._indexes.note_growth(*self._appender.append(record, durable=durable))

    def refresh(self) -> None:
        """Make the local file again if the tree's segments changed. Raises LedgerUnavailable."""
        self._appender.refresh()

    def generation(self) -> str:
        """A name for the set of segments that came by git or by hand: it stays as long as records are only appended.

        "" where there is nothing but what was appended here. Raises LedgerUnavailable.
        """
        self._refresh_if_possible()
        note = self._local.note
        return "" if note is None else note.generation

    def close_segment(self) -> None:
        """Let the next record begin a new segment: what git is about to take in must not change any more.

        Raises LedgerUnavailable.
        """
        with self.hold() as held:
            held.close_segment()

    def writers(self) -> frozenset[str]:
        """The names under which this clone wrote, as far as it remembers."""
        return frozenset(self._heads.newest())

    def move_over(self) -> str | None:
        """Let what the local file has and no segment has become a segment, and its name; None if there is nothing.

        Raises LedgerUnavailable.
        """
        if not os.path.lexists(self._path):
            return None  # and none is made
        with self.hold() as held:
            return self._local.move_over(held.descriptor)

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

    def newest(
        self, query: RecordQuery, limit: int = 0, progress: Progress = lambda _done, _total: None
    ) -> Sequence[dict[str, Any]]:
        """The newest `limit` records that match (0: all), last line first, as `search` finds them.

        The answer is kept, and the next time only what was appended is read: it must not be changed.
        """
        with self._reading() as history:
            return self._kept.search(history, query, limit, self._indexes, progress)

    def read_batch(self, batch: BatchSearch, queries: Iterable[RecordQuery]) -> bool:
        """Let `batch` have the answers of all queries, with one reading; whether it can. Raises LedgerUnavailable."""
        with self._reading() as history:
            return batch.read(history, queries)

    def newest_of(self, batch: BatchSearch, query: RecordQuery, limit: int = 0) -> Sequence[dict[str, Any]] | None:
        """What `newest` says, from a batch; None if that does not have it. Raises LedgerUnavailable."""
        with self._reading() as history:
            return batch.newest(history, query, limit)

    def mark(self) -> LedgerPosition | None:
        """The mark of the ledger's end, for `since`; None where there can be none. Raises LedgerUnavailable."""
        with self._reading() as history:
            return mark_of(history)

    def since(self, mark: LedgerPosition) -> Appended | None:
        """What was appended since, see `store.ledger.ledger_mark`. Raises LedgerUnavailable."""
        with self._reading() as history:
            return since(history, mark)

    def records_at(self, places: Iterable[LinePlace]) -> list[LedgerRecord] | None:
        """The records at these places; None if one is not the line that it was. Raises LedgerUnavailable."""
        with self._reading() as history:
            return records_at(history, places)

    def places_of(self, records: Iterable[LedgerRecord]) -> list[LinePlace]:
        """Where records are that a search found. Raises LedgerUnavailable."""
        with self._reading() as history:
            return places_of(history, records)

    @property
    def is_index_behind(self) -> bool:
        """Whether searches had to read far without the index, or the ledger grew by much since it was extended."""
        return self._indexes.is_behind

    def catch_up(self) -> bool:
        """Extend the index a step if it is behind: to be called after an answer. Whether there is more to do.

        It never fails: without an index everything is just read.
        """
        if not self.is_index_behind:
            return False
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
        return sum(archive.size for archive in self._local.archives())

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
        while True:
            with self._live() as (live, is_copy):
                settled = self._settled(live, is_copy=is_copy)
                if settled is not None:
                    return _verified(*settled, elsewhere, progress)

    def sync(self, since_ns: int) -> None:
        """Have the disk itself hold the segments that were changed since then (a file time). Raises OSError."""
        for segment in segments(self._layout):
            if segment.changed >= since_ns:
                with suppress(FileNotFoundError):  # it was packed, or git removed it
                    sync_file(self._layout.trace / segment.name)

    def repair(self, promised: Collection[str], since_ns: int, enter: EnterRecords) -> None:
        """After a power loss: cut the torn ends of segments, and forget the newest line if it is lost.

        Only segments that were changed since then (a file time) are looked at. `promised` are the ids of the records
        that will be appended again, and `enter` gets, before anything is cut, the whole records in what is cut: it is
        called once. Raises LedgerUnavailable.
        """
        self._appender.repair(promised, since_ns, enter)

    def hold(self) -> AbstractContextManager[LockedLedger]:
        """Keep all others from appending. Raises LedgerUnavailable."""
        return self._appender.hold()

    def _status(self) -> os.stat_result | None:
        try:
            self._refresh_if_possible()
            return self._path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unavailable(self._path, error, "read") from error

    @contextmanager
    def _reading(self) -> Iterator[LedgerHistory]:
        with self._live() as (live, _):
            yield self._history(live)

    def _refresh_if_possible(self) -> bool:
        """Whether the local file is up to date now."""
        try:
            self.refresh()
        except LedgerUnavailable:
            log.debug("the local ledger can't be made again", exc_info=True)
            return False
        return True

    @contextmanager
    def _live(self) -> Iterator[tuple[int | None, bool]]:
        """The local file; where it can't be made again, a copy of what it would be, and that it is one."""
        current = self._refresh_if_possible()
        try:
            if not current and self._layout.trace.is_dir():
                with TemporaryFile() as file:
                    file.writelines(self._local.derived())
                    file.flush()
                    yield file.fileno(), True
                return
            with opened(self._path) as descriptor:
                yield descriptor, False
        except OSError as error:
            raise unavailable(self._path, error, "read") from error

    def _settled(self, live: int | None, *, is_copy: bool) -> _Settled | None:
        """The files at a moment when no process appends, and what this clone wrote. None if `live` was replaced."""
        if live is None:
            newest = self._heads.newest()
            # A ledger that was begun meanwhile must not look like one whose lines are gone.
            return (
                None
                if self._path.exists()
                else (self._history(None), self._layout.trace, segments(self._layout), newest)
            )
        if is_copy:
            return self._history(live), self._layout.trace, segments(self._layout), self._heads.newest()
        lock(self._path, live)
        try:
            if not is_still_at(live, self._path):
                return None
            return self._history(live), self._layout.trace, segments(self._layout), self._heads.newest()
        finally:
            unlock(live)

    def _history(self, live: int | None) -> LedgerHistory:
        """All files as they are now. The live one is open by then: what moves meanwhile is seen twice, never not."""
        size = 0 if live is None else os.fstat(live).st_size
        kept = size if self._local.note is None else min(self._local.note.kept, size)
        return LedgerHistory(tuple(self._local.archives()), live, size, kept)


def _verified(
    history: LedgerHistory,
    trace: Path,
    listed: Sequence[LedgerSegment],
    newest: Mapping[str, NewestLine],
    elsewhere: Callable[[str], bool],
    progress: Progress,
) -> Verification:
    """What is wrong with the segments and, beyond that, with the local file."""
    verifier = Verifier()
    history.verify(verifier, progress)
    problems = verifier.finish(newest, elsewhere)
    if listed:
        of_segments = Verifier()
        history.verify_segments(of_segments, trace, listed)
        first = of_segments.finish(newest, elsewhere)
        same = {(problem.kind, problem.message) for problem in first}
        problems = (*first, *(problem for problem in problems if (problem.kind, problem.message) not in same))
    return Verification(verifier.records, problems[:MAX_PROBLEMS])

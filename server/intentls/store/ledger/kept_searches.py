"""Answers of searches, kept while the ledger only grows: what was appended since is searched alone.

    a search of 600 MB for `src/a.py`       reads the whole file, or the blocks that the index names
    the same after ten more records         reads these ten, and puts those that match before the kept ones

The file must be the same one, not shorter, with the same bytes at the beginning and before the kept end; one that was
touched without growing counts as another. A ledger with archives is searched anew each time: a record may stand in two
of its files.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from intentls.store.fs.atomic_write import read_at
from intentls.store.ledger.history import LedgerHistory, Progress, records_in
from intentls.store.ledger_files.line_reader import lines_backward
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.ledger_search.search import Indexes

_SAMPLE: Final = 4096  # bytes
_MAX_RECORDS: Final = 5_000  # that are kept, of all searches together: some 30 MB of usual ones
_MAX_SEARCHES: Final = 512

_Records = Sequence[dict[str, Any]]


class Extent(Struct, frozen=True):
    """How far a file was read, and what shows that it is still the one."""

    identity: tuple[int, int]
    end: int
    modified_ns: int
    first: bytes
    last: bytes

    @classmethod
    def of(cls, descriptor: int, end: int) -> Extent:
        """The first `end` bytes of an open file."""
        status = os.fstat(descriptor)
        first = read_at(descriptor, min(_SAMPLE, end), 0)
        last = read_at(descriptor, min(_SAMPLE, end), max(0, end - _SAMPLE))
        return cls((status.st_dev, status.st_ino), end, status.st_mtime_ns, first, last)

    def is_prefix_of(self, other: Extent, descriptor: int) -> bool:
        """Whether the other is this one with more behind it."""
        if self.identity != other.identity or self.end > other.end:
            return False
        if self.end == other.end:
            return self == other
        # Nothing in between is compared: who rewrites a ledger in place is named by `verify`.
        size = len(self.last)
        return self.first == other.first[: len(self.first)] and self.last == read_at(descriptor, size, self.end - size)

    def ends_line(self) -> bool:
        """Whether a line ends there: a torn last line may have got its rest since."""
        return self.last.endswith(b"\n")


class _KeptSearch(Struct, frozen=True):
    extent: Extent
    records: _Records


class KeptSearches:
    """The searches of one root's ledger. Safe to use from several threads.

    What is given is shared: it must not be changed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[RecordQuery, int], _KeptSearch] = OrderedDict()
        self._count = 0

    def search(
        self, history: LedgerHistory, query: RecordQuery, limit: int, indexes: Indexes, progress: Progress
    ) -> _Records:
        """The newest `limit` records that match, last line first; 0: all."""
        live = history.live
        if history.archives or live is None or not history.end:
            return _newest(history.search(query, indexes, progress), limit)
        extent, key = Extent.of(live, history.end), (query, limit)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept.extent.is_prefix_of(extent, live) and kept.extent.ends_line():
            lines = lines_backward(live, extent.end, query.required_bytes(), start=kept.extent.end)
            added = list(records_in(lines, query))
            records: _Records = [*added, *kept.records] if added else kept.records
            records = records[:limit] if limit else records
        else:
            records = _newest(history.search(query, indexes, progress), limit)
        self._keep(key, _KeptSearch(extent, records))
        return records

    def _keep(self, key: tuple[RecordQuery, int], search: _KeptSearch) -> None:
        with self._lock:
            former = self._kept.pop(key, None)
            self._count += len(search.records) - (0 if former is None else len(former.records))
            self._kept[key] = search
            while len(self._kept) > _MAX_SEARCHES or self._count > _MAX_RECORDS:
                _, dropped = self._kept.popitem(last=False)
                self._count -= len(dropped.records)


def _newest(records: Iterable[dict[str, Any]], limit: int) -> _Records:
    return list(islice(records, limit or None))

"""A ledger's whole history: its archives, oldest first, then the live file. Each record is yielded once."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.hashing import PREFIX
from intentls.core.ledger.deduplication import Deduplicator
from intentls.core.ledger.hash_chain import member, parse
from intentls.core.ledger.verifier import Verifier
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable
from intentls.store.ledger_files.line_reader import find_last, lines_forward, lines_with, opened
from intentls.store.ledger_files.segments import LedgerSegment
from intentls.store.ledger_search.query import RecordQuery
from intentls.store.ledger_search.search import Indexes, PlacedLine

log = logging.getLogger(__name__)

_PROGRESS_LINES = 5_000  # between two reports of the progress

Progress = Callable[[int, int], None]
"""(bytes done, bytes in all)"""


class LedgerRecord(dict[str, Any]):
    """A record, and where its line is in the live file: its offset, and its length in bytes without its end."""

    __slots__ = ("length", "offset")

    def __init__(self, record: dict[str, Any], offset: int, length: int) -> None:
        super().__init__(record)
        self.offset, self.length = offset, length


class LedgerHistory(Struct, frozen=True):
    """The files as they were at one moment. `live` is open for reading (None: there is none), `end` its size then.

    The live file has the lines of the segments, which are what git carries; its first `kept` bytes are in none.
    """

    archives: tuple[Archive, ...]
    live: int | None
    end: int
    kept: int = 0

    def search(self, query: RecordQuery, indexes: Indexes, progress: Progress) -> Iterator[dict[str, Any]]:
        """The records that match, last line first.

        Ends, with a warning, at an archive that can't be read: what is older would not join on to the rest.
        """
        once = Deduplicator(newest_first=True) if self.archives else None
        left = sum(archive.size for archive in self.archives)
        total = left + self.end
        if self.live is not None:
            lines = indexes.live(self.live, self.end, query, lambda end: progress(self.end - end, total))
            for record in records_in(lines, query):
                if once is None or once.is_first(record):
                    yield record
        try:
            for archive in reversed(self.archives):
                archived = indexes.archived(archive, query, partial(progress, total - left, total))
                yield from _records((line for _, line in archived), once, query)
                left -= archive.size
        except ArchiveUnreadable as error:
            log.warning("what is older is left out. %s", error)

    def oldest_first(self, progress: Progress) -> Iterator[dict[str, Any]]:
        """All records in order. Raises ArchiveUnreadable."""
        once = Deduplicator() if self.archives else None
        before, total = 0, sum(archive.size for archive in self.archives) + self.end
        for archive in self.archives:
            yield from _records(archive.lines(), once)
            before += archive.size
            progress(before, total)
        yield from _records((raw for _, raw in self._live_lines(before, progress, total)), once)

    def contains(self, record_id: str) -> bool:
        """Whether a record is there; the newest are looked at first. An archive that can't be read holds none."""
        mark = member("id", record_id)
        if self.live is not None:
            lines = find_last(self.live, 0, self.end, [mark])
            if mark in lines:
                return parse(lines[mark][1]) is not None  # a torn line is no record
        return any(_contains(archive, mark) for archive in reversed(self.archives))

    def verify(self, verifier: Verifier, progress: Progress) -> None:
        """Show the verifier every line, a second time if it asks for that."""
        total = sum(archive.size for archive in self.archives) + self.end
        before = 0
        for archive in self.archives:
            verifier.begin(archive.name)
            content_hash, reason = _feed(verifier, archive, partial(progress, before, total))
            verifier.end(archive.name, content_hash, reason)
            before += archive.size
        verifier.begin(None)
        for number, raw in self._live_lines(before, progress, total):
            verifier.feed(number, raw)
        verifier.end(None)
        if verifier.needs_second_look:
            self._look_again(verifier)

    def verify_segments(self, verifier: Verifier, trace: Path, listed: Sequence[LedgerSegment]) -> None:
        """Show the verifier every line of the files that git carries, a second time if it asks for that."""
        for archive in self.archives:
            verifier.begin(archive.name)
            verifier.end(archive.name, *_feed(verifier, archive, lambda: None))
        for name, lines in self._carried(trace, listed):
            verifier.begin(name)
            for number, raw in lines:
                verifier.feed(number, raw)
            verifier.end(None)
        if verifier.needs_second_look:
            self._look_again_at_archives(verifier)
            for name, lines in self._carried(trace, listed):
                verifier.begin(name)
                for number, raw in lines:
                    verifier.look_again(number, raw)

    def _carried(
        self, trace: Path, listed: Sequence[LedgerSegment]
    ) -> Iterator[tuple[str | None, Iterator[tuple[int, bytes]]]]:
        """What is in no segment, then each segment by name; with its numbered lines."""
        if self.live is not None and self.kept:
            yield None, _numbered(self.live, self.kept)
        for segment in listed:
            with opened(trace / segment.name) as descriptor:
                if descriptor is not None:
                    yield segment.name, _numbered(descriptor, segment.size)

    def _look_again(self, verifier: Verifier) -> None:
        self._look_again_at_archives(verifier)
        if self.live is not None:
            verifier.begin(None)
            for number, raw in _numbered(self.live, self.end):
                verifier.look_again(number, raw)

    def _look_again_at_archives(self, verifier: Verifier) -> None:
        for archive in self.archives:
            verifier.begin(archive.name)
            try:
                for number, raw in enumerate(archive.lines(), start=1):
                    verifier.look_again(number, raw)
            except ArchiveUnreadable as error:
                log.debug("reported at the first look: %s", error)

    def _live_lines(self, before: int, progress: Progress, total: int) -> Iterator[tuple[int, bytes]]:
        """Each line of the live file with its number from 1; `before` bytes of `total` come before it."""
        if self.live is None:
            return
        for number, (offset, raw) in enumerate(lines_forward(self.live, 0, self.end), start=1):
            yield number, raw
            if not number % _PROGRESS_LINES:
                progress(before + offset, total)


def _numbered(descriptor: int, end: int) -> Iterator[tuple[int, bytes]]:
    return ((number, raw) for number, (_, raw) in enumerate(lines_forward(descriptor, 0, end), start=1))


def _feed(verifier: Verifier, archive: Archive, progress: Callable[[], None]) -> tuple[str | None, str]:
    """The hash of the archive's content, or None and why it can't be read."""
    digest, number = hashlib.sha256(), 0
    try:
        for block in archive.blocks():
            progress()
            digest.update(block)
            for raw in BytesIO(block):
                number += 1
                verifier.feed(number, raw)
    except ArchiveUnreadable as error:
        return None, error.reason
    return PREFIX + digest.hexdigest(), ""


def _contains(archive: Archive, mark: bytes) -> bool:
    try:
        return any(
            parse(line) is not None for block in archive.blocks_backward() for _, line in lines_with(mark, block)
        )
    except ArchiveUnreadable as error:
        log.warning("%s", error)
        return False


def records_in(lines: Iterable[PlacedLine], query: RecordQuery) -> Iterator[LedgerRecord]:
    """The records that match, with their places; `lines` are the live file's."""
    for offset, line in lines:
        record = parse(line)
        if record is not None and query.matches(record):
            yield LedgerRecord(record, offset, len(line))


def _records(
    lines: Iterable[bytes], once: Deduplicator | None, query: RecordQuery | None = None
) -> Iterator[dict[str, Any]]:
    for line in lines:
        record = parse(line)
        if record is not None and (query is None or query.matches(record)) and (once is None or once.is_first(record)):
            yield record

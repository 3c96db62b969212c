"""A ledger's whole history: its archives, oldest first, then the live file. Each record is told once."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from intentls.core.hashing import PREFIX
from intentls.core.ledger.deduplication import Deduplicator
from intentls.core.ledger.hash_chain import member, parse
from intentls.core.ledger.verifier import Verifier
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable
from intentls.store.ledger_files.line_reader import find_last, lines_backward, lines_forward
from intentls.store.ledger_search.query import RecordQuery

if TYPE_CHECKING:
    from intentls.store.ledger_search.search import Indexes

log = logging.getLogger(__name__)

_ANY = RecordQuery()
_PROGRESS_LINES = 5_000  # between two words about the progress

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class History:
    """The files as they were at one moment. `live` is open for reading (None: there is none), `end` its size then."""

    archives: tuple[Archive, ...]
    live: int | None
    end: int

    def newest_first(self, containing: bytes, progress: Progress) -> Iterator[dict[str, Any]]:
        """The records whose lines contain these bytes, last line first. Ends, with a warning, at an archive that
        can't be read: what is older would not join on to the rest.
        """
        return self._told(
            lambda live, heed: lines_backward(live, self.end, containing, heed),
            lambda archive, heed: archive.lines_backward(containing, heed),
            _ANY,
            progress,
        )

    def search(self, sought: RecordQuery, indexes: Indexes, progress: Progress) -> Iterator[dict[str, Any]]:
        """The records that meet the conditions, last line first. It ends as `newest_first` does."""
        return self._told(
            lambda live, heed: indexes.live(live, self.end, sought, heed),
            lambda archive, heed: indexes.archived(archive, sought, heed),
            sought,
            progress,
        )

    def catch_up(self, indexes: Indexes) -> bool:
        """See `Indexes`."""
        return indexes.catch_up(self.live, self.end, self.archives)

    def _told(
        self,
        of_live: Callable[[int, Callable[[int], None]], Iterable[bytes]],
        of_archive: Callable[[Archive, Callable[[], None]], Iterable[bytes]],
        sought: RecordQuery,
        progress: Progress,
    ) -> Iterator[dict[str, Any]]:
        once = Deduplicator(newest_first=True) if self.archives else None
        left = sum(archive.size for archive in self.archives)
        total = left + self.end
        if self.live is not None:
            yield from _records(of_live(self.live, lambda end: progress(self.end - end, total)), once, sought)
        try:
            for archive in reversed(self.archives):
                yield from _records(of_archive(archive, partial(progress, total - left, total)), once, sought)
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
        if self.live is not None:
            yield from _records(_live_lines(self.live, self.end, lambda offset: progress(before + offset, total)), once)

    def contains(self, record_id: str) -> bool:
        """Whether a record is there; the newest are looked at first. An archive that can't be read holds none."""
        mark = member("id", record_id)
        if self.live is not None:
            found = find_last(self.live, 0, self.end, [mark])
            if mark in found:
                return parse(found[mark][1]) is not None  # a torn line is no record
        return any(_contains(archive, mark) for archive in reversed(self.archives))

    def verify(self, verifier: Verifier, progress: Progress) -> None:
        """Show the verifier every line, a second time if it asks for that."""
        total = sum(archive.size for archive in self.archives) + self.end
        before = 0
        for archive in self.archives:
            verifier.begin(archive.name)
            content_hash, trouble = _feed(verifier, archive, partial(progress, before, total))
            verifier.end(archive.name, content_hash, trouble)
            before += archive.size
        verifier.begin(None)
        if self.live is not None:
            for number, (offset, raw) in enumerate(lines_forward(self.live, 0, self.end), start=1):
                verifier.feed(number, raw)
                if not number % _PROGRESS_LINES:
                    progress(before + offset, total)
        verifier.end(None)
        if verifier.needs_second_look:
            self._look_again(verifier)

    def _look_again(self, verifier: Verifier) -> None:
        for archive in self.archives:
            verifier.begin(archive.name)
            try:
                for number, raw in enumerate(archive.lines(), start=1):
                    verifier.look_again(number, raw)
            except ArchiveUnreadable as error:
                log.debug("told of at the first look: %s", error)
        if self.live is not None:
            verifier.begin(None)
            for number, (_, raw) in enumerate(lines_forward(self.live, 0, self.end), start=1):
                verifier.look_again(number, raw)


def _feed(verifier: Verifier, archive: Archive, alive: Callable[[], None]) -> tuple[str | None, str]:
    """The hash of the archive's content, or None and why it can't be read."""
    digest, number = hashlib.sha256(), 0
    try:
        for block in archive.blocks():
            alive()
            digest.update(block)
            for raw in BytesIO(block):
                number += 1
                verifier.feed(number, raw)
    except ArchiveUnreadable as error:
        return None, error.reason
    return PREFIX + digest.hexdigest(), ""


def _contains(archive: Archive, mark: bytes) -> bool:
    try:
        return any(parse(line) is not None for line in archive.lines_backward(mark))
    except ArchiveUnreadable as error:
        log.warning("%s", error)
        return False


def _live_lines(live: int, end: int, heed: Callable[[int], None]) -> Iterator[bytes]:
    for number, (offset, line) in enumerate(lines_forward(live, 0, end), start=1):
        if not number % _PROGRESS_LINES:
            heed(offset)
        yield line


def _records(lines: Iterable[bytes], once: Deduplicator | None, sought: RecordQuery = _ANY) -> Iterator[dict[str, Any]]:
    for line in lines:
        record = parse(line)
        if record is not None and sought.meets(record) and (once is None or once.is_first(record)):
            yield record

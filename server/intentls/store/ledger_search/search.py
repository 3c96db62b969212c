"""Searching a ledger's files, newest first: through their indexes, and backward where those know nothing.

The answers are the same either way. A search notes how much it had to read without an index; who has answered may
then bring the indexes on (`Indexes.catch_up`), a step at a time: the writer has nothing to do with it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol
from zlib import crc32

from intentls.store.clock import timestamp
from intentls.store.fs.atomic_write import read_at
from intentls.store.layout import Layout
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable, OpenArchive
from intentls.store.ledger_files.line_reader import lines_backward, lines_with
from intentls.store.ledger_search.block_index import LedgerIndex
from intentls.store.ledger_search.blocks import Block, IndexedBlock, blocks_of, describe
from intentls.store.ledger_search.query import RecordQuery

log = logging.getLogger(__name__)

# Reading so many bytes backward takes about as long as asking an index: for less, none is made or asked.
_WORTH: Final = 1 << 22
_STEP: Final = 1 << 25  # bytes that are taken in at once: some tenths of a second
_FIRST_BATCH, _LARGEST_BATCH = 16, 256  # blocks that an index is asked for at once
_LIVE = "live"


class LedgerSource(Protocol):
    """One open file of a ledger as it was at one moment. Offsets are those of the file."""

    descriptor: int
    end: int

    def backward(self, needle: bytes, start: int, before: int) -> Iterator[bytes]:
        """The lines between two offsets that contain `needle`, last first."""

    def content(self, block: Block) -> bytes | None:
        """The lines of a block; None if it is not what it was."""


class LiveLedger:
    """The live file, of which the first `end` bytes count. `note` is told how many bytes are left, now and then."""

    def __init__(self, descriptor: int, end: int, note: Callable[[int], None]) -> None:
        self.descriptor, self.end = descriptor, end
        self.read = 0  # bytes, backward
        self._note = note

    def backward(self, needle: bytes, start: int, before: int) -> Iterator[bytes]:
        """See Source."""
        told = self.read

        def heed(left: int) -> None:
            self.read = told + before - left
            self._note(left)

        yield from lines_backward(self.descriptor, before, needle, heed, start)
        self.read = told + before - start

    def content(self, block: Block) -> bytes | None:
        """See Source."""
        self._note(block.start + block.length)
        return _unchanged(block, read_at(self.descriptor, block.length, block.start))


class ArchivedLedger:
    """An archive. `note` is called now and then."""

    def __init__(self, archive: Archive, file: OpenArchive, note: Callable[[], None]) -> None:
        self.descriptor, self.end = file.descriptor, archive.size
        self.read = 0
        self._archive, self._file, self._note = archive, file, note

    def backward(self, needle: bytes, start: int, before: int) -> Iterator[bytes]:
        """See Source."""
        for content in self._archive.blocks_backward(start, before):
            self._note()
            self.read += len(content)
            yield from lines_with(needle, content)

    def content(self, block: Block) -> bytes | None:
        """See Source."""
        self._note()
        packed = _unchanged(block, self._file.packed(block.start, block.length))
        return None if packed is None else self._file.content(block.start, packed)


class Indexes:
    """The indexes of one root's ledger. Safe to use from several threads."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._read = 0  # bytes, since the indexes were last brought on

    def live(self, descriptor: int, end: int, sought: RecordQuery, note: Callable[[int], None]) -> Iterator[bytes]:
        """The lines of the live file that may meet the conditions, last first. `end` and `note` are as for `Live`."""
        source = LiveLedger(descriptor, end, note)
        try:
            yield from _lines(source, self._index(_LIVE) if end >= _WORTH else None, sought)
        finally:
            self._read += source.read

    def archived(self, archive: Archive, sought: RecordQuery, note: Callable[[], None]) -> Iterator[bytes]:
        """Those of an archive. Raises ArchiveUnreadable."""
        with archive.opened() as file:
            source = ArchivedLedger(archive, file, note)
            try:
                yield from _lines(source, self._index(archive.name), sought)
            finally:
                self._read += source.read

    def catch_up(self, live: int | None, end: int, archives: Sequence[Archive]) -> bool:
        """If searches had to read much without the indexes: bring one of these on a step. Whether that is to go on."""
        if self._read < _WORTH:
            return False
        if live is not None and end >= _WORTH:
            taken = self._index(_LIVE).extend(live, lambda start: blocks_of(live, start, end, _STEP))
            if taken is None or taken >= _STEP:
                return taken is not None
        if any(self._take_in(archive) for archive in reversed(archives)):
            return True
        self._read = 0
        return False

    def _take_in(self, archive: Archive) -> bool:
        """Whether a step was made."""
        index = self._index(archive.name)
        try:
            with archive.opened() as file:
                found = index.look_up(file.descriptor, (), "", 0, 0)
                if found is not None and found.end == archive.size:
                    return False
                return bool(index.extend(file.descriptor, lambda start: _packed_blocks(file, start)))
        except ArchiveUnreadable as error:
            log.debug("not indexed. %s", error)
            return False

    def _index(self, name: str) -> LedgerIndex:
        return LedgerIndex(self._layout, name)


def _lines(source: LedgerSource, index: LedgerIndex | None, sought: RecordQuery) -> Iterator[bytes]:
    needle, words = sought.needle(), sought.words()
    since = "" if sought.since is None else timestamp(sought.since)
    before, generation, batch = None, b"", _FIRST_BATCH  # all lines behind `before` have been told
    while index is not None and (words or since):
        found = index.look_up(source.descriptor, words, since, before, batch)
        if found is None or found.end > source.end or (before is not None and found.generation != generation):
            break
        if before is None:
            yield from source.backward(needle, found.end, source.end)
            before, generation = found.end, found.generation
        for block in found.blocks:
            content = source.content(block)
            if content is None:
                index.forget()
                yield from source.backward(needle, 0, block.start + block.length)
                return
            yield from lines_with(needle, content)
            before = block.start
        if not found.more:
            return
        batch = min(batch * 2, _LARGEST_BATCH)
    yield from source.backward(needle, 0, source.end if before is None else before)


def _packed_blocks(file: OpenArchive, start: int) -> Iterator[IndexedBlock]:
    taken = 0
    while start < file.size and taken < _STEP:
        packed = file.packed(start, file.length(start))
        content = file.content(start, packed)
        yield describe(Block(start, len(packed), crc32(packed)), content)
        start, taken = start + len(packed), taken + len(content)


def _unchanged(block: Block, data: bytes) -> bytes | None:
    return data if (len(data), crc32(data)) == (block.length, block.checksum) else None

"""Searching a ledger's files, newest first: through their indexes, and backward where those know nothing.

The answers are the same either way. The indexes are extended a step at a time (`Indexes.catch_up`), after an answer,
where a search had to read much without them, where the live file grew past the next 4 MiB, and where it was made again:
then the index of the old file is kept as far as both begin with the same bytes. Nothing waits for that.

    live file of 10 MB, indexed up to 9 MB:   read 10..9 MB backward, then the blocks that the index names
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias
from zlib import crc32

from intentls.store.clock import timestamp
from intentls.store.fs.atomic_write import read_at
from intentls.store.layout import Layout
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable, OpenArchive
from intentls.store.ledger_files.line_reader import lines_backward, lines_with
from intentls.store.ledger_search.query import Block, IndexedBlock, RecordQuery, blocks_of, describe

if TYPE_CHECKING:
    from intentls.store.ledger_search.block_index import LedgerIndex

log = logging.getLogger(__name__)

# Reading so many bytes backward takes about as long as asking an index: for less, none is made or asked.
_MIN_INDEXED: Final = 1 << 22
_STEP: Final = 1 << 25  # bytes that are indexed at once: some tenths of a second
_FIRST_BATCH, _MAX_BATCH = 16, 256  # blocks that an index is asked for at once
_LIVE = "live"

PlacedLine: TypeAlias = tuple[int, bytes]
"""A line, and the offset in the live file at which it begins; of a line in an archive the offset says nothing."""


class _LiveSource:
    """The live file, of which the first `end` bytes count. `progress` gets, now and then, how many bytes are left."""

    def __init__(self, descriptor: int, end: int, progress: Callable[[int], None]) -> None:
        self.descriptor, self.end = descriptor, end
        self.bytes_read = 0  # backward
        self._progress = progress

    def backward(self, required: bytes, start: int, before: int) -> Iterator[PlacedLine]:
        """The lines between two offsets that contain `required`, last first."""
        earlier = self.bytes_read

        def note(left: int) -> None:
            self.bytes_read = earlier + before - left
            self._progress(left)

        yield from lines_backward(self.descriptor, before, required, note, start)
        self.bytes_read = earlier + before - start

    def content(self, block: Block) -> bytes | None:
        """The lines of a block; None if the file no longer holds what was indexed."""
        self._progress(block.start + block.length)
        return _unchanged(block, read_at(self.descriptor, block.length, block.start))


class _ArchiveSource:
    """An archive; offsets are those of its compressed file. `progress` is called now and then."""

    def __init__(self, archive: Archive, file: OpenArchive, progress: Callable[[], None]) -> None:
        self.descriptor, self.end = file.descriptor, archive.size
        self.bytes_read = 0
        self._archive, self._file, self._progress = archive, file, progress

    def backward(self, required: bytes, start: int, before: int) -> Iterator[PlacedLine]:
        """The lines of the blocks between two offsets that contain `required`, last first."""
        for content in self._archive.blocks_backward(start, before):
            self._progress()
            self.bytes_read += len(content)
            yield from lines_with(required, content)

    def content(self, block: Block) -> bytes | None:
        """The lines of a block; None if the archive no longer holds what was indexed."""
        self._progress()
        packed = _unchanged(block, self._file.packed(block.start, block.length))
        return None if packed is None else self._file.content(block.start, packed)


_Source: TypeAlias = _LiveSource | _ArchiveSource


class Indexes:
    """The indexes of one root's ledger. Safe to use from several threads."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._bytes_read = 0  # by searches, since the indexes were last extended

    @property
    def is_behind(self) -> bool:
        """Whether `catch_up` has something to do."""
        return self._bytes_read >= _MIN_INDEXED

    def note_growth(self, start: int, end: int) -> None:
        """The live file grew: every 4 MiB they are extended, so that no search has much to read without them."""
        if start // _MIN_INDEXED != end // _MIN_INDEXED:
            self._bytes_read = max(self._bytes_read, _MIN_INDEXED)

    def carry_over(self, old: int, new: int, common: int) -> None:
        """The open live file `old` is replaced by `new`, which begins with the same `common` bytes."""
        self.note_growth(0, os.fstat(new).st_size)
        if self._layout.index.is_dir():
            self._index(_LIVE).carry_over(old, new, common)

    def live(
        self, descriptor: int, end: int, query: RecordQuery, progress: Callable[[int], None]
    ) -> Iterator[PlacedLine]:
        """The lines of the live file's first `end` bytes that may match, last first.

        `progress` gets, now and then, how many bytes are left.
        """
        yield from self._lines(_LiveSource(descriptor, end, progress), _LIVE if end >= _MIN_INDEXED else None, query)

    def archived(self, archive: Archive, query: RecordQuery, progress: Callable[[], None]) -> Iterator[PlacedLine]:
        """Those of an archive. Raises ArchiveUnreadable."""
        with archive.opened() as file:
            yield from self._lines(_ArchiveSource(archive, file, progress), archive.name, query)

    def catch_up(self, live: int | None, end: int, archives: Sequence[Archive]) -> bool:
        """If they are behind: extend one of them a step. Whether there is more to do."""
        if not self.is_behind:
            return False
        if live is not None and end >= _MIN_INDEXED:
            taken = self._index(_LIVE).extend(live, lambda start: blocks_of(live, start, end, _STEP))
            if taken is None or taken >= _STEP:
                return taken is not None
        if any(self._take_in(archive) for archive in reversed(archives)):
            return True
        self._bytes_read = 0
        return False

    def _take_in(self, archive: Archive) -> bool:
        """Whether a step was made."""
        index = self._index(archive.name)
        try:
            with archive.opened() as file:
                matches = index.look_up(file.descriptor, (), "", 0, 0)
                if matches is not None and matches.end == archive.size:
                    return False
                return bool(index.extend(file.descriptor, lambda start: _packed_blocks(file, start)))
        except ArchiveUnreadable as error:
            log.debug("not indexed. %s", error)
            return False

    def _index(self, name: str) -> LedgerIndex:
        # SQLite: an agent's hook, which is a new process for each tool call, hardly ever needs it
        from intentls.store.ledger_search.block_index import LedgerIndex

        return LedgerIndex(self._layout, name)

    def _lines(self, source: _Source, name: str | None, query: RecordQuery) -> Iterator[PlacedLine]:
        """The lines of a file that may match, with the help of the index called `name`."""
        if not query.index_keys() and query.since is None:
            yield from source.backward(query.required_bytes(), 0, source.end)
            return
        try:
            yield from _lines(source, None if name is None else self._index(name), query)
        finally:
            self._bytes_read += source.bytes_read


def _lines(source: _Source, index: LedgerIndex | None, query: RecordQuery) -> Iterator[PlacedLine]:
    required, keys = query.required_bytes(), query.index_keys()
    since = "" if query.since is None else timestamp(query.since)
    before, generation, batch = None, b"", _FIRST_BATCH  # all lines behind `before` have been yielded
    while index is not None:
        matches = index.look_up(source.descriptor, keys, since, before, batch)
        if matches is None or matches.end > source.end or (before is not None and matches.generation != generation):
            break
        if before is None:
            yield from source.backward(required, matches.end, source.end)
            before, generation = matches.end, matches.generation
        for block in matches.blocks:
            content = source.content(block)
            if content is None:
                index.forget()
                yield from source.backward(required, 0, block.start + block.length)
                return
            yield from lines_with(required, content, block.start)
            before = block.start
        if not matches.more:
            return
        batch = min(batch * 2, _MAX_BATCH)
    yield from source.backward(required, 0, source.end if before is None else before)


def _packed_blocks(file: OpenArchive, start: int) -> Iterator[IndexedBlock]:
    taken = 0
    for offset, length in file.positions(start):
        if taken >= _STEP:
            return
        packed = file.packed(offset, length)
        content = file.content(offset, packed)
        yield describe(Block(offset, length, crc32(packed)), content)
        taken += len(content)


def _unchanged(block: Block, data: bytes) -> bytes | None:
    return data if (len(data), crc32(data)) == (block.length, block.checksum) else None

"""Moving a whole prefix of the ledger into an archive, so that a kill at any instant loses no line.

    write the archive, read it back, give it its name · copy what stays · compare with the ledger once more · and,
    under the ledger's lock: append the marker, copy what came meanwhile, put the copy in the ledger's place

Until the last step the ledger is as it was, but for the marker; after it all is done. In between a line may stand
in the archive and in the ledger: readers yield each record once, and the next run finishes what was begun.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intentls.core.errors import LockTimeout, StoreError
from intentls.core.hashing import PREFIX
from intentls.core.ledger.archive_marker import ArchiveMarker, MarkerBuilder
from intentls.store.fs.atomic_write import fsync_dir, read_at, sync, write_all
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import system_reason
from intentls.store.fs.replacement_file import replacement_for
from intentls.store.layout import Layout
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable, archives, next_number
from intentls.store.ledger_files.archive_codec import Codec, best_codec
from intentls.store.ledger_files.line_reader import lines_forward, reading

_SEAM = 1 << 16  # bytes
_BLOCK = 1 << 20  # bytes of content in a block of an archive: what is read to get at one line
_CHUNK = 1 << 20  # bytes that are copied at once

MakeRecord = Callable[[ArchiveMarker], Mapping[str, Any]]


class ArchiveBusy(StoreError):
    """Another process is archiving this ledger."""


class LedgerChanged(StoreError):
    """The ledger became another file meanwhile, or something else than an append changed it. Nothing was moved."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was changed while it was being archived. Nothing was moved; try again.")


@dataclass(frozen=True, slots=True)
class ArchiveMove:
    """What was moved, the archive that it went into, and the id of the marker's record."""

    archive: Archive
    marker: ArchiveMarker
    record_id: str


class Archiver:
    """Archives the ledger of one root. Its other methods are for inside `hold`."""

    def __init__(self, layout: Layout, ledger: Ledger) -> None:
        self._layout = layout
        self._ledger = ledger
        self._locks = Locks(layout.locks / "archive")
        self._identity: tuple[int, int] | None = None

    @contextmanager
    def hold(self, holder: str) -> Iterator[None]:
        """Keep other processes from archiving. Raises ArchiveBusy at once if one is at it; StoreError.

        Inside, only the file that is the ledger at this moment is ever shortened, no other that takes its place.
        """
        try:
            with self._locks.hold(("archive",), holder, 0):
                self._identity = _identity(self._layout.ledger)
                yield
        except LockTimeout as error:
            raise ArchiveBusy(f"{error.holder} is archiving this ledger now. Nothing was moved.") from error

    def finish(self, by: str, record: MakeRecord) -> ArchiveMove | None:
        """End what a killed run began: an archive was made, and its lines still stand at the ledger's beginning."""
        for archive in reversed(archives(self._layout)):
            if self._begins_with(archive):
                builder = MarkerBuilder()
                for raw in archive.lines():
                    builder.feed(raw)
                return self._shorten(archive, builder.marker(archive.name, archive.content_hash(), by), record)
        return None

    def move(self, length: int, by: str, record: MakeRecord) -> ArchiveMove:
        """Move the first `length` bytes, which are whole lines. `record` makes the marker's record.

        Raises StoreError: then nothing was moved, though an archive may have been made.
        """
        try:
            archive, marker = self._store(length, by)
        except OSError as error:
            raise _refused(self._layout.archive, error) from error
        return self._shorten(archive, marker, record)

    def _begins_with(self, archive: Archive) -> bool:
        """Whether the ledger begins with all that the archive holds."""
        length = 0
        try:
            with reading(self._layout.ledger) as live:
                for block in archive.blocks():
                    if read_at(live, len(block), length) != block:
                        return False
                    length += len(block)
        except ArchiveUnreadable:
            return False
        return length > 0

    def _store(self, length: int, by: str) -> tuple[Archive, ArchiveMarker]:
        """Make the archive, or find the one that a killed run has made of the same lines."""
        directory, codec, builder = self._layout.archive, best_codec(), MarkerBuilder()
        directory.mkdir(exist_ok=True)
        if not stat.S_ISDIR(directory.lstat().st_mode):
            raise StoreError(f"{directory} is a link. Put a folder in its place; nothing was moved.")
        fsync_dir(directory.parent)
        with replacement_for(self._layout.ledger) as new:
            with reading(self._layout.ledger) as live:
                content_hash = compress(live, length, new.descriptor, builder, codec)
            sync(new.descriptor)
            written = Archive(new.path, os.fstat(new.descriptor).st_size, codec)
            if builder.bytes != length or written.content_hash() != content_hash:
                raise LedgerChanged(self._layout.ledger)
            digest = content_hash.removeprefix(PREFIX)[:12]
            for archive in archives(self._layout):
                if digest in archive.name and _holds(archive, content_hash):
                    return archive, builder.marker(archive.name, content_hash, by)
            name = f"{next_number(self._layout):04d}-{digest}.jsonl{codec.suffix}"
            new.close_for_rename().replace(directory / name)
        fsync_dir(directory)
        return Archive(directory / name, written.size), builder.marker(name, content_hash, by)

    def _shorten(self, archive: Archive, marker: ArchiveMarker, record: MakeRecord) -> ArchiveMove:
        """Append the marker, and leave out of the ledger what is archived. Raises StoreError."""
        marker_record = record(marker)
        try:
            with replacement_for(self._layout.ledger) as rest:
                with reading(self._layout.ledger) as live:
                    copied = copy(live, marker.bytes, rest.descriptor)
                    sync(rest.descriptor)
                    seams = _seams(live, marker.bytes, copied)
                    if hash_of_first(live, marker.bytes) != marker.content_hash:
                        raise LedgerChanged(self._layout.ledger)
                with self._ledger.hold() as held:
                    # Only what is quick: every process that appends waits, and none has done more than append.
                    same = _identity(self._layout.ledger) == self._identity
                    if not same or _seams(held.descriptor, marker.bytes, copied) != seams:
                        raise LedgerChanged(self._layout.ledger)
                    held.append(marker_record)
                    copy(held.descriptor, marker.bytes + copied, rest.descriptor)
                    rest.path.chmod(stat.S_IMODE(os.fstat(held.descriptor).st_mode))
                    sync(rest.descriptor)
                    held.replace(rest.close_for_rename())
        except OSError as error:
            raise _refused(self._layout.orchestration, error) from error
        self._identity = _identity(self._layout.ledger)
        return ArchiveMove(archive, marker, str(marker_record.get("id", "")))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _seams(live: int, cut: int, copied: int) -> tuple[bytes, ...]:
    """What stands before the cut, and at the end of what was copied: it moves when a line before it changes."""
    return tuple(read_at(live, min(_SEAM, end), end - min(_SEAM, end)) for end in (cut, cut + copied))


def _holds(archive: Archive, content_hash: str) -> bool:
    try:
        return archive.content_hash() == content_hash
    except ArchiveUnreadable:
        return False


def _refused(directory: Path, error: OSError) -> StoreError:
    return StoreError(f"{directory} can't take what is to be archived ({system_reason(error)}). Nothing was moved.")


def copy(source: int, start: int, target: int) -> int:
    """Append to `target` what stands in `source` from `start` to its present end; the number of those bytes."""
    end = os.fstat(source).st_size
    os.lseek(target, 0, os.SEEK_END)
    for offset in range(start, end, _CHUNK):
        write_all(target, read_at(source, min(_CHUNK, end - offset), offset))
    return max(0, end - start)


def hash_of_first(source: int, size: int) -> str:
    """The hash of the first `size` bytes of an open file."""
    digest = hashlib.sha256()
    for offset in range(0, size, _CHUNK):
        digest.update(read_at(source, min(_CHUNK, size - offset), offset))
    return PREFIX + digest.hexdigest()


def compress(source: int, size: int, target: int, builder: MarkerBuilder, codec: Codec) -> str:
    """Write the first `size` bytes of `source`, which are whole lines, to `target` in blocks; their hash.

    `builder` sees every line.
    """
    digest = hashlib.sha256()
    for block in _blocks(source, size, builder):
        digest.update(block)
        write_all(target, codec.compress(block))
    return PREFIX + digest.hexdigest()


def _blocks(source: int, size: int, builder: MarkerBuilder) -> Iterator[bytes]:
    lines, length = list[bytes](), 0
    for _, raw in lines_forward(source, 0, size):
        builder.feed(raw)
        lines.append(raw)
        length += len(raw)
        if length >= _BLOCK:
            yield b"".join(lines)
            lines, length = [], 0
    if lines:
        yield b"".join(lines)

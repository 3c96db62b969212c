"""Moving a whole prefix of the ledger into an archive, so that a kill at any instant loses no line.

    write the archive, read it back, give it its name · copy what stays · compare with the ledger once more · and,
    while nobody can append: append the bridge, copy what came meanwhile, put the copy in the ledger's place

Until the last step the ledger is as it was, but for the bridge; behind it all is done. In between a line may stand
in the archive and in the ledger: readers tell each record once, and the next run finishes what was begun.
"""

from __future__ import annotations

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
from intentls.store.archiving.replacement_file import compress, copy, hash_of_first, spare
from intentls.store.fs.atomic_write import fsync_dir, read_at, sync
from intentls.store.fs.named_locks import Locks
from intentls.store.layout import Layout
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable, archives, next_number
from intentls.store.ledger_files.archive_codec import best_codec
from intentls.store.ledger_files.line_reader import reading

_SEAM = 1 << 16  # bytes

MakeRecord = Callable[[ArchiveMarker], Mapping[str, Any]]


class ArchiveBusy(StoreError):
    """Another process is archiving this ledger."""


class LedgerChanged(StoreError):
    """The ledger became another file meanwhile, or something else than an append changed it. Nothing was moved."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was changed while it was being archived. Nothing was moved; try again.")


@dataclass(frozen=True, slots=True)
class ArchiveMove:
    """What was moved, the archive that it went into, and the id of the bridge's record."""

    archive: Archive
    bridge: ArchiveMarker
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
        """Be the only one who archives. Raises ArchiveBusy at once if somebody else does; StoreError.

        What is decided inside is decided of the ledger's file of now: no other one will be shortened.
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
                survey = MarkerBuilder()
                for raw in archive.lines():
                    survey.feed(raw)
                return self._shorten(archive, survey.marker(archive.name, archive.content_hash(), by), record)
        return None

    def move(self, length: int, by: str, record: MakeRecord) -> ArchiveMove:
        """Move the first `length` bytes, which are whole lines. `record` makes the bridge's record.

        Raises StoreError: then nothing was moved, though an archive may have been made.
        """
        try:
            archive, bridge = self._store(length, by)
        except OSError as error:
            raise _refused(self._layout.archive, error) from error
        return self._shorten(archive, bridge, record)

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
        folder, codec, survey = self._layout.archive, best_codec(), MarkerBuilder()
        self._make_folder()
        with spare(self._layout.ledger) as new:
            with reading(self._layout.ledger) as live:
                content_hash = compress(live, length, new.descriptor, survey, codec)
            sync(new.descriptor)
            written = Archive(new.path, os.fstat(new.descriptor).st_size, codec)
            if survey.bytes != length or written.content_hash() != content_hash:
                raise LedgerChanged(self._layout.ledger)
            digest = content_hash.removeprefix(PREFIX)[:12]
            for archive in archives(self._layout):
                if digest in archive.name and _holds(archive, content_hash):
                    return archive, survey.marker(archive.name, content_hash, by)
            name = f"{next_number(self._layout):04d}-{digest}.jsonl{codec.suffix}"
            new.ready().replace(folder / name)
        fsync_dir(folder)
        return Archive(folder / name, written.size), survey.marker(name, content_hash, by)

    def _make_folder(self) -> None:
        folder = self._layout.archive
        folder.mkdir(exist_ok=True)
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise StoreError(f"{folder} is a link. Put a folder in its place; nothing was moved.")
        fsync_dir(folder.parent)

    def _shorten(self, archive: Archive, bridge: ArchiveMarker, record: MakeRecord) -> ArchiveMove:
        """Append the bridge, and leave out of the ledger what is archived. Raises StoreError."""
        made = record(bridge)
        try:
            with spare(self._layout.ledger) as rest:
                with reading(self._layout.ledger) as live:
                    copied = copy(live, bridge.bytes, rest.descriptor)
                    sync(rest.descriptor)
                    seams = _seams(live, bridge.bytes, copied)
                    if hash_of_first(live, bridge.bytes) != bridge.content_hash:
                        raise LedgerChanged(self._layout.ledger)
                with self._ledger.hold() as held:
                    # Only what is quick: everybody waits. Who keeps to the lock has done no more than append.
                    known = _identity(self._layout.ledger) == self._identity
                    if not known or _seams(held.descriptor, bridge.bytes, copied) != seams:
                        raise LedgerChanged(self._layout.ledger)
                    held.append(made)
                    copy(held.descriptor, bridge.bytes + copied, rest.descriptor)
                    rest.path.chmod(stat.S_IMODE(os.fstat(held.descriptor).st_mode))
                    sync(rest.descriptor)
                    held.replace(rest.ready())
        except OSError as error:
            raise _refused(self._layout.orchestration, error) from error
        self._identity = _identity(self._layout.ledger)
        return ArchiveMove(archive, bridge, str(made.get("id", "")))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _seams(live: int, cut: int, copied: int) -> tuple[bytes, ...]:
    """What stands before the cut, and at the end of what was copied: it moves when a line before it changes."""
    return tuple(read_at(live, min(_SEAM, end), end - min(_SEAM, end)) for end in (cut, cut + copied))


def _holds(archive: Archive, content_hash: str) -> bool:
    try:
        return archive.content_hash() == content_hash
    except ArchiveUnreadable:
        return False


def _refused(place: Path, error: OSError) -> StoreError:
    reason = (error.strerror or str(error)).lower()
    return StoreError(f"{place} can't take what is to be archived ({reason}). Nothing was moved.")

"""Packing the ledger's oldest segments into an archive, so that a kill at any instant loses no line.

    write the archive, read it back, give it its name · and, under the ledger's lock: append the marker, write what
    stays of a segment that git does not have yet to a new one, remove the segments, make the local file again

In between a line may stand in the archive and in a segment: readers yield each record once, and the next run finishes
what was begun.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.errors import LockTimeout, StoreError
from intentls.core.hashing import PREFIX
from intentls.core.ledger.archive_marker import TOOL_NAME, ArchiveMarker, MarkerBuilder, read_marker
from intentls.core.ledger.hash_chain import encode, member, read_link, strip_end
from intentls.store.archiving.archive_prefix import LedgerPrefix
from intentls.store.fs.atomic_write import fsync_dir, replace_bytes, sync, write_all
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import system_reason
from intentls.store.fs.replacement_file import replacement_for
from intentls.store.layout import Layout
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_files.archive import Archive, ArchiveUnreadable, archives, next_number
from intentls.store.ledger_files.archive_codec import Codec, best_codec
from intentls.store.ledger_files.segments import LedgerSegment, digest_of, lines_of, new_name, read_segment, segments

log = logging.getLogger(__name__)

_BLOCK = 1 << 20  # bytes of content in a block of an archive: what is read to get at one line

MakeRecord = Callable[[ArchiveMarker], Mapping[str, Any]]


class ArchiveBusy(StoreError):
    """Another process is archiving this ledger."""


class LedgerChanged(StoreError):
    """The segments became others meanwhile. Nothing was moved."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was changed while it was being archived. Nothing was moved; try again.")


class ArchiveMove(Struct, frozen=True):
    """What was moved, the archive that it went into, and the id of the marker's record ("" if it had one already)."""

    archive: Archive
    marker: ArchiveMarker
    record_id: str


class Archiver:
    """Archives the ledger of one root. Its other methods are for inside `hold`."""

    def __init__(self, layout: Layout, ledger: Ledger) -> None:
        self._layout = layout
        self._ledger = ledger
        self._locks = Locks(layout.locks / "archive")

    @contextmanager
    def hold(self, holder: str) -> Iterator[None]:
        """Keep other processes from archiving. Raises ArchiveBusy at once if one is at it; StoreError."""
        try:
            with self._locks.hold(("archive",), holder, 0):
                yield
        except LockTimeout as error:
            raise ArchiveBusy(f"{error.holder} is archiving this ledger now. Nothing was moved.") from error

    def finish(self, by: str, record: MakeRecord, taken: Collection[str]) -> ArchiveMove | None:
        """End what a killed run began: an archive was made last, and segments still stand that have lines of it.

        `taken` are the names of the segments that git has: of those only such as it holds wholly. Raises StoreError.
        """
        made = [archive for archive in archives(self._layout) if archive.path.parent == self._layout.trace]
        for archive in made[-1:]:
            builder, digests = MarkerBuilder(), set[bytes]()
            try:
                for raw in archive.lines():
                    builder.feed(raw)
                    digests.add(digest_of(strip_end(raw)))
                marker = builder.marker(archive.name, archive.content_hash(), by)
            except ArchiveUnreadable:
                return None
            try:
                packed = tuple(
                    segment for segment in segments(self._layout) if self._is_packed(segment, digests, taken)
                )
            except OSError as error:
                raise _refused(self._layout.trace, error) from error
            if packed:
                return self._remove(archive, marker, packed, digests, record)
        return None

    def move(self, prefix: LedgerPrefix, by: str, record: MakeRecord) -> ArchiveMove:
        """Move these lines. `record` makes the marker's record.

        Raises StoreError: then nothing was moved, though an archive may have been made; and LedgerChanged if the
        segments have other lines than `prefix` says.
        """
        before = {archive.path for archive in archives(self._layout)}
        try:
            archive, marker = self._store(prefix.lines, by)
        except OSError as error:
            raise _refused(self._layout.trace, error) from error
        try:
            return self._remove(archive, marker, prefix.segments, set(map(digest_of, prefix.lines)), record, whole=True)
        except LedgerChanged:
            if archive.path not in before:  # it may hold what this tree has not
                with suppress(OSError):
                    archive.path.unlink()
            raise

    def _is_packed(self, segment: LedgerSegment, digests: set[bytes], taken: Collection[str]) -> bool:
        """Whether lines of a segment that may be removed are archived."""
        own = set(map(digest_of, lines_of(read_segment(self._layout.trace / segment.name))))
        return bool(own & digests) and (own <= digests or segment.name not in taken)

    def _store(self, lines: Iterable[bytes], by: str) -> tuple[Archive, ArchiveMarker]:
        """Make the archive, or find the one that a killed run has made of the same lines."""
        directory, codec, builder = self._layout.trace, best_codec(), MarkerBuilder()
        if not stat.S_ISDIR(directory.lstat().st_mode):
            raise StoreError(f"{directory} is a link. Put a folder in its place; nothing was moved.")
        with replacement_for(self._layout.ledger) as new:
            content_hash = _compress(lines, new.descriptor, builder, codec)
            sync(new.descriptor)
            written = Archive(new.path, os.fstat(new.descriptor).st_size, codec)
            if written.content_hash() != content_hash:
                raise LedgerChanged("The archive")
            digest = content_hash.removeprefix(PREFIX)[:12]
            for archive in archives(self._layout):
                if digest in archive.name and _holds(archive, content_hash):
                    return archive, builder.marker(archive.name, content_hash, by)
            name = f"{next_number(self._layout):04d}-{digest}.jsonl{codec.suffix}"
            new.close_for_rename().replace(directory / name)
        fsync_dir(directory)
        return Archive(directory / name, written.size), builder.marker(name, content_hash, by)

    def _remove(
        self,
        archive: Archive,
        marker: ArchiveMarker,
        packed: Iterable[LedgerSegment],
        digests: set[bytes],
        record: MakeRecord,
        *,
        whole: bool = False,
    ) -> ArchiveMove:
        """Append the marker, and remove the segments that are archived. Raises StoreError.

        With `whole` the segments must have all lines of these digests.
        """
        marker_record = None if self._has_marker(marker) else record(marker)
        directory = self._layout.trace
        with self._ledger.hold() as held:
            rests = list[Path]()
            try:
                known, missing = dict[Path, bytes](), set(digests) if whole else set[bytes]()
                for path in (directory / segment.name for segment in packed):
                    content = read_segment(path)
                    known[path] = digest_of(content)
                    missing.difference_update(map(digest_of, lines_of(content)))
                if missing:
                    raise LedgerChanged(str(directory))
                held.close_segment()
                rests.extend(self._write_rests(known, digests))
                fsync_dir(directory)
                if marker_record is not None:
                    held.append(marker_record)
            except FileNotFoundError as error:
                _drop(rests)
                raise LedgerChanged(str(directory)) from error
            except OSError as error:
                _drop(rests)
                raise _refused(directory, error) from error
            try:
                self._unlink(known)
            except OSError as error:
                raise StoreError(
                    f"{archive.path} is made, but the segments that it holds can't be removed "
                    f"({system_reason(error)}). Nothing is lost; archive again to end it."
                ) from error
            try:
                held.make_again()
            except OSError:  # it is derived: the next reader or writer makes it
                log.warning("%s is behind; it will be made again", self._layout.ledger, exc_info=True)
        return ArchiveMove(archive, marker, str((marker_record or {}).get("id", "")))

    def _write_rests(self, packed: Iterable[Path], digests: set[bytes]) -> Iterator[Path]:
        """What is not archived of a segment becomes one of its own: where. Raises OSError."""
        for segment in packed:
            rest = [line for line in lines_of(read_segment(segment)) if digest_of(line) not in digests]
            links = [link for line in rest if (link := read_link(line)) is not None]
            if rest:
                name = new_name(links[0].writer, links[0].seq) if links else new_name("0" * 12, 0)
                path, mode = segment.with_name(name), stat.S_IMODE(segment.stat().st_mode)
                yield path  # first, so that it is known if it can't be written to its end
                replace_bytes(path, b"".join(line + b"\n" for line in rest), mode=mode, durable=True)

    def _unlink(self, known: Mapping[Path, bytes]) -> None:
        """Remove the segments, of whose contents these are the digests. One that was edited meanwhile stays.

        Raises OSError.
        """
        for segment, digest in known.items():
            if digest_of(read_segment(segment)) == digest:
                segment.unlink()
                (self._layout.unsaved_segments / segment.name).unlink(missing_ok=True)
        fsync_dir(self._layout.trace)

    def _has_marker(self, marker: ArchiveMarker) -> bool:
        said = (read_marker(encode(record)) for record in self._ledger.newest_first(member("tool_name", TOOL_NAME)))
        return any(other is not None and other.content_hash == marker.content_hash for other in said)


def _holds(archive: Archive, content_hash: str) -> bool:
    try:
        return archive.content_hash() == content_hash
    except ArchiveUnreadable:
        return False


def _drop(rests: Iterable[Path]) -> None:
    """Remove segments that were written for nothing; what stays of them counts once."""
    for path in rests:
        with suppress(OSError):
            path.unlink()


def _refused(directory: object, error: OSError) -> StoreError:
    return StoreError(f"{directory} can't take what is to be archived ({system_reason(error)}). Nothing was moved.")


def _compress(lines: Iterable[bytes], target: int, builder: MarkerBuilder, codec: Codec) -> str:
    """Write lines to `target` in blocks; the hash of their bytes. `builder` sees every line."""
    digest = hashlib.sha256()
    for block in _blocks(lines, builder):
        digest.update(block)
        write_all(target, codec.compress(block))
    return PREFIX + digest.hexdigest()


def _blocks(lines: Iterable[bytes], builder: MarkerBuilder) -> Iterator[bytes]:
    block, length = list[bytes](), 0
    for line in lines:
        raw = line + b"\n"
        builder.feed(raw)
        block.append(raw)
        length += len(raw)
        if length >= _BLOCK:
            yield b"".join(block)
            block, length = [], 0
    if block:
        yield b"".join(block)

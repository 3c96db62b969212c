"""Packing the ledger's oldest segments into an archive, so that a kill at any instant loses no line.

    write the archive, read it back, give it its name · and, under the ledger's lock: append the marker, write what
    stays of a segment that git does not have yet to a new one, remove the segments, make the local file again

In between a line may stand in the archive and in a segment: readers yield each record once, and the next run finishes
what was begun.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

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

_BLOCK = 1 << 20  # bytes of content in a block of an archive: what is read to get at one line

MakeRecord = Callable[[ArchiveMarker], Mapping[str, Any]]


class ArchiveBusy(StoreError):
    """Another process is archiving this ledger."""


class LedgerChanged(StoreError):
    """The segments became others meanwhile. Nothing was moved."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was changed while it was being archived. Nothing was moved; try again.")


@dataclass(frozen=True, slots=True)
class ArchiveMove:
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

    def finish(self, by: str, record: MakeRecord) -> ArchiveMove | None:
        """End what a killed run began: an archive was made last, and segments still stand that it holds wholly."""
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
            packed = tuple(segment for segment in segments(self._layout) if self._is_within(segment, digests))
            if packed:
                return self._remove(archive, marker, packed, digests, record)
        return None

    def move(self, prefix: LedgerPrefix, by: str, record: MakeRecord) -> ArchiveMove:
        """Move these lines. `record` makes the marker's record.

        Raises StoreError: then nothing was moved, though an archive may have been made.
        """
        try:
            archive, marker = self._store(prefix.lines, by)
        except OSError as error:
            raise _refused(self._layout.trace, error) from error
        return self._remove(archive, marker, prefix.segments, set(map(digest_of, prefix.lines)), record)

    def _is_within(self, segment: LedgerSegment, digests: set[bytes]) -> bool:
        lines = lines_of(read_segment(self._layout.trace / segment.name))
        return bool(lines) and all(digest_of(line) in digests for line in lines)

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
    ) -> ArchiveMove:
        """Append the marker, and remove the segments that are archived. Raises StoreError."""
        marker_record = None if self._has_marker(marker) else record(marker)
        directory = self._layout.trace
        try:
            with self._ledger.hold() as held:
                held.close_segment()
                for segment in packed:
                    self._write_rest(read_segment(directory / segment.name), digests)
                fsync_dir(directory)
                if marker_record is not None:
                    held.append(marker_record)
                for segment in packed:
                    (directory / segment.name).unlink()
                    (self._layout.unsaved_segments / segment.name).unlink(missing_ok=True)
                fsync_dir(directory)
                held.make_again()
        except OSError as error:
            raise _refused(directory, error) from error
        return ArchiveMove(archive, marker, str((marker_record or {}).get("id", "")))

    def _write_rest(self, content: bytes, digests: set[bytes]) -> None:
        """What is not archived of a segment becomes one of its own."""
        rest = [line for line in lines_of(content) if digest_of(line) not in digests]
        links = [link for line in rest if (link := read_link(line)) is not None]
        if rest:
            name = new_name(links[0].writer, links[0].seq) if links else new_name("0" * 12, 0)
            replace_bytes(self._layout.trace / name, b"".join(line + b"\n" for line in rest), durable=True)

    def _has_marker(self, marker: ArchiveMarker) -> bool:
        said = (read_marker(encode(record)) for record in self._ledger.newest_first(member("tool_name", TOOL_NAME)))
        return any(other is not None and other.content_hash == marker.content_hash for other in said)


def _holds(archive: Archive, content_hash: str) -> bool:
    try:
        return archive.content_hash() == content_hash
    except ArchiveUnreadable:
        return False


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

"""The local file: the lines of the tree's segments in one file, made again when the segments become others.

The segments are the ledger; this file is derived from them, so that everything that reads or searches the ledger reads
one file. A note in `.state/` says which segments it was made of:

    git switch changes trace/     -> its time of change differs from the note's, and its names do -> made again
    this clone appends            -> to the open segment and to the local file alike               -> nothing to do
    killed between the two        -> the open segment is longer than the chain's head says         -> made again
    `.state/` is deleted          -> there is no note                                              -> made again

What stands in the file and in no segment comes first and stays: the ledger of a repository from before there were
segments, as long as git tracks it.
"""

from __future__ import annotations

import logging
import os
import stat
import time
from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from intentls.store.fs.atomic_write import fsync_dir, read_at, replace_bytes, sync_file, write_all
from intentls.store.fs.boot_id import boot_id
from intentls.store.fs.primitives import RACY_NS, READ, Stamp, file_stamp, is_racy
from intentls.store.fs.replacement_file import replacement_for
from intentls.store.fs.state_directory import make_directory, prepare_state
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHead
from intentls.store.ledger.commits import Commits
from intentls.store.ledger.segment_repair import underived
from intentls.store.ledger_files.archive import Archive, archives, packed_names
from intentls.store.ledger_files.segments import (
    LedgerSegment,
    digest_of,
    fingerprint,
    has_segments,
    in_order,
    lines_of,
    moved_name,
    read_segments,
    segment_names,
)

log = logging.getLogger(__name__)

_SAMPLE = 4096  # bytes
_LINES_AT_ONCE = 1_000
_WORTH_NOTING = 256  # segments: to list fewer costs each process less than a note that the folder is settled


Replaced = Callable[[int, int, int], None]
"""(the open old file, the open new one, how many bytes both begin with)"""


class SegmentNote(msgspec.Struct, frozen=True):
    """What the local file was made of.

    `fingerprint` is that of the segments' names, `count` how many there are, and `fresh` the sizes of those that git
    may still have been writing; `open` is the open one. `folder` is the stamp of `trace/` then; `settled` says that
    whatever changes in it will change the stamp, and `archives` are the names of those in it. `kept` bytes at the
    beginning are in no segment, and end with what `sample` is the digest of. `inode` is the local file's, `boot` tells
    whether the system was started anew. `commit` and `index` are what git was when it was asked last whether it has the
    open segment. `generation` is another one whenever the file is made again.
    """

    folder: tuple[int, ...] | None
    settled: bool
    fingerprint: str
    count: int = 0
    fresh: dict[str, int] = {}
    open: str = ""
    kept: int = 0
    sample: str = ""
    inode: int = 0
    boot: str = ""
    commit: str | None = None
    index: tuple[int, ...] | None = None
    generation: str = ""
    archives: tuple[str, ...] | None = None


_decode = msgspec.json.Decoder(SegmentNote).decode
_encode = msgspec.json.Encoder().encode


class LocalFile:
    """The local file of one root, and its note. Both are changed only under the ledger's lock."""

    def __init__(self, layout: Layout, commits: Commits, replaced: Replaced = lambda _old, _new, _common: None) -> None:
        """`replaced` is called before another file takes its place."""
        self._layout = layout
        self._commits = commits
        self._replaced = replaced
        self._trace = layout.trace
        self._trace_name = str(layout.trace)  # both are looked at on every append, where a Path is slower
        self._note_file = layout.segment_note
        self._note_name = str(layout.segment_note)
        self._note: SegmentNote | None = None
        self._note_stamp: Stamp | None = None
        self._settled: Stamp | None = None  # a folder that is settled, though that is not noted
        self._boot = boot_id()

    @property
    def note(self) -> SegmentNote | None:
        """The note as it is on disk now."""
        stamp = file_stamp(self._note_name)
        if stamp is None or stamp != self._note_stamp:
            self._note, self._note_stamp = self._read_note() if stamp is not None else None, stamp
        return self._note

    @property
    def last_note(self) -> SegmentNote | None:
        """The note as it was at the last look: enough for whoever has the lock and has just looked."""
        return self._note

    def is_as_left(self, inode: int) -> bool:
        """Whether the local file of this number was certainly made of the segments as they are, or by appends alone.

        Two looks at the disk; where they do not settle it, `is_current` does.
        """
        note = self.note
        if note is None or note.kept or (note.inode, note.boot) != (inode, self._boot):
            return False
        folder = file_stamp(self._trace_name)
        return folder == note.folder and (note.settled or folder == self._settled)

    def is_current(self, head: ChainHead | None) -> bool:
        """Whether the file has what the segments have. `head` is this clone's newest line, None if not known."""
        note = self.note
        if note is None:
            return not has_segments(self._layout)
        if not self._is_ours(note) or not self.is_open_known(head):
            return False
        folder = file_stamp(self._layout.trace)
        if folder == note.folder and (note.settled or folder == self._settled):
            return True
        racy = is_racy(folder, time.time_ns())
        if folder != note.folder or not self._has_same_segments(note):
            return False
        if not racy and note.count < _WORTH_NOTING:
            self._settled = folder
        return racy or folder == self._settled

    def is_open_known(self, head: ChainHead | None) -> bool:
        """Whether the open segment ends where this clone's newest line does."""
        note = self.note
        if note is None or not note.open or head is None or head.segment != note.open:
            return True
        return _size(self._layout.trace / note.open) == head.segment_size

    def settle(self) -> bool:
        """Note that the segments are the same after all; whether they are. Raises OSError."""
        note, folder = self.note, file_stamp(self._layout.trace)
        if note is None or not self._is_ours(note) or not self._has_same_segments(note):
            return False
        packed = packed_names(self._layout)
        self.save(msgspec.structs.replace(note, folder=folder, settled=_is_settled(folder), archives=packed))
        return True

    def archives(self) -> list[Archive]:
        """The archives of the root, oldest first. Raises LedgerUnavailable."""
        note = self.note
        is_noted = note is not None and note.settled and note.folder == file_stamp(self._layout.trace)
        return archives(self._layout, note.archives if note is not None and is_noted else None)

    def _is_ours(self, note: SegmentNote) -> bool:
        """Whether the file is the one that was made: numbers of removed files are used again."""
        if note.inode != _inode(self._layout.ledger) or note.boot != self._boot:
            return False
        return not note.kept or _sample(self._layout.ledger, note.kept) == note.sample

    def _has_same_segments(self, note: SegmentNote) -> bool:
        grown = (name for name, size in note.fresh.items() if _size(self._layout.trace / name) != size)
        return fingerprint(segment_names(self._layout)) == note.fingerprint and not any(grown)

    def save(self, note: SegmentNote) -> None:
        """Write the note. Raises OSError."""
        prepare_state(self._layout)
        replace_bytes(self._note_file, _encode(note))
        self._note, self._note_stamp = note, file_stamp(self._note_file)

    def forget(self) -> None:
        """The file is not what the note says."""
        with suppress(FileNotFoundError, NotADirectoryError):
            self._note_file.unlink()

    def began(self, name: str) -> SegmentNote:
        """Note that a segment was begun, which is open now; the one before is not any more. Raises OSError."""
        note, folder = self.note, file_stamp(self._layout.trace)
        names = segment_names(self._layout)
        is_known = len(names) == (0 if note is None else note.count) + 1  # else git added some meanwhile
        new = SegmentNote(
            folder,
            settled=False,
            fingerprint=fingerprint(names) if is_known else "",
            count=len(names),
            fresh={} if note is None else note.fresh,
            open=name,
            kept=(kept := _size(self._layout.ledger)) if note is None else note.kept,
            sample=_sample(self._layout.ledger, kept) if note is None else note.sample,
            inode=_inode(self._layout.ledger),
            boot=self._boot,
            commit=self._commits.state(),
            index=self._commits.index_stamp(),
            generation="" if note is None else note.generation,
        )
        self.save(new)
        return new

    def closed(self) -> None:
        """Note that no segment is open: the next record begins one. Raises OSError."""
        note = self.note
        if note is not None and note.open:
            self.save(msgspec.structs.replace(note, open=""))

    def make(self, live: int, *, is_damaged: bool = False) -> None:
        """Make the file again, in the place of the one that is open as `live`. Raises OSError.

        Of one that a power loss damaged only the lines are kept that no segment had.
        """
        note, folder = self.note, file_stamp(self._layout.trace)
        listed: list[LedgerSegment] = []
        kept = self._kept(live, note)
        if is_damaged:
            kept = underived(kept, segment_names(self._layout))
        lines = self._lines(kept, listed)
        moment = time.time_ns()
        opened = note.open if note is not None and any(segment.name == note.open for segment in listed) else ""
        new = SegmentNote(
            folder,
            settled=_is_settled(folder),
            fingerprint=fingerprint(segment.name for segment in listed),
            count=len(listed),
            fresh={
                segment.name: segment.size
                for segment in listed
                if moment - segment.changed < RACY_NS and segment.name != opened
            },
            open=opened,
            kept=len(kept),
            boot=self._boot,
            commit=note.commit if note is not None else None,
            index=note.index if note is not None else None,
            generation=os.urandom(8).hex(),
            archives=packed_names(self._layout),
        )
        with replacement_for(self._layout.ledger) as file:
            written = common = 0
            for block in _blocks(kept, lines):
                write_all(file.descriptor, block)
                if common == written:
                    common += _common(block, read_at(live, len(block), written))
                written += len(block)
            self._replaced(live, file.descriptor, common)
            file.path.chmod(stat.S_IMODE(os.fstat(live).st_mode))
            inode = os.fstat(file.descriptor).st_ino
            file.close_for_rename().replace(self._layout.ledger)
        self.save(msgspec.structs.replace(new, inode=inode, sample=_sample(self._layout.ledger, len(kept))))

    def derived(self) -> Iterator[bytes]:
        """What the file would hold, for where it can't be written, in blocks. Raises OSError."""
        try:
            descriptor = os.open(self._layout.ledger, READ)
        except OSError:
            return _blocks(b"", self._lines(b"", []))
        try:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            kept = self._kept(descriptor, self.note) if is_file else b""
        finally:
            os.close(descriptor)
        return _blocks(kept, self._lines(kept, []))

    def move_over(self, live: int) -> str | None:
        """Let what is in no segment become one, and the file's name; None if there is nothing. Raises OSError.

        A kill in between leaves the lines in both, where they count once.
        """
        content = self._kept(live, self.note)
        if not content.strip():
            return None
        if not content.endswith(b"\n"):
            content += b"\n"
        name = moved_name(content)
        make_directory(self._layout.trace)
        path = self._layout.trace / name
        if _size(path) != len(content):
            replace_bytes(path, content, durable=True)
        note = self.note or SegmentNote(None, settled=False, fingerprint="", boot=self._boot)
        names = segment_names(self._layout)
        # What the file holds stays the same.
        self.save(
            msgspec.structs.replace(
                note,
                folder=None,
                settled=False,
                fingerprint=fingerprint(names),
                count=len(names),
                kept=0,
                inode=os.fstat(live).st_ino,
            )
        )
        return name

    def _kept(self, live: int, note: SegmentNote | None) -> bytes:
        """What stands at the beginning of the open file and is in no segment."""
        status = os.fstat(live)
        if note is not None and self._is_ours(note) and note.inode == status.st_ino:
            return read_at(live, min(note.kept, status.st_size), 0)
        if not status.st_size:
            return b""
        tracked = self._commits.tracks_local_file()
        if tracked or tracked is None or not has_segments(self._layout):
            return read_at(live, status.st_size, 0)
        return b""  # git ignores it: it was derived, perhaps from another branch's segments

    def _lines(self, kept: bytes, listed: list[LedgerSegment]) -> list[bytes]:
        """What the file is to hold beyond `kept`; the segments that were read for it are put into `listed`."""

        def contents() -> Iterator[bytes]:
            for segment, content in read_segments(self._layout.trace):
                listed.append(segment)
                yield content

        return in_order(contents(), {digest_of(line) for line in lines_of(kept)})

    def _read_note(self) -> SegmentNote | None:
        try:
            return _decode(self._note_file.read_bytes())
        except FileNotFoundError:
            return None
        except (msgspec.DecodeError, UnicodeDecodeError, OSError):
            log.warning("%s can't be read; the local ledger is made again", self._note_file, exc_info=True)
            return None


def make_durable(path: Path) -> None:
    """Wait until a new file in `trace/` and its name are on the disk itself. Raises OSError."""
    sync_file(path)
    fsync_dir(path.parent)


def _blocks(kept: bytes, lines: list[bytes]) -> Iterator[bytes]:
    """`kept`, and behind it the lines with their ends, many at once: a second copy of all would be large."""
    if kept:
        yield kept if kept.endswith(b"\n") or not lines else kept + b"\n"
    for start in range(0, len(lines), _LINES_AT_ONCE):
        yield b"\n".join((*lines[start : start + _LINES_AT_ONCE], b""))


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    sizes = range(1, min(len(one), len(other)) + 1)
    return len(sizes) if one == other else bisect(sizes, False, key=lambda size: one[:size] != other[:size])


def _is_settled(folder: Stamp | None) -> bool:
    return not is_racy(folder, time.time_ns())


def _sample(path: Path, end: int) -> str:
    """The digest of what stands before the offset `end`; "" if the file is shorter."""
    if not end:
        return ""
    try:
        with path.open("rb") as file:
            file.seek(max(0, end - _SAMPLE))
            data = file.read(min(_SAMPLE, end))
    except OSError:
        return ""
    return digest_of(data).hex() if len(data) == min(_SAMPLE, end) else ""


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

"""The open segment: the one file in `trace/` that this clone still appends to. Used only under the ledger's lock.

A segment is open until git takes it in, and git reads it when it is staged. So it ends when the index has it, and when
HEAD is another commit than before: what a commit has must not change any more. The next record begins a new one.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from intentls.core.errors import LedgerUnavailable
from intentls.store.fs.atomic_write import fsync_dir
from intentls.store.fs.ignore_file import ignore_local_files
from intentls.store.fs.primitives import NO_LINK, closes_with, keep_newest
from intentls.store.fs.state_directory import make_directory
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHead, catch_up_in_segment
from intentls.store.ledger.commits import Commits
from intentls.store.ledger.local_file import LocalFile, SegmentNote
from intentls.store.ledger_files.line_reader import last_byte
from intentls.store.ledger_files.segments import is_of, new_name, segments

log = logging.getLogger(__name__)

MAX_OUTSIDE_GIT: Final = 1 << 20
"""Bytes after which a segment ends where no commit ends it."""

_KEPT = 64  # second names of segments
_FLAGS = os.O_RDWR | os.O_APPEND | NO_LINK


class SegmentFile:
    """A segment, open for appending. `size` is what it was when this process left it, -1 if it did not write yet.

    `name` is that of the file in `trace/`, and `place` its whole path: each append asks for both.
    """

    def __init__(self, path: Path, descriptor: int, inode: int, process: int, size: int = -1) -> None:
        self.path = path
        self.name, self.place = path.name, str(path)
        self.descriptor = descriptor
        self.inode = inode
        self.process = process
        self.size = size
        self.close: Callable[[], object] = closes_with(self, descriptor)

    def fence(self, size: int) -> bytes:
        """What keeps a torn last line from the next one, where it is `size` bytes long."""
        return b"" if size == self.size or last_byte(self.descriptor, size) in (b"", b"\n") else b"\n"


class OpenSegment:
    """Where the next record goes."""

    def __init__(self, layout: Layout, local: LocalFile, commits: Commits) -> None:
        self._layout = layout
        self._trace = layout.trace
        self._local = local
        self._commits = commits
        self._file: SegmentFile | None = None

    def as_left(self, head: ChainHead) -> SegmentFile | None:
        """The segment that `head`, this process's newest line, went to; None unless it still ends there, and is open.

        The local file's note was looked at just before. Raises OSError.
        """
        file, note = self._file, self._local.last_note
        if file is None or note is None or file.process != os.getpid() or not file.name == head.segment == note.open:
            return None
        status = os.lstat(file.place)
        if (status.st_ino, status.st_size, file.size) != (file.inode, head.segment_size, head.segment_size):
            return None
        return None if self._has_ended(note, head.writer, status.st_size) else file

    def for_next(self, live: int, writer: str, seq: int) -> SegmentFile:
        """The segment that the writer's number `seq` goes to. `live` is the locked local file. Raises OSError."""
        note = self._local.note
        if note is None and os.fstat(live).st_size and self._commits.tracks_local_file() is False:
            self._local.move_over(live)  # git has neither it nor a segment: it is history all the same
            note = self._local.note
        if note is not None and note.open and not self._has_ended(note, writer, self._size(note.open)):
            file = self._opened(note.open)
            if file is not None:
                return file
        return self._begin(writer, seq)

    def close(self) -> None:
        """Let the next record begin a new segment. Raises OSError."""
        self._local.closed()

    def unstaged(self, since_ns: int) -> list[Path]:
        """The segments that were changed since then and that git does not have. Raises OSError.

        After a power loss the note need not be there, or may be an old one.
        """
        names = [segment.name for segment in segments(self._layout) if segment.changed >= since_ns]
        return [self._layout.trace / name for name in names if not self._commits.is_staged(name)]

    def caught_up(self, head: ChainHead) -> ChainHead:
        """The head after what a killed process wrote only to its segment. Raises OSError."""
        file = self._opened(head.segment)
        return msgspec.structs.replace(head, segment="") if file is None else catch_up_in_segment(file.descriptor, head)

    def _size(self, name: str) -> int:
        """Bytes of a segment, -1 if it is gone: then that shows when it is opened."""
        try:
            return (self._trace / name).stat().st_size
        except FileNotFoundError:
            return -1

    def _has_ended(self, note: SegmentNote, writer: str, size: int) -> bool:
        commit = self._commits.state()
        if commit != note.commit or not is_of(note.open, writer):
            return True
        if commit is None:
            return size >= MAX_OUTSIDE_GIT
        index = self._commits.index_stamp()
        if index != note.index:
            if self._commits.is_staged(note.open):
                return True
            self._local.save(msgspec.structs.replace(note, index=index))
        return False

    def _begin(self, writer: str, seq: int) -> SegmentFile:
        """A new segment. Raises OSError, and LedgerUnavailable where a link would lead it elsewhere."""
        directory = self._layout.trace
        if directory.is_symlink():
            raise LedgerUnavailable(f"{directory} is a link. Put a folder in its place.")
        if not directory.is_dir():
            directory.mkdir()
            if not os.path.lexists(self._layout.orchestration / ".gitignore"):
                ignore_local_files(self._layout)
            fsync_dir(directory.parent)
        name = new_name(writer, seq)
        descriptor = os.open(directory / name, _FLAGS | os.O_CREAT | os.O_EXCL, 0o666)
        file = self._take(directory / name, descriptor)
        fsync_dir(directory)
        self._keep(name)
        self._local.began(name)
        return file

    def _keep(self, name: str) -> None:
        """A second name for the file, by which `trace restore` finds it if a person removes the first."""
        kept = self._layout.unsaved_segments
        with suppress(OSError):  # a file system without second names
            make_directory(kept)
            os.link(self._layout.trace / name, kept / name)
            keep_newest(kept, _KEPT)

    def _opened(self, name: str) -> SegmentFile | None:
        """The segment of this name, open; None if it is gone."""
        path = self._trace / name
        file = self._file
        try:
            status = path.lstat()
            if file is not None and (file.path, file.inode, file.process) == (path, status.st_ino, os.getpid()):
                return file
            return self._take(path, os.open(path, _FLAGS))
        except FileNotFoundError:
            log.info("%s was removed; a new segment is begun", path)
            return None

    def _take(self, path: Path, descriptor: int) -> SegmentFile:
        if self._file is not None:
            self._file.close()
        self._file = SegmentFile(path, descriptor, os.fstat(descriptor).st_ino, os.getpid())
        return self._file

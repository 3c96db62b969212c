"""Appending to the ledger: one lock, the open segment first, then the local file.

What is durable is synced outside the lock, and that is the segment: the local file is derived from it.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.hash_chain import line_hash, link
from intentls.store.fs.atomic_write import fsync_dir, sync, write_all
from intentls.store.fs.file_lock import lock_until, try_lock, unlock
from intentls.store.fs.path_resolution import system_reason
from intentls.store.fs.primitives import NO_LINK, closes_with
from intentls.store.layout import TRACE_NAME, Layout
from intentls.store.ledger.chain_heads import NOTED_ID, ChainHead, ChainHeads, give_up_lost_line, resume_chain
from intentls.store.ledger.commits import Commits
from intentls.store.ledger.local_file import LocalFile
from intentls.store.ledger.open_segment import OpenSegment, SegmentFile
from intentls.store.ledger.segment_repair import EnterRecords, cut_torn_ends
from intentls.store.ledger_files.line_reader import last_byte

log = logging.getLogger(__name__)

_LOCK_TIMEOUT_S = 10
_FLAGS = os.O_RDWR | os.O_APPEND | NO_LINK
_ADVICE = {
    errno.ENOSPC: "Free some space.",
    errno.EDQUOT: "Free some space.",
    errno.ENOLCK: "Move the workspace to a file system that has locks.",
    errno.EISDIR: "Move the folder that has its name away.",
    errno.ELOOP: "Replace the symbolic link by a file.",
}


class LockedLedger(Struct, frozen=True):
    """The ledger, while no other process can append to it. Its methods raise OSError.

    `append` adds one record, which is on the disk itself on return; `close_segment` lets the next one begin a new
    segment; `make_again` makes the local file of the segments as they are then. `descriptor` is the local file.
    """

    descriptor: int
    append: Callable[[Mapping[str, Any]], None]
    close_segment: Callable[[], None]
    make_again: Callable[[], None]


class _LiveFile:
    """The ledger, open for appending. A fork shares its lock, so only its own process may use it."""

    def __init__(self, descriptor: int, process: int, inode: int, device: int) -> None:
        self.descriptor = descriptor
        self.process = process
        self.inode = inode
        self.device = device
        self.close: Callable[[], object] = closes_with(self, descriptor)


class Appender:
    """What this process writes to a ledger with. Safe to use from several threads.

    Its lock is on the local file itself, so that it outlives a deleted `.state/`. A file that was replaced (by git
    or an editor), and segments that became others, are noticed before anything is written.
    """

    def __init__(self, layout: Layout, heads: ChainHeads, local: LocalFile, commits: Commits) -> None:
        self._layout = layout
        self._path = layout.ledger
        self._name = os.fsencode(layout.ledger)  # looked up on every append: spares a conversion
        self._heads = heads
        self._local = local
        self._segments = OpenSegment(layout, local, commits)
        self._mutex = threading.Lock()
        self._open: _LiveFile | None = None
        self._head: ChainHead | None = None  # as this process left it: still true if the file is as it left it
        self._left: SegmentFile | None = None  # where that line is, if all is as it was left; while the lock is held

    def append(self, record: Mapping[str, Any], *, durable: bool) -> tuple[int, int]:
        """See `Ledger.append`. Where the line begins in the local file, and where it ends."""
        try:
            with self._mutex:
                file, status = self._locked()
                try:
                    segment = self._write(file.descriptor, status, record, self._left)
                    unsynced = os.dup(segment) if durable else None
                    place = (status.st_size, status.st_size if self._head is None else self._head.size)
                finally:
                    unlock(file.descriptor)
            if unsynced is not None:
                # Outside the lock: the system joins those that wait. Measured on ext4, eight writers get 20 to 30 times
                # as much done as one; with one of them syncing for all it is half of that.
                try:
                    sync(unsynced)
                finally:
                    os.close(unsynced)
        except OSError as error:
            raise unavailable(self._path, error) from error
        return place

    def can_write(self) -> bool:
        """See `Ledger.is_writable`."""
        try:
            with self._mutex:
                unlock(self._locked()[0].descriptor)
        except (OSError, LedgerUnavailable):
            return False
        return True

    def refresh(self) -> None:
        """Bring the local file up to date, if it is not. Raises LedgerUnavailable."""
        try:
            if self._local.is_current(self._heads.peek()):
                return
            with self._mutex:
                unlock(self._locked()[0].descriptor)
        except OSError as error:
            raise unavailable(self._path, error) from error

    def repair(self, promised: Collection[str], since_ns: int, enter: EnterRecords) -> None:
        """See `Ledger.repair`."""
        with self.hold():
            cut_torn_ends(self._segments.unstaged(since_ns), self._layout, enter)
            self._make_again(is_damaged=True)
            descriptor = self._opened().descriptor
            self._head = None
            give_up_lost_line(descriptor, os.fstat(descriptor).st_size, self._heads, promised)

    @contextmanager
    def hold(self) -> Iterator[LockedLedger]:
        """See `Ledger.hold`."""
        try:
            with self._mutex:
                file, _ = self._locked()
                try:
                    yield LockedLedger(file.descriptor, self._add, self._close_segment, self._make_again)
                finally:
                    if self._open is not None:
                        unlock(self._open.descriptor)
        except OSError as error:
            raise unavailable(self._path, error) from error

    def _add(self, record: Mapping[str, Any]) -> None:
        descriptor = self._opened().descriptor
        sync(self._write(descriptor, os.fstat(descriptor), record))

    def _close_segment(self) -> None:
        self._segments.close()

    def _make_again(self, *, is_damaged: bool = False) -> None:
        """Make the local file of the segments as they are now; the lock goes on to it."""
        self._local.make(self._opened().descriptor, is_damaged=is_damaged)
        old = self._open
        self._open = _opened(self._path)
        if not try_lock(self._open.descriptor):
            lock(self._path, self._open.descriptor)
        if old is not None:
            old.close()

    def _opened(self) -> _LiveFile:
        if self._open is None:
            raise OSError(errno.EBADF, "the ledger is not held")
        return self._open

    def _write(
        self, descriptor: int, status: os.stat_result, record: Mapping[str, Any], left: SegmentFile | None = None
    ) -> int:
        """Write the record to the open segment and to the local file; the segment's descriptor.

        `left` is the segment where everything is as this process left it: then nothing needs to be looked at.
        """
        if left is not None and self._head is not None:
            head, segment, size = self._head, left, left.size
            fence = torn = b""
        else:
            head, fence = self._resumed(descriptor, status)
            segment = self._segments.for_next(descriptor, head.writer, head.seq + 1)
            size = os.fstat(segment.descriptor).st_size
            torn = segment.fence(size)
            if segment.name != head.segment:  # a kill behind the next write shows by the segment's size
                self._heads.save(replace(head, segment=segment.name, segment_size=size))
        line = link(record, head.writer, head.seq + 1, head.line_hash if head.seq else None)
        data = line + b"\n"
        write_all(segment.descriptor, torn + data)
        offset = status.st_size + len(fence)
        try:
            write_all(descriptor, fence + data)
        except OSError:
            # The record is in the segment: what is derived is made again.
            log.warning("%s is behind; it will be made again", self._path, exc_info=True)
            self._local.forget()
        segment.size = size + len(torn) + len(data)
        self._head = ChainHead(
            head.writer,
            head.clone_id,
            head.seq + 1,
            line_hash(line),
            str(record.get("id", ""))[:NOTED_ID],
            offset,
            len(line),
            offset + len(line) + 1,
            status.st_ino,
            segment.name,
            segment.size,
        )
        try:
            self._heads.save(self._head)
        except OSError:
            log.warning("the newest record could not be noted; the next append looks for it", exc_info=True)
        return segment.descriptor

    def _resumed(self, descriptor: int, status: os.stat_result) -> tuple[ChainHead, bytes]:
        """The newest line of the writer that goes on, and what keeps a torn last line of the local file apart."""
        head = self._head
        if head is not None and (head.size, head.inode) == (status.st_size, status.st_ino):
            return head, b""
        is_torn = last_byte(descriptor, status.st_size) not in (b"", b"\n")
        return resume_chain(descriptor, status, self._heads), b"\n" if is_torn else b""

    def _as_left(self, status: os.stat_result) -> SegmentFile | None:
        """The segment of this process's last record, if nothing that an append looks at has changed since."""
        head = self._head
        if head is None or (head.size, head.inode) != (status.st_size, status.st_ino):
            return None
        return self._segments.as_left(head) if self._local.is_as_left(status.st_ino) else None

    def _locked(self) -> tuple[_LiveFile, os.stat_result]:
        """The open, locked, current local file, and its status. It is opened again if another file took its place."""
        made, self._left = False, None
        while True:
            file = self._open
            if file is None or file.process != os.getpid():
                self._close()
                file = self._open = self._open_or_make()
            if not try_lock(file.descriptor):
                lock(self._path, file.descriptor)
            try:
                status = os.stat(self._name)  # noqa: PTH116  (on every append: a Path is slower)
                if status.st_ino == file.inode and status.st_dev == file.device:
                    self._left = None if made else self._as_left(status)
                    if made or self._left is not None or self._is_brought_up_to_date(file.descriptor):
                        return file, status
                    made = True
            except FileNotFoundError:
                log.info("%s was removed; a new one is begun", self._path)
            except BaseException:
                unlock(file.descriptor)
                raise
            self._close()

    def _open_or_make(self) -> _LiveFile:
        try:
            return _opened(self._path)
        except FileNotFoundError:
            self._local.forget()
            os.close(os.open(self._path, _FLAGS | os.O_CREAT, 0o666))
            fsync_dir(self._path.parent)
            return _opened(self._path)

    def _is_brought_up_to_date(self, descriptor: int) -> bool:
        """Whether the locked local file has what the segments have; if not, another one was put in its place."""
        local = self._local
        head = self._heads.peek()
        if local.is_current(head):
            return True
        behind = not local.is_open_known(head)
        if not behind and local.settle():
            return True
        local.make(descriptor)
        if behind and head is not None:
            self._heads.save(self._segments.caught_up(head))
        return False

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def lock(path: Path, descriptor: int) -> None:
    """Lock the open ledger. Raises LedgerUnavailable where another process keeps it."""
    if not lock_until(descriptor, time.monotonic() + _LOCK_TIMEOUT_S):
        raise LedgerUnavailable(f"{path} is locked by another process; gave up after {_LOCK_TIMEOUT_S} s. Try again.")


def unavailable(path: Path, error: OSError, verb: str = "written") -> LedgerUnavailable:
    """The error that says in a sentence what the system said, and what to do about it."""
    folder = path.with_name(TRACE_NAME)
    if error.errno == errno.ENOTDIR and str(error.filename) == str(folder):
        return LedgerUnavailable(f"{folder} can't be {verb} ({system_reason(error)}). Make it a folder that can be.")
    advice = _ADVICE.get(error.errno or 0, "Make it a file that can be read and written.")
    return LedgerUnavailable(f"{path} can't be {verb} ({system_reason(error)}). {advice}")


def _opened(path: Path) -> _LiveFile:
    """The local file. Raises OSError, also for what is no regular file."""
    descriptor = os.open(path, _FLAGS)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return _LiveFile(descriptor, os.getpid(), status.st_ino, status.st_dev)

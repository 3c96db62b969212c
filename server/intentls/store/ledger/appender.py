"""Appending to the ledger's live file: one lock, one write, and what is durable is synced outside the lock."""

from __future__ import annotations

import errno
import logging
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.hash_chain import line_hash, link
from intentls.store.fs.atomic_write import fsync_dir, sync, write_all
from intentls.store.fs.file_lock import lock_until, try_lock, unlock
from intentls.store.fs.path_resolution import system_reason
from intentls.store.fs.primitives import NO_LINK
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHead, ChainHeads, resume_chain
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


@dataclass(frozen=True, slots=True)
class LockedLedger:
    """The live file, open, while no other process can append to it.

    `append` adds one record, which is on the disk itself on return; `replace` then puts another file in its place,
    durably. Those that wait to append go on in that one.
    """

    descriptor: int
    append: Callable[[Mapping[str, Any]], None]
    replace: Callable[[Path], None]


@dataclass(slots=True)
class _LiveFile:
    """The ledger, open for appending. A fork shares its lock, so only its own process may use it."""

    descriptor: int
    process: int
    inode: int
    device: int


class Appender:
    """What this process writes to a ledger with. Safe to use from several threads.

    Its lock is on the file itself, so that it outlives a deleted `.state/`. A file that was replaced (by git
    or an editor) is noticed before anything is written.
    """

    def __init__(self, layout: Layout, heads: ChainHeads) -> None:
        self._path = layout.ledger
        self._name = os.fsencode(layout.ledger)  # looked up on every append: spares a conversion
        self._heads = heads
        self._mutex = threading.Lock()
        self._open: _LiveFile | None = None
        self._head: ChainHead | None = None  # as this process left it: still true if the file is as it left it

    def append(self, record: Mapping[str, Any], *, durable: bool) -> None:
        """See `Ledger.append`."""
        try:
            with self._mutex:
                file, status = self._locked()
                try:
                    self._write(file.descriptor, status, record)
                    unsynced = os.dup(file.descriptor) if durable else None
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

    def can_write(self) -> bool:
        """See `Ledger.is_writable`."""
        try:
            with self._mutex:
                unlock(self._locked()[0].descriptor)
        except (OSError, LedgerUnavailable):
            return False
        return True

    @contextmanager
    def hold(self) -> Iterator[LockedLedger]:
        """See `Ledger.hold`."""
        try:
            with self._mutex:
                file, status = self._locked()
                try:
                    yield LockedLedger(file.descriptor, partial(self._add, file, status), self._replace)
                finally:
                    if self._open is not None:
                        unlock(file.descriptor)
        except OSError as error:
            raise unavailable(self._path, error) from error

    def _add(self, file: _LiveFile, status: os.stat_result, record: Mapping[str, Any]) -> None:
        self._write(file.descriptor, status, record)
        sync(file.descriptor)

    def _replace(self, new: Path) -> None:
        if sys.platform == "win32":
            self._close()  # a file that is open can't be replaced there; no other process has it open either
        new.replace(self._path)
        fsync_dir(self._path.parent)

    def _write(self, descriptor: int, status: os.stat_result, record: Mapping[str, Any]) -> None:
        head, fence = self._head, b""
        if head is None or head.size != status.st_size or head.inode != status.st_ino:
            head = resume_chain(descriptor, status, self._heads)
            if last_byte(descriptor, status.st_size) not in (b"", b"\n"):
                fence = b"\n"  # a torn line stays as it is, and stays alone
        line = link(record, head.writer, head.seq + 1, head.line_hash if head.seq else None)
        write_all(descriptor, b"%b%b\n" % (fence, line))
        offset = status.st_size + len(fence)
        self._head = ChainHead(
            head.writer,
            head.clone_id,
            head.seq + 1,
            line_hash(line),
            str(record.get("id", "")),
            offset,
            len(line),
            offset + len(line) + 1,
            status.st_ino,
        )
        try:
            self._heads.save(self._head)
        except OSError:
            log.warning("the newest record could not be noted; the next append looks for it", exc_info=True)

    def _locked(self) -> tuple[_LiveFile, os.stat_result]:
        """The open, locked ledger, and its status. It is opened again if another file took its place."""
        while True:
            file = self._open
            if file is None or file.process != os.getpid():
                self._close()
                file = self._open = _open_or_make(self._path)
            if not try_lock(file.descriptor):
                lock(self._path, file.descriptor)
            try:
                status = os.stat(self._name)  # noqa: PTH116  (on every append: a Path is slower)
                if status.st_ino == file.inode and status.st_dev == file.device:
                    return file, status
            except FileNotFoundError:
                log.info("%s was removed; a new one is begun", self._path)
            self._close()

    def _close(self) -> None:
        if self._open is not None:
            os.close(self._open.descriptor)
            self._open = None


def lock(path: Path, descriptor: int) -> None:
    """Lock the open ledger. Raises LedgerUnavailable where another process keeps it."""
    if not lock_until(descriptor, time.monotonic() + _LOCK_TIMEOUT_S):
        raise LedgerUnavailable(f"{path} is locked by another process; gave up after {_LOCK_TIMEOUT_S} s. Try again.")


def unavailable(path: Path, error: OSError, verb: str = "written") -> LedgerUnavailable:
    """The error that says in a sentence what the system said, and what to do about it."""
    advice = _ADVICE.get(error.errno or 0, "Make it a file that can be read and written.")
    return LedgerUnavailable(f"{path} can't be {verb} ({system_reason(error)}). {advice}")


def _open_or_make(path: Path) -> _LiveFile:
    """The live file, made if there is none. Raises OSError, also for what is no regular file."""
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        descriptor = os.open(path, _FLAGS | os.O_CREAT, 0o666)
        fsync_dir(path.parent)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return _LiveFile(descriptor, os.getpid(), status.st_ino, status.st_dev)

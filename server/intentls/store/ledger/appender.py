"""Appending to the ledger's live file: one lock, one write, and what is durable is synced outside the lock."""

from __future__ import annotations

import logging
import os
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
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHead, ChainHeads
from intentls.store.ledger.chain_resume import stand
from intentls.store.ledger.live_file import LiveFile, open_or_make, unavailable
from intentls.store.ledger_files.line_reader import last_byte

log = logging.getLogger(__name__)

_LOCK_TIMEOUT_S = 10


@dataclass(frozen=True, slots=True)
class LockedLedger:
    """The live file, open, while nobody else can append to it.

    `append` adds one record, which is on the disk itself on return; `replace` then puts another file in its place,
    durably. Whoever waits to append, goes on in that one.
    """

    descriptor: int
    append: Callable[[Mapping[str, Any]], None]
    replace: Callable[[Path], None]


class Appender:
    """What this process writes to a ledger with. Safe to use from several threads.

    Its lock is on the file itself, so that it outlives a deleted `.state/`. A file that was replaced (by git
    or an editor) is noticed before anything is written.
    """

    def __init__(self, layout: Layout, writers: ChainHeads) -> None:
        self._path = layout.ledger
        self._name = os.fsencode(layout.ledger)  # found on every append: spares a conversion
        self._writers = writers
        self._mutex = threading.Lock()
        self._open: LiveFile | None = None
        self._note: ChainHead | None = None  # as this process left it: still true if the file is as it left it

    def append(self, record: Mapping[str, Any], *, durable: bool) -> None:
        """See `Ledger.append`."""
        try:
            with self._mutex:
                file, found = self._locked()
                try:
                    self._write(file.descriptor, found, record)
                    unsynced = os.dup(file.descriptor) if durable else None
                finally:
                    unlock(file.descriptor)
            if unsynced is not None:
                # Outside the lock: the system joins those that wait. Measured on ext4, eight writers get 20 to 30 times
                # as much done as one; with one of them syncing for all it is half of that.
                _sync(unsynced)
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
                file, found = self._locked()
                try:
                    yield LockedLedger(file.descriptor, partial(self._add, file, found), self._replace)
                finally:
                    if self._open is not None:
                        unlock(file.descriptor)
        except OSError as error:
            raise unavailable(self._path, error) from error

    def _add(self, file: LiveFile, found: os.stat_result, record: Mapping[str, Any]) -> None:
        self._write(file.descriptor, found, record)
        sync(file.descriptor)

    def _replace(self, new: Path) -> None:
        if sys.platform == "win32":
            self._close()  # there nobody may have a file open that is replaced: not others either, so it is safe
        new.replace(self._path)
        fsync_dir(self._path.parent)

    def _write(self, descriptor: int, found: os.stat_result, record: Mapping[str, Any]) -> None:
        note, fence = self._note, b""
        if note is None or note.size != found.st_size or note.inode != found.st_ino:
            note = stand(descriptor, found, self._writers)
            if last_byte(descriptor, found.st_size) not in (b"", b"\n"):
                fence = b"\n"  # a torn line stays as it is, and stays alone
        line = link(record, note.writer, note.seq + 1, note.line_hash if note.seq else None)
        write_all(descriptor, b"%b%b\n" % (fence, line))
        self._remember(note, record, line, found.st_size + len(fence), found.st_ino)

    def _remember(self, note: ChainHead, record: Mapping[str, Any], line: bytes, offset: int, inode: int) -> None:
        length = len(line)
        self._note = note = ChainHead(
            note.writer,
            note.home,
            note.seq + 1,
            line_hash(line),
            str(record.get("id", "")),
            offset,
            length,
            offset + length + 1,
            inode,
        )
        try:
            self._writers.save(note)
        except OSError:
            log.warning("the newest record could not be noted; the next append looks for it", exc_info=True)

    def _locked(self) -> tuple[LiveFile, os.stat_result]:
        """The open, locked ledger, and what it is. It is opened anew if another file took its place."""
        while True:
            file = self._open
            if file is None or file.process != os.getpid():
                self._close()
                file = self._open = open_or_make(self._path)
            if not try_lock(file.descriptor):
                lock(self._path, file.descriptor)
            try:
                found = os.stat(self._name)  # noqa: PTH116  (on every append: a Path is slower)
                if found.st_ino == file.inode and found.st_dev == file.device:
                    return file, found
            except FileNotFoundError:
                log.info("%s was removed; a new one is begun", self._path)
            self._close()

    def _close(self) -> None:
        if self._open is not None:
            os.close(self._open.descriptor)
            self._open = None


def lock(path: Path, descriptor: int) -> None:
    """Lock the open ledger. Raises LedgerUnavailable where somebody else keeps it."""
    if not lock_until(descriptor, time.monotonic() + _LOCK_TIMEOUT_S):
        raise LedgerUnavailable(f"{path} is locked by another process; gave up after {_LOCK_TIMEOUT_S} s. Try again.")


def _sync(descriptor: int) -> None:
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)

"""The ledger: append-only, one record a line, any number of processes at once. Nothing rewrites it."""

from __future__ import annotations

import errno
import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intentls.core.chain import line_hash, link, member, parse
from intentls.core.errors import LedgerUnavailable
from intentls.core.verifier import Problem, Verifier
from intentls.store.atomic import OWN, fsync_dir, sync, write_all
from intentls.store.continuation import stand
from intentls.store.filelock import lock_until, try_lock, unlock
from intentls.store.layout import Layout
from intentls.store.ledger_read import find_last, last_byte, lines_backward, lines_forward, opened
from intentls.store.writers import Note, Writers

log = logging.getLogger(__name__)

_LOCK_TIMEOUT_S = 10
_PROGRESS_LINES = 5_000  # between two words about the progress of a verification
_FLAGS = os.O_RDWR | os.O_APPEND | OWN
_ADVICE = {
    errno.ENOSPC: "Free some space.",
    errno.EDQUOT: "Free some space.",
    errno.ENOLCK: "Move the workspace to a file system that has locks.",
    errno.EISDIR: "Move the folder that has its name away.",
    errno.ELOOP: "Replace the symbolic link by a file.",
}


@dataclass(frozen=True, slots=True)
class Verification:
    """`records` is the number of records in the file. At most 1,000 problems are listed, by line."""

    records: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@dataclass(slots=True)
class _Open:
    """The ledger, open for appending. A fork shares its lock, so only its own process may use it."""

    descriptor: int
    process: int
    inode: int
    device: int


class Ledger:
    """The ledger of one root. Safe to use from several threads.

    Its lock is on the file itself, so that it outlives a deleted `.state/`. A file that was replaced (by git
    or an editor) is noticed before anything is written.
    """

    def __init__(self, layout: Layout, writers: Writers) -> None:
        self._path = layout.ledger
        self._name = str(layout.ledger)
        self._writers = writers
        self._mutex = threading.Lock()
        self._open: _Open | None = None
        self._note: Note | None = None  # as this process left it: still true if the file is as it left it

    def append(self, record: Mapping[str, Any], *, durable: bool) -> None:
        """Add a record (without `chain`) as one line. With `durable` it is on the disk itself on return.

        Raises LedgerUnavailable where that can't be done. Part of the line may then stand in the file; the
        next append puts a newline behind it.
        """
        try:
            with self._mutex:
                descriptor = self._append(record, durable)
            if descriptor is not None:
                _sync(descriptor)  # outside the lock: the system joins those that wait at the same time
        except OSError as error:
            raise _unavailable(self._path, error) from error

    def newest_first(self, containing: bytes = b"") -> Iterator[dict[str, Any]]:
        """The records, last line first; lines that hold none are passed over.

        `containing` (see `core.chain.member`) leaves out lines without these bytes before they are parsed, so
        that rare records are found quickly. Raises LedgerUnavailable.
        """
        with self._reading() as descriptor:
            if descriptor is not None:
                for line in lines_backward(descriptor, os.fstat(descriptor).st_size, containing):
                    if (record := parse(line)) is not None:
                        yield record

    def oldest_first(self) -> Iterator[dict[str, Any]]:
        """The records in the file's order; lines that hold none are passed over. Raises LedgerUnavailable."""
        with self._reading() as descriptor:
            if descriptor is not None:
                for _, line in lines_forward(descriptor, 0, os.fstat(descriptor).st_size):
                    if (record := parse(line)) is not None:
                        yield record

    def contains(self, record_id: str) -> bool:
        """Whether a record stands in the ledger; the newest are looked at first. Raises LedgerUnavailable."""
        mark = member("id", record_id)
        with self._reading() as descriptor:
            if descriptor is None:
                return False
            found = find_last(descriptor, 0, os.fstat(descriptor).st_size, [mark])
        return mark in found and parse(found[mark][1]) is not None  # a torn line is no record

    def size(self) -> int:
        """The ledger's size in bytes, 0 if there is none. Raises LedgerUnavailable."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise _unavailable(self._path, error, "read") from error
        return found.st_size if stat.S_ISREG(found.st_mode) else 0

    def has_records(self) -> bool:
        """Whether anything was ever recorded; a damaged line counts."""
        return self.size() > 0

    def is_writable(self) -> bool:
        """Whether the ledger can be opened for appending now. A full disk shows only when something is appended."""
        try:
            with self._mutex:
                unlock(self._locked()[0])
        except (OSError, LedgerUnavailable):
            return False
        return True

    def verify(
        self,
        elsewhere: Callable[[str], bool] = lambda _: False,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> Verification:
        """Check every line against its writer's chain, and the newest against what this clone wrote.

        `elsewhere` is asked, with a record's id, whether a record that is missing at a chain's end is kept in
        another place: on another git branch, say. Lines that are added meanwhile don't count. `progress` is told
        now and then how many bytes of how many have been read; what it raises ends the check.
        Raises LedgerUnavailable.
        """
        verifier = Verifier()
        with self._reading() as descriptor:
            if descriptor is None:
                return Verification(0, verifier.finish(self._writers.newest(), elsewhere))
            self._lock(descriptor)
            try:
                end, newest = os.fstat(descriptor).st_size, self._writers.newest()
            finally:
                unlock(descriptor)
            for number, (offset, raw) in enumerate(lines_forward(descriptor, 0, end), start=1):
                verifier.feed(number, raw)
                if not number % _PROGRESS_LINES:
                    progress(offset, end)
            if verifier.needs_second_look:
                for number, (_, raw) in enumerate(lines_forward(descriptor, 0, end), start=1):
                    verifier.look_again(number, raw)
        return Verification(verifier.records, verifier.finish(newest, elsewhere))

    def _append(self, record: Mapping[str, Any], durable: bool) -> int | None:
        """Write the line. Returns a descriptor to sync, if it must be."""
        descriptor, found = self._locked()
        try:
            note, fence = self._note, b""
            if note is None or (note.size, note.inode) != (found.st_size, found.st_ino):
                note = stand(descriptor, found, self._writers)
                if last_byte(descriptor, found.st_size) not in (b"", b"\n"):
                    fence = b"\n"  # a torn line stays as it is, and stays alone
            line = link(record, note.writer, note.seq + 1, note.line_hash if note.seq else None)
            write_all(descriptor, b"%b%b\n" % (fence, line))
            self._remember(note, record, line, found.st_size + len(fence), found.st_ino)
            return os.dup(descriptor) if durable else None
        finally:
            unlock(descriptor)

    def _remember(self, note: Note, record: Mapping[str, Any], line: bytes, offset: int, inode: int) -> None:
        self._note = Note(
            note.writer,
            note.home,
            note.seq + 1,
            line_hash(line),
            str(record.get("id", "")),
            offset,
            len(line),
            offset + len(line) + 1,
            inode,
        )
        try:
            self._writers.save(self._note)
        except OSError:
            log.warning("the newest record could not be noted; the next append looks for it", exc_info=True)

    def _locked(self) -> tuple[int, os.stat_result]:
        """The open, locked ledger, and what it is. It is opened anew if another file took its place."""
        while True:
            file = self._open
            if file is None or file.process != os.getpid():
                self._close()
                file = self._open = _open_or_make(self._path)
            if not try_lock(file.descriptor):
                self._lock(file.descriptor)
            try:
                found = os.stat(self._name)  # noqa: PTH116  (on every append: a Path is slower)
                if found.st_ino == file.inode and found.st_dev == file.device:
                    return file.descriptor, found
            except FileNotFoundError:
                log.info("%s was removed; a new one is begun", self._path)
            self._close()

    def _lock(self, descriptor: int) -> None:
        if not lock_until(descriptor, time.monotonic() + _LOCK_TIMEOUT_S):
            raise LedgerUnavailable(
                f"{self._path} is locked by another process; gave up after {_LOCK_TIMEOUT_S} s. Try again."
            )

    def _close(self) -> None:
        if self._open is not None:
            os.close(self._open.descriptor)
            self._open = None

    @contextmanager
    def _reading(self) -> Iterator[int | None]:
        try:
            with opened(self._path) as descriptor:
                yield descriptor
        except OSError as error:
            raise _unavailable(self._path, error, "read") from error


def _open_or_make(path: Path) -> _Open:
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        descriptor = os.open(path, _FLAGS | os.O_CREAT, 0o666)
        fsync_dir(path.parent)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return _Open(descriptor, os.getpid(), found.st_ino, found.st_dev)


def _sync(descriptor: int) -> None:
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def _unavailable(path: Path, error: OSError, verb: str = "written") -> LedgerUnavailable:
    advice = _ADVICE.get(error.errno or 0, "Make it a file that can be read and written.")
    return LedgerUnavailable(f"{path} can't be {verb} ({(error.strerror or str(error)).lower()}). {advice}")

"""The ledger: append-only, one record a line, any number of processes at once. Nothing rewrites a record.

Whole prefixes may move into archives (`store.archive_move`); whoever reads here reads those first.
"""

from __future__ import annotations

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

from intentls.core.chain import Newest, line_hash, link
from intentls.core.damage import Problem
from intentls.core.errors import LedgerUnavailable
from intentls.core.verifier import Verifier
from intentls.store.archive import archives
from intentls.store.atomic import fsync_dir, sync, write_all
from intentls.store.continuation import stand
from intentls.store.filelock import is_still_at, lock_until, try_lock, unlock
from intentls.store.history import History, Progress
from intentls.store.layout import Layout
from intentls.store.ledger_file import OpenFile, open_or_make, unavailable
from intentls.store.ledger_read import last_byte, opened
from intentls.store.writers import Note, Writers

log = logging.getLogger(__name__)

_LOCK_TIMEOUT_S = 10


@dataclass(frozen=True, slots=True)
class Verification:
    """`records` is the number of records in the file. At most 1,000 problems are listed, by line."""

    records: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Held:
    """The live file, open, while nobody else can append to it.

    `append` adds one record, which is on the disk itself on return; `replace` then puts another file in its place,
    durably. Whoever waits to append, goes on in that one.
    """

    descriptor: int
    append: Callable[[Mapping[str, Any]], None]
    replace: Callable[[Path], None]


class Ledger:
    """The ledger of one root. Safe to use from several threads.

    Its lock is on the file itself, so that it outlives a deleted `.state/`. A file that was replaced (by git
    or an editor) is noticed before anything is written.
    """

    def __init__(self, layout: Layout, writers: Writers) -> None:
        self._layout = layout
        self._path = layout.ledger
        self._name = str(layout.ledger)
        self._writers = writers
        self._mutex = threading.Lock()
        self._open: OpenFile | None = None
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
            raise unavailable(self._path, error) from error

    def newest_first(
        self, containing: bytes = b"", progress: Progress = lambda _done, _total: None
    ) -> Iterator[dict[str, Any]]:
        """The records, last line first; lines that hold none are passed over.

        `containing` (see `core.chain.member`) leaves out lines without these bytes before they are parsed, so
        that rare records are found quickly. `progress` is as for `verify`. Raises LedgerUnavailable.
        """
        with self._reading() as history:
            yield from history.newest_first(containing, progress)

    def oldest_first(self, progress: Progress = lambda _done, _total: None) -> Iterator[dict[str, Any]]:
        """The records in the files' order; lines that hold none are passed over. `progress` is as for `verify`.

        Raises LedgerUnavailable, also where just an archive can't be read.
        """
        with self._reading() as history:
            yield from history.oldest_first(progress)

    def contains(self, record_id: str) -> bool:
        """Whether a record stands in the ledger; the newest are looked at first. Raises LedgerUnavailable."""
        with self._reading() as history:
            return history.contains(record_id)

    def size(self) -> int:
        """The live file's size in bytes, 0 if there is none. Raises LedgerUnavailable."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise unavailable(self._path, error, "read") from error
        return found.st_size if stat.S_ISREG(found.st_mode) else 0

    def archived_size(self) -> int:
        """The size of all archives in bytes, compressed as they are. Raises LedgerUnavailable."""
        return sum(archive.size for archive in archives(self._layout))

    def stamp(self) -> tuple[int, ...]:
        """A value that changes with the live file; () if there is none. Raises LedgerUnavailable."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise unavailable(self._path, error, "read") from error
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

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
        progress: Progress = lambda _done, _total: None,
    ) -> Verification:
        """Check every line against its writer's chain, and the newest against what this clone wrote.

        `elsewhere` is asked, with a record's id, whether a record that is missing at a chain's end is kept in
        another place: on another git branch, say. Lines that are added meanwhile don't count. `progress` is told
        now and then how many bytes of how many have been read; what it raises ends the check.
        Raises LedgerUnavailable.
        """
        verifier = Verifier()
        while True:
            with self._live() as live:
                found = self._settled(live)
                if found is not None:
                    found[0].verify(verifier, progress)
                    break
        return Verification(verifier.records, verifier.finish(found[1], elsewhere))

    @contextmanager
    def hold(self) -> Iterator[Held]:
        """Keep everybody else from appending. Raises LedgerUnavailable."""
        try:
            with self._mutex:
                descriptor, found = self._locked()
                try:
                    yield Held(descriptor, partial(self._add, descriptor, found), self._replace)
                finally:
                    if self._open is not None:
                        unlock(descriptor)
        except OSError as error:
            raise unavailable(self._path, error) from error

    def _append(self, record: Mapping[str, Any], durable: bool) -> int | None:
        """Write the line. Returns a descriptor to sync, if it must be."""
        descriptor, found = self._locked()
        try:
            self._write(descriptor, found, record)
            return os.dup(descriptor) if durable else None
        finally:
            unlock(descriptor)

    def _add(self, descriptor: int, found: os.stat_result, record: Mapping[str, Any]) -> None:
        self._write(descriptor, found, record)
        sync(descriptor)

    def _replace(self, new: Path) -> None:
        if sys.platform == "win32":
            self._close()  # there nobody may have a file open that is replaced: not others either, so it is safe
        new.replace(self._path)
        fsync_dir(self._path.parent)

    def _write(self, descriptor: int, found: os.stat_result, record: Mapping[str, Any]) -> None:
        note, fence = self._note, b""
        if note is None or (note.size, note.inode) != (found.st_size, found.st_ino):
            note = stand(descriptor, found, self._writers)
            if last_byte(descriptor, found.st_size) not in (b"", b"\n"):
                fence = b"\n"  # a torn line stays as it is, and stays alone
        line = link(record, note.writer, note.seq + 1, note.line_hash if note.seq else None)
        write_all(descriptor, b"%b%b\n" % (fence, line))
        self._remember(note, record, line, found.st_size + len(fence), found.st_ino)

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
                file = self._open = open_or_make(self._path)
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
    def _reading(self) -> Iterator[History]:
        with self._live() as live:
            yield self._history(live)

    @contextmanager
    def _live(self) -> Iterator[int | None]:
        try:
            with opened(self._path) as descriptor:
                yield descriptor
        except OSError as error:
            raise unavailable(self._path, error, "read") from error

    def _settled(self, live: int | None) -> tuple[History, dict[str, Newest]] | None:
        """The files at a moment when nobody appends, and what this clone wrote by then. None if `live` was replaced."""
        if live is None:
            newest = self._writers.newest()
            # A ledger that was begun meanwhile must not look like one whose lines are gone.
            return None if self._path.exists() else (self._history(None), newest)
        self._lock(live)
        try:
            return (self._history(live), self._writers.newest()) if is_still_at(live, self._path) else None
        finally:
            unlock(live)

    def _history(self, live: int | None) -> History:
        """All files as they are now. The live one is open by then: what moves meanwhile is seen twice, never not."""
        return History(tuple(archives(self._layout)), live, 0 if live is None else os.fstat(live).st_size)


def _sync(descriptor: int) -> None:
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)

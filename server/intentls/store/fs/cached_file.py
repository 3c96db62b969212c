"""A file that is re-read when it changed: no watcher needed, one `stat` to re-check."""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from intentls.core.errors import InvalidPath
from intentls.store.fs.directory_handle import require_regular
from intentls.store.fs.path_resolution import because

T = TypeVar("T")

# A file written this shortly before it was read may change again without a new time stamp (clock ticks
# are up to 10 ms apart on common file systems), so such a reading is not trusted by its stat alone.
_RACY_NS = 50_000_000
# Never wait, whatever lies there: a FIFO may have this name.
_READ = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)

Stamp = tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What one file says. `trouble` is a clause when it can't be read: `value` is then that of a missing file."""

    value: T
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class _CachedValue(Generic[T]):
    stamp: Stamp
    settled: bool  # whether the stamp alone shows the next change
    data: bytes | None
    reading: Reading[T]
    folder: Stamp  # of the folder in which there was no such file; None where that can't show it

    def is_of(self, stamp: Stamp, folder: Stamp) -> bool:
        """Whether it is of the file as it is now."""
        return self.settled and self.stamp == stamp and self.folder == folder


class CachedFile(Generic[T]):
    """The parsed content of one file, as it is now. Safe to use from several threads.

    `parse` gets the file's bytes, or None when there is no file, and must not raise for bad content; of a file
    longer than `limit` it gets the first `limit` + 1 bytes, enough to see that it is too large.
    """

    def __init__(self, path: Path, parse: Callable[[bytes | None], T], limit: int) -> None:
        self._path = path
        self._parse = parse
        self._limit = limit
        self._kept: _CachedValue[T] | None = None
        self._reading = threading.Lock()

    @property
    def was_there(self) -> bool:
        """Whether there was such a file when it was last asked for."""
        kept = self._kept
        return kept is not None and kept.data is not None

    def get(self, folder: Stamp = None) -> Reading[T]:
        """What the file says at this moment. `folder` is the stamp of the folder that it would be in, if known.

        A folder's stamp changes with each name that comes or goes, so one stamp tells of all files that are absent.
        """
        kept = self._kept
        if kept is not None and kept.folder is not None and kept.folder == folder:
            return kept.reading
        stamp = self._stat()
        if kept is None or not kept.is_of(stamp, folder):
            with self._reading:  # whoever comes second finds it parsed
                kept = self._kept
                if kept is None or not kept.is_of(stamp, folder):
                    kept = self._kept = self._reload(stamp, kept, folder)
        return kept.reading

    def _stat(self) -> Stamp:
        try:
            found = self._path.lstat()
            stamp = _stamp(found)
        except OSError:
            return None
        if stat.S_ISLNK(found.st_mode):
            with suppress(OSError):  # a link to nothing is told from no link at all
                stamp += _stamp(self._path.stat())
        return stamp

    def _reload(self, stamp: Stamp, before: _CachedValue[T] | None, folder: Stamp) -> _CachedValue[T]:
        started = time.time_ns()
        data, trouble = self._read()
        if before is not None and data == before.data:
            reading = Reading(before.reading.value, trouble)
        else:
            reading = Reading(self._parse(data), trouble)
        settled = trouble is None and not _is_fresh(stamp, started)
        shown = settled and stamp is None and data is None and not _is_fresh(folder, started)
        return _CachedValue(stamp, settled, data, reading, folder if shown else None)

    def _read(self) -> tuple[bytes | None, str | None]:
        try:
            descriptor = os.open(self._path, _READ)
        except FileNotFoundError:
            return None, "it is a link that leads nowhere" if self._path.is_symlink() else None
        except OSError as error:
            return None, _clause(error)
        try:
            require_regular(os.fstat(descriptor), "it")
            with open(descriptor, "rb", closefd=False) as file:
                return file.read(self._limit + 1), None
        except InvalidPath as error:
            return None, f"it {error.reason.partition(':')[0]}"
        except OSError as error:
            return None, _clause(error)
        finally:
            os.close(descriptor)


def folder_stamp(path: Path) -> Stamp:
    """What changes with each name that comes into this folder or goes; None where nothing does so reliably."""
    if os.name != "posix":
        return None
    try:
        found = path.lstat()
    except OSError:
        return None
    return _stamp(found) if stat.S_ISDIR(found.st_mode) else None


def _is_fresh(stamp: Stamp, now: int) -> bool:
    return stamp is not None and now - _latest(stamp) < _RACY_NS


def _stamp(found: os.stat_result) -> tuple[int, ...]:
    # The time of the last change of anything can't be set back, as that of the content can.
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def _latest(stamp: tuple[int, ...]) -> int:
    return max(time for start in range(0, len(stamp), 4) for time in stamp[start : start + 2])


def _clause(error: OSError) -> str:
    # A socket can't be opened at all.
    return "it is a socket or a device" if error.errno in (errno.ENXIO, errno.ENODEV) else because(error)

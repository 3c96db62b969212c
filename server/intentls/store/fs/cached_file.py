"""A file that is read again only when it changed: no watcher needed, one `stat` shows whether it did."""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct

from intentls.core.errors import InvalidPath
from intentls.store.fs.directory_handle import require_regular
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import READ_NO_LINK, Stamp, is_racy, stamp_of

T = TypeVar("T")


class Reading(Struct, Generic[T], frozen=True):
    """What one file says. `error` is a clause when it can't be read: `value` is then that of a missing file."""

    value: T
    error: str | None = None


class _CachedValue(Struct, Generic[T], frozen=True):
    """What was read. `directory`: the stamp of the directory that then had no such file, None where it had or where
    that stamp is no proof. `stamp`: that of the file itself (of a link, the link's own); None without a file.
    """

    stamp: Stamp | None
    settled: bool  # whether the stamps alone show the next change
    data: bytes | None
    reading: Reading[T]
    directory: Stamp | None

    def is_of(self, stamp: Stamp | None, directory: Stamp | None) -> bool:
        """Whether it is of the file as it is now."""
        return self.settled and self.stamp == stamp and (stamp is not None or self.directory == directory)


class CachedFile(Generic[T]):
    """The parsed content of one file, as it is now. Safe to use from several threads.

    A symbolic link is not followed: what it leads to may be a file that an edit is allowed to write, and then the
    edit would change what this file says.

    `parse` gets the file's bytes, or None when there is no file, and must not raise for bad content; of a file
    longer than `limit` it gets the first `limit` + 1 bytes, enough to see that it is too large.
    """

    def __init__(self, path: Path, parse: Callable[[bytes | None], T], limit: int) -> None:
        self.path = path
        self.parse = parse
        self._limit = limit
        self._cached: _CachedValue[T] | None = None
        self._reading = threading.Lock()

    @property
    def data(self) -> bytes | None:
        """The bytes that were last read; None where there was no file, or where it could not be read."""
        return None if self._cached is None else self._cached.data

    def get(self, directory: Stamp | None = None) -> Reading[T]:
        """What the file says at this moment. `directory` is the stamp of the directory it would be in, if known.

        A directory's stamp changes with each name that comes or goes, so one stamp covers all files that are absent.
        """
        cached = self._cached
        if cached is not None and cached.directory is not None and cached.directory == directory:
            return cached.reading
        stamp = self._stamp()
        if cached is None or not cached.is_of(stamp, directory):
            with self._reading:  # a second thread finds it parsed
                cached = self._cached
                if cached is None or not cached.is_of(stamp, directory):
                    cached = self._cached = self._reload(stamp, cached, directory)
        return cached.reading

    def _stamp(self) -> Stamp | None:
        try:
            return stamp_of(self.path.lstat())
        except OSError:
            return None

    def _reload(self, stamp: Stamp | None, before: _CachedValue[T] | None, directory: Stamp | None) -> _CachedValue[T]:
        started = time.time_ns()
        data, error = self._read()
        if before is not None and data == before.data:
            reading = Reading(before.reading.value, error)
        else:
            reading = Reading(self.parse(data), error)
        settled = error is None and not is_racy(stamp, started)
        absent = settled and stamp is None and data is None and not is_racy(directory, started)
        return _CachedValue(stamp, settled, data, reading, directory if absent else None)

    def _read(self) -> tuple[bytes | None, str | None]:
        """The content and, where that can't be read, why."""
        if self.path.is_symlink():
            return None, "it is a symbolic link, which is not followed"
        try:
            descriptor = os.open(self.path, READ_NO_LINK)
        except FileNotFoundError:
            return None, None
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


def directory_stamp(path: Path) -> Stamp | None:
    """What changes with each name that comes into this directory or goes; None where nothing does so reliably."""
    if os.name != "posix":
        return None
    try:
        status = path.lstat()
    except OSError:
        return None
    return stamp_of(status) if stat.S_ISDIR(status.st_mode) else None


def _clause(error: OSError) -> str:
    # A socket can't be opened at all.
    return "it is a socket or a device" if error.errno in (errno.ENXIO, errno.ENODEV) else because(error)

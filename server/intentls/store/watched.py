"""A file that is re-read when it changed: no watcher needed, one `stat` to re-check."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")

# A file written this shortly before it was read may change again without a new time stamp (clock ticks
# are up to 10 ms apart on common file systems), so such a reading is not trusted by its stat alone.
_RACY_NS = 50_000_000


class Watched(Generic[T]):
    """The parsed content of one file, as it is now.

    `parse` gets the file's bytes, or None when there is no file, and must not raise for bad content.
    A file that can't be read (a directory, no permission) is given to `parse` as None as well, and its
    trouble is kept in `trouble`.
    """

    def __init__(self, path: Path, parse: Callable[[bytes | None], T], limit: int | None = None) -> None:
        self._path = path
        self._parse = parse
        self._limit = limit
        self._stamp: tuple[int, int, int] | None = None
        self._known = False
        self._racy = False
        self._data: bytes | None = None
        self._value: T
        self.trouble: str | None = None

    def get(self) -> T:
        """The value for the file's content at this moment."""
        stamp = self._stat()
        if not self._known or self._racy or stamp != self._stamp:
            self._reload(stamp)
        return self._value

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_size, found.st_ino)

    def _reload(self, stamp: tuple[int, int, int] | None) -> None:
        started = time.time_ns()
        data = self._read()
        if not self._known or data != self._data:
            self._value = self._parse(data)
            self._data = data
        self._known = True
        self._stamp = stamp
        self._racy = stamp is not None and started - stamp[0] < _RACY_NS

    def _read(self) -> bytes | None:
        self.trouble = None
        try:
            with open(self._path, "rb") as file:
                # One byte over the limit is enough for the parser to see that the file is too large.
                return file.read() if self._limit is None else file.read(self._limit + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.trouble = error.strerror or type(error).__name__
            return None

"""Told by the system when an entry of a directory changes, so that nobody has to look again and again.

Linux has inotify for it, here used without a library: three calls of the C library. Elsewhere there is no watch.
"""

from __future__ import annotations

import ctypes
import logging
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

log = logging.getLogger(__name__)

_MODIFIED, _STAMPED, _MOVED_FROM, _MOVED_TO, _CREATED, _DELETED = 0x2, 0x4, 0x40, 0x80, 0x100, 0x200
_DELETED_ITSELF, _MOVED_ITSELF = 0x400, 0x800
_ONLY_DIRECTORIES = 0x01000000
# Who overwrites a file in place gives its directory a new stamp afterwards: only then do others read what is in it.
_ENTRIES = _MODIFIED | _STAMPED | _MOVED_FROM | _MOVED_TO | _CREATED | _DELETED
_MASK = _ENTRIES | _DELETED_ITSELF | _MOVED_ITSELF | _ONLY_DIRECTORIES
_OVERFLOW, _GONE = 0x4000, 0x8000  # events were lost; the watch ended with its directory
_HEAD = struct.Struct("iIII")  # watch, mask, cookie, length of the name
_BUFFER = 64 * 1024


class ChangeWatch:
    """Watches some directories, not what is below them. Used in one thread."""

    def __init__(self, descriptor: int, library: ctypes.CDLL) -> None:
        self.descriptor = descriptor
        """Can be read when something changed."""
        self._library = library
        self._watches: dict[Path, int] = {}

    @classmethod
    def begin(cls) -> ChangeWatch | None:
        """A watch of nothing yet; None where the system has none to give."""
        if sys.platform != "linux":
            return None
        try:
            library = ctypes.CDLL(None, use_errno=True)
            descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, AttributeError):
            return None
        return None if descriptor < 0 else cls(descriptor, library)

    def set(self, directories: Iterable[Path]) -> bool:
        """Watch exactly these directories, those of them that exist; whether one of them is new to the watch."""
        added = False
        wanted = dict.fromkeys(directories)
        for directory in [known for known in self._watches if known not in wanted]:
            self._library.inotify_rm_watch(self.descriptor, self._watches.pop(directory))
        for directory in wanted:
            if directory not in self._watches:
                watch = self._library.inotify_add_watch(self.descriptor, os.fsencode(directory), _MASK)
                if watch >= 0:
                    self._watches[directory] = watch
                    added = True
        return added

    def changes(self) -> list[tuple[Path, str]]:
        """What changed since the last call: directory and name; an empty name where anything may have changed."""
        try:
            data = os.read(self.descriptor, _BUFFER)
        except (BlockingIOError, InterruptedError):
            return []
        return list(self._parse(data))

    def close(self) -> None:
        """End the watch."""
        os.close(self.descriptor)

    def _parse(self, data: bytes) -> Iterator[tuple[Path, str]]:
        names = {watch: directory for directory, watch in self._watches.items()}
        start = 0
        while start + _HEAD.size <= len(data):
            watch, mask, _, length = _HEAD.unpack_from(data, start)
            name = data[start + _HEAD.size : start + _HEAD.size + length].rstrip(b"\0")
            start += _HEAD.size + length
            if mask & _OVERFLOW:
                yield Path(), ""
            elif mask & _GONE and watch in names:
                self._watches.pop(names[watch], None)
                yield names[watch], ""
            elif watch in names:
                yield names[watch], os.fsdecode(name)

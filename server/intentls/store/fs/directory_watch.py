"""Waiting until a name appears in a directory, or disappears from it, without looking again and again.

Linux tells (inotify). Elsewhere `descriptor` is None, and whoever waits looks every `LOOK_AGAIN_S` seconds.
"""

from __future__ import annotations

import ctypes
import logging
import os
import select
import sys
import time
from pathlib import Path

log = logging.getLogger(__name__)

LOOK_AGAIN_S = 0.5
_CREATED, _DELETED, _MOVED_FROM, _MOVED_TO, _GONE, _MOVED = 0x100, 0x200, 0x40, 0x80, 0x400, 0x800
_NEWS = _CREATED | _DELETED | _MOVED_FROM | _MOVED_TO | _GONE | _MOVED
_ONLY_DIRECTORY = 0x01000000
_MAX_EVENTS = 64 * 1024


class DirectoryWatch:
    """Watches one directory, which is made if it is not there. `close` it in the end."""

    def __init__(self, directory: Path) -> None:
        self.descriptor: int | None = None
        """Readable when there is news, until `drain` is called."""
        directory.mkdir(parents=True, exist_ok=True)
        self._directory, self._status = directory, directory.stat()
        if sys.platform == "linux":
            self.descriptor = _inotify(directory)

    @property
    def is_current(self) -> bool:
        """Whether the directory of that name is still the one that is watched."""
        try:
            return os.path.samestat(self._directory.stat(), self._status)
        except OSError:
            return False

    def drain(self) -> None:
        """Take note of what happened: later news makes `descriptor` readable again."""
        if self.descriptor is None:
            return
        try:
            os.read(self.descriptor, _MAX_EVENTS)
        except BlockingIOError:
            log.debug("a watched directory had no news")

    def wait(self, timeout_s: float) -> None:
        """Wait for news, at most `timeout_s` seconds, or until it is time to look."""
        if self.descriptor is None:
            time.sleep(max(0.0, min(timeout_s, LOOK_AGAIN_S)))
            return
        ready, _, _ = select.select([self.descriptor], [], [], max(0.0, timeout_s))
        if ready:
            self.drain()

    def close(self) -> None:
        """Stop watching."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


def _inotify(directory: Path) -> int | None:
    """A descriptor that becomes readable with news of the directory; None where the system gives none."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        descriptor = int(library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
    except (OSError, AttributeError):
        return None
    if descriptor < 0:
        log.info("no more directories can be watched: %s", os.strerror(ctypes.get_errno()))
        return None
    if library.inotify_add_watch(descriptor, os.fsencode(directory), _NEWS | _ONLY_DIRECTORY) < 0:
        log.info("%s can't be watched: %s", directory, os.strerror(ctypes.get_errno()))
        os.close(descriptor)
        return None
    return descriptor

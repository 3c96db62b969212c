"""Waiting until a name appears in a directory, or disappears from it, without looking again and again.

Linux tells (inotify). Elsewhere `descriptor` is None, and whoever waits looks every `LOOK_AGAIN_S` seconds.
"""

from __future__ import annotations

import os
import selectors
import time
from pathlib import Path

from intentls.store.fs.change_watch import ChangeWatch
from intentls.store.fs.state_directory import make_directory

LOOK_AGAIN_S = 0.5


class DirectoryWatch:
    """Watches one directory, which is made if it is not there. `close` it in the end."""

    def __init__(self, directory: Path) -> None:
        make_directory(directory)
        self._directory, self._status = directory, directory.stat()
        self._changes = ChangeWatch.begin()
        if self._changes is not None and not self._changes.set([directory]):
            self.close()

    @property
    def descriptor(self) -> int | None:
        """Readable when there is news, until `drain` is called."""
        return None if self._changes is None else self._changes.descriptor

    @property
    def is_current(self) -> bool:
        """Whether the directory of that name is still the one that is watched."""
        try:
            return os.path.samestat(self._directory.stat(), self._status)
        except OSError:
            return False

    def drain(self) -> None:
        """Take note of what happened: later news makes `descriptor` readable again."""
        if self._changes is not None:
            self._changes.changes()

    def wait(self, timeout_s: float) -> None:
        """Wait for news, at most `timeout_s` seconds, or until it is time to look."""
        if self.descriptor is None:
            time.sleep(max(0.0, min(timeout_s, LOOK_AGAIN_S)))
            return
        with selectors.DefaultSelector() as selector:
            selector.register(self.descriptor, selectors.EVENT_READ)
            if selector.select(max(0.0, timeout_s)):
                self.drain()

    def close(self) -> None:
        """Stop watching."""
        if self._changes is not None:
            self._changes.close()
            self._changes = None

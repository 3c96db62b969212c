"""An exclusive lock on an open file, freed by the system when its holder dies."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

_MIN_PAUSE_S = 0.0002
_MAX_PAUSE_S = 0.01

if sys.platform == "win32":
    import errno
    import msvcrt

    _FAR = 1 << 62  # Windows locks bytes, and no other process can read them meanwhile: lock one that is not there

    def try_lock(descriptor: int) -> bool:
        """Lock the file unless another descriptor, even in this process, has it locked."""
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                return False
            raise
        return True

    def unlock(descriptor: int) -> None:
        """Let go of a locked file."""
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock the file unless another descriptor, even in this process, has it locked."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Let go of a locked file."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def lock_until(descriptor: int, deadline: float) -> bool:
    """Lock the file, waiting until `deadline` (of `time.monotonic`) at most; False if it was not to be had.

    It asks again and again: a lock that is waited for in the system could not be given up.
    """
    pause = _MIN_PAUSE_S
    while not try_lock(descriptor):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(pause * 2, _MAX_PAUSE_S)
    return True


def is_still_at(descriptor: int, path: str | Path) -> bool:
    """Whether `path` still names the open file: a lock on one that was replaced keeps no process out."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))  # noqa: PTH116  (on every guarded edit)
    except FileNotFoundError:
        return False

"""Reading a file that others may have put there: it is a regular file of a sane size, or it is not read."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from intentls.store.fs.primitives import READ


def read_bounded(path: Path, limit: int) -> bytes | None:
    """The whole content of `path`, links followed; None if there is no such file.

    Never waits (a FIFO may have the name) and never takes in more than `limit` bytes. Raises OSError, with the reason
    as its text, also for what is no regular file (EINVAL) and for a longer one (EFBIG).
    """
    try:
        descriptor = os.open(path, READ)
    except FileNotFoundError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit:,} bytes", str(path))
    return data

"""The ledger's live file as it is opened to be written, and what to say where that is impossible."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from intentls.core.errors import LedgerUnavailable
from intentls.store.fs.atomic_write import OWN, fsync_dir

_FLAGS = os.O_RDWR | os.O_APPEND | OWN
_ADVICE = {
    errno.ENOSPC: "Free some space.",
    errno.EDQUOT: "Free some space.",
    errno.ENOLCK: "Move the workspace to a file system that has locks.",
    errno.EISDIR: "Move the folder that has its name away.",
    errno.ELOOP: "Replace the symbolic link by a file.",
}


@dataclass(slots=True)
class LiveFile:
    """The ledger, open for appending. A fork shares its lock, so only its own process may use it."""

    descriptor: int
    process: int
    inode: int
    device: int


def open_or_make(path: Path) -> LiveFile:
    """The file, made if there is none. Raises OSError, also for what is no regular file."""
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        descriptor = os.open(path, _FLAGS | os.O_CREAT, 0o666)
        fsync_dir(path.parent)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return LiveFile(descriptor, os.getpid(), found.st_ino, found.st_dev)


def unavailable(path: Path, error: OSError, verb: str = "written") -> LedgerUnavailable:
    """The error that says in a sentence what the system said, and what to do about it."""
    advice = _ADVICE.get(error.errno or 0, "Make it a file that can be read and written.")
    return LedgerUnavailable(f"{path} can't be {verb} ({(error.strerror or str(error)).lower()}). {advice}")

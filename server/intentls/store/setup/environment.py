"""What stands around a workspace: programs that policy names, agents whose settings call us."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from intentls.store.fs.bounded_read import read_bounded

_MARK = b"intentls hook"
_MAX_BYTES = 4 * 1024 * 1024
_WATCHES = Path("/proc/sys/fs/inotify/max_user_watches")


def find_program(command: Sequence[str], root: Path) -> str | None:
    """Where the program that a command starts with lies; None if there is none. It may lie in the root."""
    name = command[0]
    inside = root / name
    return shutil.which(name if not Path(name).parent.parts else str(inside))


def first_that_calls_us(root: Path, files: Iterable[str]) -> str | None:
    """The first of these settings files (root-relative) that calls `intentls hook`."""
    return next((file for file in files if _calls_us(root / file)), None)


def watch_limit() -> int | None:
    """How many directories a user's programs may watch on this machine; None where there is no such limit."""
    try:
        return int(_WATCHES.read_text("ascii"))
    except (OSError, ValueError):
        return None


def has_directories(root: Path, number: int) -> bool:
    """Whether there are at least so many directories in `root`, itself and what is below it. Git's own don't count."""
    return next(islice(_directories(root), number - 1, None), None) is not None


def _directories(root: Path) -> Iterator[str]:
    for directory, below, _ in os.walk(root):
        below[:] = [name for name in below if name != ".git"]
        yield directory


def _calls_us(file: Path) -> bool:
    try:
        return _MARK in (read_bounded(file, _MAX_BYTES) or b"")
    except OSError:
        return False

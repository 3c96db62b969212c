"""What every module that touches files shares: flags for opening them, stamps that show a change, plain listings."""

from __future__ import annotations

import os
import weakref
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, Final


def _flags(*names: str) -> int:
    """The flags of these names together; one that this system lacks is 0."""
    return sum(getattr(os, name, 0) for name in names)


# Opening never waits (a FIFO may have the name), never makes a terminal ours, is not inherited, translates nothing.
_SAFE: Final = _flags("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")

NO_LINK: Final = _SAFE | _flags("O_NOFOLLOW")
"""For files of our own, together with the access mode: a link in the name's place is refused."""

READ: Final = os.O_RDONLY | _SAFE
READ_NO_LINK: Final = os.O_RDONLY | NO_LINK
ENTER_DIRECTORY: Final = os.O_RDONLY | _flags("O_DIRECTORY") | NO_LINK

RACY_NS: Final = 50_000_000
"""A file written this shortly before it was read may change again without a new stamp: clock ticks are up to 10 ms
apart on common file systems. What was read of it is not kept by its stamp alone."""

RACY_ANY_DISK_NS: Final = 2_000_000_000
"""The same for any file system: the coarsest (FAT) counts in steps of two seconds."""

Stamp = tuple[int, ...]
"""Time of the last change of the content and of anything (ns), size in bytes, inode, device."""


def stamp_of(status: os.stat_result) -> Stamp:
    """What changes with a file. The time of the last change of anything can't be set back, that of the content can."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev


def file_stamp(path: Path | str) -> Stamp | None:
    """The stamp of what `path` leads to, links followed; None where nothing can be looked at."""
    try:
        return stamp_of(os.stat(path))  # noqa: PTH116  (on every guarded edit: Path objects are slower)
    except OSError:
        return None


def is_racy(stamp: Stamp | None, now_ns: int) -> bool:
    """Whether the file may change after `now_ns` (when it was read) without getting another stamp."""
    return stamp is not None and now_ns - max(stamp[:2]) < RACY_NS


def open_binary(path: Path, flags: int = READ) -> BinaryIO:
    """The file, open for reading with these flags. Raises OSError; a directory leaves no descriptor behind then."""
    return open(path, "rb", opener=lambda name, _: os.open(name, flags))


def closes_with(owner: Any, descriptor: int) -> weakref.finalize[[int], Any]:
    """Closes the descriptor when it is called, or else when nothing refers to `owner` any more."""
    closing = weakref.finalize(owner, os.close, descriptor)
    closing.atexit = False  # the system closes it then, and a thread may still write
    return closing


def read_whole(descriptor: int, size: int) -> bytes:
    """All that is left to read; `size` is how much that should be. It needs fewer system calls than a file object."""
    parts = [os.read(descriptor, size + 1)]
    while parts[-1]:
        parts.append(os.read(descriptor, size + 1))
    return b"".join(parts)


def read_file(path: Path) -> bytes:
    """What a file of our own holds. Raises OSError. It needs half of the system calls of `Path.read_bytes`."""
    descriptor = os.open(path, READ)
    try:
        return read_whole(descriptor, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)


def names_in(directory: Path) -> list[str]:
    """The names in a directory; none if it does not exist. Raises OSError."""
    try:
        return os.listdir(directory)  # noqa: PTH208  (on every guarded edit: Path objects are slower)
    except FileNotFoundError:
        return []


def keep_newest(directory: Path, count: int, size: float = inf) -> None:
    """Remove all files but those that were written last: at most `count`, of at most `size` bytes. Raises OSError."""
    files = [(file, file.stat()) for file in directory.iterdir()]
    if len(files) <= count and sum(status.st_size for _, status in files) <= size:
        return
    for file, status in sorted(files, key=lambda entry: entry[1].st_mtime_ns, reverse=True):
        count, size = count - 1, size - status.st_size
        if count < 0 or size < 0:
            file.unlink(missing_ok=True)

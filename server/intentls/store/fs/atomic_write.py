"""Writing so that a reader, a crash or a full disk never leaves half of it."""

from __future__ import annotations

import errno
import logging
import os
import re
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

from intentls.late_pattern import late_pattern
from intentls.store.fs.file_lock import lock_until, try_lock
from intentls.store.fs.primitives import NO_LINK, READ, names_in

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

_NO_DIRECTORY_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP})
_TEMPORARY = late_pattern(r"\..+\.[0-9a-f]{12}\.tmp", re.DOTALL)
_ATTEMPTS = 3
_SWEEP_PATIENCE_S = 0.5
"""How long a locked temporary file is waited for. A program that the killed process was just starting holds the lock as
well, until the system has loaded it; on a busy machine that outlasts the next start."""
_DURABLE_WRITE: int | None = getattr(os, "RWF_DSYNC", None)  # Linux has it
_NO_DURABLE_WRITE = frozenset({errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})
_PAGE = 4096  # bytes: pages may be larger, never smaller
_HAS_PREAD, _HAS_PWRITE = hasattr(os, "pread"), hasattr(os, "pwrite")  # Windows lacks them


def replace_bytes(
    path: Path, data: bytes, *, mode: int | None = None, durable: bool = False, out_of: Path | None = None
) -> None:
    """Let `data` become the whole content of `path` in one step; readers see the old content or the new.

    `mode` is the new file's permission bits (default: those that any new file gets). With `durable` the
    content is on disk on return. It is written beside `path`, or in `out_of`, a directory on the same file system whose
    stamp then changes in the same step as `path` does. Raises OSError; `path` is then as it was.
    """
    for attempt in range(_ATTEMPTS):
        temporary = (out_of or path.parent) / f".{path.name[:200]}.{os.urandom(6).hex()}.tmp"
        try:
            write_new(temporary, data, mode=mode, durable=durable)
            temporary.replace(path)
            break
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            # It was swept in the moment between writing and renaming, in which it is not locked.
            swept = isinstance(error, FileNotFoundError) and path.parent.is_dir()
            if not swept or attempt == _ATTEMPTS - 1:
                raise
    if durable:
        fsync_dir(path.parent)


def overwrite_part(path: Path, before: bytes, after: bytes) -> bool:
    """Let `path`, which holds `before`, hold `after` by overwriting what differs, and say whether that was done.

    It is not where the lengths differ, where what differs is not in one page of memory, which a kill leaves written or
    not, or where the file is no longer such a one or has a second name. A power loss may tear it: only for what can be
    made again. Raises OSError; whether the file holds `after` is then unknown.

    Example: of `[{"at": 1}]` and `[{"at": 2}]` one byte is written.
    """
    if len(before) != len(after):
        return False
    start, end = _difference(before, after)
    if start // _PAGE != (end - 1) // _PAGE:
        return False
    descriptor = os.open(path, os.O_RDWR | NO_LINK)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size != len(before) or status.st_nlink != 1:
            return False
        write_at(descriptor, after[start:end], start)
    finally:
        os.close(descriptor)
    return True


def _difference(before: bytes, after: bytes) -> tuple[int, int]:
    """From where to where (exclusive) two contents of one length differ. It halves what it compares.

    Example: of b"abcde" and b"abXYe" it is (2, 4).
    """
    low, high = 0, len(after)
    while low < high:  # before[:low] is the same
        middle = (low + high + 1) // 2
        low, high = (middle, high) if before[low:middle] == after[low:middle] else (low, middle - 1)
    start, high = low, len(after)
    while low < high:  # before[high:] is the same
        middle = (low + high) // 2
        low, high = (low, middle) if before[middle:high] == after[middle:high] else (middle + 1, high)
    return start, high


def sweep_temporaries(directory: Path) -> None:
    """Remove what `replace_bytes` left in `directory` when its process was killed. What is being written stays."""
    try:
        names = [name for name in names_in(directory) if name[:1] == "." and _TEMPORARY.fullmatch(name)]
    except OSError:
        return  # it can't be read
    deadline = time.monotonic() + _SWEEP_PATIENCE_S
    for name in names:
        try:
            _sweep(directory / name, deadline)
        except OSError:
            log.warning("a temporary file could not be removed from %s", directory, exc_info=True)


def _sweep(temporary: Path, deadline: float) -> None:
    with suppress(FileNotFoundError):  # it became what it was for, or another process swept it
        descriptor = os.open(temporary, os.O_RDWR | NO_LINK)
        try:
            abandoned = lock_until(descriptor, deadline)
        finally:
            os.close(descriptor)
        if abandoned:
            temporary.unlink()


def write_new(path: Path, data: bytes, *, mode: int | None = None, durable: bool = False) -> None:
    """Make a file that must not exist yet. Raises OSError; part of it may then exist."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK, 0o666)
    try:
        try_lock(descriptor)  # so that others see that it is in use
        if mode is not None:
            _set_mode(descriptor, path, mode)
        write_all(descriptor, data)
        if durable:
            sync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, in one system call unless the system takes less at once."""
    while (written := os.write(descriptor, data)) < len(data):
        data = data[written:]


def read_at(descriptor: int, size: int, offset: int) -> bytes:
    """Up to `size` bytes from `offset` on: fewer only at the end of the file."""
    parts = []
    while size > 0 and (part := _read_once(descriptor, size, offset)):
        parts.append(part)
        size, offset = size - len(part), offset + len(part)
    return b"".join(parts)


def write_at(descriptor: int, data: bytes, offset: int) -> None:
    """Overwrite what stands at `offset`. The descriptor must not be in append mode."""
    if _HAS_PWRITE:
        while (written := os.pwrite(descriptor, data, offset)) < len(data):
            data, offset = data[written:], offset + written
        return
    os.lseek(descriptor, offset, os.SEEK_SET)
    write_all(descriptor, data)


def write_durably_at(descriptor: int, data: bytes, offset: int) -> None:
    """Overwrite what stands at `offset`; the disk itself has it on return. Raises OSError.

    One call where the system has such a write: it waits for these bytes alone, which takes a third of an fsync's time.
    """
    written = 0
    try:
        while _DURABLE_WRITE is not None and written < len(data):
            written += os.pwritev(descriptor, (memoryview(data)[written:],), offset + written, _DURABLE_WRITE)
    except OSError as error:
        if error.errno not in _NO_DURABLE_WRITE:
            raise
    if written < len(data):
        write_at(descriptor, data, offset)
        sync(descriptor)


def sync(descriptor: int) -> None:
    """Wait until a file's content and mode are on the disk itself."""
    if sys.platform == "darwin":
        # There fsync only hands the data to the drive, which may keep it in its own memory.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def sync_file(path: Path) -> None:
    """Wait until a file's content is on the disk itself. Raises OSError."""
    descriptor = os.open(path, READ if sys.platform != "win32" else os.O_RDWR | NO_LINK)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def fsync_dir(path: Path) -> None:
    """Make new, renamed and removed names in a directory durable. Windows has no such call."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, READ | os.O_DIRECTORY)
    try:
        sync_names(descriptor)
    finally:
        os.close(descriptor)


def sync_names(directory: int) -> None:
    """`fsync_dir` for an open directory."""
    try:
        os.fsync(directory)
    except OSError as error:
        if error.errno not in _NO_DIRECTORY_SYNC:  # some network file systems have no such call
            raise


def _read_once(descriptor: int, size: int, offset: int) -> bytes:
    if _HAS_PREAD:
        return os.pread(descriptor, size, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, size)


def _set_mode(descriptor: int, path: Path, mode: int) -> None:
    if os.chmod in os.supports_fd:
        os.fchmod(descriptor, mode)
    else:
        path.chmod(mode)

"""Locks on names (paths of files that are about to be changed), across threads and processes."""

from __future__ import annotations

import os
import time
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from intentls.core.errors import LockTimeout
from intentls.store.fs.atomic_write import read_at, write_at
from intentls.store.fs.file_lock import is_still_at, lock_until
from intentls.store.fs.path_resolution import unusable
from intentls.store.fs.primitives import NO_LINK
from intentls.store.fs.state_directory import make_directory

_STRIPES = 256
_HOLDER_BYTES = 200
_FLAGS = os.O_RDWR | os.O_CREAT | NO_LINK


class Locks:
    """Named locks, kept as files in `directory`. Every name has one of a fixed number of stripes.

    Deleting the directory while locks are held makes them forgotten; nothing else goes wrong.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @contextmanager
    def hold(self, names: Iterable[str], holder: str, timeout_s: float = 10) -> Iterator[None]:
        """Hold the locks of all `names`. `holder` is how others see who has them.

        Locks are taken in one order, so two holders of several can't wait for each other. They don't nest: a
        thread that holds some must not ask for more. Raises LockTimeout, which names the present holder,
        after `timeout_s` seconds, and StoreError where the disk refuses.
        """
        stripes = {_stripe(name): name for name in names}
        deadline = time.monotonic() + timeout_s
        held: list[int] = []
        try:
            try:
                for stripe in sorted(stripes):
                    held.append(self._lock(stripe, stripes[stripe], timeout_s, deadline))
                    _note(held[-1], holder)
            except OSError as error:
                raise unusable(error, self._directory, "hold locks") from error
            yield
        finally:
            for descriptor in reversed(held):
                os.close(descriptor)

    def _lock(self, stripe: int, name: str, timeout_s: float, deadline: float) -> int:
        path = os.path.join(self._directory, f"{stripe:02x}")
        while True:
            descriptor = self._open(path)
            is_ours = False
            try:
                is_locked = lock_until(descriptor, deadline)
                is_ours = is_locked and is_still_at(descriptor, path)
                present = "" if is_locked else _holder(descriptor)
            finally:
                if not is_ours:
                    os.close(descriptor)
            if is_ours:
                return descriptor
            if not is_locked:
                raise LockTimeout(name, timeout_s, present)

    def _open(self, path: str) -> int:
        try:
            return os.open(path, _FLAGS, 0o666)
        except FileNotFoundError:
            make_directory(self._directory)
            return os.open(path, _FLAGS, 0o666)


def _stripe(name: str) -> int:
    # Names that some file system takes for the same one must share a lock; others may.
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
    return zlib.crc32(name.casefold().encode("utf-8", "surrogatepass")) % _STRIPES


def _note(descriptor: int, holder: str) -> None:
    # Always as long, so that it overwrites the last one's: cutting a file costs milliseconds under load.
    write_at(descriptor, holder.encode("utf-8", "replace")[:_HOLDER_BYTES].ljust(_HOLDER_BYTES), 0)


def _holder(descriptor: int) -> str:
    text = read_at(descriptor, _HOLDER_BYTES, 0).decode("utf-8", "replace").strip()
    return text or "another process"

"""A new file beside the one whose place it takes in the end: readers see the old content, then all of the new."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.store.fs.file_lock import try_lock
from intentls.store.fs.primitives import NO_LINK


class ReplacementFile(Struct):
    """A new file, open for reading and writing. It is locked, so that no sweep takes it for a killed process's."""

    path: Path
    descriptor: int
    _closed: bool = False

    def close_for_rename(self) -> Path:
        """Where it is, to be renamed now."""
        if sys.platform == "win32":
            self.close()  # an open file can't be renamed there
        return self.path

    def close(self) -> None:
        """Close it; it may be renamed already."""
        if not self._closed:
            self._closed = True
            os.close(self.descriptor)


@contextmanager
def replacement_for(target: Path) -> Iterator[ReplacementFile]:
    """A new file beside `target`, removed in the end unless it was renamed. Raises OSError."""
    path = target.with_name(f".{target.name[:200]}.{os.urandom(6).hex()}.tmp")
    new = ReplacementFile(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINK, 0o666))
    try:
        with suppress(OSError):  # where the file system has no locks, no sweep can take it either
            try_lock(new.descriptor)
        yield new
    finally:
        new.close()
        with suppress(FileNotFoundError):
            path.unlink()


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes the place of `path` when the block ends, and vanishes if that raises.

    A device or a pipe is written to as it is. Raises StoreError.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
            return
        with replacement_for(path) as new:
            with open(new.descriptor, "wb", closefd=False) as file:
                yield file
            new.close_for_rename().replace(path)
    except OSError as error:
        raise StoreError(f"{path} can't be written: {error.strerror or error}") from error

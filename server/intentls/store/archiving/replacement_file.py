"""A file that is being made to take another's place, and copying into it."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from intentls.core.hashing import PREFIX
from intentls.core.ledger.archive_marker import MarkerBuilder
from intentls.store.fs.atomic_write import OWN, read_at, write_all
from intentls.store.fs.file_lock import try_lock
from intentls.store.ledger_files.archive_codec import Codec
from intentls.store.ledger_files.line_reader import lines_forward

_BLOCK = 1 << 20  # bytes of content in a block of an archive: what is read to get at one line
_CHUNK = 1 << 20
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | OWN


@dataclass(slots=True)
class ReplacementFile:
    """A new file, locked, so that nobody takes it for one that a killed process left."""

    path: Path
    descriptor: int
    _closed: bool = False

    def ready(self) -> Path:
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
def spare(target: Path) -> Iterator[ReplacementFile]:
    """A new file beside `target`, gone in the end unless it was renamed. Raises OSError."""
    path = target.with_name(f".{target.name}.{os.urandom(6).hex()}.tmp")
    new = ReplacementFile(path, os.open(path, _NEW, 0o666))
    try:
        try_lock(new.descriptor)
        yield new
    finally:
        new.close()
        with suppress(FileNotFoundError):
            path.unlink()


def copy(source: int, start: int, target: int) -> int:
    """Append to `target` what stands in `source` from `start` to its present end; how many bytes that were."""
    end = os.fstat(source).st_size
    os.lseek(target, 0, os.SEEK_END)
    for at in range(start, end, _CHUNK):
        write_all(target, read_at(source, min(_CHUNK, end - at), at))
    return max(0, end - start)


def hash_of_first(source: int, size: int) -> str:
    """The hash of the first `size` bytes of an open file."""
    digest = hashlib.sha256()
    for at in range(0, size, _CHUNK):
        digest.update(read_at(source, min(_CHUNK, size - at), at))
    return PREFIX + digest.hexdigest()


def compress(source: int, size: int, target: int, survey: MarkerBuilder, codec: Codec) -> str:
    """Write the first `size` bytes of `source`, which are whole lines, to `target` in blocks; their hash.

    `survey` sees every line.
    """
    digest = hashlib.sha256()
    for block in _blocks(source, size, survey):
        digest.update(block)
        write_all(target, codec.compress(block))
    return PREFIX + digest.hexdigest()


def _blocks(source: int, size: int, survey: MarkerBuilder) -> Iterator[bytes]:
    lines, length = list[bytes](), 0
    for _, raw in lines_forward(source, 0, size):
        survey.feed(raw)
        lines.append(raw)
        length += len(raw)
        if length >= _BLOCK:
            yield b"".join(lines)
            lines, length = [], 0
    if lines:
        yield b"".join(lines)

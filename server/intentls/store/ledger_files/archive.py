"""Archives: whole prefixes of the ledger, compressed, byte for byte. Nothing changes one once it is there."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import LedgerUnavailable
from intentls.core.hashing import PREFIX
from intentls.late_pattern import late_pattern
from intentls.store.fs.atomic_write import read_at
from intentls.store.fs.path_resolution import system_reason
from intentls.store.fs.primitives import READ_NO_LINK, names_in
from intentls.store.layout import Layout
from intentls.store.ledger_files.archive_codec import MAX_BLOCK, TOO_LARGE, BadBlock, Codec, codec_of

_NAME = late_pattern(r"(?P<number>[0-9]*)[^.].*\.jsonl\.(?:zst|gz)", re.DOTALL)


class ArchiveUnreadable(LedgerUnavailable):
    """An archive can't be read to its end. `reason` is the part of the message that says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"The archive {path} can't be read: {reason}. Restore it, or move it away.")
        self.reason = reason


class OpenArchive(Struct, frozen=True):
    """An archive's open file of `size` bytes. Its methods raise BadBlock."""

    descriptor: int
    codec: Codec
    size: int

    def positions(self, start: int = 0) -> Iterator[tuple[int, int]]:
        """The offset and the length, in bytes of the file, of each block from the one at `start` on."""
        while start < self.size:
            length = self.codec.length(self.descriptor, start, self.size)
            if start + length > self.size:
                raise BadBlock("it is cut off")
            if length > MAX_BLOCK:
                raise BadBlock(TOO_LARGE)
            yield start, length
            start += length

    def packed(self, offset: int, length: int) -> bytes:
        """A block as it is in the file."""
        return read_at(self.descriptor, length, offset)

    def content(self, offset: int, packed: bytes) -> bytes:
        """What the block at `offset` holds: whole lines."""
        content = self.codec.decompress(packed)
        if not content.endswith(b"\n") and offset + len(packed) < self.size:
            raise BadBlock("a block of it ends within a line, so it is not from intentls")
        return content


class Archive(Struct, frozen=True):
    """One archive. `size` is its file's, in bytes; its name says how it is compressed, unless `codec` does."""

    path: Path
    size: int
    codec: Codec | None = None

    @classmethod
    def at(cls, path: Path) -> Archive:
        """The archive at `path`; if there is none, it can't be read."""
        try:
            return cls(path, path.lstat().st_size)
        except OSError:
            return cls(path, 0)

    @property
    def name(self) -> str:
        """Its file's name, which archive markers call it by."""
        return self.path.name

    def blocks(self) -> Iterator[bytes]:
        """The content, block by block; each is whole lines. Raises ArchiveUnreadable."""
        with self.opened() as file:
            for offset, length in file.positions():
                yield file.content(offset, file.packed(offset, length))

    def blocks_backward(self, start: int = 0, before: int | None = None) -> Iterator[bytes]:
        """The same, last block first; only those that begin between two offsets of the archive's file.

        A block begins at `start`.
        """
        with self.opened() as file:
            positions = list(file.positions(start))
            for offset, length in reversed(positions):
                if before is None or offset < before:
                    yield file.content(offset, file.packed(offset, length))

    def lines(self) -> Iterator[bytes]:
        """Each line, with its end. Raises ArchiveUnreadable."""
        for block in self.blocks():
            yield from BytesIO(block)

    def content_hash(self) -> str:
        """The hash of all that it holds. Raises ArchiveUnreadable."""
        digest = hashlib.sha256()
        for block in self.blocks():
            digest.update(block)
        return PREFIX + digest.hexdigest()

    @contextmanager
    def opened(self) -> Iterator[OpenArchive]:
        """Its file, to read blocks of. Raises ArchiveUnreadable, also for what is wrong while it is read."""
        try:
            codec = self.codec or codec_of(self.name)
            descriptor = os.open(self.path, READ_NO_LINK)
            try:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise BadBlock("it is not a regular file")
                yield OpenArchive(descriptor, codec, self.size)
            finally:
                os.close(descriptor)
        except BadBlock as error:
            raise ArchiveUnreadable(self.path, str(error)) from error
        except OSError as error:
            raise ArchiveUnreadable(self.path, system_reason(error)) from error


def archives(layout: Layout, packed: Iterable[str] | None = None) -> list[Archive]:
    """The archives of a root, oldest first: those from before there were segments, then those in `trace/`.

    `packed` are the names of those, if they are known. Raises LedgerUnavailable if a directory can't be read.
    """
    listed = {layout.archive: _names(layout.archive)}
    listed[layout.trace] = _names(layout.trace) if packed is None else _named(packed)
    return [
        Archive.at(directory / match.string)
        for directory, names in listed.items()
        for match in sorted(names, key=lambda match: (_number(match), match.string))
    ]


def packed_names(layout: Layout) -> tuple[str, ...]:
    """The names of the archives in `trace/`. Raises LedgerUnavailable."""
    return tuple(match.string for match in _names(layout.trace))


def next_number(layout: Layout) -> int:
    """The number that the next archive's name begins with. Raises LedgerUnavailable."""
    return 1 + max(map(_number, [*_names(layout.archive), *_names(layout.trace)]), default=0)


def _names(directory: Path) -> list[re.Match[str]]:
    try:
        names = names_in(directory)
    except OSError as error:
        message = f"{directory} can't be read ({system_reason(error)}). Make it a folder that can be."
        raise LedgerUnavailable(message) from error
    return _named(name for name in names if not name.endswith(".jsonl"))  # most are segments


def _named(names: Iterable[str]) -> list[re.Match[str]]:
    return [match for name in names if (match := _NAME.fullmatch(name)) is not None]


def _number(name: re.Match[str]) -> int:
    return int(name["number"] or 0)

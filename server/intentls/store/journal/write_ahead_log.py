"""The write-ahead logs: one durable write holds an edit, contents and record, before any file is touched.

A log is a file of zeros that the disk has in full, so that one write of some blocks is all that an edit waits for. Its
files, its record and the folders follow without a sync of their own. When a log is full all of that is synced at once
(`checkpoint`), and the log begins from its start again.

    block 0             where the next entry goes; never synced: only the machine's own run needs it
    block 1...          entry 0, entry 1, ... each begins with a block, so that no later write touches an earlier one

An entry has its number, its log's generation and a checksum: what stands behind the last entry (zeros, entries of an
earlier generation, half of an entry) is none.

Processes share the logs and lock one while an edit is put in place; a second edit at the same time takes the next log.
A log is named by the machine's run: what another run wrote must be compared with the disk (`power_loss`).
"""

from __future__ import annotations

import hashlib
import logging
import os
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final
from zlib import crc32

import msgspec
from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.hashing import hash_of
from intentls.core.ledger.hash_chain import encode, parse
from intentls.store.fs.atomic_write import fsync_dir, read_at, sync, write_at, write_durably_at
from intentls.store.fs.boot_id import boot_id
from intentls.store.fs.file_lock import is_still_at, lock_until, try_lock
from intentls.store.fs.primitives import NO_LINK
from intentls.store.fs.state_directory import logs_of_other_boots, make_directory, prepare_state
from intentls.store.journal.entry_slots import JournalEntry
from intentls.store.layout import Layout

log = logging.getLogger(__name__)

MOST_LOGGED: Final = 8 << 20
"""Bytes of an entry: a larger edit is synced step by step."""

_FULL = 2 * MOST_LOGGED
_FIRST = 1 << 16  # bytes that a new log has; it doubles when it is full, up to `_FULL`
_COUNT = 4  # logs
_BLOCK = 4096
_MOST_NOTED = 256  # bytes of what is noted beside an entry, and of each of its operations
_PATIENCE_S = 10.0
_HEAD = struct.Struct("<4sIQ16s32s")  # magic, number, length of the body, generation, SHA-256 of the body
_CURSOR = struct.Struct("<4s16sIQ")  # magic, generation, number and offset of the next entry; its CRC follows
_CRC = struct.Struct("<I")
_ENTRY_MAGIC, _CURSOR_MAGIC = b"IWAL", b"IWAC"


class StagedContent(msgspec.Struct, frozen=True, array_like=True):
    """The file that waits to take an operation's place: its inode, its time of change (ns), its size in bytes."""

    inode: int
    mtime_ns: int
    length: int


class _EntryNote(msgspec.Struct, frozen=True):
    """What is noted beside an entry. `origin`: the inodes of the logs' folder and of the log."""

    origin: tuple[int, int]
    written_ns: int
    moment: int
    staged: tuple[StagedContent | None, ...]
    length: Annotated[int, msgspec.Meta(ge=0)]


class LoggedEdit(Struct, frozen=True):
    """An edit as its log has it.

    `contents` and `staged` are those of its operations, None for a removal. `written_ns` is a file time: any file that
    was changed before the edit has this time or an earlier one. `moment` orders the edits of all logs of one run.
    """

    entry: JournalEntry
    staged: tuple[StagedContent | None, ...]
    contents: tuple[bytes | None, ...]
    written_ns: int
    moment: int


class WriteAheadLog:
    """One log, locked by us until `close`."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor = descriptor
        self._at: tuple[bytes, int, int] | None = None  # the cursor: as long as the log is locked, only we move it
        self.path = path
        self.refused = 0
        """How many entries of what `edits` read are none of ours: they came with a copy, or are of another version."""

    def make_room(self, length: int) -> bool:
        """Whether the log can take an entry of so many bytes, once it has grown for it. Raises OSError."""
        end, size = self._cursor()[2] + _padded(length), os.fstat(self._descriptor).st_size
        if end > size:
            if end > _FULL:
                return False
            larger = min(max(2 * size, _FIRST, end), _FULL)
            write_at(self._descriptor, bytes(larger - size), size)
            sync(self._descriptor)
            if not size:
                for folder in (self.path.parent, self.path.parent.parent, self.path.parent.parent.parent):
                    fsync_dir(folder)
        return True

    def append(self, body: bytes, staged: Sequence[StagedContent | None], contents: Sequence[bytes], ns: int) -> None:
        """Write an entry, which is on the disk itself on return. There is room for it. Raises OSError."""
        note = _EntryNote(self._origin(), ns, time.monotonic_ns(), tuple(staged), len(body))
        whole = b"".join((encode(msgspec.to_builtins(note)), b"\n", body, *contents))
        generation, number, offset = self._cursor()
        head = _HEAD.pack(_ENTRY_MAGIC, number, len(whole), generation, hashlib.sha256(whole).digest())
        length = _padded(_HEAD.size + len(whole))
        write_durably_at(self._descriptor, (head + whole).ljust(length, b"\0"), offset)
        self._move_cursor(generation, number + 1, offset + length)

    def edits(self) -> list[LoggedEdit]:
        """Every entry, first one first. It needs no cursor. Raises OSError."""
        data = read_at(self._descriptor, os.fstat(self._descriptor).st_size, 0)
        origin = self._origin()
        read = []
        for note, body in _entries(data):
            edit = _edit(note, body) if note is not None and note.origin == origin else None
            if edit is None:
                self.refused += 1
            else:
                read.append(edit)
        return read

    def reset(self) -> None:
        """Begin from the start again: no entry is left, also on the disk itself. Raises OSError.

        The cursor goes first: what is killed in between leaves the old entries, and never new ones behind a gap.
        """
        self._move_cursor(os.urandom(16), 0, _BLOCK)
        write_durably_at(self._descriptor, bytes(_BLOCK), _BLOCK)

    def close(self) -> None:
        """Let go of the log."""
        os.close(self._descriptor)

    def _origin(self) -> tuple[int, int]:
        return self.path.parent.stat().st_ino, os.fstat(self._descriptor).st_ino

    def _cursor(self) -> tuple[bytes, int, int]:
        if self._at is None:
            self._at = self._read_cursor()
        return self._at

    def _read_cursor(self) -> tuple[bytes, int, int]:
        data = read_at(self._descriptor, _CURSOR.size + _CRC.size, 0)
        if len(data) == _CURSOR.size + _CRC.size and _CRC.unpack_from(data, _CURSOR.size)[0] == crc32(
            data[: _CURSOR.size]
        ):
            magic, generation, number, offset = _CURSOR.unpack_from(data)
            if magic == _CURSOR_MAGIC:
                return generation, number, offset
        return os.urandom(16), 0, _BLOCK

    def _move_cursor(self, generation: bytes, number: int, offset: int) -> None:
        data = _CURSOR.pack(_CURSOR_MAGIC, generation, number, offset)
        self._at = None
        write_at(self._descriptor, data + _CRC.pack(crc32(data)), 0)


class WriteAheadLogs:
    """The logs of a root. `sync_all` has the disk hold whatever these edits changed and recorded. Raises OSError."""

    def __init__(self, layout: Layout, sync_all: Callable[[Sequence[LoggedEdit]], None]) -> None:
        self._layout = layout
        self._sync_all = sync_all
        self._boot = boot_id()
        self._no_others = False

    def append(
        self, body: bytes, staged: Sequence[StagedContent | None], contents: Sequence[bytes], written_ns: int
    ) -> WriteAheadLog | None:
        """Write an entry into a log that is free, on the disk itself on return, and the locked log.

        None where that can't be: the edit is too large, every log is full or in use, no log can be made, or the system
        does not say which run of the machine this is. Raises OSError where an entry may stand in the log all the same.
        """
        length = _MOST_NOTED * (1 + len(staged)) + len(body) + sum(map(len, contents))
        if not self._boot or length > MOST_LOGGED:
            return None
        taken = self._take(length)
        if taken is not None:
            try:
                taken.append(body, staged, contents, written_ns)
            except BaseException:
                taken.close()
                raise
        return taken

    def checkpoint(self) -> None:
        """Have the disk hold what stands in the logs, and empty them: none of it will ever be restored.

        Raises OSError, and StoreError where another process keeps a log.
        """
        for number in range(_COUNT):
            if self._path(number).exists():
                with closing(self._wait_for(number)) as full:
                    self._settle(full)

    def of_other_boots(self) -> list[Path]:
        """The logs from before the machine was started; there is none later on if there is none now. Raises OSError."""
        if self._no_others:
            return []
        paths = logs_of_other_boots(self._layout)
        self._no_others = not paths
        return paths

    def claim_others(self) -> Iterator[WriteAheadLog]:
        """Those of them that no other process works on, locked; their taker closes them. Raises OSError."""
        for path in self.of_other_boots():
            claimed = self._claim(path)
            if claimed is not None:
                yield claimed

    def _take(self, length: int) -> WriteAheadLog | None:
        """A log with room, locked. One that is full is synced and emptied beside other work."""
        for number in range(_COUNT):
            try:
                free = self._claim(self._path(number))
                if free is None:
                    continue
                if self._has_room(free, length):
                    return free
            except OSError:
                log.warning("there is no write-ahead log; each step is synced", exc_info=True)
                return None
            threading.Thread(target=self._empty, args=(number,), name="intentls-checkpoint", daemon=True).start()
        return None

    def _has_room(self, free: WriteAheadLog, length: int) -> bool:
        """Whether it has, once it has grown; if not it is let go of."""
        has_room = False
        try:
            has_room = free.make_room(length)
        finally:
            if not has_room:
                free.close()
        return has_room

    def _empty(self, number: int) -> None:
        try:
            full = self._claim(self._path(number))
            if full is not None:
                with closing(full):
                    self._settle(full)
        except (OSError, StoreError):
            log.warning("a full write-ahead log could not be synced; the next edit tries again", exc_info=True)

    def _settle(self, full: WriteAheadLog) -> None:
        self._sync_all(full.edits())
        full.reset()

    def _wait_for(self, number: int) -> WriteAheadLog:
        claimed = self._claim(self._path(number), time.monotonic() + _PATIENCE_S)
        if claimed is None:
            raise StoreError(f"{self._path(number)} is in use by another process. Try again.")
        return claimed

    def _claim(self, path: Path, deadline: float | None = None) -> WriteAheadLog | None:
        """Lock a log, made if it is missing; None if another edit has it (until the deadline). Raises OSError."""
        while True:
            descriptor = self._open(path)
            if not (try_lock(descriptor) if deadline is None else lock_until(descriptor, deadline)):
                os.close(descriptor)
                return None
            if is_still_at(descriptor, path):
                return WriteAheadLog(descriptor, path)
            os.close(descriptor)  # `.state/` was deleted between the two

    def _open(self, path: Path) -> int:
        try:
            return os.open(path, os.O_RDWR | NO_LINK)
        except FileNotFoundError:
            prepare_state(self._layout)
            make_directory(self._layout.write_ahead)
            return os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, 0o600)

    def _path(self, number: int) -> Path:
        return self._layout.write_ahead / f"{self._boot}.{number}"


def _padded(length: int) -> int:
    return -(-length // _BLOCK) * _BLOCK


def _entries(data: bytes) -> Iterator[tuple[_EntryNote | None, bytes]]:
    """The entries that stand in a log: what is noted of each (None if that can't be read), and what follows that."""
    offset, number, first = _BLOCK, 0, b""
    while offset + _HEAD.size <= len(data):
        magic, own_number, length, generation, checksum = _HEAD.unpack_from(data, offset)
        body = data[offset + _HEAD.size : offset + _HEAD.size + length] if magic == _ENTRY_MAGIC else b""
        is_next = own_number == number and generation == (first or generation) and len(body) == length
        if not body or not is_next or hashlib.sha256(body).digest() != checksum:
            return
        note, _, rest = body.partition(b"\n")
        try:
            yield msgspec.json.decode(note, type=_EntryNote), rest
        except msgspec.DecodeError:
            yield None, rest
        offset, number, first = offset + _padded(_HEAD.size + length), number + 1, generation


def _edit(note: _EntryNote, body: bytes) -> LoggedEdit | None:
    """The edit of an entry; None unless it is one as this version writes it, with the contents that it speaks of."""
    try:
        entry = msgspec.convert(parse(body[: note.length]), JournalEntry)
    except msgspec.ValidationError:
        return None
    contents, end = list[bytes | None](), note.length
    for staged in note.staged:
        contents.append(None if staged is None else body[end : end + staged.length])
        end += 0 if staged is None else staged.length
    if [hash_of(content) for content in contents] != [operation.after_hash for operation in entry.operations]:
        return None
    return LoggedEdit(entry, note.staged, tuple(contents), note.written_ns, note.moment)

"""The files of the write-ahead journal: one entry each, locked by the process that works on it.

A slot is a file in `.state/journal/` that is used again and again, so that an entry costs one sync and no new
name. Its owner holds the file's lock, which the system frees when the owner dies: an entry in a slot that can be
locked has no owner any more. First stands one character an operation, overwritten in place as it progresses,
then a checksum, then the entry. An entry that was cut off while being written never began.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from intentls.core.errors import StoreError
from intentls.core.ledger.hash_chain import encode, parse
from intentls.core.patterns.protected_paths import is_agent_settings, is_intents_file, is_protected
from intentls.store.fs.atomic_write import fsync_dir, read_at, replace_bytes, sync, sync_file, write_at
from intentls.store.fs.file_lock import is_still_at, try_lock
from intentls.store.fs.primitives import NO_LINK, names_in
from intentls.store.fs.state_directory import make_directory, prepare_state
from intentls.store.layout import Layout
from intentls.store.ledger_files.line_reader import opened

_MAX_SLOTS = 1000
_DIGITS = 3  # of a slot's name
_PROBE_BYTES = 4096  # what a file system gives at least


class EntryProgress(StrEnum):
    """How far one operation is."""

    OPEN = "-"  # not known to be done: the file itself tells
    DONE = "+"
    LATE = "*"  # done, and nobody looked then whether what allows it still counts: by a recovery, or built on by others
    ABANDONED = "x"  # never done, or undone: not part of the record

    @property
    def is_done(self) -> bool:
        """Whether the operation stands, and is part of the record."""
        return self in (EntryProgress.DONE, EntryProgress.LATE)


class JournalOperation(msgspec.Struct, frozen=True):
    """One file's part of an entry. A hash is None where there is no file."""

    path: str
    before_hash: str | None
    after_hash: str | None
    mode: int | None


def may_change(path: str) -> bool:
    """Whether the journal may write a root-relative path at all. (`.state/` might be forged.)"""
    return is_intents_file(path) or not (is_protected(path) or is_agent_settings(path))


class JournalEntry(msgspec.Struct, frozen=True, rename={"sequence": "turn"}):
    """A change that is under way, and the record that it will leave. `txid` is in its staged files' names.

    Without operations it is a record of what has happened already, and is only to be appended, with `more` behind it.

    `sequence` is higher than that of every entry that stood in the journal when this one was made: edits of one file
    are settled in the order in which they happened, whatever the clock says. `origin` is set when it is written: the
    inodes of the journal's directory and of the slot. A clone or a copy has others, so an entry that came with a
    repository is never taken for one of ours. (Device numbers may change when a machine starts, inodes don't.)
    """

    txid: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    operations: tuple[JournalOperation, ...]
    record: dict[str, Any]
    version: Literal[1] = 1
    sequence: int = 1  # "turn" in the file
    origin: tuple[int, int] | None = None
    more: tuple[dict[str, Any], ...] = ()

    @property
    def records(self) -> tuple[dict[str, Any], ...]:
        """All its records, in the order in which they are appended."""
        return self.record, *self.more


class EntrySlot:
    """One slot, locked by us until `close`."""

    def __init__(self, number: int, descriptor: int, layout: Layout) -> None:
        self.number = number
        self._descriptor = descriptor
        self._layout = layout
        self._progress: list[EntryProgress] = []
        self.refused: str | None = None
        """Why the entry that `read` looked at is not carried out here, as the rest of a sentence; None where it is."""

    @property
    def is_empty(self) -> bool:
        """Whether no entry stands in it."""
        return os.fstat(self._descriptor).st_size == 0

    @property
    def progress(self) -> tuple[EntryProgress, ...]:
        """How far each of the entry's operations is."""
        return tuple(self._progress)

    def write(self, entry: JournalEntry, *, durable: bool) -> bytes:
        """Write an entry into the empty slot, and what it was encoded to. Whatever is killed then, it is settled.

        Only a `durable` one outlives a machine that stops. Raises OSError.
        """
        body = encode(msgspec.to_builtins(msgspec.structs.replace(entry, origin=self._origin())))
        self._progress = [EntryProgress.OPEN] * len(entry.operations)
        head = "".join(self._progress) + "\n" + hashlib.sha256(body).hexdigest() + "\n"
        write_at(self._descriptor, head.encode() + body, 0)
        if durable:
            self.sync()
        return body

    def written_ns(self) -> int:
        """When it was written, as the file system counts. Raises OSError."""
        return os.fstat(self._descriptor).st_mtime_ns

    def sync(self) -> None:
        """Have the disk itself hold what was written. Raises OSError."""
        sync(self._descriptor)

    def probe(self) -> None:
        """Write into the empty slot what is no entry, and forget it. Raises OSError where the disk has no room."""
        try:
            write_at(self._descriptor, bytes(_PROBE_BYTES), 0)
        finally:
            self.clear()

    def read(self) -> JournalEntry | None:
        """The entry, or None if there is none that ever began, or none that was written in this very file."""
        data = read_at(self._descriptor, os.fstat(self._descriptor).st_size, 0)
        marks, _, rest = data.partition(b"\n")
        checksum, _, body = rest.partition(b"\n")
        if checksum != hashlib.sha256(body).hexdigest().encode():
            return None
        try:
            entry = msgspec.convert(parse(body), JournalEntry)
            self._progress = [EntryProgress(chr(mark)) for mark in marks]
        except (msgspec.ValidationError, ValueError):
            self.refused = "was not written by this version"
            return None
        if entry.origin is None:
            self.refused = "was written by a version that did not say in which working tree"
            return None
        if entry.origin != self._origin():
            self.refused = "was not written in this working tree but came with it"
            return None
        return entry if len(self._progress) == len(entry.operations) else None

    def mark(self, index: int, progress: EntryProgress) -> None:
        """Note how far an operation is."""
        if self._progress[index] is not progress:
            write_at(self._descriptor, progress.encode(), index)
            self._progress[index] = progress

    def staged(self, entry: JournalEntry, index: int) -> Path:
        """Where the new content of an operation waits."""
        return self._layout.stage / f"{self.number:0{_DIGITS}}-{entry.txid}-{index}"

    def put_aside(self) -> Path:
        """Keep the entry, and what is staged for it, in a folder of its own. Raises OSError."""
        data = read_at(self._descriptor, os.fstat(self._descriptor).st_size, 0)
        folder = self._layout.aside / f"{self.number:0{_DIGITS}}-{hashlib.sha256(data).hexdigest()[:16]}"
        make_directory(folder)
        replace_bytes(folder / "entry", data)
        for name in names_in(self._layout.stage):
            if _number(name) == self.number:
                (self._layout.stage / name).replace(folder / name)
        return folder

    def clear(self) -> None:
        """Forget the entry: it is done with."""
        os.ftruncate(self._descriptor, 0)

    def close(self) -> None:
        """Let go of the slot."""
        os.close(self._descriptor)

    def _origin(self) -> tuple[int, int]:
        return self._layout.journal.stat().st_ino, os.fstat(self._descriptor).st_ino


class EntrySlots:
    """All slots of a root."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def take(self) -> EntrySlot:
        """A free, empty slot, made if there is none. Raises OSError, or StoreError if there are too many."""
        for number in range(_MAX_SLOTS):
            slot = self.claim(number)
            if slot is not None:
                if slot.is_empty:
                    return slot
                slot.close()
        raise StoreError(
            f"{self._layout.journal} is full of edits that could not be recorded. Make the ledger writable."
        )

    def has_others(self, number: int) -> bool:
        """Whether any other slot is in use. Raises OSError."""
        return any(other != number for other in (*self._filled(), *self._staged()))

    def abandoned(self) -> Iterator[EntrySlot]:
        """Every slot in use whose owner is gone, locked; its taker closes it. Raises OSError."""
        for number in sorted({*self._filled(), *self._staged()}):
            slot = self.claim(number)
            if slot is not None:
                yield slot

    def entries(self) -> Iterator[tuple[int, JournalEntry]]:
        """The entries of all slots with their numbers, locked or not. Raises OSError."""
        for number, entry, _ in self._read():
            yield number, entry

    def _read(self) -> Iterator[tuple[int, JournalEntry, tuple[EntryProgress, ...]]]:
        for number in self._filled():
            with opened(self._path(number)) as descriptor:
                slot = None if descriptor is None else EntrySlot(number, descriptor, self._layout)
                entry = None if slot is None else slot.read()
                progress = () if slot is None else slot.progress
            if entry is not None:
                yield number, entry, progress

    def records(self) -> list[dict[str, Any]]:
        """The records of the entries that have no open operation, newest first. Raises OSError."""
        decided = [(entry, progress) for _, entry, progress in self._read() if EntryProgress.OPEN not in progress]
        decided.sort(key=lambda item: item[0].sequence, reverse=True)
        standing = (entry for entry, progress in decided if not progress or any(one.is_done for one in progress))
        return [record for entry in standing for record in reversed(entry.records)]

    def next_sequence(self) -> int:
        """The sequence number of an entry that is made now. Raises OSError."""
        return 1 + max((entry.sequence for _, entry in self.entries()), default=0)

    def sync(self) -> None:
        """Have the disk itself hold what waits, the staged contents too. Raises OSError."""
        layout = self._layout
        names = [layout.journal / f"{number:0{_DIGITS}}" for number in self._filled()]
        for path in (*names, *(layout.stage / name for name in names_in(layout.stage))):
            with suppress(FileNotFoundError):  # it is settled meanwhile
                sync_file(path)
        for folder in (layout.journal, layout.stage):
            with suppress(FileNotFoundError):
                fsync_dir(folder)

    def sweep(self, slot: EntrySlot) -> None:
        """Remove what is staged for a slot that needs it no more. Raises OSError."""
        for name in names_in(self._layout.stage):
            if _number(name) == slot.number:
                (self._layout.stage / name).unlink(missing_ok=True)

    def claim(self, number: int) -> EntrySlot | None:
        """Lock a slot, made if it is missing; None if another process has it. Raises OSError."""
        path = self._path(number)
        while True:
            descriptor = self._open(path)
            if not try_lock(descriptor):
                os.close(descriptor)
                return None
            if is_still_at(descriptor, path):
                return EntrySlot(number, descriptor, self._layout)
            os.close(descriptor)  # `.state/` was deleted between the two: this lock keeps no process out

    def _open(self, path: Path) -> int:
        try:
            return os.open(path, os.O_RDWR | NO_LINK)
        except FileNotFoundError:
            prepare_state(self._layout)
            make_directory(self._layout.journal)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, 0o666)
            fsync_dir(self._layout.journal)
            return descriptor

    def _path(self, number: int) -> Path:
        return self._layout.journal / f"{number:0{_DIGITS}}"

    def _filled(self) -> Iterator[int]:
        folder = self._layout.journal
        for name in names_in(folder):
            number = _number(name)
            with suppress(FileNotFoundError):  # `.state/` may be deleted at any time
                if number is not None and os.stat(f"{folder}{os.sep}{name}").st_size:  # noqa: PTH116  (see names_in)
                    yield number

    def _staged(self) -> Iterator[int]:
        for name in names_in(self._layout.stage):
            number = _number(name)
            if number is not None:
                yield number


def _number(name: str) -> int | None:
    digits = name.partition("-")[0]
    return int(digits) if len(digits) == _DIGITS and digits.isascii() and digits.isdigit() else None

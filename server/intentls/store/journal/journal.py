"""Edits that happen wholly, with their record, or not at all: a write-ahead journal.

    stage the new contents · write the entry (from here on the edit can be completed) · write both into the
    write-ahead log (the disk itself has them now) · put each file into its place · append the record · forget the entry

Whatever a killed process left is settled by `recover`: where nothing was put yet the entry is dropped, else the
edit is completed and recorded. No file changes without a record, no record speaks of a change that is not there.
The log's write is the only one that is waited for; what a power loss takes of the rest is restored from the log.

A record of what has happened already (a save, a host's own edit, a refusal) goes the same way, with no file to put:
write the entry, append, forget. Records are appended in the order in which they were entered.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.errors import InvalidPath, LedgerUnavailable, StoreError
from intentls.core.hashing import hash_of
from intentls.core.ledger.trace_state import TraceState
from intentls.store.fs.atomic_write import sync_file, write_new
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import unusable
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.fs.state_directory import make_directory
from intentls.store.journal.checkpoint import Checkpoint
from intentls.store.journal.entry_slots import (
    EntryProgress,
    EntrySlot,
    EntrySlots,
    JournalEntry,
    JournalOperation,
    may_change,
)
from intentls.store.journal.failures import EditLapsed, TargetChanged, UnsettledEdit
from intentls.store.journal.recovery import RecoveredEdit, Recovery, UsesOfLeases, no_uses
from intentls.store.journal.write_ahead_log import StagedContent, WriteAheadLog, WriteAheadLogs
from intentls.store.layout import Layout
from intentls.store.ledger.ledger import Ledger

log = logging.getLogger(__name__)

_RETRY_S = 0.01


class FileOp(Struct, frozen=True, dict=True):
    """What becomes of one file: `before_hash` None if it must not exist yet, `after` None to delete it.

    `path` is root-relative POSIX and resolved; `mode` is the permission bits, None for those of any new file.
    """

    path: str
    before_hash: str | None
    after: bytes | None
    mode: int | None = None

    @cached_property
    def after_hash(self) -> str | None:
        """The hash of `after`."""
        return hash_of(self.after)


class CommittedEdit(Struct, frozen=True):
    """`traced` is False if the edit stands but its record could not be appended yet; `recover` will."""

    traced: bool


class Journal:
    """The journal of one root. Safe to use from several threads and processes.

    `uses` says under which fence a session changes root-relative paths now; see `UsesOfLeases`.
    """

    def __init__(
        self, layout: Layout, tree: RootedFiles, ledger: Ledger, locks: Locks, uses: UsesOfLeases = no_uses
    ) -> None:
        self._layout = layout
        self._tree = tree
        self._ledger = ledger
        self._locks = locks
        self._slots = EntrySlots(layout)
        self._logs = WriteAheadLogs(layout, Checkpoint(tree, ledger, self._slots).sync)
        self._recovery = Recovery(layout, tree, ledger, locks, self._slots, self._logs, uses)

    @contextmanager
    def hold(self, names: Iterable[str], holder: str, timeout_s: float = 10) -> Iterator[None]:
        """Hold the locks of files (by their absolute, real paths), with every earlier edit of them settled.

        Read what an edit rests on, decide and `commit` inside. Like `Locks.hold` it does not nest. Raises
        LockTimeout, and StoreError if an earlier edit can't be settled.
        """
        names = tuple(names)
        deadline = time.monotonic() + timeout_s
        obstacle, has_recovered = "", False
        while True:
            with self._locks.hold(names, holder, max(0.0, deadline - time.monotonic())):
                # One look is nearly always all. An owner that died while we waited for its lock left an entry behind.
                if not self._recovery.has_work() or (
                    has_recovered and not (obstacle := self._recovery.obstacle(names) or "")
                ):
                    yield
                    return
            if has_recovered and time.monotonic() >= deadline:
                raise StoreError(f"An earlier edit of {obstacle} was cut off and can't be completed now. Try again.")
            if has_recovered:
                time.sleep(_RETRY_S)
            self.recover()
            has_recovered = True

    def commit(
        self, ops: Sequence[FileOp], record: Mapping[str, Any], has_lapsed: Callable[[], bool] = lambda: False
    ) -> CommittedEdit:
        """Make the changes and append `record` (without `chain`); both are on the disk itself on return.

        The caller holds the files' locks. `has_lapsed` says whether what allows the edit is over: it is asked when the
        files are in place, so that a stop of this process before that is seen. Raises EditLapsed then, TargetChanged,
        InvalidPath or another StoreError, and then nothing of the edit stands; what could not be undone, because
        another program changed it at once, is on record. Only with Unsettled some of it may stand: `recover` has the
        last word on it.
        """
        for op in ops:
            if not may_change(op.path):
                raise InvalidPath(op.path, "is protected: no edit can change it")
        with closing(self._take()) as slot:
            originals = [self._original(op) for op in ops]
            entry, body = self._begin(slot, ops, record)
            try:
                is_logged = self._put_all(slot, entry, body, ops, has_lapsed)
            except Exception as error:
                if not self._abandon(slot, entry, originals, is_whole=isinstance(error, EditLapsed)):
                    raise UnsettledEdit(error) from error
                raise
            return CommittedEdit(self._append_entered(slot, entry, durable=not is_logged))

    def record(self, record: Mapping[str, Any], *, durable: bool) -> TraceState:
        """Append `record` (without `chain`), or keep it until the ledger can be written. Never raises.

        With `durable` a record that is appended is on the disk itself on return, as one that waits always is. It is
        in the journal before it is appended, so that a kill loses it no more; the one sync is the ledger's. Only
        where the journal can't hold it is it appended straight away.

        Example: the ledger is read-only. The records of three saves wait; once it can be written, the next action of
        any process appends the three, in their order, and then its own.
        """
        return self.record_all((record,), durable=durable)

    def record_all(self, records: Sequence[Mapping[str, Any]], *, durable: bool) -> TraceState:
        """As `record`, of several in this order (at least one) that wait, if they have to, as one.

        Of those that are lost or wait, the first may stand in the ledger: none is ever appended twice.
        """
        try:
            slot = self._enter(records)
        except (OSError, StoreError):
            log.warning("the journal can't hold a record", exc_info=True)
            return TraceState.RECORDED if self._append_all(records, durable=durable) else TraceState.LOST
        with closing(slot):
            if self._recovery.catch_up(slot.number) and self._append_all(records, durable=durable):
                self._clear(slot)
                return TraceState.RECORDED
            try:
                slot.sync()
            except OSError:
                log.exception("a record can't be kept")
                self._clear(slot)
                return TraceState.LOST
            return TraceState.WAITING

    def waiting(self) -> list[dict[str, Any]]:
        """The records that stand in the journal and soon in the ledger, newest first. Raises StoreError.

        Those of edits that are not decided yet are left out.
        """
        try:
            return self._slots.records()
        except OSError as error:
            raise self._refused(error) from error

    def has_room(self) -> bool:
        """Whether the journal can hold an entry now. Only trying tells: a full disk opens files all the same."""
        try:
            with closing(self._slots.take()) as slot:
                slot.probe()
        except (OSError, StoreError):
            log.warning("the journal can hold nothing", exc_info=True)
            return False
        return True

    def recover(self) -> list[RecoveredEdit]:
        """Settle what killed processes left, and append records that could not be written before.

        Cheap where there is nothing to do. It never waits: what is locked now is left for the next time.
        Raises StoreError.
        """
        return self._recovery.run()

    def has_unfinished(self) -> bool:
        """Whether an edit still waits to be settled or recorded. Raises StoreError."""
        return self._recovery.has_entries()

    def _take(self) -> EntrySlot:
        try:
            return self._slots.take()
        except OSError as error:
            raise self._refused(error) from error

    def _original(self, op: FileOp) -> FileOp:
        """What undoes an operation. Raises TargetChanged."""
        file = self._tree.read_with_state(op.path)
        mode, before = (None, None) if file is None else (file[0].mode, file[1])
        if hash_of(before) != op.before_hash:
            raise TargetChanged(op.path)
        return FileOp(op.path, op.after_hash, before, mode)

    def _begin(self, slot: EntrySlot, ops: Sequence[FileOp], record: Mapping[str, Any]) -> tuple[JournalEntry, bytes]:
        """Stage the contents and write the entry: it, and what it was encoded to. Nothing of it is synced yet.

        Folders are made first: one that is younger than the entry was changed by another program.
        """
        for op in ops:
            if op.after is not None and op.before_hash is None:
                self._tree.make_parents(op.path)
        try:
            sequence = self._slots.next_sequence()
            entry = JournalEntry(
                os.urandom(16).hex(), tuple(_operation(op) for op in ops), dict(record), sequence=sequence
            )
            make_directory(self._layout.stage)
            for index, op in enumerate(ops):
                if op.after is not None:
                    write_new(slot.staged(entry, index), op.after, mode=op.mode)
            return entry, slot.write(entry, durable=False)
        except OSError as error:
            self._forget(slot)
            raise self._refused(error) from error

    def _put_all(
        self,
        slot: EntrySlot,
        entry: JournalEntry,
        body: bytes,
        ops: Sequence[FileOp],
        has_lapsed: Callable[[], bool],
    ) -> bool:
        """Make the edit durable and put its files in place. False if no log has it: then all but its record is synced.

        The log stays locked until the files are there, so that a checkpoint finds them.
        """
        try:
            logged = self._log(slot, entry, body, ops)
            if logged is None:
                for index, op in enumerate(ops):
                    if op.after is not None:
                        sync_file(slot.staged(entry, index))
                slot.sync()
        except OSError as error:
            raise self._refused(error) from error
        with nullcontext() if logged is None else closing(logged):
            for index, op in enumerate(ops):
                self._put(slot, entry, index, op, durable=logged is None)
                if index + 1 < len(ops):
                    self._mark_done(slot, index)
        if logged is None:
            self._tree.sync_folders(op.path for op in ops if op.before_hash is None)
        if has_lapsed():
            raise EditLapsed("The lease of a file ended while it was being written.")
        self._mark_done(slot, len(ops) - 1)  # not before: a recovery must know that the leases were looked at
        return logged is not None

    def _log(self, slot: EntrySlot, entry: JournalEntry, body: bytes, ops: Sequence[FileOp]) -> WriteAheadLog | None:
        staged = [None if op.after is None else _staged(slot.staged(entry, index)) for index, op in enumerate(ops)]
        contents = [op.after for op in ops if op.after is not None]
        return self._logs.append(body, staged, contents, slot.written_ns())

    def _put(self, slot: EntrySlot, entry: JournalEntry, index: int, op: FileOp, *, durable: bool) -> None:
        if hash_of(self._tree.read(op.path)) != op.before_hash:
            raise TargetChanged(op.path)
        if op.after is None:
            self._tree.remove(op.path, durable=durable)
        else:
            self._tree.put(op.path, slot.staged(entry, index), op.mode, durable=durable)

    def _mark_done(self, slot: EntrySlot, index: int) -> None:
        try:
            slot.mark(index, EntryProgress.DONE)
        except OSError as error:
            raise self._refused(error) from error

    def _enter(self, records: Sequence[Mapping[str, Any]]) -> EntrySlot:
        """A slot that holds the records, which the system has not put on the disk yet. Raises OSError, StoreError."""
        slot = self._slots.take()
        try:
            sequence = self._slots.next_sequence()
            first, *more = map(dict, records)
            entry = JournalEntry(os.urandom(16).hex(), (), first, sequence=sequence, more=tuple(more))
            slot.write(entry, durable=False)
        except BaseException as error:
            if isinstance(error, OSError):
                self._forget(slot)
            slot.close()
            raise
        return slot

    def _append_entered(self, slot: EntrySlot, entry: JournalEntry, *, durable: bool) -> bool:
        """Append the record of an edit that is done. False if that has to wait."""
        if not self._recovery.catch_up(slot.number) or not self._append(entry.record, durable=durable):
            return False
        self._clear(slot)
        return True

    def _append_all(self, records: Sequence[Mapping[str, Any]], *, durable: bool) -> bool:
        """The last one is written durably, and all before it with it."""
        last = len(records) - 1
        return all(self._append(record, durable=durable and index == last) for index, record in enumerate(records))

    def _append(self, record: Mapping[str, Any], *, durable: bool) -> bool:
        try:
            self._ledger.append(record, durable=durable)
        except LedgerUnavailable:
            log.warning("the record %s is not on record yet", record.get("id"), exc_info=True)
            return False
        return True

    def _clear(self, slot: EntrySlot) -> None:
        try:
            slot.clear()
        except OSError:
            log.warning("a finished journal entry could not be cleared; recovery will", exc_info=True)

    def _abandon(self, slot: EntrySlot, entry: JournalEntry, originals: Sequence[FileOp], *, is_whole: bool) -> bool:
        """Undo what was done (`is_whole`: all), or record it if another change was built on it. False if it waits."""
        undone_all = False
        try:
            for index in reversed(range(len(originals))):
                was_done = is_whole or slot.progress[index].is_done
                slot.mark(index, EntryProgress.OPEN)  # from here on only the file itself tells
                undone = self._undo(slot, entry, index, originals[index])
                slot.mark(index, EntryProgress.LATE if was_done and not undone else EntryProgress.ABANDONED)
            undone_all = True
            self._recovery.conclude(slot, entry)
        except (OSError, StoreError, InvalidPath):
            log.exception("an edit could not be undone; recovery will settle it")
        return undone_all

    def _undo(self, slot: EntrySlot, entry: JournalEntry, index: int, original: FileOp) -> bool:
        """False if the file is neither as it was nor as the operation left it: then it is left alone."""
        current = hash_of(self._tree.read(original.path))
        if current == original.after_hash:
            return True
        if current != original.before_hash:
            return False
        if original.after is None:
            self._tree.remove(original.path)
        else:
            staged = slot.staged(entry, len(entry.operations) + index)
            write_new(staged, original.after, mode=original.mode, durable=True)
            self._tree.put(original.path, staged, original.mode)
        return True

    def _refused(self, error: OSError) -> StoreError:
        return unusable(error, self._layout.state, "hold the edit")

    def _forget(self, slot: EntrySlot) -> None:
        try:
            self._recovery.forget(slot)
        except OSError:
            log.warning("staged contents could not be removed; recovery will", exc_info=True)


def _operation(op: FileOp) -> JournalOperation:
    return JournalOperation(op.path, op.before_hash, op.after_hash, op.mode)


def _staged(path: Path) -> StagedContent:
    status = path.stat()
    return StagedContent(status.st_ino, status.st_mtime_ns, status.st_size)

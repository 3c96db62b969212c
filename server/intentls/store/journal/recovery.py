"""Settling edits whose process was killed, and appending records that could not be written before.

An operation of such an edit is done if its mark says so, or if the file has the new content. Nothing done: the
edit is dropped; its caller never got an answer. Something done: the rest is completed from the staged contents. Where
a file has a third content by now it is left alone, and the record speaks only of what was really done.

Where many machines share their leases, another one may have taken a file over meanwhile. What an edit replaced is kept
nowhere, so it is completed all the same; its record says when, so that the check of a branch finds it (`late_writes`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from enum import Enum, StrEnum, auto
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.branch.fences import finished_later
from intentls.core.errors import InvalidPath, LedgerUnavailable, LockTimeout, StoreError
from intentls.core.hashing import hash_of
from intentls.core.intents.lease import FencedUse
from intentls.core.ledger.record_json import files_of, text_of
from intentls.store.fs.atomic_write import sync_file
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.path_resolution import unusable
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.journal.entry_slots import (
    EntryProgress,
    EntrySlot,
    EntrySlots,
    JournalEntry,
    JournalOperation,
    may_change,
)
from intentls.store.journal.power_loss import PowerLoss
from intentls.store.journal.write_ahead_log import WriteAheadLogs
from intentls.store.layout import Layout
from intentls.store.ledger.ledger import Ledger

log = logging.getLogger(__name__)

_HOLDER = "the recovery of an interrupted edit"
_SETTLE_TIMEOUT_S = 10.0
_NO_SLOT = -1


UsesOfLeases = Callable[[str, Collection[str]], Mapping[str, FencedUse]]
"""Under which fence a session changes each of some root-relative paths at this moment; paths of which nobody knows it
are left out.
"""


def no_uses(session_id: str, paths: Collection[str]) -> Mapping[str, FencedUse]:  # noqa: ARG001  as `UsesOfLeases`
    """Nobody knows anything of leases."""
    return {}


class RecoveryOutcome(StrEnum):
    """What became of an interrupted edit."""

    COMPLETED = "completed"  # all of it stands, and its record
    PARTIAL = "partial"  # another program changed a file meanwhile: the rest stands, and a record of the rest
    DROPPED = "dropped"  # nothing of it had happened, and nothing did


class RecoveredEdit(Struct, frozen=True):
    """An interrupted edit that was settled. `paths` are those that it changed, root-relative."""

    record_id: str
    outcome: RecoveryOutcome
    paths: tuple[str, ...]


class _FileComparison(Enum):
    """What a file is, compared with an operation on it."""

    BEFORE = auto()  # also where the operation changes nothing
    AFTER = auto()
    FOREIGN = auto()


class Recovery:
    """Settles the abandoned entries of one root."""

    def __init__(
        self,
        layout: Layout,
        tree: RootedFiles,
        ledger: Ledger,
        locks: Locks,
        slots: EntrySlots,
        logs: WriteAheadLogs,
        uses: UsesOfLeases,
    ) -> None:
        self._layout = layout
        self._tree = tree
        self._ledger = ledger
        self._locks = locks
        self._slots = slots
        self._logs = logs
        self._uses = uses
        self._power_loss = PowerLoss(layout, tree, ledger, slots, logs)
        self._turn = Locks(layout.locks / "journal")  # taken while path locks are held: see `Locks`

    def run(self) -> list[RecoveredEdit]:
        """Settle everything whose owner is gone. Raises StoreError where the disk refuses.

        It never waits: what another process settles now is left to that one.
        """
        if not self.has_work():
            return []
        try:
            with self._settling(0):
                return self._settle()[0]
        except LockTimeout:
            return []

    def catch_up(self, number: int) -> bool:
        """Append every record that waits, so that the one in slot `number` is the next. False if one has to wait on.

        What another process settles now is waited for: its records are the earlier ones.
        """
        try:
            if not self._slots.has_others(number) and not self._logs.of_other_boots():
                return True
            with self._settling(_SETTLE_TIMEOUT_S):
                return self._settle()[1]
        except (StoreError, OSError):
            log.warning("what waits can't be settled now", exc_info=True)
            return False

    def _settling(self, timeout_s: float) -> AbstractContextManager[None]:
        """Only one process settles at a time, so that records come in order."""
        return self._turn.hold(("settle",), _HOLDER, timeout_s)

    def has_work(self) -> bool:
        """Whether anything stands in the journal, or was not looked at since a power loss. Raises StoreError."""
        try:
            return bool(self._logs.of_other_boots()) or self._slots.has_others(_NO_SLOT)
        except OSError as error:
            raise self._refused(error) from error

    def _settle(self) -> tuple[list[RecoveredEdit], bool]:
        """What was settled, and whether all records that could be appended are."""
        self._restore()
        with self._abandoned() as slots:
            entries = [(slot, entry) for slot in slots if (entry := self._readable(slot)) is not None]
            entries.sort(key=lambda item: item[1].sequence)  # as they happened, whatever slots they were in
            settled, ledger_works = [], True
            for slot, entry in entries:
                with ExitStack() as held:
                    if EntryProgress.OPEN in slot.progress:
                        try:
                            names = [self._name(operation.path) for operation in entry.operations]
                            held.enter_context(self._locks.hold(names, _HOLDER, 0))
                        except LockTimeout:
                            continue  # its files are in use: it is left for the next time
                        self._decide(slot, entry)
                    recovered = self.conclude(slot, entry) if ledger_works else None
                if recovered is None:
                    ledger_works = False
                else:
                    log.info("an interrupted edit was settled: %s", recovered)
                    settled.append(recovered)
            return settled, ledger_works

    def _restore(self) -> None:
        """Restore what a power loss took. Raises StoreError."""
        try:
            with self._power_loss.edits() as edits:
                names = {self._name(operation.path) for edit in edits for operation in edit.entry.operations}
                with self._locks.hold(names, _HOLDER, 0):
                    self._power_loss.restore(edits)
        except LockTimeout:
            log.info("files of edits from before the machine was started are in use; they are restored later")
        except OSError as error:
            raise self._refused(error) from error

    def obstacle(self, names: Collection[str]) -> str | None:
        """A path among `names` (absolute) with an earlier edit that is not settled; None if there is none.

        The caller holds the locks of `names`: the owner of an entry for one of them is dead, even if its
        slot is locked (by another recovery). Where just the record is missing it is appended now, to keep the
        records of a file in order; a ledger that can't be written is no obstacle. A record without operations may
        also be a living process's that is just being appended: it is waited for.
        """
        locked = {name.casefold() for name in names}
        try:
            if locked and self._logs.of_other_boots():
                return next(iter(names))  # what a power loss took of it is not restored yet
            for number, entry in sorted(self._slots.entries(), key=lambda item: item[1].sequence):
                for path in _paths(entry):
                    if self._name(path).casefold() in locked and not self._conclude_abandoned(number):
                        return path
        except OSError as error:
            raise self._refused(error) from error
        return None

    def _conclude_abandoned(self, number: int) -> bool:
        slot = self._slots.claim(number)
        if slot is None:
            return False
        with closing(slot):
            entry = slot.read()
            if entry is not None and EntryProgress.OPEN in slot.progress:
                return False
            if entry is not None:
                self.conclude(slot, entry)
        return True

    def has_entries(self) -> bool:
        """Whether anything is left to settle. Raises StoreError where the disk refuses."""
        with self._abandoned() as slots:
            return any(not slot.is_empty for slot in slots)

    def conclude(self, slot: EntrySlot, entry: JournalEntry) -> RecoveredEdit | None:
        """Record what was done of an entry that has no open operation, and forget it.

        What was not done wholly leaves the write-ahead log first: a power loss must not bring it back.
        None, and the entry stays, if the ledger can't be written. Raises OSError, StoreError.
        """
        done = [
            operation.path
            for operation, progress in zip(entry.operations, slot.progress, strict=True)
            if progress.is_done
        ]
        whole = len(done) == len(entry.operations)
        record_id = str(entry.record.get("id", ""))
        if done or not entry.operations:
            if not self._ledger.is_writable():  # asked first: to look for the record may take long
                log.warning("the record %s can't be appended yet: the ledger can't be written", record_id)
                return None
            self._tree.sync(done)
            try:
                for record in entry.records:
                    if not self._ledger.contains(str(record.get("id", ""))):
                        told = self._timed(record) if EntryProgress.LATE in slot.progress else record
                        self._ledger.append(_recovered(told, None if whole else done), durable=True)
            except LedgerUnavailable:
                log.warning("the record %s of an edit can't be appended yet", record_id, exc_info=True)
                return None
        self._remove_copies(slot, entry)
        if not whole:
            self._logs.checkpoint()
        self.forget(slot)
        outcome = RecoveryOutcome.COMPLETED if whole else RecoveryOutcome.PARTIAL if done else RecoveryOutcome.DROPPED
        return RecoveredEdit(record_id, outcome, tuple(done))

    def _timed(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record of what was done later than it says."""
        paths = [path for file in files_of(record) if (path := text_of(file, "path")) is not None and "lease" in file]
        uses = self._uses(str(record.get("session_id")), paths) if paths else {}
        return finished_later(record, uses)

    def _remove_copies(self, slot: EntrySlot, entry: JournalEntry) -> None:
        """A put from another file system that was killed leaves a temporary file beside its destination."""
        originals = len(entry.operations)
        for index, operation in enumerate(entry.operations):
            for staged in (slot.staged(entry, index), slot.staged(entry, originals + index)):
                try:
                    self._tree.remove_copy(operation.path, staged)
                except (StoreError, InvalidPath):
                    log.debug("%s has no folder any more, so nothing is left in it", operation.path, exc_info=True)

    def forget(self, slot: EntrySlot) -> None:
        """Empty a slot, also on the disk itself, and remove what is staged for it. Raises OSError."""
        slot.clear()
        slot.sync()
        self._slots.sweep(slot)

    @contextmanager
    def _abandoned(self) -> Iterator[list[EntrySlot]]:
        try:
            with ExitStack() as held:
                slots = []
                for slot in self._slots.abandoned():
                    held.callback(slot.close)
                    slots.append(slot)
                yield slots
        except OSError as error:
            raise self._refused(error) from error

    def _readable(self, slot: EntrySlot) -> JournalEntry | None:
        """The slot's entry. One that never began, or that would change what no edit may, is forgotten."""
        entry = slot.read()
        if entry is not None and not all(may_change(operation.path) for operation in entry.operations):
            slot.refused, entry = "would change a protected file, so it is not ours", None
        if entry is None:
            if slot.refused is not None:
                log.warning("journal entry %s %s; it is kept in %s", slot.number, slot.refused, slot.put_aside())
            self.forget(slot)
        return entry

    def _decide(self, slot: EntrySlot, entry: JournalEntry) -> None:
        """Leave no operation open. The caller holds the files' locks."""
        if self._is_recorded(entry):  # then all was done, only not noted
            for index in range(len(entry.operations)):
                slot.mark(index, EntryProgress.DONE)
        else:
            self._complete(slot, entry)

    def _complete(self, slot: EntrySlot, entry: JournalEntry) -> None:
        looks = [self._look(operation) for operation in entry.operations]
        begun = any(progress.is_done for progress in slot.progress)
        obstructed = False
        for look, progress in zip(looks, slot.progress, strict=True):
            begun = begun or (progress is EntryProgress.OPEN and look is _FileComparison.AFTER)
            obstructed = obstructed or (progress is EntryProgress.OPEN and look is _FileComparison.FOREIGN)
        for index, look in enumerate(looks):
            if slot.progress[index] is not EntryProgress.OPEN:
                continue
            done = look is _FileComparison.AFTER or (begun and not obstructed and self._perform(slot, entry, index))
            slot.mark(index, EntryProgress.LATE if done else EntryProgress.ABANDONED)

    def _perform(self, slot: EntrySlot, entry: JournalEntry, index: int) -> bool:
        operation = entry.operations[index]
        try:
            if operation.after_hash is None:
                self._tree.remove(operation.path)
            else:
                self._tree.put(operation.path, _checked(slot.staged(entry, index), operation), operation.mode)
        except (StoreError, InvalidPath, OSError):
            log.warning("an interrupted edit of %s can't be completed", operation.path, exc_info=True)
            return self._look(operation) is _FileComparison.AFTER
        return True

    def _look(self, operation: JournalOperation) -> _FileComparison:
        try:
            current = hash_of(self._tree.read(operation.path))
        except (StoreError, InvalidPath):
            return _FileComparison.FOREIGN
        if current == operation.before_hash:
            return _FileComparison.BEFORE
        return _FileComparison.AFTER if current == operation.after_hash else _FileComparison.FOREIGN

    def _is_recorded(self, entry: JournalEntry) -> bool:
        try:
            return self._ledger.contains(str(entry.record.get("id", "")))
        except LedgerUnavailable:
            return False

    def _refused(self, error: OSError) -> StoreError:
        return unusable(error, self._layout.state)

    def _name(self, path: str) -> str:
        return str(self._layout.root / path)


def _paths(entry: JournalEntry) -> list[str]:
    """The files that an entry is about, root-relative."""
    if entry.operations:
        return [operation.path for operation in entry.operations]
    files = (file for record in entry.records for file in files_of(record))
    names = [text_of(file, key) for file in files for key in ("path", "old_path")]
    return [name for name in names if name is not None]


def _checked(staged: Path, operation: JournalOperation) -> Path:
    """The staged file, which the disk itself has now. Raises OSError, and StoreError if it is not whole."""
    if hash_of(staged.read_bytes()) != operation.after_hash:
        raise StoreError(f"{staged} is not what was staged.")
    sync_file(staged)
    return staged


def _recovered(record: Mapping[str, Any], only: Collection[str] | None) -> dict[str, Any]:
    """The record as it is appended belatedly, with just those files if only some were changed."""
    result = {key: value for key, value in record.items() if key != "files"} | {"recovered": True}
    if "files" in record:
        result["files"] = [
            file for file in record["files"] if only is None or file.get("path") in only or file.get("old_path") in only
        ]
    return result

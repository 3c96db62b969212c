"""Restoring what a power loss took: edits that were answered, and whose files and records the disk did not have yet.

After the machine has started, every edit in a write-ahead log is compared with the disk:

    the file has what the last logged edit made of it            -> nothing to do
    it holds an earlier logged state, and is no younger          -> its replacement was lost: restored
    it is the very file that an edit put there, not as it was    -> torn: restored
    it is missing, and its folder did not change since           -> lost: restored
    anything else                                                -> another program changed it since: it stays

What stays though no later change of it can be seen is in doubt: then the log's content is kept in `.state/aside`.
The records go into the journal, which appends those that the ledger lacks.

Example: an agent changes a.py from A to B and from B to C; the power fails. The disk holds B, changed before C was
logged: C is restored. A person saved D after C: D is younger than C's entry, and stays.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from msgspec import Struct

from intentls.core.branch.fences import finished_later
from intentls.core.errors import InvalidPath, LedgerUnavailable
from intentls.core.hashing import hash_of
from intentls.store.fs.atomic_write import replace_bytes, write_new
from intentls.store.fs.rooted_files import FileState, RootedFiles
from intentls.store.fs.state_directory import make_directory
from intentls.store.journal.entry_slots import EntrySlot, EntrySlots, JournalEntry, JournalOperation, may_change
from intentls.store.journal.write_ahead_log import LoggedEdit, StagedContent, WriteAheadLog, WriteAheadLogs
from intentls.store.layout import Layout
from intentls.store.ledger.ledger import Ledger

log = logging.getLogger(__name__)

_PUT_NS = 1_000_000_000
"""A folder may be this much younger than the last logged edit in it, which is put there just after it is logged."""


class _FileVersion(Struct, frozen=True):
    """What one logged edit made of a file."""

    operation: JournalOperation
    staged: StagedContent | None
    content: bytes | None
    written_ns: int


_Versions = Mapping[str, Sequence[_FileVersion]]


class PowerLoss:
    """Restores the logged edits of one root. Only one process at a time does."""

    def __init__(
        self, layout: Layout, tree: RootedFiles, ledger: Ledger, slots: EntrySlots, logs: WriteAheadLogs
    ) -> None:
        self._layout = layout
        self._tree = tree
        self._ledger = ledger
        self._slots = slots
        self._logs = logs

    @contextmanager
    def edits(self) -> Iterator[tuple[LoggedEdit, ...]]:
        """The edits that were logged before the machine was started, in their order.

        Their logs are removed when the block ends without an error. Raises OSError.
        """
        with ExitStack() as held:
            logs = [held.enter_context(closing(other)) for other in self._logs.claim_others()]
            edits = [edit for other in logs for edit in other.edits()]
            edits.sort(key=lambda edit: edit.moment)
            yield tuple(edits)
            for other in logs:
                self._remove(other)

    def restore(self, edits: Sequence[LoggedEdit]) -> None:
        """Restore what these edits left and the disk lacks. The caller holds the files' locks.

        Raises OSError, and StoreError where the disk refuses.
        """
        if not edits:
            return
        with closing(self._slots.take()) as slot:
            versions = _by_path(edits)
            for number, (path, made) in enumerate(versions.items()):
                self._restore_file(slot, number, path, made, versions)
            self._enter_records(slot, edits)
        # The maps are derived, and parts of them are overwritten in place: the next edit makes them from the ledger.
        replace_bytes(self._layout.map_generation, b"before a power loss")

    def _restore_file(
        self, slot: EntrySlot, number: int, path: str, versions: Sequence[_FileVersion], all_versions: _Versions
    ) -> None:
        last = versions[-1]
        try:
            file = self._tree.read_with_state(path)
            if hash_of(None if file is None else file[1]) == last.operation.after_hash:
                return
            lost = self._is_lost(path, all_versions) if file is None else _is_older(*file, versions)
            if lost and may_change(path):
                self._put(slot, number, path, last)
                log.info("%s was restored: a power loss had taken what was written to it", path)
                return
        except InvalidPath:  # a folder, a link or a device took its place
            file, lost = None, True
        if last.content is not None and (lost or (file is not None and file[0].ctime_ns <= last.written_ns)):
            self._keep_aside(path, last)

    def _is_lost(self, path: str, all_versions: _Versions) -> bool:
        """Whether a missing file was lost: its folder is as old as the last edit in it. A later removal shows there."""
        folder, changed_ns = self._tree.nearest_folder(path)
        below = folder + "/" if folder else ""
        last_ns = max(made[-1].written_ns for other, made in all_versions.items() if other.startswith(below))
        return changed_ns <= last_ns + _PUT_NS

    def _put(self, slot: EntrySlot, number: int, path: str, version: _FileVersion) -> None:
        if version.content is None:
            self._tree.remove(path)
            return
        make_directory(self._layout.stage)
        staged = slot.staged(JournalEntry(os.urandom(16).hex(), (), {}), number)
        write_new(staged, version.content, mode=version.operation.mode, durable=True)
        self._tree.put(path, staged, version.operation.mode)
        self._tree.sync((path,))

    def _keep_aside(self, path: str, version: _FileVersion) -> None:
        folder = self._layout.aside / f"power-loss-{os.urandom(8).hex()}"
        make_directory(folder)
        replace_bytes(folder / "content", version.content or b"", durable=True)
        replace_bytes(folder / "path", path.encode(errors="surrogateescape"), durable=True)
        log.warning("%s may lack what was written to it before a power loss; that is kept in %s", path, folder)

    def _enter_records(self, slot: EntrySlot, edits: Sequence[LoggedEdit]) -> None:
        """Have the journal hold the records, to be appended where the ledger lacks them."""
        # Whether an edit was in its place before the power loss can't be told: nor when, if so.
        records = [finished_later(record, {}) for edit in edits for record in edit.entry.records]
        promised = {str(record.get("id", "")) for record in records}

        def enter(salvaged: Sequence[Mapping[str, Any]]) -> None:
            more = [record for record in salvaged if str(record.get("id", "")) not in promised]
            first, *rest = map(dict, (*records, *more))
            sequence = self._slots.next_sequence()
            slot.write(JournalEntry(os.urandom(16).hex(), (), first, sequence=sequence, more=tuple(rest)), durable=True)

        try:
            self._ledger.repair(promised, min(edit.written_ns for edit in edits), enter)
        except LedgerUnavailable:
            log.warning("the ledger can't be repaired now", exc_info=True)
            if slot.is_empty:
                enter(())

    def _remove(self, other: WriteAheadLog) -> None:
        if other.refused:
            make_directory(self._layout.aside)
            kept = self._layout.aside / other.path.name
            other.path.replace(kept)
            log.warning("a write-ahead log has edits of another place or version; it is kept in %s", kept)
        else:
            other.path.unlink(missing_ok=True)


def _by_path(edits: Sequence[LoggedEdit]) -> dict[str, list[_FileVersion]]:
    versions: dict[str, list[_FileVersion]] = {}
    for edit in edits:
        for operation, staged, content in zip(edit.entry.operations, edit.staged, edit.contents, strict=True):
            made = _FileVersion(operation, staged, content, edit.written_ns)
            versions.setdefault(operation.path, []).append(made)
    return versions


def _is_older(state: FileState, content: bytes, versions: Sequence[_FileVersion]) -> bool:
    """Whether the file is what stood there before the last edit, or one that an edit put there and that was torn."""
    current = hash_of(content)
    if any(_is_torn(state, current, version) for version in versions):
        return True
    known = {version.operation.before_hash for version in versions}
    known |= {version.operation.after_hash for version in versions}
    return current in known and state.ctime_ns <= versions[-1].written_ns


def _is_torn(state: FileState, current: str | None, version: _FileVersion) -> bool:
    staged = version.staged
    if staged is None or current == version.operation.after_hash:
        return False
    return state.inode == staged.inode and state.mtime_ns <= staged.mtime_ns

"""Having the disk hold what logged edits did: their files, the folders, the records, and what still waits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.journal.entry_slots import EntrySlots
from intentls.store.journal.write_ahead_log import LoggedEdit
from intentls.store.ledger.ledger import Ledger


class Checkpoint:
    """What makes a log's entries superfluous."""

    def __init__(self, tree: RootedFiles, ledger: Ledger, slots: EntrySlots) -> None:
        self._tree = tree
        self._ledger = ledger
        self._slots = slots

    def sync(self, edits: Sequence[LoggedEdit]) -> None:
        """Have the disk itself hold all that these edits left behind. Raises OSError, StoreError.

        An edit is in its slot until its record is in the ledger: so the slots come first.
        """
        if edits:
            self._slots.sync()
            self._ledger.sync(min(edit.written_ns for edit in edits))
            self._tree.sync(set(chain.from_iterable(_paths(edit) for edit in edits)))


def _paths(edit: LoggedEdit) -> list[str]:
    return [operation.path for operation in edit.entry.operations]

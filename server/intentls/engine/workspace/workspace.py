"""One root with everything that belongs to it: the composition root of the engine."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from intentls.core.errors import LedgerUnavailable, StoreError
from intentls.engine.workspace.configuration import Configuration, ConfigurationReader
from intentls.engine.workspace.file_contents import Contents
from intentls.engine.workspace.host import Host
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.fs.state_directory import is_settled, prepare_state, sweep_state
from intentls.store.layout import Layout
from intentls.store.sessions.leases import Leases
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.sessions.sessions import Sessions

if TYPE_CHECKING:
    from intentls.core.ledger.record import Record
    from intentls.engine.declarations.hints import Hints
    from intentls.engine.workspace.open_documents import PendingEdits
    from intentls.store.derived import DerivedFiles
    from intentls.store.git.file_list import FileList
    from intentls.store.git.head import Git
    from intentls.store.journal.journal import Journal
    from intentls.store.ledger.change_counts import ChangeCounts
    from intentls.store.ledger.ledger import Ledger

Part = TypeVar("Part")

log = logging.getLogger(__name__)


class Workspace:
    """The stores of one root, opened once per process. Opening it finishes what a killed process left.

    Some are only made, and their modules imported, when they are first used: an agent's hook judges one edit in a
    process of its own and needs few of them. Each is made once, whatever thread asks first.
    """

    def __init__(self, layout: Layout, host: Host) -> None:
        root = layout.root
        self.host = host
        self.layout = layout
        self._parts: dict[str, Any] = {}
        self._making = threading.RLock()
        prepare_state(self.layout)
        self.tree = RootedFiles(root)
        # Taken while path locks are held, so it needs a folder of its own: locks of one folder don't nest.
        self.derived_lock = Locks(self.layout.locks / "derived")
        self.sessions = Sessions(self.layout.sessions)
        self.leases = Leases(self.layout.leases)
        self.snapshots = PreEditSnapshots(self.layout.snapshots)
        self.contents = Contents(root, self.tree, host)
        self._configuration = ConfigurationReader(self.layout, self._has_history, recalls=host.recalls)
        sweep_state(self.layout)
        if not is_settled(self.layout):
            self.journal.recover()
        self.trace_broken = self._has_waiting_records()

    @cached_property
    def ledger(self) -> Ledger:
        """The record of all that happened."""
        from intentls.store.ledger.chain_heads import ChainHeads
        from intentls.store.ledger.ledger import Ledger

        return self._once("ledger", lambda: Ledger(self.layout, ChainHeads(self.layout)))

    @cached_property
    def journal(self) -> Journal:
        """How changes are made so that they happen wholly or not at all."""
        from intentls.store.journal.journal import Journal

        locks = Locks(self.layout.locks / "paths")
        return self._once("journal", lambda: Journal(self.layout, self.tree, self.ledger, locks))

    @cached_property
    def derived(self) -> DerivedFiles:
        """The map of intents, the spatial map and the lessons."""
        from intentls.store.derived import DerivedFiles

        return self._once("derived", lambda: DerivedFiles(self.layout))

    @cached_property
    def git(self) -> Git:
        """The repository that the root lies in, if it does."""
        from intentls.store.git.head import Git

        return self._once("git", lambda: Git(self.root))

    @cached_property
    def pending(self) -> PendingEdits:
        """What the editor has applied and not saved yet."""
        from intentls.engine.workspace.open_documents import PendingEdits

        return self._once("pending", PendingEdits)

    @cached_property
    def files(self) -> FileList:
        """Which files there are."""
        from intentls.store.git.file_list import FileList

        return self._once("files", lambda: FileList(self.root, self.layout.ledger))

    @cached_property
    def hints(self) -> Hints:
        """What is remarkable about the declared intents, though no error."""
        from intentls.engine.declarations.hints import Hints

        return self._once("hints", lambda: Hints(self.files))

    @cached_property
    def tally(self) -> ChangeCounts:
        """How many changes each intent has."""
        from intentls.store.ledger.change_counts import ChangeCounts

        return self._once("tally", lambda: ChangeCounts(self.layout, self.ledger))

    @property
    def root(self) -> Path:
        """The root's folder."""
        return self.layout.root

    def configuration(self) -> Configuration:
        """The configuration at this moment."""
        return self._configuration.current()

    def trace(self, record: Record, *, durable: bool = True) -> bool:
        """Append a record that stands for itself. False (and logged) if the ledger can't be written."""
        try:
            self.ledger.append(record.to_json(), durable=durable)
        except LedgerUnavailable:
            log.exception("a %s is not on record", record.tool_name)
            self.trace_broken = True
            return False
        self.trace_broken = False
        return True

    def note_trace(self, *, degraded: bool) -> None:
        """A change was made; `degraded` if its record has to wait. The trace is whole again when none waits."""
        self.trace_broken = degraded or (self.trace_broken and self._has_waiting_records())

    def cannot_trace(self) -> str | None:
        """Why no further change should be made under policy `on_trace_failure: block`; None if all is well.

        What had to wait for the ledger is appended first, if that is possible now.
        """
        if not self.trace_broken and not self._has_waiting_records():
            return None
        self.journal.recover()
        self.trace_broken = self._has_waiting_records() or not self.ledger.is_writable()
        if not self.trace_broken:
            return None
        return (
            "Ledger Error: an earlier change is not on record because the ledger can't be written. "
            "Make .orchestration/agent_trace.jsonl writable and retry."
        )

    def holder(self, session_id: str) -> str:
        """How this process names itself in a lock: whoever waits for it is told."""
        return f"{self.host.face} process {os.getpid()} (session {session_id})"

    def _once(self, name: str, make: Callable[[], Part]) -> Part:
        """The part called `name`, made now if nobody has made it."""
        with self._making:
            if name not in self._parts:
                self._parts[name] = make()
            part: Part = self._parts[name]
            return part

    def _has_history(self) -> bool:
        return self.ledger.has_records()

    def _has_waiting_records(self) -> bool:
        if is_settled(self.layout):
            return False
        try:
            return self.journal.has_unfinished()
        except StoreError:
            log.warning("the journal can't be looked at", exc_info=True)
            return True

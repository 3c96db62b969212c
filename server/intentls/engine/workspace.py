"""One root with everything that belongs to it: the composition root of the engine."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from intentls.core.action import Situation
from intentls.core.errors import LedgerUnavailable, StoreError
from intentls.core.trace import Record
from intentls.engine.configuration import Configuration, ConfigurationReader
from intentls.engine.contents import Contents
from intentls.engine.declarations.hints import Hints
from intentls.engine.host import Host
from intentls.engine.pending import PendingEdits
from intentls.store.derived import DerivedFiles
from intentls.store.file_list import FileList
from intentls.store.journal import Journal
from intentls.store.layout import Layout
from intentls.store.leases import Leases
from intentls.store.ledger import Ledger
from intentls.store.locks import Locks
from intentls.store.sessions import Session, Sessions
from intentls.store.snapshots import Snapshots
from intentls.store.state import prepare_state, sweep_state
from intentls.store.tally import Tally
from intentls.store.tree import Tree
from intentls.store.vcs import Git
from intentls.store.writers import Writers

log = logging.getLogger(__name__)


class Workspace:
    """The stores of one root, opened once per process. Opening it finishes what a killed process left."""

    def __init__(self, layout: Layout, host: Host) -> None:
        root = layout.root
        self.host = host
        self.layout = layout
        prepare_state(self.layout)
        self.tree = Tree(root)
        # Taken while path locks are held, so it needs a folder of its own: locks of one folder don't nest.
        self.derived_lock = Locks(self.layout.locks / "derived")
        self.ledger = Ledger(self.layout, Writers(self.layout))
        self.journal = Journal(self.layout, self.tree, self.ledger, Locks(self.layout.locks / "paths"))
        self.sessions = Sessions(self.layout.sessions)
        self.leases = Leases(self.layout.leases)
        self.snapshots = Snapshots(self.layout.snapshots)
        self.derived = DerivedFiles(self.layout)
        self.git = Git(root)
        self.contents = Contents(root, self.tree, host)
        self.pending = PendingEdits()
        self.files = FileList(root, self.layout.ledger)
        self.hints = Hints(self.files)
        self.tally = Tally(self.layout, self.ledger)
        self._configuration = ConfigurationReader(self.layout, self.ledger.has_records)
        sweep_state(self.layout)
        self.journal.recover()
        self.trace_broken = self._has_waiting_records()

    @property
    def root(self) -> Path:
        """The root's folder."""
        return self.layout.root

    def configuration(self) -> Configuration:
        """The configuration at this moment."""
        return self._configuration.current()

    def situation(self, configuration: Configuration, session: Session) -> Situation:
        """What the gate knows when `session` acts."""
        return Situation(
            selected=session.intent_id,
            intents=configuration.intents.intents,
            ignore=configuration.ignore,
            config_error=configuration.error,
            lenient=configuration.lenient,
            require_base=configuration.policy.require_base,
            empty_scope_denied=configuration.policy.empty_scope == "deny",
            leases_enforced=configuration.policy.leases == "enforce",
        )

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

    def _has_waiting_records(self) -> bool:
        try:
            return self.journal.has_unfinished()
        except StoreError:
            log.warning("the journal can't be looked at", exc_info=True)
            return True

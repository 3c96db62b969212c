"""One root with everything that belongs to it: the composition root of the engine."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from intentls.core.errors import StoreError
from intentls.core.ledger.trace_state import TraceState
from intentls.engine.workspace.configuration import Configuration, ConfigurationReader
from intentls.engine.workspace.default_intent import default_intent
from intentls.engine.workspace.file_contents import Contents
from intentls.engine.workspace.host import Host
from intentls.engine.workspace.open_documents import PendingEdits
from intentls.late_module import LateModule
from intentls.store.fs.named_locks import Locks
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.fs.state_directory import is_settled, prepare_state, sweep_state
from intentls.store.git.head import Git
from intentls.store.git.identity import GitIdentity
from intentls.store.git_segments.commits import SegmentCommits
from intentls.store.layout import Layout
from intentls.store.questions.listeners import Listeners
from intentls.store.questions.question_files import QuestionFiles
from intentls.store.sessions.accepted_files import AcceptedFiles
from intentls.store.sessions.agent_processes import AgentProcesses
from intentls.store.sessions.coordination.files import FileCoordination
from intentls.store.sessions.coordination.protocol import Coordination, chosen_address
from intentls.store.sessions.default_intent import DefaultIntent
from intentls.store.sessions.editors import Editors
from intentls.store.sessions.leases import Leases
from intentls.store.sessions.pre_edit_snapshots import PreEditSnapshots
from intentls.store.sessions.sessions import Sessions

if TYPE_CHECKING:
    from intentls.core.intents.lease import FencedUse
    from intentls.core.ledger.record import Record
    from intentls.store.derived import DerivedFiles
    from intentls.store.journal.journal import Journal
    from intentls.store.ledger.ledger import Ledger
    from intentls.store.ledger_search.query import RecordQuery
    from intentls.store.sessions.coordination import keeper_client
    from intentls.store.sessions.coordination.keeper_client import KeeperClient

T = TypeVar("T")

if not TYPE_CHECKING:
    keeper_client = LateModule("intentls.store.sessions.coordination.keeper_client")  # few share their leases

log = logging.getLogger(__name__)


class Workspace:
    """The stores of one root, opened once per process. Opening it finishes what a killed process left.

    `ledger`, `journal` and `derived` are imported and made when they are first used: an agent's hook decides on one
    edit in a process of its own, and needs none of them for an edit that passes.
    """

    def __init__(self, layout: Layout, host: Host) -> None:
        root = layout.root
        self.host = host
        self.layout = layout
        self._parts: dict[str, Any] = {}
        self._making = threading.RLock()
        prepare_state(self.layout)
        self.tree = RootedFiles(root)
        # Taken while path locks are held, so it needs a directory of its own: locks of one directory don't nest.
        self.derived_lock = Locks(self.layout.locks / "derived")
        self.chosen_intent = DefaultIntent(self.layout.default_intent)
        self.sessions = Sessions(self.layout.sessions, self._default_intent)
        self.leases = Leases(self.layout.leases)
        self._files = FileCoordination(self.leases, self.sessions, self.holder)
        self._shared: KeeperClient | None = None
        self.editors = Editors(self.layout.editors)
        self.agents = AgentProcesses(self.layout.agents)
        self.questions = QuestionFiles(self.layout.questions)
        self.listeners = Listeners(self.layout.listeners)
        self.snapshots = PreEditSnapshots(self.layout.snapshots)
        self.contents = Contents(root, self.tree, host)
        self.pending = PendingEdits()
        self.git = Git(root)
        self.git_identity = GitIdentity(root)
        self.accepted = AcceptedFiles(self.layout, self.agents)
        self._configuration = ConfigurationReader(
            self.layout, self.accepted, self._has_history, trust_cache=host.trust_cache
        )
        sweep_state(self.layout)
        if not is_settled(self.layout):
            self.journal.recover()
        self.trace_broken = self._has_waiting_records()

    @property
    def coordination(self) -> Coordination:
        """Where leases and live sessions are kept, as policy and environment say."""
        address = chosen_address(self._configuration.latest().policy.coordination, os.environ)
        if address is None:
            return self._files
        if self._shared is None or self._shared.address != address:
            answer_s = keeper_client.wait_s(os.environ)
            self._shared = keeper_client.KeeperClient(self.layout, address, answer_s)
        return self._shared

    @property
    def ledger(self) -> Ledger:
        """The append-only record of all changes and refusals."""

        def make() -> Ledger:
            from intentls.store.ledger import chain_heads, ledger  # see the class

            return ledger.Ledger(self.layout, chain_heads.ChainHeads(self.layout), self.segment_commits)

        return self.part("ledger", make)

    @property
    def segment_commits(self) -> SegmentCommits:
        """What git has of the ledger's segments."""
        return self.part("segment_commits", lambda: SegmentCommits(self.layout, self.git))

    @property
    def journal(self) -> Journal:
        """How changes are made so that they happen wholly or not at all."""

        def make() -> Journal:
            from intentls.store.journal.journal import Journal  # see the class

            locks = Locks(self.layout.locks / "paths")
            return Journal(self.layout, self.tree, self.ledger, locks, self._uses_of_leases)

        return self.part("journal", make)

    @property
    def derived(self) -> DerivedFiles:
        """The map of intents, the spatial map and the lessons."""

        def make() -> DerivedFiles:
            from intentls.store.derived import DerivedFiles  # see the class

            return DerivedFiles(self.layout)

        return self.part("derived", make)

    def part(self, name: str, make: Callable[[], T]) -> T:
        """What `make` makes the first time that this workspace is asked for `name`; each is made once, in any thread.

        Rooms above keep here what they remember of a root, such as its list of files.
        """
        with self._making:
            if name not in self._parts:
                self._parts[name] = make()
            part: T = self._parts[name]
            return part

    @property
    def root(self) -> Path:
        """The root's directory."""
        return self.layout.root

    def configuration(self) -> Configuration:
        """The configuration at this moment."""
        return self._configuration.current()

    def trace(self, record: Record, *, durable: bool = True) -> TraceState:
        """Put on record, through the journal, what has happened already. Never raises."""
        state = self.journal.record(record.to_json(), durable=durable)
        if state is not TraceState.RECORDED:
            log.error("%s is not on record: %s", record.tool_name, state)
        self.note_trace(degraded=state is not TraceState.RECORDED)
        return state

    def newest_records(self, query: RecordQuery) -> Iterator[dict[str, Any]]:
        """The records that match, newest first: those that wait for the ledger, then the ledger's.

        Raises LedgerUnavailable once the former are given, and StoreError.
        """
        if not is_settled(self.layout):
            yield from (record for record in self.journal.waiting() if query.matches(record))
        yield from self.ledger.search(query)

    def note_trace(self, *, degraded: bool) -> None:
        """A change was made; `degraded` if its record has to wait. The trace is whole again when none waits."""
        self.trace_broken = degraded or (self.trace_broken and self._has_waiting_records())

    def cannot_trace(self) -> str | None:
        """Why no further change should be made under policy `on_trace_failure: block`; None if all is well.

        What had to wait for the ledger is appended first, if that is possible now.
        """
        if not self.journal.has_room():
            return (
                "Ledger Error: a change could not be put on record now: .orchestration/.state can hold nothing. "
                "Free some space, make it writable and retry."
            )
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
        """How this process names itself in a lock, for the message of another process that waits for it."""
        return f"{self.host.face} process {os.getpid()} (session {session_id})"

    def _uses_of_leases(self, session_id: str, paths: Collection[str]) -> Mapping[str, FencedUse]:
        try:
            return self.coordination.fences(session_id, paths)
        except StoreError as error:
            log.info("when session %s changed what it did is not known: %s", session_id, error)
            return {}

    def _default_intent(self) -> str | None:
        return default_intent(self.chosen_intent.read(), self.configuration, self.git)

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

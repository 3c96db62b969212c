"""One client of the language server, with its engine, its worker queues and its own session."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from intentls.engine.actions.effects import Ask, FinalResult, Reply, Steps, advance
from intentls.engine.editor.continuation import continue_editor
from intentls.engine.ledger import indexes
from intentls.engine.questions.followed_root import FollowedRoot
from intentls.engine.tools.open_calls import settle_orphans
from intentls.engine.workspace.engine import Engine
from intentls.faces.lsp.client_requests import apply_in_editor
from intentls.faces.lsp.diagnostics import Diagnostics
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.questions import Questions
from intentls.faces.lsp.unsaved import UnsavedDocuments
from intentls.faces.lsp.worker_queue import WorkerQueue
from intentls.late_module import LateModule

if TYPE_CHECKING:
    from intentls.engine.blame import line_authors
    from intentls.engine.blame.line_authors import Authors
else:
    line_authors = LateModule("intentls.engine.blame.line_authors")

T = TypeVar("T")


class LspConnection:
    """What every feature and command of one connection works with.

    `edits` runs what changes files or records, one after another; `queries` what only reads; `background` what the
    client does not wait for.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self.host = LspHost(server)
        self.engine = Engine(self.host, settle_orphans)
        self.session_id = self.host.own_session
        self.edits = WorkerQueue("intentls-edits")
        self.queries = WorkerQueue("intentls-queries", workers=2)
        self.background = WorkerQueue("intentls-background")
        self.diagnostics = Diagnostics(server, self.host, self.engine, self.queries, self.session_id)
        self.unsaved = UnsavedDocuments(server, self.host, self.engine, self.queries)
        self.questions = Questions(server, self.host, self.engine, self.session_id)
        self._warned_roots: frozenset[Path] = frozenset()
        self._opened_roots: set[Path] = set()
        self._has_ended = False

    @property
    def has_ended(self) -> bool:
        """Whether nothing more is to be done for the client."""
        return self._has_ended

    @cached_property
    def authors(self) -> Authors:
        """Who wrote the lines of the documents that were asked about."""
        return line_authors.Authors()

    def index_later(self) -> None:
        """Extend the ledgers' indexes beside other work, if they are behind."""
        if indexes.has_index_work(self.engine):
            self.background.begin(partial(indexes.update_indexes, self.engine))

    def refresh_editor(self) -> None:
        """Show again what depends on intents, scopes and records, any of which may have changed."""
        self.diagnostics.refresh()
        self.questions.review()
        self._warn_unrecorded()

    def _warn_unrecorded(self) -> None:
        """Warn the user when the ledger of a root can't be written, once for each time that this begins."""
        unrecorded = self.engine.untraced()
        for root in sorted(unrecorded - self._warned_roots):
            sentence = f"Changes in {root} are not on record yet: its ledger can't be written. The log says why."
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, sentence))
        self._warned_roots = unrecorded

    async def perform(self, steps: Steps[T]) -> T:
        """Run a use case on the `edits` queue; between its steps the user or the editor is asked.

        The queue is free during a question, so other work does not wait for its answer.
        """
        answer: Reply | bool | None = None
        while True:
            outcome = await self.edits.run(partial(advance, steps, answer))
            if isinstance(outcome, FinalResult):
                return outcome.value
            if isinstance(outcome, Ask):
                answer = await self.questions.ask(outcome)
            else:
                answer = await apply_in_editor(self.server, outcome)

    def open_roots(self) -> list[FollowedRoot]:
        """Open every root, which completes or undoes what a killed server left, and go on with its last selection.

        What is to be shown of their questions is ready with that: the answer to any later call means that this editor
        is seen by whoever asks.
        """
        self.engine.open_below()
        for workspace in self.engine.known():
            if workspace.root in self._opened_roots:
                continue
            self._opened_roots.add(workspace.root)
            continue_editor(workspace, self.session_id, self.host.client)
        return self.questions.open_roots()

    def end(self) -> None:
        """End the connection's own session; what it selected is kept for the next connection. Only the first counts."""
        if not self._has_ended:
            self._has_ended = True
            self.engine.end_editor(self.session_id, self.host.client)

    def close(self) -> None:
        """End the connection and its own session."""
        self.questions.close()
        for queue in (self.queries, self.background, self.edits):
            queue.close()
        self.end()

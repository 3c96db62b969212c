"""One client of the language server, with its engine, its worker queues and its own session."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TypeVar

from lsprotocol import types

from intentls.engine.actions.effects import Ask, FinalResult, Reply, Steps, advance
from intentls.engine.blame.line_authors import Authors
from intentls.engine.workspace.engine import Engine
from intentls.faces.lsp.apply_edit import apply_in_editor
from intentls.faces.lsp.approval_dialog import ask
from intentls.faces.lsp.diagnostics import Diagnostics
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.worker_queue import WorkerQueue

log = logging.getLogger(__name__)

T = TypeVar("T")


class LspConnection:
    """What every feature and command of one connection works with."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.host = LspHost(server)
        self.engine = Engine(self.host)
        self.authors = Authors()
        self.session_id = self.host.own_session
        self.actions = WorkerQueue("intentls-actions")
        self.questions = WorkerQueue("intentls-questions", workers=2)
        self.chores = WorkerQueue("intentls-chores")
        self._warned_roots: frozenset[Path] = frozenset()
        self.diagnostics = Diagnostics(server, self.host, self.engine, self.questions, self.session_id)

    def changed(self) -> None:
        """The intent, the scope or a trace may have changed, and with it what the editor shows."""
        self.diagnostics.refresh()
        self._warn_unrecorded()

    def _warn_unrecorded(self) -> None:
        """A change that could not be put on record is said to the user, once for each time that it begins."""
        untraced = self.engine.untraced()
        for root in sorted(untraced - self._warned_roots):
            sentence = f"Changes in {root} are not on record yet: its ledger can't be written. The log says why."
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, sentence))
        self._warned_roots = untraced

    async def perform(self, steps: Steps[T]) -> T:
        """Run a use case on the actions queue; between its steps the person or the editor is asked.

        The queue is free while we wait, so nothing has to wait behind a question.
        """
        answer: Reply | bool | None = None
        while True:
            outcome = await self.actions.run(partial(advance, steps, answer))
            if isinstance(outcome, FinalResult):
                return outcome.value
            if isinstance(outcome, Ask):
                answer = await ask(self.server, outcome, show_proposal=self.host.options.proposals)
            else:
                answer = await apply_in_editor(self.server, outcome)

    def close(self) -> None:
        """The connection is over: its own session ends with it."""
        for queue in (self.questions, self.chores, self.actions):
            queue.close()
        self.engine.end_session(self.session_id)

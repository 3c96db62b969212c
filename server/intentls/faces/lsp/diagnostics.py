"""Diagnostics of the open documents: pulled by clients that can refresh them, pushed to the others, never both."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types

from intentls.engine.editor.diagnostics import diagnostics_version, ledger_versions, review
from intentls.engine.workspace.engine import Engine
from intentls.faces.lsp.convert import to_lsp
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.refresh import EditorRefresh
from intentls.faces.lsp.worker_queue import WorkerQueue
from intentls.faces.lsp.workspace_diagnostics import ChangedDocuments, ClosedFiles

_DEBOUNCE_S = 0.15
# Clients without a file watcher (Neovim on Linux) would not see a change from outside the editor.
_POLL_S = 1.0


class Diagnostics:
    """Keeps the diagnostics of each open document up to date. Used on the event loop only."""

    def __init__(self, server: Server, host: LspHost, engine: Engine, queries: WorkerQueue, session_id: str) -> None:
        self._server = server
        self._host = host
        self._engine = engine
        self._queries = queries
        self._session_id = session_id
        self.editor_refresh = EditorRefresh(server, host)
        self.changed_documents = ChangedDocuments(host, engine, session_id)
        self._closed = ClosedFiles(server, self.changed_documents, queries)
        self._timers: dict[str, asyncio.TimerHandle] = {}  # by URI
        self._tasks: set[asyncio.Task[None]] = set()
        self._poll: asyncio.Task[None] | None = None

    @property
    def _pushes(self) -> bool:
        return not self._host.capabilities.pulls_diagnostics

    def start(self) -> None:
        """Poll for changes that no message announces: of other faces, other editors, git."""
        self._poll = asyncio.get_running_loop().create_task(self._watch())

    def stop(self) -> None:
        """Drop what is scheduled: the connection ends."""
        if self._poll is not None:
            self._poll.cancel()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self.editor_refresh.stop()
        self._closed.stop()

    def document_opened(self, uri: str, path: Path | None) -> None:
        """Show the diagnostics of the document's own text in place of the file's."""
        if self._pushes and path is not None:
            self._closed.opened(uri, path)
        self.document_changed(uri)

    def document_changed(self, uri: str) -> None:
        """Push the document's diagnostics soon, once for many changes in a row."""
        if self._pushes:
            self._cancel_timer(uri)
            loop = asyncio.get_running_loop()
            self._timers[uri] = loop.call_later(_DEBOUNCE_S, self._begin_push, uri)

    def document_closed(self, uri: str) -> None:
        """Remove the diagnostics of a closed document."""
        self._cancel_timer(uri)
        if self._pushes:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
            self._closed.refresh()

    def refresh(self) -> None:
        """Show all diagnostics again: the intent, a scope or an ignore file changed."""
        self.editor_refresh.schedule()
        self.changed_documents.forget()
        if not self._pushes:
            self.editor_refresh.ask_diagnostics()
            return
        self._closed.refresh()
        for uri, _ in self._host.open_files():
            self.document_changed(uri)

    async def report(self, uri: str) -> list[types.Diagnostic]:
        """The document's diagnostics now; [] if it is not open or not governed."""
        document = self._server.workspace.open_document(uri)
        path = self._host.path(uri)
        if document is None or path is None:
            return []
        text = document.source

        def review_text() -> list[types.Diagnostic]:
            governed = self._engine.governing(path)
            if governed is None:
                return []
            workspace, relative = governed
            diagnostics = review(workspace, relative, text, self._session_id)
            return to_lsp(diagnostics, text, workspace.root, self._host)

        return await self._queries.run(review_text)

    def _cancel_timer(self, uri: str) -> None:
        if (timer := self._timers.pop(uri, None)) is not None:
            timer.cancel()

    def _begin_push(self, uri: str) -> None:
        self._timers.pop(uri, None)
        task = asyncio.get_running_loop().create_task(self._push(uri))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _push(self, uri: str) -> None:
        """Publish the document's diagnostics, unless it was changed or closed while they were made."""
        document = self._server.workspace.open_document(uri)
        if document is None:
            return
        version = document.version
        diagnostics = await self.report(uri)
        document = self._server.workspace.open_document(uri)
        if document is not None and document.version == version:
            params = types.PublishDiagnosticsParams(uri, diagnostics, version)
            self._server.text_document_publish_diagnostics(params)

    async def _watch(self) -> None:
        configuration, recorded = await self._queries.run(self._state)
        while True:
            await asyncio.sleep(_POLL_S)
            before = configuration, recorded
            configuration, recorded = await self._queries.run(self._state)
            if configuration != before[0]:
                self.refresh()
            if recorded != before[1]:
                self.editor_refresh.schedule()

    def _state(self) -> tuple[object, object]:
        """Two values: one changes when any diagnostic may have changed, the other when a record was written."""
        return diagnostics_version(self._engine, self._session_id), ledger_versions(self._engine)

"""Diagnostics of the open documents: pulled by clients that can refresh them, pushed to the others, never both."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types
from msgspec import Struct

from intentls.engine.editor.diagnostics import diagnostics_version, ledger_versions, review
from intentls.engine.editor.state import folder_states
from intentls.engine.wire.folder_state import EditorState
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.live_sessions import ShownSession
from intentls.faces.lsp.convert import to_lsp
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.outside_changes import OutsideChanges
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.refresh import EditorRefresh, StateNews
from intentls.faces.lsp.worker_queue import WorkerQueue
from intentls.faces.lsp.workspace_diagnostics import ChangedDocuments, ClosedFiles

_DEBOUNCE_S = 0.15


class Diagnostics:
    """Keeps the diagnostics of each open document up to date. Used on the event loop only."""

    def __init__(self, server: Server, host: LspHost, engine: Engine, queries: WorkerQueue, session_id: str) -> None:
        self._server = server
        self._host = host
        self._engine = engine
        self._queries = queries
        self._session_id = session_id
        self.editor_refresh = EditorRefresh(server, host)
        self.state = StateNews(server, host)
        self.changed_documents = ChangedDocuments(host, engine, session_id)
        self._closed = ClosedFiles(server, self.changed_documents, queries)
        self._timers: dict[str, asyncio.TimerHandle] = {}  # by URI
        self._tasks: set[asyncio.Task[None]] = set()
        self.outside = OutsideChanges(host, engine, queries, self._read_state, self._show)
        self._state: _State | None = None  # as it was shown
        self._rested_on: object = None  # what is shown rests on this, before the first look
        self._is_behind = False
        self._shown = ShownSession()
        self._changed = asyncio.Event()
        self._changed.set()

    @property
    def _pushes(self) -> bool:
        return not self._host.capabilities.pulls_diagnostics

    def start(self) -> None:
        """Notice changes that no message announces: of other faces, other editors, git."""
        self.outside.start()

    def stop(self) -> None:
        """Drop what is scheduled: the connection ends."""
        self.outside.stop()
        self._changed.set()  # whoever waits for news gets an answer
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
        self._changed.set()
        if self._pushes:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
            self._closed.refresh()

    def refresh(self) -> None:
        """Show all diagnostics again: the intent, a scope or an ignore file changed."""
        self.editor_refresh.schedule()
        self.outside.notice()
        self._news()
        if not self._pushes:
            self.editor_refresh.ask_diagnostics()
            return
        self._closed.refresh()
        for uri, _ in self._host.open_files():
            self.document_changed(uri)

    async def next_news(self) -> None:
        """Wait until the diagnostics of changed files may be others than when they were last looked at."""
        await self._changed.wait()

    def looked_at(self) -> bool:
        """The changed files are about to be looked at; whether anything happened since the last time."""
        has_news = self._changed.is_set()
        self._changed.clear()
        return has_news

    def _news(self) -> None:
        self.changed_documents.forget()
        self._changed.set()

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
            versions.append(diagnostics_version(self._engine, self._session_id))
            diagnostics = review(workspace, relative, text, self._session_id)
            diagnostics += self.changed_documents.summary(workspace, relative)
            versions.append(diagnostics_version(self._engine, self._session_id))
            return to_lsp(diagnostics, text, workspace.root, self._host)

        versions: list[object] = []
        diagnostics = await self._queries.run(review_text)
        for version in versions:
            self._rests_on(version)
        return diagnostics

    def _rests_on(self, version: object) -> None:
        """What is shown now rests on this. Where the last look saw something else, the next one shows all again: what
        came after that look, and has gone before the next, would stay on the screen.
        """
        if self._state is None:
            self._is_behind |= self._rested_on not in (None, version)
            self._rested_on = version
        elif version != self._state.diagnostics:
            self._is_behind = True
            self.outside.notice()

    def _cancel_timer(self, uri: str) -> None:
        if (timer := self._timers.pop(uri, None)) is not None:
            timer.cancel()

    def _begin_push(self, uri: str) -> None:
        self._timers.pop(uri, None)
        task = asyncio.get_running_loop().create_task(self._push(uri))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _push(self, uri: str) -> None:
        """Publish the document's diagnostics, unless it was changed or closed while they were made.

        One that was closed and opened again is another, whatever its version is.
        """
        document = self._server.workspace.open_document(uri)
        if document is None:
            return
        version = document.version
        diagnostics = await self.report(uri)
        if self._server.workspace.open_document(uri) is document and document.version == version:
            params = types.PublishDiagnosticsParams(uri, diagnostics, version)
            self._server.text_document_publish_diagnostics(params)

    def _show(self, state: _State) -> None:
        """Show again what changed since the last look, or since something was shown; the first one mostly remembers."""
        before, self._state = self._state, state
        self.state.changed(state.editor)
        if before is None:
            self._is_behind |= self._rested_on not in (None, state.diagnostics)
        if self._is_behind or (before is not None and state.diagnostics != before.diagnostics):
            self._is_behind = False
            self.refresh()
        if before is None:
            return
        if state.recorded != before.recorded:
            self.editor_refresh.schedule()
            self._news()

    def _read_state(self) -> _State:
        for workspace in self._engine.known():
            self._shown.keep(workspace, self._session_id)
        editor = EditorState.of(self._session_id, folder_states(self._engine, self._session_id))
        return _State(diagnostics_version(self._engine, self._session_id), ledger_versions(self._engine), editor)


class _State(Struct, frozen=True):
    """Three values: one changes when any diagnostic may have changed, one when a record was written, one is shown."""

    diagnostics: object
    recorded: object
    editor: EditorState

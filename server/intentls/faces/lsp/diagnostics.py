"""What is shown of each open document: pulled by clients that ask, pushed to the others, never both."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from intentls.core.diagnostic import Diagnostic
from intentls.engine.editor.diagnostics import diagnostics_version, ledger_versions, review
from intentls.engine.workspace.engine import Engine
from intentls.faces.lsp.convert import diagnostic
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.line_index import LineIndex
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.refresh import EditorRefresh
from intentls.faces.lsp.worker_queue import WorkerQueue
from intentls.faces.lsp.workspace_diagnostics import ChangedDocuments, ClosedFiles

log = logging.getLogger(__name__)

_DEBOUNCE_S = 0.15
# Clients without a file watcher (Neovim on Linux) would not see a change from outside the editor.
_POLL_S = 1.0


class Diagnostics:
    """What is shown of each open document, kept up to date."""

    def __init__(self, server: Server, host: LspHost, engine: Engine, queue: WorkerQueue, session_id: str) -> None:
        self._server = server
        self._host = host
        self._engine = engine
        self._queue = queue
        self._session_id = session_id
        self.views = EditorRefresh(server, host)
        self.changed = ChangedDocuments(server, host, engine, session_id)
        self._closed = ClosedFiles(server, self.changed, queue)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._signature: object = None
        self._recorded: object = None
        self._poll: asyncio.Task[None] | None = None

    @property
    def _pushes(self) -> bool:
        capabilities = self._host.capabilities
        return capabilities is not None and not capabilities.pulls_diagnostics

    def start(self) -> None:
        """Look for changes that nobody tells us of: other faces, other editors, git."""
        self._poll = asyncio.get_running_loop().create_task(self._watch())

    def stop(self) -> None:
        """The connection ends."""
        if self._poll is not None:
            self._poll.cancel()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self.views.stop()
        self._closed.stop()

    def document_opened(self, uri: str, path: Path | None) -> None:
        """Its findings are shown by its own text from now on."""
        if self._pushes and path is not None:
            self._closed.opened(uri, path)
        self.document_changed(uri)

    def document_changed(self, uri: str) -> None:
        """Soon, and once for many changes in a row, show the document's findings again."""
        if not self._pushes:
            return
        if (waiting := self._timers.pop(uri, None)) is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._timers[uri] = loop.call_later(_DEBOUNCE_S, self._push_soon, uri)

    def document_closed(self, uri: str) -> None:
        """Take the findings of a closed document away."""
        if (waiting := self._timers.pop(uri, None)) is not None:
            waiting.cancel()
        if self._pushes:
            params = types.PublishDiagnosticsParams(uri, [])
            self._server.text_document_publish_diagnostics(params)
            self._closed.refresh()

    def refresh(self) -> None:
        """The intent, a scope or an ignore file changed: every open document's findings may have."""
        self.views.refresh()
        self.changed.forget()
        capabilities = self._host.capabilities
        if self._pushes:
            self._closed.refresh()
            for uri, _ in self._host.open_files():
                self.document_changed(uri)
        elif capabilities is not None:
            self._begin(self._ask_to_pull())

    async def report(self, uri: str) -> list[types.Diagnostic]:
        """The document's findings now."""
        document = self._server.protocol.workspace.open_document(uri)
        path = self._host.path(uri)
        if document is None or path is None:
            return []
        text = document.source

        def look() -> tuple[Any, tuple[Diagnostic, ...]] | None:
            governed = self._engine.governing(path)
            if governed is None:
                return None
            workspace, relative = governed
            return workspace, review(workspace, relative, text, self._session_id)

        found = await self._queue.run(look)
        if found is None:
            return []
        workspace, findings = found
        encoding = str(self._server.workspace.position_encoding or "utf-16")
        index = LineIndex(text)
        return [diagnostic(finding, index, encoding, workspace.root, self._host) for finding in findings]

    def _push_soon(self, uri: str) -> None:
        self._timers.pop(uri, None)
        self._begin(self._push(uri))

    async def _push(self, uri: str) -> None:
        document = self._server.protocol.workspace.open_document(uri)
        if document is None:
            return
        version = document.version
        found = await self.report(uri)
        document = self._server.protocol.workspace.open_document(uri)
        if document is not None and document.version == version:
            params = types.PublishDiagnosticsParams(uri, found, version)
            self._server.text_document_publish_diagnostics(params)

    async def _ask_to_pull(self) -> None:
        try:
            await self._server.workspace_diagnostic_refresh_async(None)
        except JsonRpcException as error:
            log.info("the client did not refresh its diagnostics: %s", error)

    async def _watch(self) -> None:
        while True:
            now, recorded = await self._queue.run(self._look)
            if self._signature is not None and now != self._signature:
                self.refresh()
            self._signature = now
            if self._recorded is not None and recorded != self._recorded:
                self.views.refresh()
            self._recorded = recorded
            await asyncio.sleep(_POLL_S)

    def _look(self) -> tuple[object, object]:
        return diagnostics_version(self._engine, self._session_id), ledger_versions(self._engine)

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

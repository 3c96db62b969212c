"""What is shown of files that changed in git's working tree, whether the client has them open or not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from lsprotocol import types

from intentls.engine.editor.changed_files import ChangedFiles, file_diagnostics
from intentls.engine.workspace.engine import Engine
from intentls.faces.lsp.convert import diagnostic
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.documents import str_of
from intentls.faces.lsp.protocol.line_index import LineIndex
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.worker_queue import WorkerQueue

log = logging.getLogger(__name__)

_DEBOUNCE_S = 0.5
_MOST_PUSHED = 500  # a list that nobody asked for, and nobody reads to its end


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """One changed file. `version` is the open document's, None if it is closed."""

    path: Path
    uri: str
    items: list[types.Diagnostic]
    is_open: bool
    version: int | None

    @property
    def result_id(self) -> str:
        """Changes with the items."""
        return sha256(repr(self.items).encode("utf-8", "surrogatepass")).hexdigest()[:32]


class ChangedDocuments:
    """The changed files of all roots of one connection."""

    def __init__(self, server: Server, host: LspHost, engine: Engine, session_id: str) -> None:
        self._server = server
        self._host = host
        self._engine = engine
        self._session_id = session_id
        self._files = ChangedFiles()

    def forget(self) -> None:
        """Files may have changed: look again."""
        self._files.forget()

    def each(self, note: Callable[[int, int], None]) -> Iterator[ChangedDocument]:
        """Every changed file once; `note` is told (done, total), and ends this by raising. Not for the event loop."""
        note(0, 0)
        paths: dict[Path, None] = {}
        for workspace in self._engine.workspaces():
            paths |= dict.fromkeys(self._files.of(workspace))
            note(0, 0)
        for done, path in enumerate(paths):
            note(done, len(paths))
            if (shown := self._show(path)) is not None:
                yield shown

    def has_active_intent(self) -> bool:
        """Whether the connection's session works on anything."""
        return any(
            workspace.sessions.load(self._session_id).intent_id is not None for workspace in self._engine.workspaces()
        )

    def _show(self, path: Path) -> ChangedDocument | None:
        found = file_diagnostics(self._engine, path, self._session_id)
        if found is None:
            return None
        encoding, index = str_of(self._server.workspace.position_encoding), LineIndex(found.text)
        items = [diagnostic(item, index, encoding, found.workspace.root, self._host) for item in found.diagnostics]
        document = found.document
        if document is None:
            return ChangedDocument(path, path.as_uri(), items, is_open=False, version=None)
        return ChangedDocument(path, document.uri, items, is_open=True, version=document.version)


class ClosedFiles:
    """Pushes the findings of changed files that are not open, to a client that does not pull.

    Only while the session has an active intent, so that nobody sees marks who did not choose to be judged by one.
    Used on the event loop only.
    """

    def __init__(self, server: Server, changed: ChangedDocuments, queue: WorkerQueue) -> None:
        self._server = server
        self._changed = changed
        self._queue = queue
        self._pushed: dict[str, str] = {}  # by URI, the result id
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def refresh(self) -> None:
        """Soon, and once for many changes in a row."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_DEBOUNCE_S, self._begin)

    def stop(self) -> None:
        """The connection ends."""
        for running in (self._timer, self._task):
            if running is not None:
                running.cancel()

    def opened(self, uri: str, path: Path) -> None:
        """From now on the document's own findings are shown."""
        known = path.as_uri()
        if self._pushed.pop(known, None) is not None and known != uri:
            self._publish(known, [])

    def _begin(self) -> None:
        self._timer = None
        if self._task is not None and not self._task.done():
            self.refresh()  # after the one that runs
            return
        self._task = asyncio.get_running_loop().create_task(self._push())

    async def _push(self) -> None:
        found = await self._queue.run(self._look)
        for uri in self._pushed.keys() - found.keys():
            self._publish(uri, [])
        for uri, shown in found.items():
            if self._pushed.get(uri) != shown.result_id:
                self._publish(uri, shown.items)
        self._pushed = {uri: shown.result_id for uri, shown in found.items()}

    def _look(self) -> dict[str, ChangedDocument]:
        if not self._changed.has_active_intent():
            return {}
        self._changed.forget()
        found: dict[str, ChangedDocument] = {}
        for shown in self._changed.each(lambda _done, _total: None):
            if shown.items and not shown.is_open:
                found[shown.uri] = shown
            if len(found) == _MOST_PUSHED:
                log.info("more than %d changed files have findings; the others are shown when opened", _MOST_PUSHED)
                break
        return found

    def _publish(self, uri: str, items: list[types.Diagnostic]) -> None:
        if self._server.protocol.workspace.open_document(uri) is None:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items))

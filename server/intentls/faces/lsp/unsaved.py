"""Which open documents are not saved: noted for other processes, which must not write over them."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.errors import InvalidPath, StoreError
from intentls.engine.workspace.editors import note_editor
from intentls.engine.workspace.engine import Engine
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.worker_queue import WorkerQueue
from intentls.late_module import LateModule

if TYPE_CHECKING:
    from intentls.engine.edits import saves
else:
    saves = LateModule("intentls.engine.edits.saves")

log = logging.getLogger(__name__)

_AGAIN_S = 0.5  # after the first change a document is compared with the disk at most this often
_RETRY_S = 2.0  # after the disk refused: what others read stays wrong until then


class UnsavedDocuments:
    """Compares changed documents with the disk and notes those that differ. Used on the event loop only."""

    def __init__(self, server: Server, host: LspHost, engine: Engine, queries: WorkerQueue) -> None:
        self._server = server
        self._host = host
        self._engine = engine
        self._queries = queries
        self._changed: set[str] = set()  # URIs to be compared
        self._unsaved: set[Path] = set()
        self._is_noted = True  # whether the roots know of `_unsaved`
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop_time = 0.0

    def document_changed(self, uri: str) -> None:
        """The text of a document changed, or it was saved or closed: compare it soon, the first one at once."""
        self._changed.add(uri)
        self._look_after(self._loop_time + _AGAIN_S - asyncio.get_running_loop().time())

    def roots_opened(self) -> None:
        """The roots were opened, which notes an editor with nothing unsaved: note what is unsaved again."""
        self._is_noted = False
        for uri in list(self._server.workspace.text_documents):
            self.document_changed(uri)

    def stop(self) -> None:
        """Drop what is scheduled: the connection ends."""
        for running in (self._timer, self._task):
            if running is not None:
                running.cancel()

    def _look_after(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, seconds), self._begin)

    def _begin(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        self._loop_time = loop.time()
        if self._task is not None and not self._task.done():
            self._look_after(_AGAIN_S)
            return
        self._task = loop.create_task(self._compare())

    async def _compare(self) -> None:
        uris, self._changed = self._changed, set()
        texts: dict[Path, str | None] = {}
        for uri in uris:
            path = self._host.path(uri)
            document = self._server.workspace.open_document(uri)
            if path is not None:
                texts[path] = None if document is None else document.source
        before, is_noted = frozenset(self._unsaved), self._is_noted
        self._is_noted = True
        try:
            self._unsaved = await self._queries.run(lambda: self._note(before, texts, is_noted=is_noted))
        except StoreError:
            log.warning(
                "what is unsaved can't be noted yet, so another program may go by what was before", exc_info=True
            )
            self._changed |= uris
            self._unsaved |= set(texts)  # some roots may know of them
            self._is_noted = False
            self._look_after(_RETRY_S)

    def _note(self, before: frozenset[Path], texts: dict[Path, str | None], *, is_noted: bool) -> set[Path]:
        """The unsaved files after these documents changed, noted in each root where they are others than before.

        Raises StoreError.
        """
        unsaved = {path for path in before if path not in texts}
        unsaved |= {path for path, text in texts.items() if text is not None and self._differs(path, text)}
        roots: dict[Path, set[str]] = {}
        for path in unsaved | before:
            governing = self._engine.governing(path)
            if governing is not None:
                workspace, relative = governing
                names = roots.setdefault(workspace.root, set())
                if path in unsaved:
                    names.add(relative)
        if unsaved != before or not is_noted:
            for root, names in roots.items():
                note_editor(self._engine.workspace(root), self._host.own_session, self._host.client, names)
        return unsaved

    def _differs(self, path: Path, text: str) -> bool:
        governing = self._engine.governing(path)
        if governing is None:
            return False
        workspace, relative = governing
        try:
            on_disk = workspace.tree.read(relative)
        except InvalidPath:
            return False
        return bool(text) if on_disk is None else not saves.shows(on_disk, text)

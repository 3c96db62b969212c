"""Diagnostics of the files that changed in git's working tree, whether the client has them open or not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from lsprotocol import types
from msgspec import Struct

from intentls.core.diagnostic import Diagnostic
from intentls.core.gate.policy import ClosedFilesPolicy
from intentls.core.patterns.protected_paths import is_declared_file, is_intents_file
from intentls.engine.editor.changed_files import ChangedFiles, file_diagnostics
from intentls.engine.editor.summary import declaring_file, out_of_scope
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.lsp.convert import to_lsp
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server
from intentls.faces.lsp.worker_queue import WorkerQueue

log = logging.getLogger(__name__)

_DEBOUNCE_S = 0.5
_MAX_PUSHED = 500  # files: a client that is pushed to did not ask for the list
_MAX_KEPT = 100  # files of which the diagnostics are kept as they were sent


class _Converted(Struct, frozen=True):
    """Diagnostics of a text, known by its digest, as LSP's. `result_id` changes with these."""

    digest: bytes
    diagnostics: tuple[Diagnostic, ...]
    items: list[types.Diagnostic]
    result_id: str


class ChangedDocument(Struct, frozen=True):
    """One changed file with its diagnostics. `version` is the open document's, None if it is closed."""

    path: Path
    uri: str
    converted: _Converted
    is_open: bool
    version: int | None

    @property
    def items(self) -> list[types.Diagnostic]:
        """Its diagnostics."""
        return self.converted.items

    @property
    def result_id(self) -> str:
        """Changes with the items."""
        return self.converted.result_id


class ChangedDocuments:
    """The changed files of all roots of one connection."""

    def __init__(self, host: LspHost, engine: Engine, session_id: str) -> None:
        self._host = host
        self._engine = engine
        self._session_id = session_id
        self._files = ChangedFiles()
        self._converted: dict[Path, _Converted] = {}

    def forget(self) -> None:
        """Ask git again which files changed."""
        self._files.forget()

    def all(self, progress: Progress = no_progress) -> Iterator[ChangedDocument]:
        """Every changed file once. Not for the event loop.

        `progress` is called with (done, total), and stops the iteration by raising.
        """
        progress(0, 0)
        paths: dict[Path, None] = {}
        for workspace in self._engine.workspaces():
            paths |= dict.fromkeys(self._shown(workspace))
            progress(0, 0)
        for done, path in enumerate(paths):
            progress(done, len(paths))
            if (changed := self._review(path)) is not None:
                yield changed

    def summary(self, workspace: Workspace, path: str) -> tuple[Diagnostic, ...]:
        """What root-relative `path` shows of files that are not open: it declares the selected intent."""
        if declaring_file(workspace, self._session_id) != path:
            return ()
        opened = {open_path for _, open_path in self._host.open_files()}
        changed = [file for file in self._files.of(workspace) if file not in opened]
        names = (file.relative_to(workspace.root).as_posix() for file in changed)
        diagnostic = out_of_scope(workspace, self._session_id, names)
        return () if diagnostic is None else (diagnostic,)

    def _shown(self, workspace: Workspace) -> Iterator[Path]:
        """The changed files of a root that get diagnostics of their own, as policy says."""
        changed = self._files.of(workspace)
        if workspace.configuration().policy.closed_files is ClosedFilesPolicy.ALL:
            yield from changed
            return
        for path in changed:
            relative = path.relative_to(workspace.root).as_posix()
            if is_declared_file(relative) or is_intents_file(relative):
                yield path
        declaring = declaring_file(workspace, self._session_id)
        if declaring is not None:
            yield workspace.root / declaring

    def has_active_intent(self) -> bool:
        """Whether the connection's session has an active intent in any root."""
        return any(
            workspace.sessions.load(self._session_id).intent_id is not None for workspace in self._engine.workspaces()
        )

    def _review(self, path: Path) -> ChangedDocument | None:
        file = file_diagnostics(self._engine, path, self._session_id)
        if file is None:
            return None
        diagnostics = (*file.diagnostics, *self.summary(file.workspace, file.path))
        converted = self._convert(path, file.text, diagnostics, file.workspace)
        document = file.document
        if document is None:
            return ChangedDocument(path, path.as_uri(), converted, is_open=False, version=None)
        return ChangedDocument(path, document.uri, converted, is_open=True, version=document.version)

    def _convert(self, path: Path, text: str, diagnostics: tuple[Diagnostic, ...], workspace: Workspace) -> _Converted:
        """The diagnostics as LSP's.

        A guarded edit waits for the interpreter meanwhile, and nearly always they are those of the last look. So these
        are kept, unless other files are related: then the text of those counts as well.
        """
        digest = sha256(text.encode("utf-8", "surrogatepass")).digest()
        kept = self._converted.get(path)
        if kept is not None and kept.digest == digest and kept.diagnostics == diagnostics:
            return kept
        items = to_lsp(diagnostics, text, workspace.root, self._host)
        result_id = sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        converted = _Converted(digest, diagnostics, items, result_id)
        self._converted.pop(path, None)
        if not any(diagnostic.related for diagnostic in diagnostics):
            if len(self._converted) >= _MAX_KEPT:
                self._converted.clear()
            self._converted[path] = converted
        return converted


class ClosedFiles:
    """Pushes the diagnostics of changed files that are not open, to a client that does not pull.

    Only while the session has an active intent: without one, the user has not chosen to be checked.
    Used on the event loop only.
    """

    def __init__(self, server: Server, changed: ChangedDocuments, queries: WorkerQueue) -> None:
        self._server = server
        self._changed = changed
        self._queries = queries
        self._pushed: dict[str, str] = {}  # result ids by URI
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def refresh(self) -> None:
        """Push soon, once for many changes in a row."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_DEBOUNCE_S, self._begin)

    def stop(self) -> None:
        """Drop what is scheduled and what runs: the connection ends."""
        for running in (self._timer, self._task):
            if running is not None:
                running.cancel()

    def opened(self, uri: str, path: Path) -> None:
        """Remove the closed file's diagnostics, if they are shown under another spelling of the open document's URI."""
        own_uri = path.as_uri()
        if self._pushed.pop(own_uri, None) is not None and own_uri != uri:
            self._publish(own_uri, [])

    def _begin(self) -> None:
        self._timer = None
        if self._task is not None and not self._task.done():
            self.refresh()  # after the one that runs
            return
        self._task = asyncio.get_running_loop().create_task(self._push())

    async def _push(self) -> None:
        files = await self._queries.run(self._review)
        for uri in self._pushed.keys() - files.keys():
            self._publish(uri, [])
        for uri, file in files.items():
            if self._pushed.get(uri) != file.result_id:
                self._publish(uri, file.items)
        self._pushed = {uri: file.result_id for uri, file in files.items()}

    def _review(self) -> dict[str, ChangedDocument]:
        """The first `_MAX_PUSHED` closed files with diagnostics, by URI."""
        if not self._changed.has_active_intent():
            return {}
        self._changed.forget()
        files: dict[str, ChangedDocument] = {}
        for file in self._changed.all():
            if file.items and not file.is_open:
                files[file.uri] = file
            if len(files) == _MAX_PUSHED:
                log.info("more than %d changed files have diagnostics; the others are shown when opened", _MAX_PUSHED)
                break
        return files

    def _publish(self, uri: str, items: list[types.Diagnostic]) -> None:
        if self._server.workspace.open_document(uri) is None:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items))

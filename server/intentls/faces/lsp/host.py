"""The client as the engine sees it: workspace folders, open documents, capabilities."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.errors import InvalidPath
from intentls.engine.workspace.host import OpenDocument
from intentls.faces.lsp.client_capabilities import Capabilities
from intentls.faces.lsp.options import LspOptions
from intentls.store.fs.path_resolution import real_path, to_path

if TYPE_CHECKING:
    from intentls.faces.lsp.protocol.documents import Document
    from intentls.faces.lsp.protocol.serve import Server

log = logging.getLogger(__name__)


class LspHost:
    """The engine's view of one connection. Reading it is safe from any thread."""

    face = "lsp"
    trust_cache = False
    agent = None
    patience_s = inf

    def __init__(self, server: Server) -> None:
        self._server = server
        self._paths: dict[str, Path] = {}
        self._named_folders: tuple[tuple[str, ...], tuple[Path, ...]] = ((), ())
        self.own_session = f"lsp-{uuid.uuid4()}"
        self.client = ""
        """The editor's name, as it says itself."""
        self.options = LspOptions()
        self.capabilities = Capabilities()

    @property
    def trusted(self) -> bool:
        """Whether the user trusts the workspace: a setting of the client, never a file of the workspace."""
        return self.options.trusted

    @property
    def can_ask(self) -> bool:
        """Whether questions are answered: announced by the client, or set by its user."""
        return self.options.interactive or self.options.questions or self.capabilities.asks

    @property
    def asks_by_setting_alone(self) -> bool:
        """Whether only the settings `interactive` and `questions` say so."""
        return (self.options.interactive or self.options.questions) and not self.capabilities.asks

    @property
    def can_apply_edits(self) -> bool:
        """Whether the client announced that it applies edits."""
        return self.capabilities.applies_edits

    @property
    def encoding(self) -> str:
        """The position encoding agreed with the client: utf-8, utf-16 or utf-32."""
        return self._server.workspace.encoding

    def folders(self) -> Sequence[Path]:
        """The workspace folders, or the one root of an older client."""
        return [path for folder in self.named_folders() if (path := _real(folder)) is not None]

    def named_folders(self) -> tuple[Path, ...]:
        """The same, unresolved; kept, as they are asked for with each cheap command."""
        uris = self._folder_uris()
        kept = self._named_folders
        if kept[0] != uris:
            paths = tuple(path for uri in uris if (path := _unresolved(uri)) is not None)
            kept = self._named_folders = (uris, paths)
        return kept[1]

    def _folder_uris(self) -> tuple[str, ...]:
        workspace = self._server.workspace
        uris = tuple(folder.uri for folder in list(workspace.folders.values()))
        return uris if uris or workspace.root_uri is None else (workspace.root_uri,)

    def opened(self, uri: str) -> Path | None:
        """Note an opened document; returns its real path, None if it is no file."""
        path = path_of(uri)
        if path is not None:
            self._paths[uri] = path
        return path

    def closed(self, uri: str) -> None:
        """Forget a closed document."""
        self._paths.pop(uri, None)

    def path(self, uri: str) -> Path | None:
        """The real path of a document, open or not."""
        return self._paths.get(uri) or path_of(uri)

    def open_files(self) -> Iterator[tuple[str, Path]]:
        """(uri, real path) of every open file."""
        yield from list(self._paths.items())

    def open_document(self, path: Path) -> OpenDocument | None:
        """The open document at this real path."""
        for uri, open_path in self.open_files():
            if open_path == path:
                document = self._server.workspace.open_document(uri)
                return None if document is None else _snapshot(uri, path, document)
        return None


def path_of(uri: str) -> Path | None:
    """The real path that a `file:` URI names; None for other schemes and impossible names."""
    path = _unresolved(uri)
    return None if path is None else _real(path)


def _real(path: Path) -> Path | None:
    try:
        return real_path(path)
    except InvalidPath as error:
        log.debug("no file: %s", error)
        return None


def _unresolved(uri: str) -> Path | None:
    try:
        return to_path(uri, Path("/"))
    except InvalidPath as error:
        log.debug("no file: %s", error)
        return None


def _snapshot(uri: str, path: Path, document: Document) -> OpenDocument:
    """The document's text with the version it belongs to; the loop may change the document meanwhile."""
    version, text = document.snapshot()
    return OpenDocument(path, uri, version, text)

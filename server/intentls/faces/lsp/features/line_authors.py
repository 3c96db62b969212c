"""The authors of an open document's lines, for hover, code lenses and inlay hints."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.intents.intent import names_of
from intentls.core.patterns.protected_paths import is_protected
from intentls.engine.blame.line_authors import AuthoredLines
from intentls.engine.editor.diagnostics import review
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.protocol.line_index import LineIndex, content_length, position_of


@dataclass(frozen=True, slots=True)
class DocumentAuthors:
    """The authors of a governed code document. `names`: its root's intents by id; `notes` are on the whole file."""

    written: list[AuthoredLines]
    names: dict[str, str]
    notes: tuple[str, ...]
    index: LineIndex
    encoding: str

    def end_of(self, line: int) -> types.Position:
        """The end of a line (from 1)."""
        lines = self.index.lines
        return position_of(lines, line - 1, content_length(lines[min(line, len(lines)) - 1]), self.encoding)


async def document_authors(connection: LspConnection, uri: str) -> DocumentAuthors | None:
    """The authors of a document's lines; None if it is not open, or no code that an intent could change."""
    document = connection.server.workspace.open_document(uri)
    path = connection.host.path(uri)
    if document is None or path is None:
        return None

    def query() -> DocumentAuthors | None:
        governed = connection.engine.governing(path)
        if governed is None or is_protected(governed[1]):
            return None
        workspace, relative = governed
        try:
            written = connection.authors.of(workspace, relative)
        except (InvalidPath, StoreError):
            return None  # it became a directory, or the ledger can't be read
        names = names_of(workspace.configuration().intents.intents)
        notes = tuple(diagnostic.message for diagnostic in review(workspace, relative, "", connection.session_id))
        return DocumentAuthors(written, names, notes, document.index, document.encoding)

    await connection.edits.run(lambda: None)  # wait until the saves before are on record
    return await connection.queries.run(query)

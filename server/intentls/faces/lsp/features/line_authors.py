"""The authors of an open document's lines, for hover, code lenses and inlay hints."""

from __future__ import annotations

from lsprotocol import types
from msgspec import Struct

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.intents.intent import names_of
from intentls.core.patterns.protected_paths import is_protected
from intentls.engine.blame.definition_blame import DefinitionBlame, blame_definition_at
from intentls.engine.blame.line_authors import AuthoredLines
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.protocol.line_index import LineIndex, content_length, position_of
from intentls.store.git.line_commit import LineCommit, line_commit


class DocumentAuthors(Struct, frozen=True):
    """The authors of a governed code document at root-relative `path`. `names`: its root's intents by id."""

    workspace: Workspace
    path: str
    written: list[AuthoredLines]
    names: dict[str, str]
    index: LineIndex
    encoding: str

    def at(self, line: int) -> AuthoredLines | None:
        """The author of a line (from 1); None below the last one."""
        return next((lines for lines in self.written if lines.start_line <= line <= lines.end_line), None)

    def commit(self, line: int) -> LineCommit | None:
        """Git's commit of a line that no record is of. Not for the event loop."""
        lines = self.at(line)
        if lines is None or lines.record is not None or not lines.saved:
            return None
        content = self.workspace.contents.read(self.path).data
        return None if content is None else line_commit(self.workspace.root, self.path, line, content)

    def definition(self, line: int, *, on_name: bool = False) -> DefinitionBlame | None:
        """The definition around a line, or the one whose name it has, with its history. Not for the event loop.

        Raises DefinitionsUnknown, unless `on_name`.
        """
        try:
            return blame_definition_at(self.workspace, self.path, line, on_name=on_name)
        except (InvalidPath, StoreError):
            return None  # it became a directory, or the ledger can't be read

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
        return DocumentAuthors(workspace, relative, written, names, document.index, document.encoding)

    await connection.edits.run(lambda: None)  # wait until the saves before are on record
    authors = await connection.queries.run(query)
    connection.index_later()
    return authors

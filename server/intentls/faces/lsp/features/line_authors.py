"""Who wrote the code that a document shows: what hover, lenses and hints have in common."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.intents.intent import names_of
from intentls.core.patterns.protected_paths import is_protected
from intentls.engine.blame.line_authors import AuthoredLines
from intentls.engine.editor.diagnostics import review
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.protocol.documents import str_of
from intentls.faces.lsp.protocol.line_index import LineIndex, content_length, position_of


@dataclass(frozen=True, slots=True)
class DocumentAuthors:
    """A governed code document. `names` of its root's intents by id; `notes` on the file as a whole."""

    written: list[AuthoredLines]
    names: dict[str, str]
    notes: tuple[str, ...]
    index: LineIndex
    encoding: str

    def end_of(self, line: int) -> types.Position:
        """The end of a line (from 1)."""
        lines = self.index.lines
        return position_of(lines, line - 1, content_length(lines[min(line, len(lines)) - 1]), self.encoding)


async def shown(connection: LspConnection, uri: str) -> DocumentAuthors | None:
    """What is known of a document; None if it is not open here, or no code that an intent could change."""
    document = connection.server.protocol.workspace.open_document(uri)
    path = connection.host.path(uri)
    if document is None or path is None:
        return None

    def look() -> DocumentAuthors | None:
        governed = connection.engine.governing(path)
        if governed is None or is_protected(governed[1]):
            return None
        workspace, relative = governed
        try:
            written = connection.authors.of(workspace, relative)
        except (InvalidPath, StoreError):
            return None  # a folder by now, or a ledger that can't be read: nothing is known
        intents = workspace.configuration().intents.intents
        notes = tuple(finding.message for finding in review(workspace, relative, "", connection.session_id))
        names = names_of(intents)
        return DocumentAuthors(written, names, notes, document.index, str_of(document.encoding))

    await connection.actions.run(_nothing)  # a save that was told of before is on record by now
    return await connection.questions.run(look)


def _nothing() -> None:
    """What has its turn when all before it has been done."""

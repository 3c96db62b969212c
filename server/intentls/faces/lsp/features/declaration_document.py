"""The open declaration file that a request is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lsprotocol import types
from msgspec import Struct

from intentls.core.diagnostic import Span
from intentls.engine.declarations.file_kinds import FileKind, kind_of, may_be_declaration
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.protocol.line_index import LineIndex, width

T = TypeVar("T")


class DeclarationDocument(Struct, frozen=True):
    """One open file with its text as it is now. `path` is root-relative."""

    workspace: Workspace
    path: str
    kind: FileKind
    index: LineIndex
    encoding: str

    @property
    def text(self) -> str:
        """The text as the client has it."""
        return self.index.text

    def offset(self, position: types.Position) -> int:
        """The offset of a client's position, in code points."""
        return self.index.offset_at(position, self.encoding)

    def range(self, span: Span) -> types.Range:
        """The client's range of a span in this text."""
        return self.index.range_of(span, self.encoding)

    def range_in_line(self, line: int, text: str, column: int, end_column: int) -> types.Range:
        """The client's range of code points `column` to `end_column` in a line of any file, whose text is `text`."""
        return types.Range(
            types.Position(line, width(text[:column], self.encoding)),
            types.Position(line, width(text[:end_column], self.encoding)),
        )


async def query_declarations(
    connection: LspConnection, uri: str, answer: Callable[[DeclarationDocument], T]
) -> T | None:
    """What `answer` returns, called on the `queries` queue; None if this is no declaration file that is open."""
    if not may_be_declaration(uri):
        return None
    document = connection.server.workspace.open_document(uri)
    path = connection.host.path(uri)
    if document is None or path is None:
        return None
    index, encoding = document.index, document.encoding

    def run() -> T | None:
        governed = connection.engine.governing(path)
        kind = kind_of(governed[1]) if governed is not None else None
        if governed is None or kind is None:
            return None
        return answer(DeclarationDocument(*governed, kind, index, encoding))

    return await connection.queries.run(run)

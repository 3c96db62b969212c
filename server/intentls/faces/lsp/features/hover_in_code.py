"""Hover in code: the intent, author, session, class and time of the line under the cursor."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.wire.author_text import hover as words
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.line_authors import shown


async def hover(connection: LspConnection, params: types.HoverParams) -> types.Hover | None:
    """Who wrote the line; None outside governed code, and below its last line."""
    found = await shown(connection, params.text_document.uri)
    if found is None:
        return None
    line = params.position.line + 1
    written = next((part for part in found.written if part.start_line <= line <= part.end_line), None)
    if written is None:
        return None
    markdown = connection.host.capabilities is not None and connection.host.capabilities.markdown_hover
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, words(written, found.names, found.notes, markdown=markdown)))

"""`intentls/lineAuthor`: who wrote one line, in a few words, for a client that shows them at the end of the line."""

from __future__ import annotations

from typing import Any

from intentls.engine.wire.author_text import line_end
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.line_authors import document_authors
from intentls.store.clock import now


async def line_author(connection: LspConnection, params: Any) -> Any:
    """`{text, recorded}` for `{textDocument: {uri}, line}` (from 0); null where neither records nor git know."""
    try:
        uri, line = str(params["textDocument"]["uri"]), int(params["line"]) + 1
    except (KeyError, TypeError, ValueError):
        return None
    authors = await document_authors(connection, uri)
    written = None if authors is None else authors.at(line)
    if authors is None or written is None:
        return None
    commit = await connection.queries.run(lambda: authors.commit(line))
    text = line_end(written, authors.names, now(), commit)
    return {"text": text, "recorded": written.record is not None} if text else None

"""`textDocument/inlayHint`: in code the intent of each run of lines, behind its first line. Off unless set on."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.blame.line_authors import runs
from intentls.engine.wire.author_text import label, title
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.line_authors import document_authors
from intentls.store.clock import now


async def inlay_hint(connection: LspConnection, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints within the requested range."""
    if not connection.host.options.inlay_hints:
        return []
    authors = await document_authors(connection, params.text_document.uri)
    if authors is None:
        return []
    first, last, moment = params.range.start.line + 1, params.range.end.line + 1, now()
    return [
        types.InlayHint(
            authors.end_of(run.start_line), label(run), tooltip=title(run, authors.names, moment), padding_left=True
        )
        for run in runs(authors.written)
        if first <= run.start_line <= last
    ]

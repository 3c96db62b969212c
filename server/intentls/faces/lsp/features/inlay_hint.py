"""Inlay hints in code: behind the first line of each stretch, its intent. Off unless a setting asks."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.blame.line_authors import runs
from intentls.engine.wire.author_text import label, title
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.line_authors import shown
from intentls.store.clock import now


async def inlay_hint(connection: LspConnection, params: types.InlayHintParams) -> list[types.InlayHint]:
    """`textDocument/inlayHint`: the hints within the range that the client shows."""
    if not connection.host.options.inlay_hints:
        return []
    found = await shown(connection, params.text_document.uri)
    if found is None:
        return []
    first, last, moment = params.range.start.line + 1, params.range.end.line + 1, now()
    return [
        types.InlayHint(
            found.end_of(run.start_line), label(run), tooltip=title(run, found.names, moment), padding_left=True
        )
        for run in runs(found.written)
        if first <= run.start_line <= last
    ]

"""Code lenses in code: above each stretch of lines, the intent that it was written for."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.blame.line_authors import runs
from intentls.engine.wire.author_text import title
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.line_authors import shown
from intentls.store.clock import now

_MOST = 50  # a file that many hands changed line by line would be more lenses than code


async def lenses(connection: LspConnection, params: types.CodeLensParams) -> list[types.CodeLens]:
    """One for each stretch of lines of one intent; of more than 50 the longest. None if a setting says so."""
    if not connection.host.options.code_lens:
        return []
    found = await shown(connection, params.text_document.uri)
    if found is None:
        return []
    longest = sorted(runs(found.written), key=lambda run: run.start_line - run.end_line)[:_MOST]
    moment = now()
    return [
        types.CodeLens(
            types.Range(types.Position(run.start_line - 1, 0), found.end_of(run.start_line)),
            # A command without a name: there is something to read, and nothing to run.
            command=types.Command(title(run, found.names, moment), ""),
        )
        for run in sorted(longest, key=lambda run: run.start_line)
    ]

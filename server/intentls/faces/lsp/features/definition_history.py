"""`intentls/definitionHistory`: what happened to the definition around a line, for a client that lists it."""

from __future__ import annotations

from typing import Any

from intentls.engine.blame.definition_blame import DefinitionsUnknown
from intentls.engine.wire.author_text import step
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.line_authors import document_authors
from intentls.store.clock import now

DEFINITION_HISTORY = "intentls/definitionHistory"


async def definition_history(connection: LspConnection, params: Any) -> Any:
    """`{name, kind, steps, beginning}` for `{textDocument: {uri}, line}` (from 0); null where no definition is.

    A step, the newest first, has its `text`, and the `id` and `path` for `intentls/recordedContents`. Where the file's
    definitions can't be read the answer is `{reason}`.
    """
    try:
        uri, line = str(params["textDocument"]["uri"]), int(params["line"]) + 1
    except (KeyError, TypeError, ValueError):
        return None
    authors = await document_authors(connection, uri)
    if authors is None:
        return None
    try:
        blamed = await connection.queries.run(lambda: authors.definition(line))
    except DefinitionsUnknown as error:
        return {"reason": str(error)}
    if blamed is None:
        return None
    moment = now()
    steps = [
        {"text": step(one, blamed.path, authors.names, moment), "id": one.record.get("id"), "path": one.path}
        for one in blamed.steps
    ]
    definition = blamed.definition
    return {"name": definition.name, "kind": definition.kind, "steps": steps, "beginning": blamed.beginning}

"""`textDocument/foldingRange` in active_intents.yaml."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.declarations.file_kinds import FileKind
from intentls.engine.declarations.symbols import folds
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, ask


async def folding(connection: LspConnection, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """Each intent, each list and each text of several lines."""

    def look(file: DeclarationDocument) -> list[types.FoldingRange] | None:
        if file.kind is not FileKind.INTENTS:
            return None
        return [types.FoldingRange(first, last) for first, last in folds(file.text)]

    return await ask(connection, params.text_document.uri, look)

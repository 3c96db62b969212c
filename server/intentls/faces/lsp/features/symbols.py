"""`textDocument/documentSymbol` and `workspace/symbol`: the intents."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.declarations.file_kinds import FileKind
from intentls.engine.declarations.symbols import Symbol, SymbolMatch, document_symbols, workspace_symbols
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, ask
from intentls.faces.lsp.protocol.line_index import LineIndex

_KINDS = {
    "intent": types.SymbolKind.Event,
    "status": types.SymbolKind.Property,
    "scope": types.SymbolKind.Array,
    "glob": types.SymbolKind.String,
}


async def of_document(
    connection: LspConnection, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """The intents with their status and globs; flat for clients that know no nested symbols."""
    uri = params.text_document.uri
    nested = connection.host.capabilities is not None and connection.host.capabilities.nested_symbols

    def look(file: DeclarationDocument) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        found = document_symbols(file.text) if file.kind is FileKind.INTENTS else []
        if nested:
            return [_nested(symbol, file) for symbol in found]
        return [flat for symbol in found for flat in _flat(symbol, file, uri, None)]

    return await ask(connection, uri, look)


async def of_workspace(connection: LspConnection, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """The intents of all roots that fit the query."""
    encoding = str(connection.server.workspace.position_encoding or "utf-16")
    found = await connection.questions.run(lambda: workspace_symbols(connection.engine, params.query))
    indexes = {each.workspace.root: LineIndex(each.text) for each in found}
    return [_information(each, indexes[each.workspace.root], encoding) for each in found]


def _nested(symbol: Symbol, file: DeclarationDocument) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=file.range(symbol.span),
        selection_range=file.range(symbol.name_span),
        detail=symbol.detail or None,
        tags=_tags(symbol),
        children=[_nested(child, file) for child in symbol.children] or None,
    )


def _flat(
    symbol: Symbol, file: DeclarationDocument, uri: str, container: str | None
) -> Iterator[types.SymbolInformation]:
    location = types.Location(uri, file.range(symbol.span))
    name = f"{symbol.name} {symbol.detail}" if symbol.kind == "intent" else symbol.name
    yield types.SymbolInformation(location, name, _KINDS[symbol.kind], container_name=container, tags=_tags(symbol))
    for child in symbol.children:
        yield from _flat(child, file, uri, symbol.name)


def _information(found: SymbolMatch, index: LineIndex, encoding: str) -> types.SymbolInformation:
    symbol = found.symbol
    location = types.Location(
        (found.workspace.root / INTENTS_FILE).as_uri(), index.range_of(symbol.name_span, encoding)
    )
    name = f"{symbol.name} {symbol.detail}"
    container = found.workspace.root.name
    return types.SymbolInformation(location, name, _KINDS[symbol.kind], container_name=container, tags=_tags(symbol))


def _tags(symbol: Symbol) -> list[types.SymbolTag] | None:
    """A closed intent is struck out where the editor can."""
    return [types.SymbolTag.Deprecated] if symbol.is_closed else None

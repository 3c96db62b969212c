"""`textDocument/documentSymbol`, `foldingRange` and `workspace/symbol`: the declared intents."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from intentls.engine.declarations.file_kinds import DECLARES_INTENTS, FileKind
from intentls.engine.declarations.symbols import Symbol, SymbolMatch, document_symbols, folds, workspace_symbols
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, query_declarations
from intentls.faces.lsp.protocol.line_index import LineIndex

_KINDS = {
    "intent": types.SymbolKind.Event,
    "status": types.SymbolKind.Property,
    "scope": types.SymbolKind.Array,
    "glob": types.SymbolKind.String,
}


async def document_symbol(
    connection: LspConnection, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """The intents with their status and globs; a flat list for clients without nested symbols."""
    uri = params.text_document.uri
    nested = connection.host.capabilities.nested_symbols

    def answer(file: DeclarationDocument) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        symbols = []
        if file.kind in DECLARES_INTENTS:
            symbols = document_symbols(file.text, is_single=file.kind is FileKind.INTENT)
        if nested:
            return [_nested(symbol, file) for symbol in symbols]
        return [flat for symbol in symbols for flat in _flat(symbol, file, uri, None)]

    return await query_declarations(connection, uri, answer)


async def folding_range(connection: LspConnection, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """Each intent, each list and each text of several lines."""

    def answer(file: DeclarationDocument) -> list[types.FoldingRange] | None:
        if file.kind not in DECLARES_INTENTS:
            return None
        ranges = folds(file.text, is_single=file.kind is FileKind.INTENT)
        return [types.FoldingRange(first, last) for first, last in ranges]

    return await query_declarations(connection, params.text_document.uri, answer)


async def workspace_symbol(
    connection: LspConnection, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation]:
    """The intents of all roots that match the query."""
    matches = await connection.queries.run(lambda: workspace_symbols(connection.engine, params.query))
    indexes = {(match.workspace.root, match.path): LineIndex(match.text) for match in matches}
    encoding = connection.host.encoding
    return [_information(match, indexes[match.workspace.root, match.path], encoding) for match in matches]


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


def _information(match: SymbolMatch, index: LineIndex, encoding: str) -> types.SymbolInformation:
    symbol, root = match.symbol, match.workspace.root
    location = types.Location((root / match.path).as_uri(), index.range_of(symbol.name_span, encoding))
    name = f"{symbol.name} {symbol.detail}"
    container = root.name
    return types.SymbolInformation(location, name, _KINDS[symbol.kind], container_name=container, tags=_tags(symbol))


def _tags(symbol: Symbol) -> list[types.SymbolTag] | None:
    """Editors strike out what is deprecated, here a closed intent."""
    return [types.SymbolTag.Deprecated] if symbol.is_closed else None

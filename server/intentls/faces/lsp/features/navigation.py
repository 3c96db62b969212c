"""`textDocument/definition`, `references` and `documentLink`: from one declaration file to the others."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.declarations.document_links import links
from intentls.engine.declarations.file_kinds import FileKind
from intentls.engine.declarations.references import declaration, references
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, ask, location
from intentls.faces.lsp.protocol.line_index import width


async def definition(connection: LspConnection, params: types.DefinitionParams) -> types.Location | None:
    """Where the intent under the cursor is declared."""

    def look(file: DeclarationDocument) -> types.Location | None:
        found = declaration(file.workspace, file.path, file.text, file.offset(params.position))
        return None if found is None else location(found, file.workspace, file.encoding)

    return await ask(connection, params.text_document.uri, look)


async def references_of(connection: LspConnection, params: types.ReferenceParams) -> list[types.Location] | None:
    """Where the intent under the cursor is mentioned; of the ledger its newest 100 lines are looked through."""

    def look(file: DeclarationDocument) -> list[types.Location]:
        found = references(
            file.workspace,
            file.path,
            file.text,
            file.offset(params.position),
            include_declaration=params.context.include_declaration,
        )
        return [location(mention, file.workspace, file.encoding) for mention in found]

    return await ask(connection, params.text_document.uri, look)


async def document_links(
    connection: LspConnection, params: types.DocumentLinkParams
) -> list[types.DocumentLink] | None:
    """The files that intent_map.md and AGENT.md name."""

    def look(file: DeclarationDocument) -> list[types.DocumentLink] | None:
        if file.kind not in (FileKind.MAP, FileKind.LESSONS):
            return None
        return [
            types.DocumentLink(
                types.Range(
                    types.Position(link.line, width(link.text[: link.column], file.encoding)),
                    types.Position(link.line, width(link.text[: link.end_column], file.encoding)),
                ),
                link.target.as_uri(),
            )
            for link in links(file.workspace, file.text)
        ]

    return await ask(connection, params.text_document.uri, look)

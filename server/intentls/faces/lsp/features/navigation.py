"""`textDocument/definition`, `references` and `documentLink`: from one declaration file to the others."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.declarations import references as intent_references
from intentls.engine.declarations.file_kinds import FileKind
from intentls.engine.declarations.references import Mention
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, query_declarations


async def definition(connection: LspConnection, params: types.DefinitionParams) -> types.Location | None:
    """Where the intent under the cursor is declared."""

    def answer(file: DeclarationDocument) -> types.Location | None:
        mention = intent_references.declaration(file.workspace, file.path, file.text, file.offset(params.position))
        return None if mention is None else _location(mention, file)

    return await query_declarations(connection, params.text_document.uri, answer)


async def references(connection: LspConnection, params: types.ReferenceParams) -> list[types.Location] | None:
    """Where the intent under the cursor is mentioned; of the ledger the newest 100 lines are searched."""

    def answer(file: DeclarationDocument) -> list[types.Location]:
        mentions = intent_references.references(
            file.workspace,
            file.path,
            file.text,
            file.offset(params.position),
            include_declaration=params.context.include_declaration,
        )
        return [_location(mention, file) for mention in mentions]

    return await query_declarations(connection, params.text_document.uri, answer)


async def document_link(connection: LspConnection, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """The files that intent_map.md and AGENT.md name."""

    def answer(file: DeclarationDocument) -> list[types.DocumentLink] | None:
        if file.kind not in (FileKind.MAP, FileKind.LESSONS):
            return None
        return [
            types.DocumentLink(
                file.range_in_line(link.line, link.text, link.column, link.end_column), link.target.as_uri()
            )
            for link in intent_references.links(file.workspace, file.text)
        ]

    return await query_declarations(connection, params.text_document.uri, answer)


def _location(mention: Mention, file: DeclarationDocument) -> types.Location:
    range_ = file.range_in_line(mention.line, mention.text, mention.column, mention.end_column)
    return types.Location((file.workspace.root / mention.path).as_uri(), range_)

"""`textDocument/completion` in the declaration files."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.declarations.completion import Shape, Suggestion, complete
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, query_declarations

_KINDS = {
    Shape.KEY: types.CompletionItemKind.Property,
    Shape.VALUE: types.CompletionItemKind.EnumMember,
    Shape.FILE: types.CompletionItemKind.File,
    Shape.FOLDER: types.CompletionItemKind.Folder,
    Shape.INTENT: types.CompletionItemKind.Reference,
}


async def completion(connection: LspConnection, params: types.CompletionParams) -> types.CompletionList | None:
    """What may be written at the cursor; None in all other files."""

    def answer(file: DeclarationDocument) -> types.CompletionList:
        suggestions = complete(file.workspace, file.kind, file.text, file.offset(params.position))
        return types.CompletionList(not suggestions.complete, [_item(item, file) for item in suggestions.items])

    return await query_declarations(connection, params.text_document.uri, answer)


def _item(suggestion: Suggestion, file: DeclarationDocument) -> types.CompletionItem:
    return types.CompletionItem(
        label=suggestion.label,
        kind=_KINDS[suggestion.shape],
        detail=suggestion.detail or None,
        documentation=suggestion.explanation or None,
        sort_text=f"{suggestion.rank:06d}",
        filter_text=suggestion.filter,
        text_edit=types.TextEdit(file.range(suggestion.span), suggestion.new_text),
        insert_text_format=types.InsertTextFormat.PlainText,
    )

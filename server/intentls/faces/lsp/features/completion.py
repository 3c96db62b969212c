"""`textDocument/completion` in the declaration files."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.declarations.completion import Shape, Suggestion, complete
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, ask

# A space follows `status:` and the dash of a list; a slash opens the next folder; quotes and `!` begin a glob;
# `-` goes on with ids such as INT-001, where editors see the end of a word.
OPTIONS = types.CompletionOptions(trigger_characters=['"', "'", "/", ":", " ", "!", "-"], resolve_provider=False)

_KINDS = {
    Shape.KEY: types.CompletionItemKind.Property,
    Shape.VALUE: types.CompletionItemKind.EnumMember,
    Shape.FILE: types.CompletionItemKind.File,
    Shape.FOLDER: types.CompletionItemKind.Folder,
    Shape.INTENT: types.CompletionItemKind.Reference,
}


async def completion(connection: LspConnection, params: types.CompletionParams) -> types.CompletionList | None:
    """What may be written at the cursor; None in all other files."""

    def suggest(file: DeclarationDocument) -> types.CompletionList:
        found = complete(file.workspace, file.kind, file.text, file.offset(params.position))
        return types.CompletionList(not found.complete, [_item(each, file) for each in found.items])

    return await ask(connection, params.text_document.uri, suggest)


def _item(found: Suggestion, file: DeclarationDocument) -> types.CompletionItem:
    return types.CompletionItem(
        label=found.label,
        kind=_KINDS[found.shape],
        detail=found.detail or None,
        documentation=found.explanation or None,
        sort_text=f"{found.rank:06d}",
        filter_text=found.filter,
        text_edit=types.TextEdit(file.range(found.span), found.new_text),
        insert_text_format=types.InsertTextFormat.PlainText,
    )

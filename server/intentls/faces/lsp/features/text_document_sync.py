"""`textDocument/didOpen`, `didChange`, `didSave` and `didClose`: saves are recorded, diagnostics updated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from intentls.faces.lsp.connection import LspConnection
from intentls.late_module import LateModule

if TYPE_CHECKING:
    from intentls.engine.edits import saves
    from intentls.engine.intents import lessons
else:
    saves = LateModule("intentls.engine.edits.saves")
    lessons = LateModule("intentls.engine.intents.lessons")


async def opened(connection: LspConnection, params: types.DidOpenTextDocumentParams) -> None:
    """Remember the file's content, with which the next save is compared."""
    uri = params.text_document.uri
    path = connection.host.opened(uri)
    if path is not None:
        text = params.text_document.text

        def note() -> bool:
            if governed := connection.engine.governing(path):
                saves.opened(*governed, text)
            return governed is not None and not connection.questions.follows(governed[0].root)

        if await connection.edits.run(note):
            connection.questions.review()
    connection.diagnostics.document_opened(uri, path)
    connection.unsaved.document_changed(uri)


def changed(connection: LspConnection, params: types.DidChangeTextDocumentParams) -> None:
    """Update the diagnostics, which of a declaration file depend on its text; note what the editor may have loaded.

    No coroutine: a task for each keystroke would cost a fifth of the whole change.
    """
    uri = params.text_document.uri
    if not all(map(_is_keystroke, params.content_changes)):
        _note_change(connection, uri)
    connection.diagnostics.document_changed(uri)
    connection.unsaved.document_changed(uri)


def _is_keystroke(change: types.TextDocumentContentChangeEvent) -> bool:
    """Whether one character was typed or deleted: so no editor loads a file."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return False
    start, end = change.range.start, change.range.end
    width = end.character - start.character
    return start.line == end.line and width + len(change.text) <= 1 and change.text != "\n"


def _note_change(connection: LspConnection, uri: str) -> None:
    document, path = connection.server.workspace.open_document(uri), connection.host.path(uri)
    if document is None or path is None:
        return
    lines = document.lines  # now: they are joined only if the file is another one

    def look() -> None:
        if governed := connection.engine.governing(path):
            saves.changed(*governed, lines)

    connection.edits.begin(look)


async def saved(connection: LspConnection, params: types.DidSaveTextDocumentParams) -> None:
    """Record the change, then run the linters in the background."""
    uri = params.text_document.uri
    path = connection.host.path(uri)
    if path is None:
        return
    document = connection.server.workspace.open_document(uri)
    text = None if document is None else document.source  # now: later changes belong to the next save

    def record() -> None:
        governed = connection.engine.governing(path)
        if governed is None:
            return
        workspace, relative = governed
        change = saves.saved(workspace, relative, text, connection.session_id)
        if change is not None:
            connection.background.begin(lambda: lessons.lint(workspace, relative, change.before, connection.session_id))

    await connection.edits.run(record)
    connection.unsaved.document_changed(uri)
    connection.refresh_editor()


async def closed(connection: LspConnection, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the document, and remove the diagnostics that were pushed of it."""
    uri = params.text_document.uri
    path = connection.host.path(uri)
    connection.host.closed(uri)
    connection.unsaved.document_changed(uri)
    if path is not None:

        def forget() -> None:
            if governed := connection.engine.governing(path):
                saves.closed(*governed)

        await connection.edits.run(forget)
    connection.diagnostics.document_closed(uri)

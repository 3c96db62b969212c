"""What becomes of the client's documents: opened, changed, saved, closed."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.edits import saves
from intentls.engine.intents import lessons
from intentls.faces.lsp.connection import LspConnection


async def opened(connection: LspConnection, params: types.DidOpenTextDocumentParams) -> None:
    """Remember what the disk has, so that the next save can be compared with it."""
    uri = params.text_document.uri
    path = connection.host.opened(uri)
    if path is not None:
        text = params.text_document.text

        def note() -> None:
            if governed := connection.engine.governing(path):
                saves.opened(*governed, text)

        await connection.actions.run(note)
    connection.diagnostics.document_opened(uri, path)


def changed(connection: LspConnection, params: types.DidChangeTextDocumentParams) -> None:
    """Only a configuration file's findings depend on its text.

    No coroutine: a task for each key that a person presses would cost a fifth of the whole change.
    """
    connection.diagnostics.document_changed(params.text_document.uri)


async def saved(connection: LspConnection, params: types.DidSaveTextDocumentParams) -> None:
    """Put the change on record; then let the linters see it."""
    uri = params.text_document.uri
    path = connection.host.path(uri)
    if path is None:
        return
    document = connection.server.protocol.workspace.open_document(uri)
    text = None if document is None else document.source  # as it is now: later changes are another save's

    def trace() -> None:
        governed = connection.engine.governing(path)
        if governed is None:
            return
        workspace, relative = governed
        change = saves.saved(workspace, relative, text, connection.session_id)
        if change is not None:
            connection.chores.begin(lambda: lessons.lint(workspace, relative, change.before, connection.session_id))

    await connection.actions.run(trace)
    connection.changed()


async def closed(connection: LspConnection, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the document; a client that is pushed to keeps no findings of it."""
    uri = params.text_document.uri
    path = connection.host.path(uri)
    connection.host.closed(uri)
    if path is not None:

        def forget() -> None:
            if governed := connection.engine.governing(path):
                saves.closed(*governed)

        await connection.actions.run(forget)
    connection.diagnostics.document_closed(uri)

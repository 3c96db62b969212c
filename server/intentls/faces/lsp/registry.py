"""Every LSP method that the server answers, in one place, and the connection that answers them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types

import intentls
from intentls.faces.lsp.commands import command_handlers
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features import (
    code_action,
    code_lens,
    completion,
    diagnostic,
    file_operations,
    hover,
    init_folder,
    inlay_hint,
    lifecycle,
    line_author,
    navigation,
    questions,
    recorded_contents,
    state,
    symbols,
    text_document_sync,
)
from intentls.faces.lsp.protocol.serve import Server, serve_stdio, serve_tcp

# A handler that is no coroutine function is done before the next message is handled.
FEATURES: dict[str, tuple[Callable[[LspConnection, Any], Any], Any]] = {
    types.INITIALIZE: (lifecycle.initialize, None),
    types.INITIALIZED: (lifecycle.initialized, None),
    types.SHUTDOWN: (lifecycle.shutdown, None),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: (lifecycle.configuration_changed, None),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (lifecycle.watched_files_changed, None),
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (lifecycle.folders_changed, None),
    types.TEXT_DOCUMENT_DID_OPEN: (text_document_sync.opened, None),
    types.TEXT_DOCUMENT_DID_CHANGE: (text_document_sync.changed, None),
    types.TEXT_DOCUMENT_DID_SAVE: (text_document_sync.saved, types.SaveOptions(include_text=False)),
    types.TEXT_DOCUMENT_DID_CLOSE: (text_document_sync.closed, None),
    types.WORKSPACE_DID_RENAME_FILES: (file_operations.did_rename_files, None),
    types.TEXT_DOCUMENT_DIAGNOSTIC: (
        diagnostic.document_diagnostic,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="intentls"),
    ),
    types.WORKSPACE_DIAGNOSTIC: (diagnostic.workspace_diagnostic, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (inlay_hint.inlay_hint, types.InlayHintOptions(resolve_provider=False)),
    types.TEXT_DOCUMENT_HOVER: (hover.hover, None),
    types.TEXT_DOCUMENT_CODE_ACTION: (code_action.code_action, code_action.OPTIONS),
    types.TEXT_DOCUMENT_CODE_LENS: (code_lens.code_lens, types.CodeLensOptions(resolve_provider=False)),
    types.TEXT_DOCUMENT_COMPLETION: (completion.completion, completion.OPTIONS),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (symbols.document_symbol, None),
    types.WORKSPACE_SYMBOL: (symbols.workspace_symbol, None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (symbols.folding_range, None),
    types.TEXT_DOCUMENT_DEFINITION: (navigation.definition, None),
    types.TEXT_DOCUMENT_REFERENCES: (navigation.references, None),
    state.STATE: (state.state, None),
    init_folder.INIT_FOLDER: (init_folder.init_folder, None),
    recorded_contents.RECORDED_CONTENTS: (recorded_contents.contents, None),
    line_author.LINE_AUTHOR: (line_author.line_author, None),
    questions.LIST: (questions.list_questions, None),
    questions.CONTENTS: (questions.question_contents, None),
    questions.ANSWER: (questions.answer_question, None),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: (navigation.document_link, types.DocumentLinkOptions(resolve_provider=False)),
}


def create_connection() -> LspConnection:
    """A connection with all its commands and features, not yet serving a client."""
    connections: list[LspConnection] = []  # the commands are made before the connection that they belong to
    commands = command_handlers(lambda: connections[0])
    connection = LspConnection(Server("intentls", intentls.__version__, commands))
    connections.append(connection)
    connection.server.protocol.adjust_capabilities = partial(lifecycle.adjust_capabilities, connection)
    for method, (handler, options) in FEATURES.items():
        connection.server.feature(method, options)(_bound(connection, handler))
    return connection


def serve_client(address: tuple[str, int] | None) -> int:
    """Serve one client on stdin and stdout, or at (host, port); the process's exit code."""
    connection = create_connection()
    try:
        if address is not None:
            return serve_tcp(connection.server, *address)
        return serve_stdio(connection.server)
    finally:
        connection.close()


def _bound(connection: LspConnection, handler: Callable[[LspConnection, Any], Any]) -> Callable[..., Any]:
    # pygls inspects a handler's first parameter and whether it is a coroutine function.
    async def run(params: Any = None) -> Any:
        return await handler(connection, params)

    def run_at_once(params: Any = None) -> Any:
        return handler(connection, params)

    return run if inspect.iscoroutinefunction(handler) else run_at_once

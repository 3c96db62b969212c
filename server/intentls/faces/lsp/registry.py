"""Every LSP method that the server answers, in one place, and the connection that answers them."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

import intentls
from intentls.faces.lsp.commands import command_handlers
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features import diagnostic, file_operations, lifecycle, questions, state, text_document_sync
from intentls.faces.lsp.protocol.serve import Server, serve_stdio, serve_tcp
from intentls.late_module import LateModule

if TYPE_CHECKING:
    from intentls.faces.lsp.features import (
        code_action,
        code_lens,
        completion,
        definition_history,
        hover,
        init_folder,
        inlay_hint,
        line_author,
        navigation,
        recorded_contents,
        symbols,
    )
else:
    code_action = LateModule("intentls.faces.lsp.features.code_action")
    code_lens = LateModule("intentls.faces.lsp.features.code_lens")
    completion = LateModule("intentls.faces.lsp.features.completion")
    definition_history = LateModule("intentls.faces.lsp.features.definition_history")
    hover = LateModule("intentls.faces.lsp.features.hover")
    init_folder = LateModule("intentls.faces.lsp.features.init_folder")
    inlay_hint = LateModule("intentls.faces.lsp.features.inlay_hint")
    line_author = LateModule("intentls.faces.lsp.features.line_author")
    navigation = LateModule("intentls.faces.lsp.features.navigation")
    recorded_contents = LateModule("intentls.faces.lsp.features.recorded_contents")
    symbols = LateModule("intentls.faces.lsp.features.symbols")

Handler = Callable[[LspConnection, Any], Awaitable[Any]]


def _late(name: Callable[[], Handler]) -> Handler:
    """The handler that `name` names: its module is loaded with the first request for it."""

    async def handle(connection: LspConnection, params: Any) -> Any:
        return await name()(connection, params)

    return handle


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
    types.TEXT_DOCUMENT_INLAY_HINT: (
        _late(lambda: inlay_hint.inlay_hint),
        types.InlayHintOptions(resolve_provider=False),
    ),
    types.TEXT_DOCUMENT_HOVER: (_late(lambda: hover.hover), None),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        _late(lambda: code_action.code_action),
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix], resolve_provider=False),
    ),
    types.TEXT_DOCUMENT_CODE_LENS: (_late(lambda: code_lens.code_lens), types.CodeLensOptions(resolve_provider=False)),
    # A space follows `status:` and the dash of a list; a slash opens the next directory; quotes and `!` begin a glob;
    # `-` continues ids such as INT-001, where editors see the end of a word.
    types.TEXT_DOCUMENT_COMPLETION: (
        _late(lambda: completion.completion),
        types.CompletionOptions(trigger_characters=['"', "'", "/", ":", " ", "!", "-"], resolve_provider=False),
    ),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_late(lambda: symbols.document_symbol), None),
    types.WORKSPACE_SYMBOL: (_late(lambda: symbols.workspace_symbol), None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (_late(lambda: symbols.folding_range), None),
    types.TEXT_DOCUMENT_DEFINITION: (_late(lambda: navigation.definition), None),
    types.TEXT_DOCUMENT_REFERENCES: (_late(lambda: navigation.references), None),
    state.STATE: (state.state, None),
    "intentls/initFolder": (_late(lambda: init_folder.init_folder), None),
    "intentls/recordedContents": (_late(lambda: recorded_contents.contents), None),
    "intentls/lineAuthor": (_late(lambda: line_author.line_author), None),
    "intentls/definitionHistory": (_late(lambda: definition_history.definition_history), None),
    questions.LIST: (questions.list_questions, None),
    questions.CONTENTS: (questions.question_contents, None),
    questions.ANSWER: (questions.answer_question, None),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: (
        _late(lambda: navigation.document_link),
        types.DocumentLinkOptions(resolve_provider=False),
    ),
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

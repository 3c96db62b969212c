"""Every LSP method that this server answers, in one place; `commands` has the commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types

from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features import (
    code_action,
    code_lens,
    completion,
    diagnostics,
    folding_range,
    hover,
    inlay_hint,
    lifecycle,
    navigation,
    symbols,
    text_document_sync,
    workspace_diagnostics,
)

# A handler that is no coroutine function has nothing to wait for, and is over when the next message is looked at.
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
    types.TEXT_DOCUMENT_DIAGNOSTIC: (
        diagnostics.pull,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="intentls"),
    ),
    types.WORKSPACE_DIAGNOSTIC: (workspace_diagnostics.pull, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (inlay_hint.inlay_hint, types.InlayHintOptions(resolve_provider=False)),
    types.TEXT_DOCUMENT_HOVER: (hover.hover, None),
    types.TEXT_DOCUMENT_CODE_ACTION: (code_action.code_action, code_action.OPTIONS),
    types.TEXT_DOCUMENT_CODE_LENS: (code_lens.code_lens, types.CodeLensOptions(resolve_provider=False)),
    types.TEXT_DOCUMENT_COMPLETION: (completion.completion, completion.OPTIONS),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (symbols.of_document, None),
    types.WORKSPACE_SYMBOL: (symbols.of_workspace, None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (folding_range.folding, None),
    types.TEXT_DOCUMENT_DEFINITION: (navigation.definition, None),
    types.TEXT_DOCUMENT_REFERENCES: (navigation.references_of, None),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: (navigation.document_links, types.DocumentLinkOptions(resolve_provider=False)),
}


def register(connection: LspConnection) -> None:
    """Register every feature with the server."""
    connection.server.adjust_offer = partial(lifecycle.adjust_offer, connection)
    for method, (handler, options) in FEATURES.items():
        connection.server.feature(method, options)(_bound(connection, handler))


def _bound(connection: LspConnection, handler: Callable[[LspConnection, Any], Any]) -> Callable[..., Any]:
    # pygls looks at a handler's first parameter and at whether it is a coroutine function.
    async def run(params: Any = None) -> Any:
        return await handler(connection, params)

    def run_at_once(params: Any = None) -> Any:
        return handler(connection, params)

    return run if inspect.iscoroutinefunction(handler) else run_at_once

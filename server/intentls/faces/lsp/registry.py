"""Every LSP method and every command this server answers, in one place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from lsprotocol import types

from intentls.core.errors import InvalidGlob, InvalidPath
from intentls.engine.wire.requests import naming
from intentls.faces.lsp.commands import declarations, edits, ledger, selection, tools
from intentls.faces.lsp.connection import Face
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
from intentls.faces.lsp.protocol.command_table import Handler

Command = Callable[[Face, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]

COMMANDS: dict[str, Command] = {
    "intent.listIntents": selection.list_intents,
    "intent.selectActiveIntent": selection.select,
    "intent.getActiveIntent": selection.get_active,
    "intent.clearActiveIntent": selection.clear,
    "intent.readFile": edits.read,
    "intent.checkEdit": tools.check,
    "intent.writeToFile": edits.write,
    "intent.editFile": edits.edit,
    "intent.applyPatch": edits.patch,
    "intent.deleteFile": edits.delete,
    "intent.renameFile": edits.rename,
    "intent.preToolUse": tools.before,
    "intent.postToolUse": tools.after,
    "intent.setStatus": declarations.set_status,
    "intent.expandScope": declarations.expand_scope,
    "intent.recordLesson": ledger.record_lesson,
    "intent.queryTrace": ledger.query,
    "intent.verifyTrace": ledger.verify,
    "intent.blame": ledger.blame,
    "intent.getProtocolPrompt": selection.protocol,
}

# A handler that is no coroutine function has nothing to wait for, and is over when the next message is looked at.
FEATURES: dict[str, tuple[Callable[[Face, Any], Any], Any]] = {
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


def command_handlers(face_of: Callable[[], Face]) -> dict[str, Handler]:
    """The commands, bound to the connection's face."""

    def bind(command: Command) -> Handler:
        async def run(given: dict[str, Any]) -> dict[str, Any]:
            try:
                return await command(face_of(), given)
            except (InvalidPath, InvalidGlob) as error:
                raise naming(given, error) from error

        return run

    return {name: bind(command) for name, command in COMMANDS.items()}


def register(face: Face) -> None:
    """Register every feature with the server."""
    face.server.adjust_offer = partial(lifecycle.adjust_offer, face)
    for method, (handler, options) in FEATURES.items():
        face.server.feature(method, options)(_bound(face, handler))


def _bound(face: Face, handler: Callable[[Face, Any], Any]) -> Callable[..., Any]:
    # pygls looks at a handler's first parameter and at whether it is a coroutine function.
    async def run(params: Any = None) -> Any:
        return await handler(face, params)

    def run_at_once(params: Any = None) -> Any:
        return handler(face, params)

    return run if inspect.iscoroutinefunction(handler) else run_at_once

"""The start and end of a connection, and its settings, workspace folders and watched files."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from functools import partial

from lsprotocol import types

from intentls.faces.lsp.client_capabilities import Capabilities
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.file_operations import FILTERS
from intentls.faces.lsp.options import LspOptions
from intentls.store.process.run import start_detached

log = logging.getLogger(__name__)

_WATCHED = (
    "**/.orchestration/*.yaml",
    "**/.orchestration/intents/*.yaml",
    "**/.intentignore",
    "**/.orchestration/.intentignore",
)


async def initialize(connection: LspConnection, params: types.InitializeParams) -> None:
    """Note the client's capabilities and settings."""
    connection.host.capabilities = Capabilities.of(params.capabilities)
    connection.host.options = LspOptions.parse(params.initialization_options)
    client = params.client_info
    connection.host.client = client.name if client else ""
    log.info("client: %s %s", client.name if client else "unknown", (client.version if client else None) or "")


def adjust_capabilities(connection: LspConnection, offered: types.ServerCapabilities) -> None:
    """Correct what pygls derives from the features: without `willSave`, and with pulled diagnostics only for clients
    that are not pushed to, since no client must get them twice.
    """
    if isinstance(sync := offered.text_document_sync, types.TextDocumentSyncOptions):
        sync.will_save = sync.will_save_wait_until = None
    if not connection.host.capabilities.pulls_diagnostics:
        offered.diagnostic_provider = None
    if offered.execute_command_provider is not None:
        offered.execute_command_provider.work_done_progress = True


async def initialized(connection: LspConnection, _params: types.InitializedParams) -> None:
    """Open the roots (which completes or undoes what a killed server left), and register for changes of their files."""
    opened = await connection.edits.run(connection.open_roots)
    connection.unsaved.roots_opened()
    connection.diagnostics.start()
    await connection.questions.start(opened)
    if connection.host.options.hook_daemon and os.name == "posix":
        # A process that outlives this one. Not from the current directory (-P): it may hold another `intentls`.
        await connection.background.run(partial(start_detached, [sys.executable, "-P", "-m", "intentls", "daemon"]))
    registrations = list(_registrations(connection.host.capabilities))
    if registrations:
        await connection.server.client_register_capability_async(types.RegistrationParams(registrations))


def _registrations(capabilities: Capabilities) -> Iterator[types.Registration]:
    """What is only asked of clients that can do it."""
    if capabilities.watches_files:
        watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
        watched = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        yield types.Registration("intentls-watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched)
    if capabilities.reports_renames:
        renames = types.FileOperationRegistrationOptions(FILTERS)
        yield types.Registration("intentls-renames", types.WORKSPACE_DID_RENAME_FILES, renames)


async def configuration_changed(connection: LspConnection, params: types.DidChangeConfigurationParams) -> None:
    """The user changed a setting, trust among them."""
    if isinstance(params.settings, dict) and "intentls" in params.settings:
        connection.host.options = LspOptions.parse(params.settings)
        connection.diagnostics.editor_refresh.schedule()


async def watched_files_changed(connection: LspConnection, params: types.DidChangeWatchedFilesParams) -> None:
    """A declaration file, a session or the ledger changed on disk; the first of a root opens that root."""
    created = [change.uri for change in params.changes if change.type is types.FileChangeType.Created]
    if paths := [path for uri in created if (path := connection.host.path(uri)) is not None]:
        await connection.edits.run(lambda: [connection.engine.governing(path) for path in paths])
    connection.diagnostics.outside.notice()
    connection.refresh_editor()


async def folders_changed(connection: LspConnection, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Workspace folders were added or removed."""
    opened = await connection.edits.run(connection.open_roots)
    connection.unsaved.roots_opened()
    await connection.questions.start(opened)
    connection.refresh_editor()


async def shutdown(connection: LspConnection, _params: None) -> None:
    """Stop the diagnostics and end the connection's own session."""
    connection.diagnostics.stop()
    connection.unsaved.stop()
    connection.questions.stop()
    await connection.edits.run(connection.end)

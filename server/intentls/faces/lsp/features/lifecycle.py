"""The beginning and the end of a connection."""

from __future__ import annotations

import logging
import os
import sys
from functools import partial

from lsprotocol import types

from intentls.faces.lsp.client_capabilities import Capabilities
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.options import Options
from intentls.store.process.run import start_detached

log = logging.getLogger(__name__)

_WATCHED = ("**/.orchestration/*.yaml", "**/.intentignore", "**/.orchestration/.intentignore")


async def initialize(connection: LspConnection, params: types.InitializeParams) -> None:
    """Note once what the client can do and how the user configured us."""
    connection.host.capabilities = Capabilities.of(params.capabilities)
    connection.host.options = Options.parse(params.initialization_options)
    client = params.client_info
    log.info("client: %s %s", client.name if client else "unknown", (client.version if client else None) or "")


def adjust_offer(connection: LspConnection, offered: types.ServerCapabilities) -> None:
    """Don't offer to be asked for diagnostics where they will be pushed: a client must not get them twice.

    What is not offered is left out, whatever the client can do.
    """
    if isinstance(sync := offered.text_document_sync, types.TextDocumentSyncOptions):
        sync.will_save = sync.will_save_wait_until = None
    if connection.host.capabilities is None or not connection.host.capabilities.pulls_diagnostics:
        offered.diagnostic_provider = None
    if offered.execute_command_provider is not None:
        offered.execute_command_provider.work_done_progress = True


async def initialized(connection: LspConnection, _params: types.InitializedParams) -> None:
    """Open the roots (which finishes what a killed server left), and ask for a watch on their files."""
    await connection.actions.run(lambda: list(connection.engine.workspaces()))
    connection.diagnostics.start()
    if connection.host.options.hook_daemon and os.name == "posix":
        # A process that outlives this one. Not from the current directory (-P): it may hold another `intentls`.
        await connection.chores.run(partial(start_detached, [sys.executable, "-P", "-m", "intentls", "daemon"]))
    capabilities = connection.host.capabilities
    if capabilities is None or not capabilities.watches_files:
        return
    watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
    registration = types.Registration(
        id="intentls-watched-files",
        method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers),
    )
    await connection.server.client_register_capability_async(types.RegistrationParams([registration]))


async def configuration_changed(connection: LspConnection, params: types.DidChangeConfigurationParams) -> None:
    """The user changed a setting, trust among them."""
    if isinstance(params.settings, dict) and "intentls" in params.settings:
        connection.host.options = Options.parse(params.settings)
        connection.diagnostics.views.refresh()


async def watched_files_changed(connection: LspConnection, _params: types.DidChangeWatchedFilesParams) -> None:
    """A configuration file changed on disk: what is shown may be out of date."""
    connection.changed()


async def folders_changed(connection: LspConnection, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Roots came or went."""
    await connection.actions.run(lambda: list(connection.engine.workspaces()))
    connection.changed()


async def shutdown(connection: LspConnection, _params: None) -> None:
    """Nothing more will be asked: end our own session."""
    connection.diagnostics.stop()
    await connection.actions.run(lambda: connection.engine.end_session(connection.session_id))

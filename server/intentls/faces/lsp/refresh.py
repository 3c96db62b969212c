"""Code lenses, inlay hints and the state: the client is told when they may have changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

import msgspec
from pygls.exceptions import JsonRpcException

from intentls.engine.wire.folder_state import EditorState
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server

log = logging.getLogger(__name__)

_DEBOUNCE_S = 0.15


class EditorRefresh:
    """Asks the client to refresh, once for many changes in a row. Used on the event loop only."""

    def __init__(self, server: Server, host: LspHost) -> None:
        self._server = server
        self._host = host
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def schedule(self) -> None:
        """Refresh lenses and hints soon: an intent, a record or a setting changed."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_DEBOUNCE_S, self._ask)

    def ask_diagnostics(self) -> None:
        """Ask the client now to pull its diagnostics again."""
        self._begin(self._server.workspace_diagnostic_refresh_async(None))

    def stop(self) -> None:
        """Drop what is scheduled: the connection ends."""
        if self._timer is not None:
            self._timer.cancel()

    def _ask(self) -> None:
        self._timer = None
        if self._host.capabilities.refreshes_code_lenses:
            self._begin(self._server.workspace_code_lens_refresh_async(None))
        if self._host.capabilities.refreshes_inlay_hints:
            self._begin(self._server.workspace_inlay_hint_refresh_async(None))

    def _begin(self, request: Awaitable[Any]) -> None:
        task = asyncio.get_running_loop().create_task(_await_answer(request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _await_answer(request: Awaitable[Any]) -> None:
    try:
        await request
    except JsonRpcException as error:
        log.info("the client did not refresh: %s", error)


STATE_CHANGED = "intentls/stateChanged"
"""Sent to clients that ask for it (`initializationOptions.states`), once at the start and after each change."""


class StateNews:
    """Sends the state when it is another one than the client has. Used on the event loop only."""

    def __init__(self, server: Server, host: LspHost) -> None:
        self._server = server
        self._host = host
        self._sent: EditorState | None = None

    def changed(self, state: EditorState) -> None:
        """The state is this one now."""
        if self._host.options.states and state != self._sent:
            self._sent = state
            self._server.protocol.notify(STATE_CHANGED, msgspec.to_builtins(state))

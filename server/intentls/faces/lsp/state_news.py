"""Tells the client that the state of a root changed, so that its status line is right without asking again."""

from __future__ import annotations

import msgspec

from intentls.engine.wire.folder_state import EditorState
from intentls.faces.lsp.host import LspHost
from intentls.faces.lsp.protocol.serve import Server

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

"""The MCP client as the engine sees it: which folders are its own, and whether it can put a question to a person."""

from __future__ import annotations

import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from math import inf
from pathlib import Path

from intentls.engine.actions.authority import OF_MCP_SERVER
from intentls.engine.actions.effects import Ask, Reply
from intentls.engine.workspace.host import OpenDocument

Asker = Callable[[Ask], Awaitable[Reply]]

asker: ContextVar[Asker | None] = ContextVar("asker", default=None)
"""Inside a tool call: how the client's person is asked; None if it can't ask."""


class McpHost:
    """The engine's view of one connection. Reading it is safe from any thread.

    `session_id` is whom tools act for by default: the given one, which outlives us, else one of our own, as long as
    the connection knows none of the agent's.
    """

    face = "mcp"
    trust_cache = False
    can_apply_edits = False
    asks_by_setting_alone = False
    patience_s = inf

    def __init__(self, folder: Path, session_id: str | None = None, *, trusted: bool = False) -> None:
        self.trusted = trusted
        self.own_session = None if session_id else f"{OF_MCP_SERVER}{os.getpid()}-{secrets.token_hex(4)}"
        self.agent: str | None = None
        self.session_id = session_id or self.own_session or ""
        self._folders: tuple[Path, ...] = (folder,)

    @property
    def can_ask(self) -> bool:
        """Whether the call at hand comes from a client that can ask."""
        return asker.get() is not None

    def folders(self) -> Sequence[Path]:
        """The folder we were started for, or the client's own roots."""
        return self._folders

    def named_folders(self) -> tuple[Path, ...]:
        """The same."""
        return self._folders

    def move(self, folders: Sequence[Path]) -> None:
        """Work in these folders from now on, if there are any."""
        self._folders = tuple(folders) or self._folders

    def open_document(self, path: Path) -> OpenDocument | None:  # noqa: ARG002  the protocol's signature
        """MCP knows no open documents."""
        return None

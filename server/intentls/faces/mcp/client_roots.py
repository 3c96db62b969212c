"""The client's own folders, where it tells of them (up to protocol 2025-11-25) and nobody named a folder to us."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from intentls.core.errors import InvalidPath
from intentls.faces.mcp.host import McpHost
from intentls.store.fs.path_resolution import real_path, to_path

log = logging.getLogger(__name__)

_TIMEOUT_S = 5.0


class ClientRoots:
    """Keeps the host's folders the client's. `follow`: whether to; else the folder that was named stands."""

    def __init__(self, host: McpHost, *, follow: bool) -> None:
        self._host = host
        self._follow = follow
        self._received = anyio.Event()

    async def settled(self, session: ServerSession) -> None:
        """Wait until the client's folders are known, if it tells of any; no longer than a moment."""
        if self._follow and _offers_roots(session):
            with anyio.move_on_after(_TIMEOUT_S):
                await self._received.wait()

    async def changed(self, ctx: ServerRequestContext[Any, Any], _: types.NotificationParams) -> None:
        """The client is ready, or its folders are others now: ask for them."""
        if not self._follow or not _offers_roots(ctx.session):
            return
        try:
            with anyio.fail_after(_TIMEOUT_S):
                answer = await ctx.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
            self._host.move([path for root in answer.roots if (path := _directory(str(root.uri))) is not None])
        except (MCPError, ValidationError, TimeoutError) as error:
            log.warning("the client does not say what its folders are (%s); we stay in our own", error)
        finally:
            self._received.set()


def _offers_roots(session: ServerSession) -> bool:
    capabilities = session.client_capabilities
    return capabilities is not None and capabilities.roots is not None and session.can_send_request


def _directory(uri: str) -> Path | None:
    try:
        path = real_path(to_path(uri, Path("/")))
    except InvalidPath as error:
        log.warning("a root of the client is left out: %s", error)
        return None
    return path if path.is_dir() else None

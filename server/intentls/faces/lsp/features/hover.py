"""`textDocument/hover`: the first room that knows something about the place answers."""

from __future__ import annotations

from lsprotocol import types

from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features import hover_in_code, hover_in_declarations

_PROVIDERS = (hover_in_declarations.hover, hover_in_code.hover)


async def hover(connection: LspConnection, params: types.HoverParams) -> types.Hover | None:
    """What is known about the place under the cursor; None if nothing is."""
    for provider in _PROVIDERS:
        if (found := await provider(connection, params)) is not None:
            return found
    return None

"""`textDocument/hover`: the first room that knows something about the place answers."""

from __future__ import annotations

from lsprotocol import types

from intentls.faces.lsp.face import Face
from intentls.faces.lsp.features import hover_code, hover_declarations

_PROVIDERS = (hover_declarations.hover, hover_code.hover)


async def hover(face: Face, params: types.HoverParams) -> types.Hover | None:
    """What is known about the place under the cursor; None if nothing is."""
    for provider in _PROVIDERS:
        if (found := await provider(face, params)) is not None:
            return found
    return None

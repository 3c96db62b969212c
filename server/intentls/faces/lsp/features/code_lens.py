"""`textDocument/codeLens`: the lenses of every room, those of the declaration files first."""

from __future__ import annotations

from lsprotocol import types

from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features import code_lens_in_code, code_lens_in_declarations

_PROVIDERS = (code_lens_in_declarations.lenses, code_lens_in_code.lenses)


async def code_lens(connection: LspConnection, params: types.CodeLensParams) -> list[types.CodeLens]:
    """All lenses of the document."""
    return [lens for provider in _PROVIDERS for lens in await provider(connection, params)]

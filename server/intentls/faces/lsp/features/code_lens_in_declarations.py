"""Code lenses above the intents of active_intents.yaml."""

from __future__ import annotations

from lsprotocol import types

from intentls.engine.declarations.code_lenses import Lens
from intentls.engine.declarations.code_lenses import lenses as lenses_of
from intentls.engine.declarations.file_kinds import FileKind
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, ask

_SELECT = "intent.selectActiveIntent"


async def lenses(connection: LspConnection, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses of the document; none if it is not for us to say."""

    def look(file: DeclarationDocument) -> list[types.CodeLens]:
        if file.kind is not FileKind.INTENTS:
            return []
        found = lenses_of(file.workspace, file.text, connection.session_id)
        return [types.CodeLens(file.range(lens.span), _command(lens)) for lens in found]

    return await ask(connection, params.text_document.uri, look) or []


def _command(lens: Lens) -> types.Command:
    if lens.selects is None:
        # A command without a name: there is something to read, and nothing to run.
        return types.Command(title=lens.title, command="")
    return types.Command(title=lens.title, command=_SELECT, arguments=[{"intent_id": lens.selects}])

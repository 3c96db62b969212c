"""`textDocument/codeLens`: in code the intent of each run of lines, in a file of intents the state of each."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from intentls.engine.blame.line_authors import runs
from intentls.engine.declarations.code_lenses import Lens, lenses
from intentls.engine.declarations.file_kinds import DECLARES_INTENTS
from intentls.engine.wire.author_text import title
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, query_declarations
from intentls.faces.lsp.features.line_authors import document_authors
from intentls.store.clock import now

_MAX_IN_CODE = 50  # a file that many authors changed line by line would show more lenses than code


async def code_lens(connection: LspConnection, params: types.CodeLensParams) -> list[types.CodeLens]:
    """All lenses of the document."""
    uri = params.text_document.uri
    return [*await _in_declarations(connection, uri), *await _in_code(connection, uri)]


async def _in_declarations(connection: LspConnection, uri: str) -> list[types.CodeLens]:
    def answer(file: DeclarationDocument) -> list[types.CodeLens]:
        if file.kind not in DECLARES_INTENTS:
            return []
        root = file.workspace.root if len(list(connection.engine.known())) > 1 else None
        return [
            types.CodeLens(file.range(lens.span), _command(lens, root))
            for lens in lenses(file.workspace, file.text, connection.session_id, file.path)
        ]

    return await query_declarations(connection, uri, answer) or []


def _command(lens: Lens, root: Path | None) -> types.Command:
    if lens.selects is None:
        return _text_only(lens.title)
    intent = {"intent_id": lens.selects} | ({} if root is None else {"root": root.as_posix()})
    return types.Command(lens.title, "intent.selectActiveIntent", arguments=[intent])


def _text_only(text: str) -> types.Command:
    """A lens that can only be read: a command without a name does nothing."""
    return types.Command(text, "")


async def _in_code(connection: LspConnection, uri: str) -> list[types.CodeLens]:
    """One for each run of lines of one intent, the longest 50; none if the setting is off."""
    if not connection.host.options.code_lens:
        return []
    authors = await document_authors(connection, uri)
    if authors is None:
        return []
    longest = sorted(runs(authors.written), key=lambda run: run.start_line - run.end_line)[:_MAX_IN_CODE]
    moment = now()
    return [
        types.CodeLens(
            types.Range(types.Position(run.start_line - 1, 0), authors.end_of(run.start_line)),
            command=_text_only(title(run, authors.names, moment)),
        )
        for run in sorted(longest, key=lambda run: run.start_line)
    ]

"""`textDocument/hover`: in the declaration files globs, intents and keys; in code who wrote the line, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from intentls.engine.declarations.hover import Card
from intentls.engine.declarations.hover import hover as card_at
from intentls.engine.wire.author_text import definition as definition_text
from intentls.engine.wire.author_text import hover as author_text
from intentls.engine.workspace.other_machines import who_else
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, query_declarations
from intentls.faces.lsp.features.line_authors import document_authors
from intentls.store.clock import now

# Markdown's special characters. It reads an underscore inside a word as an underscore.
_SPECIAL = re.compile(r"([\\`*\[\]<>|~&]|(?<!\w)_|_(?!\w))")


async def hover(connection: LspConnection, params: types.HoverParams) -> types.Hover | None:
    """What is known of the text under the cursor; None if nothing is."""
    return await _in_declarations(connection, params) or await _in_code(connection, params)


async def _in_declarations(connection: LspConnection, params: types.HoverParams) -> types.Hover | None:
    markdown = connection.host.capabilities.markdown_hover

    def answer(file: DeclarationDocument) -> types.Hover | None:
        card = card_at(file.workspace, file.kind, file.text, file.offset(params.position), file.path)
        if card is None:
            return None
        text = "\n".join(_markdown(card) if markdown else _plain(card))
        return types.Hover(_content(text, markdown=markdown), file.range(card.span))

    return await query_declarations(connection, params.text_document.uri, answer)


async def _in_code(connection: LspConnection, params: types.HoverParams) -> types.Hover | None:
    """Who wrote the line, the history of the definition whose name it has, and who else is at the file or its intent.

    None outside governed code, and where nothing is known.
    """
    uri = params.text_document.uri
    authors = await document_authors(connection, uri)
    line = params.position.line + 1
    written = None if authors is None else authors.at(line)
    markdown = connection.host.capabilities.markdown_hover

    def others() -> list[str]:
        path = connection.host.path(uri)
        governed = None if path is None else connection.engine.governing(path)
        sentences = [] if governed is None else who_else(*governed, connection.session_id)
        return [f"{_escaped(sentence) if markdown else sentence}." for sentence in sentences]

    def texts() -> list[str]:
        if authors is None or written is None:
            return others()
        author = author_text(written, authors.names, now(), authors.commit(line), markdown=markdown)
        history = authors.definition(line, on_name=True) if written.saved else None
        definition = "" if history is None else definition_text(history, authors.names, now(), markdown=markdown)
        return [author, definition, *others()]

    text = "\n\n".join(filter(None, await connection.queries.run(texts)))
    return types.Hover(_content(text, markdown=markdown)) if text else None


def _content(text: str, *, markdown: bool) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText, text)


def _markdown(card: Card) -> Iterator[str]:
    """The lines of a card."""
    yield _code(card.title) if card.is_code else f"**{_escaped(card.title)}**"
    if card.explanation:
        yield from ("", card.explanation)
    for sentence in card.sentences:
        yield from ("", _escaped(sentence))
    for part in card.lists:
        yield from ("", _escaped(part.heading), "") if part.heading else ("",)
        for item in part.items:
            yield f"- {_code(item) if part.code else _escaped(item)}"


def _plain(card: Card) -> Iterator[str]:
    """The lines of a card."""
    yield card.title
    if card.explanation:
        yield card.explanation
    yield from card.sentences
    for part in card.lists:
        if part.heading:
            yield part.heading
        yield from (f"  {item}" for item in part.items)


def _escaped(text: str) -> str:
    """Markdown that shows `text` as it is: `*.py` becomes `\\*.py`."""
    return _SPECIAL.sub(r"\\\1", text)


def _code(text: str) -> str:
    """Markdown that shows `text` as code: fenced by more backticks than it has in a row, since code has no escapes."""
    ticks = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"

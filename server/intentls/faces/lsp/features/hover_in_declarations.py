"""Hover in the declaration files: globs, intents, keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from intentls.engine.declarations.hover import Card
from intentls.engine.declarations.hover import hover as look
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.features.declaration_document import DeclarationDocument, ask

# An underscore inside a word is one for Markdown too.
_SPECIAL = re.compile(r"([\\`*\[\]<>|~&]|(?<!\w)_|_(?!\w))")


async def hover(connection: LspConnection, params: types.HoverParams) -> types.Hover | None:
    """What is known about the place under the cursor; None if it is not for us to say."""
    markdown = connection.host.capabilities is not None and connection.host.capabilities.markdown_hover

    def tell(file: DeclarationDocument) -> types.Hover | None:
        card = look(file.workspace, file.kind, file.text, file.offset(params.position))
        if card is None:
            return None
        kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
        text = "\n".join(_markdown(card) if markdown else _plain(card))
        return types.Hover(types.MarkupContent(kind, text), file.range(card.span))

    return await ask(connection, params.text_document.uri, tell)


def _markdown(card: Card) -> Iterator[str]:
    yield _code(card.title) if card.is_code else f"**{_escaped(card.title)}**"
    if card.explanation:
        yield from ("", card.explanation)
    for sentence in card.sentences:
        yield from ("", _escaped(sentence))
    for found in card.lists:
        yield from ("", _escaped(found.heading), "") if found.heading else ("",)
        for item in found.items:
            yield f"- {_code(item) if found.code else _escaped(item)}"


def _plain(card: Card) -> Iterator[str]:
    yield card.title
    yield from [card.explanation] if card.explanation else []
    yield from card.sentences
    for found in card.lists:
        yield from [found.heading] if found.heading else []
        yield from (f"  {item}" for item in found.items)


def _escaped(text: str) -> str:
    """Text in which Markdown finds nothing but text."""
    return _SPECIAL.sub(r"\\\1", text)


def _code(text: str) -> str:
    ticks = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"

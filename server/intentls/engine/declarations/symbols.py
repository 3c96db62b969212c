"""The intents as symbols: of one file, of the whole workspace; and what can be folded away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from intentls.core.diagnostic import Span
from intentls.core.intents.intent import Status
from intentls.engine.declarations.outline import OutlineEntry, outline
from intentls.engine.declarations.shown_intents import shown_files
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace

MAX_FOUND: Final = 500
"""Symbols of a whole workspace that are answered at once."""


class Symbol(Struct, frozen=True):
    """`kind` is "intent", "status", "scope", "glob" or "text". `name_span` lies in `span`."""

    name: str
    kind: str
    detail: str
    span: Span
    name_span: Span
    is_closed: bool = False
    children: tuple[Symbol, ...] = ()


class SymbolMatch(Struct, frozen=True):
    """An intent somewhere in the workspace: in the file at `path` of `workspace`, whose text is `text`."""

    symbol: Symbol
    workspace: Workspace
    path: str
    text: str


def document_symbols(text: str, *, is_single: bool = False) -> list[Symbol]:
    """The intents of the text of the list, or of the file of one intent, with their parts."""
    return [_symbol(entry) for entry in outline(text, is_single=is_single).entries]


def workspace_symbols(engine: Engine, query: str) -> list[SymbolMatch]:
    """The intents of all roots whose id and name hold the query: its words, or else its letters in order."""
    found: list[SymbolMatch] = []
    for workspace in engine.workspaces():
        for file, entry in ((shown, entry) for shown in shown_files(workspace) for entry in shown.entries):
            if _fits(query.casefold(), f"{entry.id} {entry.name}".casefold()):
                found.append(SymbolMatch(_symbol(entry), workspace, file.path, file.text))
            if len(found) == MAX_FOUND:
                return found
    return found


def folds(text: str, *, is_single: bool = False) -> list[tuple[int, int]]:
    """(first line, last line) of each intent, list and text of several lines; lines count from 0."""
    shape = outline(text, is_single=is_single)
    spans = [shape.listed] if shape.listed is not None else []
    for entry in shape.entries:
        spans += [entry.whole, *(part.whole for part in entry.parts)]
    lines = {(span.start_line, span.end_line) for span in spans if span.end_line > span.start_line}
    return sorted(lines)


def _symbol(entry: OutlineEntry) -> Symbol:
    return Symbol(
        name=entry.id,
        kind="intent",
        detail=f"{entry.name} [{entry.status}]" if entry.name else f"[{entry.status}]",
        span=entry.whole,
        name_span=entry.id_span,
        is_closed=entry.status in Status.__members__ and not Status(entry.status).is_open,
        children=tuple(_parts(entry)),
    )


def _parts(entry: OutlineEntry) -> Iterator[Symbol]:
    status = entry.part("status")
    if status is not None:
        yield Symbol("status", "status", status.text, status.whole, status.key_span)
    scope = entry.part("owned_scope")
    if scope is not None:
        globs = tuple(Symbol(glob or "(empty)", "glob", "", span, span) for glob, span in scope.items)
        yield Symbol("owned_scope", "scope", f"{len(globs)} globs", scope.whole, scope.key_span, children=globs)


def _fits(query: str, candidate: str) -> bool:
    if all(word in candidate for word in query.split()):
        return True
    letters = iter(candidate)
    return all(letter in letters for letter in query if not letter.isspace())

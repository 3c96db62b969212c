"""Where an intent is declared, and where it is mentioned: map, lessons, ignore files, ledger."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.declarations.document_text import text_of
from intentls.engine.declarations.file_kinds import PATHS, FileKind, kind_of
from intentls.engine.declarations.id_mentions import id_at, lines_of, mentions
from intentls.engine.declarations.outline import outline
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_files.line_reader import count_lines, lines_backward, opened

log = logging.getLogger(__name__)

MAX_LEDGER: Final = 100
"""The newest lines of the ledger that are looked through, and at most as many are told."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a file of the root: line from 0, columns in code points; `text` is the whole line."""

    path: str
    line: int
    column: int
    end_column: int
    text: str


def declaration(workspace: Workspace, path: str, text: str, offset: int) -> Mention | None:
    """Where the intent under the cursor is declared."""
    intent_id = _intent_at(workspace, path, text, offset)
    return None if intent_id is None else _declared(workspace, intent_id)


def references(workspace: Workspace, path: str, text: str, offset: int, *, include_declaration: bool) -> list[Mention]:
    """Where the intent under the cursor is mentioned; in the ledger, only its newest lines are looked through."""
    intent_id = _intent_at(workspace, path, text, offset)
    if intent_id is None:
        return []
    declared = _declared(workspace, intent_id) if include_declaration else None
    found = [] if declared is None else [declared]
    for other, kind in PATHS.items():
        if kind in (FileKind.MAP, FileKind.LESSONS, FileKind.IGNORE):
            lines = enumerate(lines_of(text_of(workspace, other) or ""))
            found += [Mention(other, *place) for place in mentions(kind, lines, intent_id)]
        elif kind is FileKind.LEDGER:
            found += [Mention(other, *place) for place in mentions(kind, _newest(workspace), intent_id)]
    return found


def _intent_at(workspace: Workspace, path: str, text: str, offset: int) -> str | None:
    """The intent under the cursor; in the intents file only where it is declared."""
    shown = text if path == INTENTS_FILE else text_of(workspace, INTENTS_FILE)
    ids = {entry.id for entry in outline(shown or "").entries}
    found = id_at(text, offset, ids) if kind_of(path) is not None else None
    return found[0] if found else None


def _declared(workspace: Workspace, intent_id: str) -> Mention | None:
    text = text_of(workspace, INTENTS_FILE)
    entry = next((entry for entry in outline(text or "").entries if entry.id == intent_id), None)
    if entry is None or text is None:
        return None
    place = entry.id_span
    line = lines_of(text)[place.start_line]
    return Mention(INTENTS_FILE, place.start_line, place.start_column, place.end_column, line)


def _newest(workspace: Workspace) -> Iterator[tuple[int, str]]:
    """The newest lines of the live ledger, with their numbers from 0."""
    path = workspace.layout.ledger
    try:
        with opened(path) as descriptor:
            if descriptor is None:
                return
            size = os.fstat(descriptor).st_size
            number = count_lines(path)
            lines = islice(lines_backward(descriptor, size), MAX_LEDGER + 1)
            for back, line in enumerate(line for line in lines if line):
                yield number - 1 - back, line.decode("utf-8", errors="replace")
    except OSError as error:
        log.info("the ledger is left out: %s", error)

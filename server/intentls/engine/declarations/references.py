"""Where an intent is declared, and where it is mentioned: map, lessons, ignore files, ledger."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from intentls.core.errors import InvalidPath
from intentls.core.patterns.protected_paths import is_intents_file, is_single_intent_file
from intentls.engine.declarations.file_kinds import PATHS, FileKind, kind_of, text_of
from intentls.engine.declarations.id_mentions import id_at, lines_of, mentions
from intentls.engine.declarations.outline import outline
from intentls.engine.declarations.shown_intents import shown_files
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.path_resolution import real_path, relative_to_root, to_path
from intentls.store.ledger_files.line_reader import count_lines, lines_backward, opened

log = logging.getLogger(__name__)

MAX_LEDGER: Final = 100
"""The newest lines of the ledger that are looked through, and at most as many are told."""


class Mention(Struct, frozen=True):
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
    """The intent under the cursor; in a file of intents only where it is declared."""
    ids = {entry.id for file in shown_files(workspace) for entry in file.entries}
    if is_intents_file(path):
        ids |= {entry.id for entry in outline(text, is_single=is_single_intent_file(path)).entries}
    found = id_at(text, offset, ids) if kind_of(path) is not None else None
    return found[0] if found else None


def _declared(workspace: Workspace, intent_id: str) -> Mention | None:
    for file in shown_files(workspace):
        entry = next((entry for entry in file.entries if entry.id == intent_id), None)
        if entry is not None:
            place = entry.id_span
            line = lines_of(file.text)[place.start_line]
            return Mention(file.path, place.start_line, place.start_column, place.end_column, line)
    return None


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
            for back, line in enumerate(line for _, line in lines if line):
                yield number - 1 - back, line.decode("utf-8", errors="replace")
    except OSError as error:
        log.info("the ledger is left out: %s", error)


MAX_LINKS: Final = 2_000
"""Links of one file; each costs a look at the disk."""

_NAMED = re.compile(
    r"(?P<ticks>`++)(?P<code>[^\r\n]*?[^`\r\n])(?P=ticks)(?!`)|^\*\*File:\*\*[ \t]*(?P<file>\S.*?)[ \t]*$"
)


class DocumentLink(Struct, frozen=True):
    """`target` is the real path of an existing file; the line is `text`, columns are code points."""

    line: int
    column: int
    end_column: int
    text: str
    target: Path


def links(workspace: Workspace, text: str) -> list[DocumentLink]:
    """The links in a file with this text. Names of what is no file inside the root stay plain text."""
    found: list[DocumentLink] = []
    for number, line in enumerate(lines_of(text)):
        for match in _NAMED.finditer(line):
            group = "code" if match["code"] is not None else "file"
            target = _target(workspace, match[group])
            if target is not None:
                found.append(DocumentLink(number, match.start(group), match.end(group), line, target))
            if len(found) == MAX_LINKS:
                return found
    return found


def _target(workspace: Workspace, named: str) -> Path | None:
    name = named.strip()
    try:
        real = real_path(to_path(name, workspace.root))
        is_file = relative_to_root(real, workspace.root) is not None and real.is_file()
    except (InvalidPath, OSError):
        return None
    return real if is_file else None

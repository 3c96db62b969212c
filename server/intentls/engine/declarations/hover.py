"""What is known about a place in a declaration file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from intentls.core.diagnostic import Span
from intentls.core.errors import LedgerUnavailable
from intentls.core.intents.intent import Intent
from intentls.core.ledger.person import with_person
from intentls.core.ledger.record_json import FileJson, files_of, objects, text_of
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.declarations.completion import GLOB_TITLE
from intentls.engine.declarations.file_kinds import DECLARES_INTENTS, SCHEMAS, FileKind
from intentls.engine.declarations.glob_matches import (
    ComparisonBudget,
    files_of_glob,
    files_of_scope,
    glob_of,
    root_files,
)
from intentls.engine.declarations.id_mentions import id_at
from intentls.engine.declarations.outline import intents_of
from intentls.engine.intents.context import changes_of
from intentls.engine.workspace.other_machines import other_machines
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.intents_file import IntentsFile
from intentls.store.yaml.cursor import YamlCursor, cursor_at
from intentls.store.yaml.nodes import YamlLineIndex
from intentls.store.yaml.schema import load_schema

_SHOWN_FILES: Final = 10
_SHOWN_CHANGES: Final = 5
_SHOWN_SESSIONS: Final = 10
_COMPARISONS: Final = 200_000
_REST: Final = re.compile(r"[^\s\"',:\[\]{}#]*")


class Card(Struct, frozen=True):
    """What a hover shows: a title (`is_code`: something that is written so), what the schema says of it (light
    Markdown), sentences, and lists with a heading each (plain text).
    """

    span: Span
    title: str
    is_code: bool = False
    explanation: str = ""
    sentences: tuple[str, ...] = ()
    lists: tuple[CardList, ...] = ()


class CardList(Struct, frozen=True):
    """`items` are code (paths) if `code`, else text."""

    heading: str
    items: tuple[str, ...]
    code: bool = False


def hover(workspace: Workspace, kind: FileKind, text: str, offset: int, path: str = INTENTS_FILE) -> Card | None:
    """What is known about the place at `offset` (code points) of a file; None if nothing is."""
    if kind not in SCHEMAS:
        return _mention(workspace, text, offset)
    rest = _REST.match(text, offset)
    end = rest.end() if rest else offset
    cursor = cursor_at(text, end)
    if cursor is None or "\n" in text[cursor.start : end] or cursor.start > offset:
        return None
    schema = load_schema(SCHEMAS[kind])
    if cursor.is_key:
        end = cursor.start + len(cursor.typed.removesuffix(":"))
        return _key(text, cursor, end, schema.at((*cursor.path, cursor.typed.removesuffix(":"))))
    described = schema.at(cursor.path) or {}
    if cursor.typed in described.get("properties", {}):  # the first key of a mapping: alone, it looks like a text
        return _key(text, cursor, end, schema.at((*cursor.path, cursor.typed)))
    if described.get("title") == GLOB_TITLE:
        return _glob(workspace, text, cursor)
    if described.get("title") == "Id" and kind in DECLARES_INTENTS:
        return _mention(workspace, text, offset, intents_of(text, path))
    is_choice = "enum" in described or described.get("type") in ("boolean", "integer")
    return _key(text, cursor, end, described, str(cursor.path[-1])) if is_choice else None


def _key(text: str, cursor: YamlCursor, end: int, described: Mapping[str, Any] | None, title: str = "") -> Card | None:
    if described is None:
        return None
    sentences: list[str] = []
    if "enum" in described:
        allowed = ", ".join(str(value) for value in described["enum"] if value is not None)
        sentences.append(f"Values: {allowed}.")
    if "default" in described:
        sentences.append(f"Default: {json.dumps(described['default']).strip(chr(34))}.")
    span = YamlLineIndex(text).span(cursor.start, end)
    explanation = str(described.get("description", ""))
    return Card(span, title or text[cursor.start : end], True, explanation, tuple(sentences))


def _glob(workspace: Workspace, text: str, cursor: YamlCursor) -> Card | None:
    end = _value_end(text, cursor)
    written = cursor_at(text, end)
    pattern = written.typed if written is not None and written.start == cursor.start else cursor.typed
    glob = glob_of(pattern)
    if glob is None:
        return None
    files, budget = root_files(workspace), ComparisonBudget(_COMPARISONS)
    first: list[str] = []
    count = 0
    for path in files_of_glob(files, glob, budget):
        count += 1
        if count <= _SHOWN_FILES:
            first.append(path)
    more = "" if files.complete and not budget.is_spent else " (of those that were looked at)"
    does = "Excludes" if pattern.startswith("!") else "Matches"
    sentence = f"{does} {_files(count)}{more}." if count else f"{does} nothing: there is no such file{more}."
    heading = f"The first {_SHOWN_FILES}:" if count > _SHOWN_FILES else ""
    lists = (CardList(heading, tuple(first), code=True),) if first else ()
    return Card(YamlLineIndex(text).span(cursor.start, end), pattern, is_code=True, sentences=(sentence,), lists=lists)


def _value_end(text: str, cursor: YamlCursor) -> int:
    """Where the glob ends: at its quote, or where a plain text may end."""
    line_end = re.compile(r"[^\r\n]*").match(text, cursor.start)
    end = line_end.end() if line_end else cursor.start
    if cursor.quote:
        closing = re.compile(r"(?:\\.|[^\"\\\r\n])*" if cursor.quote == '"' else r"(?:''|[^'\r\n])*")
        match = closing.match(text, cursor.start)
        return match.end() if match else end
    plain = re.compile(r"[^\s,\[\]]*" if cursor.flow else r"(?:[^\s#]|[ \t](?![ \t]*#)(?=[^\r\n]*\S))*")
    match = plain.match(text, cursor.start)
    return match.end() if match else end


def _mention(workspace: Workspace, text: str, offset: int, shown: IntentsFile | None = None) -> Card | None:
    """An intent's id in any file; `shown` is the file as it is in the editor, if that is one of intents."""
    saved = workspace.configuration().intents.intents
    intents = saved if shown is None else {**saved, **shown.intents}
    found = id_at(text, offset, intents)
    if found is None:
        return None
    intent_id, start, end = found
    return _intent(workspace, intents[intent_id], YamlLineIndex(text).span(start, end))


def _intent(workspace: Workspace, intent: Intent, span: Span) -> Card:
    state = "open" if intent.is_open else "closed"
    out_of_use = workspace.configuration().ignore.excludes_intent(intent.id)
    files, budget = root_files(workspace), ComparisonBudget(_COMPARISONS)
    count = sum(1 for _ in files_of_scope(files, intent.scope, budget))
    more = "" if files.complete and not budget.is_spent else " or more"
    owns = "Has no owned_scope, which means all" if intent.scope.is_whole_workspace else "Owns"
    owns += f" {_files(count)}{more}."
    sentences = [f"Status: {intent.status.value} ({state}).", owns]
    if out_of_use:
        sentences.append("Taken out of use by .intentignore.")
    holders = tuple(
        f"session {session.session_id} ({session.face}) since {session.updated}"
        for session in workspace.sessions.all()
        if session.intent_id == intent.id
    )
    lists = [CardList("Selected now by:", holders)] if holders else []
    machines = other_machines(workspace)
    elsewhere = machines.under(intent.id)[:_SHOWN_SESSIONS] if machines is not None else ()
    lists += [CardList("On other machines by:", tuple(work.who_since for work in elsewhere))] if elsewhere else []
    changes = _changes(workspace, intent.id)
    sentences += [] if changes else ["No changes on record."]
    lists += [CardList("Last changes:", changes)] if changes else []
    title = f"{intent.id}: {intent.name}" if intent.name else intent.id
    return Card(span, title, sentences=tuple(sentences), lists=tuple(lists))


def _changes(workspace: Workspace, intent_id: str) -> tuple[str, ...]:
    try:
        return tuple(_change(record) for record in islice(changes_of(workspace, intent_id), _SHOWN_CHANGES))
    except LedgerUnavailable:
        return ("The ledger can't be read.",)


def _change(record: Mapping[str, Any]) -> str:
    files = files_of(record)
    paths = [str(file.get("path")) for file in files]
    named = ", ".join(paths[:2]) + (f" and {len(paths) - 2} more" if len(paths) > 2 else "")
    return f"{record.get('timestamp')} {_who(files)} {record.get('mutation_class')} {named}".rstrip()


def _who(files: list[FileJson]) -> str:
    for file in files:
        for contributor in objects([entry.get("contributor") for entry in objects(file.get("conversations"))]):
            model = text_of(contributor, "model_identifier") or text_of(contributor, "model_id")
            kind = text_of(contributor, "type") or "unknown"
            return with_person(f"{kind} ({model})" if model else kind, contributor)
    return "unknown"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"

"""What may be written at a place of a declaration file: keys, values, paths in globs, ids of intents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Any, Final

from msgspec import Struct

from intentls.core.diagnostic import Span
from intentls.core.intents.intent import Status
from intentls.engine.declarations.file_kinds import SCHEMAS, FileKind
from intentls.engine.declarations.glob_matches import root_files
from intentls.engine.intents.intents_edit import literal_glob
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.file_list import Files
from intentls.store.layout import ORCHESTRATION
from intentls.store.yaml.cursor import YamlCursor, cursor_at, sibling_keys
from intentls.store.yaml.edit import quote
from intentls.store.yaml.nodes import YamlLineIndex
from intentls.store.yaml.schema import load_schema

MAX_NAMES: Final = 500
"""Names of a folder that are offered at once; more are narrowed down by what is typed."""

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MAGIC = re.compile(r"(?<!\\)(?:\\\\)*[*?\[\]{}]")


class GlobPath(Struct, frozen=True):
    """`glob` is the whole text so far with this name at its end; `label` is the name alone."""

    glob: str
    label: str
    is_folder: bool
    detail: str = ""


class GlobPaths(Struct, frozen=True):
    """Not `complete`: there are more."""

    paths: tuple[GlobPath, ...] = ()
    complete: bool = True


def paths_after(files: Files, typed: str) -> GlobPaths:
    """What may follow `typed`, a glob that is being written (with its `!`, unescaped by YAML but not as a glob)."""
    mark = "!" if typed.startswith("!") else ""
    body = typed.removeprefix("!")
    cut = body.rfind("/") + 1
    folder, partial = body[:cut], _ESCAPE.sub(r"\1", body[cut:])
    if _MAGIC.search(folder):
        return GlobPaths()  # it may stand for many folders
    inside = _ESCAPE.sub(r"\1", folder).rstrip("/")
    names = files.inside(inside)
    if not names:
        return GlobPaths()
    if not inside and not partial.startswith("."):
        names = tuple(name for name in names if name != f"{ORCHESTRATION}/")  # hardly ever what is meant
    complete = len(names) <= MAX_NAMES
    if not complete:
        names = tuple(name for name in names if name.startswith(partial))
    below = [GlobPath(f"{mark}{folder}**", "**", False, f"everything below {inside or 'the root'}")]
    found = [_path(mark + folder, name) for name in names[:MAX_NAMES]]
    folders = [path for path in found if path.is_folder]
    return GlobPaths((*folders, *(path for path in found if not path.is_folder), *below), complete)


def _path(start: str, name: str) -> GlobPath:
    is_folder = name.endswith("/")
    escaped = literal_glob(name.removesuffix("/")) + "/" * is_folder
    return GlobPath(start + escaped, name, is_folder, "folder" if is_folder else "file")


GLOB_TITLE = "Glob pattern"
"""By this title the schemas mark the texts that are globs."""

_IGNORED_INTENT = re.compile(r"[ \t]*intent:([ \t]*)([^\s#]*)\Z")
_WORD = re.compile(r"[\w-]*")
_COLON = re.compile(r"[\"']?[ \t]*:")
_ONLY_DASHES = re.compile(r"[ \t]*(?:-[ \t]+)*[\"']?\Z")


class Shape(Enum):
    """What a suggestion is."""

    KEY = auto()
    VALUE = auto()
    FILE = auto()
    FOLDER = auto()
    INTENT = auto()


class Suggestion(Struct, frozen=True):
    """`new_text` takes the place of `span` (in one line, around the cursor); `filter` is what typed text is compared
    with. `rank` orders suggestions: the smaller, the earlier.
    """

    label: str
    shape: Shape
    span: Span
    new_text: str
    filter: str
    rank: int = 0
    detail: str = ""
    explanation: str = ""


class Suggestions(Struct, frozen=True):
    """Not `complete`: there are more, which further typing brings up."""

    items: tuple[Suggestion, ...] = ()
    complete: bool = True


def complete(workspace: Workspace, kind: FileKind, text: str, offset: int) -> Suggestions:
    """The suggestions at `offset` (code points) of a declaration file that has this text now."""
    if kind is FileKind.IGNORE:
        return Suggestions(tuple(_intents(workspace, text, offset)))
    if kind not in SCHEMAS:
        return Suggestions()
    cursor = cursor_at(text, offset)
    if cursor is None or "\n" in text[cursor.start : offset] or "\r" in text[cursor.start : offset]:
        return Suggestions()
    place = _CompletionContext(SCHEMAS[kind], text, offset, cursor)
    if place.is_glob:
        return _globs(workspace, place)
    return Suggestions(tuple(place.keys() if place.takes_keys else place.values()))


class _CompletionContext:
    """One cursor in one text, and what the schema says of it."""

    def __init__(self, schema: str, text: str, offset: int, cursor: YamlCursor) -> None:
        self.text, self.offset, self.cursor = text, offset, cursor
        self.lines = YamlLineIndex(text)
        self.before_value = ""
        path, keys = cursor.path, load_schema(schema)
        mapping = keys.at(path) if cursor.is_key else None
        if cursor.is_key and cursor.typed.endswith(":") and cursor.typed[:-1] in _properties(mapping):
            # `status:` at the very cursor: the value still needs its space
            path, self.before_value = (*path, cursor.typed[:-1]), " "
            self.schema = keys.at(path) or {}
            self.takes_keys, self.typed, self.start = False, "", offset
            return
        self.schema = keys.at(path) or {}
        self.typed, self.start = cursor.typed, cursor.start
        self.takes_keys = cursor.is_key or (bool(_properties(self.schema)) and self._begins_a_mapping)

    @property
    def is_glob(self) -> bool:
        """Whether a glob is being written."""
        return self.schema.get("title") == GLOB_TITLE

    @property
    def _begins_a_mapping(self) -> bool:
        """Whether a key may stand here: behind a dash, or on a line of its own."""
        cursor = self.cursor
        line = self.text[max(self.text.rfind("\n", 0, cursor.start), self.text.rfind("\r", 0, cursor.start)) + 1 :]
        before = line[: len(line) - (len(self.text) - cursor.start)]
        return not cursor.flow and _ONLY_DASHES.match(before) is not None

    def span(self, end: int) -> Span:
        """From where the text begins to `end`."""
        return self.lines.span(self.start, end)

    def word_end(self) -> int:
        """Where the word at the cursor ends."""
        word = _WORD.match(self.text, self.offset)
        return word.end() if word else self.offset

    def keys(self) -> Iterator[Suggestion]:
        """The keys that the mapping does not have yet, the required ones first."""
        used = {*self.cursor.keys, *sibling_keys(self.text, self.offset, flow=self.cursor.flow)}
        required = self.schema.get("required", [])
        end = self.word_end()
        has_colon = _COLON.match(self.text, end) is not None
        for rank, (name, described) in enumerate(_properties(self.schema).items()):
            if name in used:
                continue
            colon = "" if has_colon or self.cursor.quote else ":" if _is_nested(described) else ": "
            needed = name in required
            yield Suggestion(
                label=name,
                shape=Shape.KEY,
                span=self.span(end),
                new_text=name + colon,
                filter=name,
                rank=rank if needed else rank + 100,
                detail="required" if needed else _type_of(described),
                explanation=str(described.get("description", "")),
            )

    def values(self) -> Iterator[Suggestion]:
        """The values that the schema allows, if they can be counted."""
        default = self.schema.get("default")
        end = self.word_end()
        for rank, value in enumerate(_values(self.schema)):
            written = value if isinstance(value, str) else "true" if value is True else "false"
            details = [_status(written)] if self.schema.get("title") == "Status" else []
            details += ["default"] if value == default else []
            yield Suggestion(
                label=written,
                shape=Shape.VALUE,
                span=self.span(end),
                new_text=self.before_value + written,
                filter=self.before_value + written,
                rank=rank,
                detail=", ".join(details),
                explanation=str(self.schema.get("description", "")),
            )


def _globs(workspace: Workspace, place: _CompletionContext) -> Suggestions:
    found = paths_after(root_files(workspace), place.typed)
    items = tuple(
        Suggestion(
            label=path.label,
            shape=Shape.FOLDER if path.is_folder else Shape.FILE,
            span=place.span(place.offset),
            new_text=written,
            filter=path.glob,
            rank=rank,
            detail=path.detail,
        )
        for rank, path in enumerate(found.paths)
        if (written := _written(path.glob, place.cursor.quote)) is not None
    )
    return Suggestions(items, found.complete)


def _written(glob: str, style: str) -> str | None:
    """The glob as YAML inside these quotes; without quotes it gets some where it needs them."""
    if not style:
        return quote(glob)
    written = quote(glob, style)
    return written[1:-1] if written[0] == style else None


def _intents(workspace: Workspace, text: str, offset: int) -> Iterator[Suggestion]:
    """Ids behind `intent:` in an .intentignore, those that are in use first."""
    lines = YamlLineIndex(text)
    column = lines.position(offset)[1]
    line = _IGNORED_INTENT.match(text[offset - column : offset])
    if line is None:
        return
    word = re.compile(r"[^\s#]*").match(text, offset)
    end = word.end() if word else offset
    configuration = workspace.configuration()
    for rank, intent in enumerate(configuration.intents.intents.values()):
        out_of_use = configuration.ignore.excludes_intent(intent.id)
        yield Suggestion(
            label=intent.id,
            shape=Shape.INTENT,
            span=lines.span(offset - len(line[2]), end),
            new_text=intent.id if line[1] else f" {intent.id}",
            filter=intent.id if line[1] else f" {intent.id}",
            rank=rank + 10_000 * out_of_use,
            detail=f"{intent.status.value}{', already out of use' if out_of_use else ''}",
            explanation=intent.name,
        )


def _properties(schema: Mapping[str, Any] | None) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (schema or {}).get("properties", {})
    return found


def _types(schema: Mapping[str, Any]) -> list[str]:
    given = schema.get("type", [])
    return [given] if isinstance(given, str) else [each for each in given if each != "null"]


def _is_nested(schema: Mapping[str, Any]) -> bool:
    """Whether the value stands on the lines below its key: a mapping, or a list of mappings."""
    items = schema.get("items", {})
    return bool(_properties(schema)) or "$ref" in items or bool(_properties(items))


def _type_of(schema: Mapping[str, Any]) -> str:
    names = {"array": "list", "string": "text", "object": "mapping", "integer": "number", "boolean": "true or false"}
    return " or ".join(names.get(each, each) for each in _types(schema))


def _values(schema: Mapping[str, Any]) -> list[str | bool]:
    if "enum" in schema:
        return [value for value in schema["enum"] if value is not None]
    return [True, False] if _types(schema) == ["boolean"] else []


def _status(written: str) -> str:
    return "open" if Status(written).is_open else "closed"

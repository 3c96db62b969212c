"""Who wrote a definition, and its history through renames and moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.blame.definition_history import (
    Beginning,
    DefinitionHistory,
    DefinitionPlace,
    DefinitionStep,
    VersionFacts,
    continued,
    definition_history,
    place_in_version,
)
from intentls.core.blame.line_owners import Blame
from intentls.core.blame.version_graph import VersionId
from intentls.core.definitions.definition import Definition
from intentls.core.definitions.find import Lines, definitions_in
from intentls.core.definitions.lookup import definition_named, name_line
from intentls.core.errors import IntentlsError, InvalidArgument
from intentls.core.hashing import hash_of
from intentls.core.ledger.definition_origin import read_definition_origin
from intentls.core.ledger.record_json import Record, objects, text_of
from intentls.core.ledger.record_text import symbols_of
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.text.line_hashes import bare_lines, supports_line_blame
from intentls.engine.blame.blame import OwnedRange, content_at, ranges_of, search_sources, shown
from intentls.engine.blame.moved_definitions import ShortDefinitions
from intentls.engine.blame.record_history import Histories, LedgerReader, Owner
from intentls.engine.blame.unrecorded_moves import LineSearch, removed_by
from intentls.engine.ledger.settled_classes import settled
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace

_MAX_BYTES = 4 * 1024 * 1024
_MAX_NODES = 2_000_000
_NO_GRAMMAR = "a grammar may be missing"
_MAX_MOVES = 8  # of a short definition, that no record tells of
_MAX_TIPS = 8  # versions that a content which no record left is compared with


class DefinitionsUnknown(IntentlsError):
    """No definitions can be read in a file."""


class RecordedStep(Struct, frozen=True):
    """What a record did to the definition: `step`, with the record, who wrote its lines, and the file's name then.

    `conversations` are those of the record that have a line of it; the first one where none has.
    """

    path: str
    record: Record
    conversations: tuple[Record, ...]
    step: DefinitionStep[Owner]


class DefinitionBlame(Struct, frozen=True):
    """A definition of `path`: who wrote its lines, and the steps of its history, the newest first."""

    path: str
    definition: Definition
    ranges: tuple[OwnedRange, ...]
    steps: tuple[RecordedStep, ...]
    beginning: Beginning


def blame_definition(
    engine: Engine, session_id: str, path: str, symbol: str, progress: Progress = no_progress
) -> DefinitionBlame:
    """The definition `symbol` of the file that `path` means for this session.

    Raises InvalidArgument as `blame_at` does, and where the file has no such definition or several.
    """
    workspace, below, content = content_at(engine, session_id, path)
    definitions = _definitions(below, content)
    if not definitions:
        raise InvalidArgument("symbol", f"no definitions can be read in {below}; {_NO_GRAMMAR}")
    definition = definition_named(definitions, symbol, below)
    return _blamed(workspace, below, content, definition, progress)


def blame_definition_at(workspace: Workspace, path: str, line: int, *, on_name: bool = False) -> DefinitionBlame | None:
    """The innermost definition around a line (from 1) of root-relative `path`; None if there is none.

    `on_name`: only the one whose name stands on that line. Raises InvalidPath and LedgerUnavailable; DefinitionsUnknown
    where the file's definitions can't be read, unless `on_name`.
    """
    content = workspace.contents.read(path).data
    if content is None or not supports_line_blame(content):
        return None
    definitions = _definitions(path, content, [(line, line)])  # of a file of 300 lines in a fifth of the time
    if not definitions and not on_name and not _definitions(path, content):
        raise DefinitionsUnknown(f"No definitions can be read in {path}: {_NO_GRAMMAR} (pip install 'intentls[ast]').")
    around = [one for one in definitions if one.start_line <= line <= one.end_line]
    if on_name and around:
        lines = bare_lines(content)
        around = [definition for definition in around if name_line(definition, lines) == line]
    if not around:
        return None
    definition = min(around, key=lambda definition: definition.end_line - definition.start_line)
    return _blamed(workspace, path, content, definition, no_progress)


def _definitions(path: str, content: bytes, touched: Sequence[Lines] | None = None) -> tuple[Definition, ...]:
    return definitions_in(path, content, NodeBudget(_MAX_NODES, _MAX_BYTES), touched, with_hashes=False)


def _blamed(
    workspace: Workspace, below: str, content: bytes, definition: Definition, progress: Progress
) -> DefinitionBlame:
    ledger, search = LedgerReader(workspace, progress), LineSearch(workspace)
    history, blame = search_sources(workspace, below, content, ledger, search)
    traced = _traced(history, blame, definition)
    moves = ShortDefinitions(ledger, search, history)
    for _ in range(_MAX_MOVES):
        source = moves.source(traced)
        if source is None:
            break
        history = moves.history
        traced = continued(history.graph, traced, source, _facts_of(history))
    first, last = definition.start_line, definition.end_line
    ranges = (
        replace(part, start_line=max(first, part.start_line), end_line=min(last, part.end_line))
        for part in ranges_of(history.entries, blame.owners)
        if part.start_line <= last and part.end_line >= first
    )
    recorded = [one for step in traced.steps if (one := _recorded(history, step)) is not None]
    records = settled(workspace, [one.record for one in recorded])
    steps = tuple(replace(one, record=record) for one, record in zip(recorded, records, strict=True))
    return DefinitionBlame(below, definition, tuple(shown(workspace, ranges)), steps, traced.beginning)


def _traced(history: Histories, blame: Blame[Owner], definition: Definition) -> DefinitionHistory[Owner]:
    lines = blame.text.bare_lines
    own = name_line(definition, lines)
    place = DefinitionPlace(
        definition.name, frozenset(range(definition.start_line, definition.end_line + 1)), own, lines[own - 1]
    )
    exact = history.graph.find(0, hash_of(blame.text.content))
    if exact is not None:
        return definition_history(history.graph, exact, place, _facts_of(history))
    tips = history.graph.tips(0)[:_MAX_TIPS]
    built = history.graph.build(tips)
    for tip in tips:
        old = place_in_version(place, lines, built[tip]) if tip in built else None
        if old is not None:
            return definition_history(history.graph, tip, old, _facts_of(history))
    return DefinitionHistory((), "unrecorded")


def _facts_of(history: Histories) -> Callable[[VersionId], VersionFacts]:
    """What the records say of each version; nothing of those that no record left."""

    @cache
    def facts(id_: VersionId) -> VersionFacts:
        path, recorded = history.paths[id_[0]], history.entry_of(id_)
        if recorded is None:
            return VersionFacts(path)
        entry = recorded[1]
        symbols = tuple(name for part in objects(entry.get("conversations")) for name in symbols_of(part))
        said = entry.get("definition_origins")
        origins = None if said is None else tuple(filter(None, map(read_definition_origin, objects(said))))
        return VersionFacts(path, removed_by(entry), symbols, text_of(entry, "old_path"), origins)

    return facts


def _recorded(history: Histories, step: DefinitionStep[Owner]) -> RecordedStep | None:
    """The step with its record; None for a change that no record tells of."""
    recorded = history.entry_of(step.version)
    if recorded is None:
        return None
    record, entry = recorded
    conversations = objects(entry.get("conversations"))
    numbers = [owner[1] for owner in step.owners] or [0]
    authors = tuple(conversations[number] for number in numbers if number < len(conversations))
    return RecordedStep(text_of(entry, "path") or "", record, authors, step)

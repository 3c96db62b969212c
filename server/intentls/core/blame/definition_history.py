"""The history of one definition: which records created, changed, renamed or moved it. It never guesses.

The lines of the definition are followed back from version to version, through the hunks and origins of a
`VersionGraph`. As long as the line with its name is carried along, it is the same definition. Where a record wrote that
line, the record may say what the definition was before: it compared both contents. If it does not, as in records of
intentls before 0.2, the line it replaced decides, of which the record has the hash:

- it was renamed, if exactly one older name from the records makes the old line of the new one, and six of ten of its
  other lines stayed;
- it has its name still, if an older record named it so, and a fifth of its other lines stayed;
- it is new, if the line replaced nothing, most of its lines are new, and none comes from another file;
- otherwise its history before is lost.

Three records of a file:

    1  INT-001: `def rain(city):`  `    value = measure(city)`  `    return value`       symbols: rain
    2  INT-002: line 3 becomes `    return value * 2`                                    symbols: rain
    3  INT-003: line 1 becomes `def rain_in(city):`                                      symbols: rain_in

Asked for `rain_in`: record 3 wrote the line with its name, and replaced one line. `rain` is a name in the records, and
`def rain(city):` has the hash of the line that was replaced; the two other lines stayed: *renamed* from `rain`.
Record 2 wrote line 3: *changed*. Record 1 wrote all three lines, and the first one replaced nothing: *created*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.blame.definition_lines import carried_back, moved_lines_of, removed_inside, with_name
from intentls.core.blame.version_graph import FileVersion, LineOwners, VersionGraph, VersionId
from intentls.core.ledger.definition_origin import DefinitionOrigin
from intentls.core.ledger.line_range import Origin
from intentls.core.text.line_diff import changed_blocks
from intentls.core.text.line_hashes import line_hash
from intentls.core.text.lines import Hunk

C = TypeVar("C")

What = Literal["created", "changed", "renamed", "moved"]

Beginning = Literal["created", "unrecorded", "lost"]
"""Where a history begins: with a record that created it; where no record goes back further; where proof ends."""

_MIN_KEPT_RENAMED = 0.6  # of the lines but the one with the name
_MIN_KEPT = 0.2


class DefinitionPlace(Struct, frozen=True):
    """A definition in one version: its qualified name, its lines (from 1), and the one with its name.

    `text` is what that line says, without its end; None where only its hash may be known.
    """

    name: str
    lines: frozenset[int]
    name_line: int
    text: bytes | None


class VersionFacts(Struct, frozen=True):
    """What a record says of a version beside its lines.

    `removed` are the hashes of the old lines of all hunks in order, `symbols` the definitions that the record names,
    `origins` what some of them were before (None if it does not say), `path` the file's name, `old_path` the one that
    it had before the record if the record renamed it.
    """

    path: str = ""
    removed: Sequence[bytes] = ()
    symbols: Sequence[str] = ()
    old_path: str | None = None
    origins: Sequence[DefinitionOrigin] | None = None

    def origin(self, place: DefinitionPlace) -> DefinitionOrigin | None:
        """What the definition at this place was before the record; None if the record does not say."""
        said = (one for one in self.origins or () if (one.symbol, one.line) == (place.name, place.name_line))
        return next(said, None)

    def former_name(self, name: str) -> str:
        """What a definition was called of which the record says nothing: what is around it may have been renamed."""
        around = [one for one in self.origins or () if name.startswith(f"{one.symbol}.")]
        return max(around, key=lambda one: len(one.symbol)).former(name) if around else name


class DefinitionStep(Struct, Generic[C], frozen=True):
    """What one version did to the definition, which then had this `name`.

    `old_name` of a renamed one, `old_path` of a moved one: the file that it came from, which may be the same.
    `owners` are those of the version's claims that have one of its lines.
    """

    version: VersionId
    name: str
    what: tuple[What, ...]
    owners: tuple[C, ...] = ()
    old_name: str | None = None
    old_path: str | None = None


class DefinitionHistory(Struct, Generic[C], frozen=True):
    """The steps, the newest first. `place`: where the definition stands in the version of the first that created it."""

    steps: tuple[DefinitionStep[C], ...]
    beginning: Beginning
    place: DefinitionPlace | None = None


class DefinitionSource(Struct, frozen=True):
    """Where a definition stood before: in a version of a file, or in a content of it that no record left (None)."""

    path: str
    version: VersionId | None
    place: DefinitionPlace


def place_in_version(
    place: DefinitionPlace, content: Sequence[bytes], version: LineOwners[C]
) -> DefinitionPlace | None:
    """Where the definition, at `place` in a `content` that no record left, stood in a version.

    `content` are the lines without their ends. None if the version has not the line with its name, in this order.

        version            content                   the definition of rain
        rain = measure()   # Ben, without a record
        rain += 1          rain = measure()          lines 2 and 3
                           rain += 1                 lines 1 and 2 of the version
    """
    before = [b"?%d" % number if hash_ is None else hash_ for number, (_, hash_, _) in enumerate(version.lines)]
    hunks = [
        Hunk(old + (old < old_end), old_end - old, new + (new < new_end), new_end - new)
        for old, old_end, new, new_end in changed_blocks(before, [line_hash(line) for line in content])
    ]
    old_lines = carried_back(sorted(place.lines), hunks)
    if place.name_line not in old_lines:
        return None
    return replace(place, lines=frozenset(old_lines.values()), name_line=old_lines[place.name_line])


def definition_history(
    graph: VersionGraph[C], version: VersionId, place: DefinitionPlace, facts: Callable[[VersionId], VersionFacts]
) -> DefinitionHistory[C]:
    """The history of the definition that stands at `place` in `version`."""
    known = {
        name
        for file, versions in enumerate(graph.files)
        for number in range(len(versions))
        for name in facts((file, number)).symbols
    }
    tracer = _Tracer(graph, facts, known)
    steps: list[DefinitionStep[C]] = []
    seen: set[VersionId] = set()
    while True:
        if version in seen:  # only a forged ledger goes in circles
            return DefinitionHistory(tuple(steps), "lost")
        seen.add(version)
        traced = tracer.step(version, place)
        if traced.step.what:
            steps.append(traced.step)
        if isinstance(traced.before, str):
            return DefinitionHistory(tuple(steps), traced.before, place if traced.before == "created" else None)
        version, place = traced.before


def continued(
    graph: VersionGraph[C],
    history: DefinitionHistory[C],
    source: DefinitionSource,
    facts: Callable[[VersionId], VersionFacts],
) -> DefinitionHistory[C]:
    """The history of a definition that was not created by its first record, but moved there from a source."""
    *steps, first = history.steps
    moved = replace(first, what=("moved",), old_path=source.path)
    if source.version is None:
        return DefinitionHistory((*steps, moved), "unrecorded")
    name = _Tracer(graph, facts, ()).name_in(source.version, source.place.name)
    before = definition_history(graph, source.version, replace(source.place, name=name), facts)
    return replace(before, steps=(*steps, moved, *before.steps))


class _Traced(Struct, Generic[C], frozen=True):
    """A step, and where the definition was before it, or why that is not known."""

    step: DefinitionStep[C]
    before: tuple[VersionId, DefinitionPlace] | Beginning


class _Tracer(Generic[C]):
    def __init__(
        self, graph: VersionGraph[C], facts: Callable[[VersionId], VersionFacts], known: Iterable[str]
    ) -> None:
        self._graph, self._facts, self._known = graph, facts, sorted(known)

    def step(self, id_: VersionId, place: DefinitionPlace) -> _Traced[C]:
        """What a version did to the definition that stands at `place` in it."""
        version, base = self._graph.version(id_), self._graph.base(id_)
        step: DefinitionStep[C] = DefinitionStep(id_, place.name, (), _claimants(version, place.lines))
        if version.hunks is None:
            return _Traced(replace(step, what=("changed",)), "lost")
        moved = moved_lines_of(version.origins, place.lines)
        said = self._facts(id_).origin(place)
        if said is not None and (place.name_line not in moved or said.symbol != said.old_symbol):
            return self._as_recorded(step, place, said, version.hunks)
        carried = carried_back(sorted(place.lines), version.hunks)
        kept = {line: old for line, old in carried.items() if line not in moved}
        new = place.lines - kept.keys() - moved.keys()
        removed = removed_inside(version.hunks, place.lines)
        origin = moved.get(place.name_line)
        what: tuple[What, ...] = ("changed",) if new or removed else ()
        if origin is not None:
            return self._moved(step, place, moved, what, frozenset(kept.values()) | removed)
        if place.name_line not in new:
            old_path = self._facts(id_).old_path
            step = replace(step, what=(*_if_moved(old_path), *what), old_path=old_path)
            if base is None:
                return _Traced(step, "unrecorded")
            lines = frozenset(kept.values()) | removed | _same_file(moved.values())
            old = replace(
                place, name=self._facts(id_).former_name(place.name), lines=lines, name_line=kept[place.name_line]
            )
            return _Traced(step, (base, old))
        is_from_elsewhere = any(other.path is not None for other, _ in moved.values())
        return self._rewritten(step, place, _Lines(kept, removed, len(moved), is_from_elsewhere))

    def _as_recorded(
        self, step: DefinitionStep[C], place: DefinitionPlace, said: DefinitionOrigin, hunks: Sequence[Hunk]
    ) -> _Traced[C]:
        """The record says what the definition was before."""
        written = place.lines - carried_back(sorted(place.lines), hunks).keys()
        written -= moved_lines_of(self._graph.version(step.version).origins, place.lines).keys()
        removed = removed_inside(hunks, place.lines)
        if _last_name(said.symbol) != _last_name(said.old_symbol):
            # The old line with the name and the new one are the renaming, and nothing else.
            is_changed = bool(written - {place.name_line} or removed - {said.old_line})
            what: tuple[What, ...] = ("renamed", "changed") if is_changed else ("renamed",)
            step = replace(step, what=what, old_name=said.old_symbol)
        elif said.symbol != said.old_symbol:
            what = ("moved", "changed") if written or removed else ("moved",)
            step = replace(step, what=what, old_path=self._facts(step.version).path)
        else:
            step = replace(step, what=("changed",))
        base = self._graph.base(step.version)
        if base is None:
            return _Traced(step, "unrecorded")
        lines = frozenset(range(said.old_start_line, said.old_end_line + 1))
        return _Traced(step, (base, DefinitionPlace(said.old_symbol, lines, said.old_line, None)))

    def _moved(
        self,
        step: DefinitionStep[C],
        place: DefinitionPlace,
        moved: Mapping[int, tuple[Origin, int]],
        what: tuple[What, ...],
        stayed: frozenset[int],
    ) -> _Traced[C]:
        """The line with its name was moved or formatted; the old lines that `stayed` are those of the same file."""
        origin, old_line = moved[place.name_line]
        version = self._graph.version(step.version)
        source = self._graph.base(step.version) if origin.path is None else version.others.get(origin.path)
        is_formatted = origin.old_line_hashes is not None
        if is_formatted and origin.path is None:
            step = replace(step, what=("changed",))
        else:
            path = self._facts(step.version).path if source is None else self._facts(source).path
            step = replace(step, what=("moved", *what), old_path=path)
        if source is None:
            return _Traced(step, "unrecorded")
        lines = frozenset(old for other, old in moved.values() if other.path == origin.path)
        lines |= stayed if origin.path is None else frozenset()
        text = None if is_formatted else place.text
        name = self._facts(step.version).former_name(place.name) if origin.path is None else place.name
        name = self.name_in(source, name)
        return _Traced(step, (source, replace(place, name=name, lines=lines, name_line=old_line, text=text)))

    def name_in(self, id_: VersionId | None, name: str) -> str:
        """The name there of a definition that came from another place, where it may have stood in another class.

        Records name what they wrote: of `City.rain` and `Town.snow`, `Coast.snow` was `Town.snow`. Where several fit,
        or none, only its last name is known.
        """
        names: set[str] = set()
        for version in reversed(self._lineage(id_)):
            facts = self._facts(version)
            names.difference_update(one.old_symbol for one in facts.origins or ())
            names.update(facts.symbols)
        fitting = {one for one in names if _last_name(one) == _last_name(name)}
        return name if name in fitting else fitting.pop() if len(fitting) == 1 else _last_name(name)

    def _rewritten(self, step: DefinitionStep[C], place: DefinitionPlace, lines: _Lines) -> _Traced[C]:
        """The version wrote the line with its name."""
        version, base = self._graph.version(step.version), self._graph.base(step.version)
        hunks = version.hunks or ()
        index = next(i for i, hunk in enumerate(hunks) if place.name_line < hunk.new_start + hunk.new_lines)
        hunk = hunks[index]
        share = len(lines.kept) / max(1, len(place.lines) - 1)
        if hunk.old_lines == 0 or (not lines.kept and not lines.moved and not self._was_named(base, place.name)):
            is_new = 2 * (len(lines.kept) + lines.moved) <= len(place.lines) and not lines.is_from_elsewhere
            return _Traced(replace(step, what=("created" if is_new else "changed",)), "created" if is_new else "lost")
        step = replace(step, what=("changed",))
        if base is None:
            return _Traced(step, "unrecorded")
        if self._facts(step.version).origins is not None:
            return _Traced(step, "lost")
        before = frozenset(lines.kept.values()) | lines.removed
        first = sum(other.old_lines for other in hunks[:index])
        removed = self._facts(step.version).removed[first : first + hunk.old_lines]
        former = self._former(place, removed)
        if former is not None and share >= _MIN_KEPT_RENAMED:
            old_name, text, offset = former
            old_line = hunk.old_start + offset
            old = DefinitionPlace(old_name, before | {old_line}, old_line, text)
            is_more = lines.new_or_removed(place.lines) > 2  # the old line and the new one are the renaming
            what: tuple[What, ...] = ("renamed", "changed") if is_more else ("renamed",)
            return _Traced(replace(step, what=what, old_name=old_name), (base, old))
        if former is None and share >= _MIN_KEPT and hunk.old_lines == 1 and self._was_named(base, place.name):
            old = DefinitionPlace(place.name, before | {hunk.old_start}, hunk.old_start, None)
            return _Traced(step, (base, old))
        return _Traced(step, "lost")

    def _former(self, place: DefinitionPlace, removed: Sequence[bytes]) -> tuple[str, bytes, int] | None:
        """The one older name with which the line was among the removed ones, the line, and which it was."""
        if place.text is None:
            return None
        former: dict[bytes, tuple[str, bytes, int]] = {}
        for name in self._known:
            text = with_name(place.text, place.name, name)
            if text is not None and line_hash(text) in removed:
                former[text] = name, text, removed.index(line_hash(text))
        return next(iter(former.values())) if len(former) == 1 else None

    def _was_named(self, id_: VersionId | None, name: str) -> bool:
        """Whether a record named it so in this version or one before."""
        return any(name in self._facts(version).symbols for version in self._lineage(id_))

    def _lineage(self, id_: VersionId | None) -> list[VersionId]:
        """The version and those that it builds on, the newest first."""
        seen: dict[VersionId, None] = {}
        while id_ is not None and id_ not in seen:  # only a forged ledger goes in circles
            seen[id_] = None
            id_ = self._graph.base(id_)
        return list(seen)


class _Lines(Struct, frozen=True):
    """The lines of a definition that a version kept (new line: old line), removed, and the number that it moved.

    `is_from_elsewhere`: some of those were in another file.
    """

    kept: Mapping[int, int]
    removed: frozenset[int]
    moved: int
    is_from_elsewhere: bool

    def new_or_removed(self, lines: frozenset[int]) -> int:
        """How many lines differ between the two versions."""
        return len(lines) - len(self.kept) - self.moved + len(self.removed)


def _last_name(name: str) -> str:
    return name.rpartition(".")[2]


def _if_moved(old_path: str | None) -> tuple[What, ...]:
    return () if old_path is None else ("moved",)


def _same_file(moved: Iterable[tuple[Origin, int]]) -> frozenset[int]:
    return frozenset(old for origin, old in moved if origin.path is None)


def _claimants(version: FileVersion[C], lines: frozenset[int]) -> tuple[C, ...]:
    claimed = (
        claim.owner
        for claim in version.claims
        if any(claim.where.start_line <= line <= claim.where.end_line for line in lines)
    )
    return tuple(dict.fromkeys(claimed))

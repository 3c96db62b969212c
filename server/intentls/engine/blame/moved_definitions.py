"""Short definitions that one session took away in one place and wrote in another, in two edits.

Of a longer definition the lines prove where it is from (`two_edit_moves`). These have too few lines for that: one may
be equal by chance. But a definition has a name, and its whole text says more than each of its lines:

    before      a.py   def popitem(self):            b.py
                           self._readonly()
    INT-2       a.py                                 b.py   def popitem(self):
                                                                self._readonly()

The session wrote the text once and took it away once, and a line of it stands in no other file, so `popitem` of `b.py`
is that of `a.py`. If it did either twice, nobody can tell which is which: the definition stays one that was created.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.blame.definition_history import DefinitionHistory, DefinitionSource
from intentls.core.blame.version_graph import VersionId
from intentls.core.ledger.record_json import Record, text_of
from intentls.engine.blame.pasted_blocks import removed_lines
from intentls.engine.blame.record_history import Entry, Histories, LedgerReader, Owner, hunks_of
from intentls.engine.blame.unrecorded_moves import LineSearch, removed_by

_MAX_LINES = 8  # of a short definition
_MAX_ENTRIES = 16  # that have one of its lines: of what is written so often nobody can tell where it went


class _BlockChange(Struct, frozen=True):
    """The places of a block, by its first line, before and after a version of a file."""

    version: VersionId
    before: Sequence[int]
    after: Sequence[int]


class ShortDefinitions:
    """Finds where short definitions came from. `history` has all that was read so far."""

    def __init__(self, ledger: LedgerReader, search: LineSearch, history: Histories) -> None:
        self._ledger, self._search, self.history = ledger, search, history

    def source(self, traced: DefinitionHistory[Owner]) -> DefinitionSource | None:
        """Where the definition came from that the first record of a history created; None if nothing tells."""
        place = traced.place
        if traced.beginning != "created" or place is None:
            return None
        version = traced.steps[-1].version
        first, last = min(place.lines), max(place.lines)
        block = self._lines(version)[first - 1 : last] if last - first < _MAX_LINES else []
        if len(block) <= last - first or None in block:
            return None
        changes = self._changes(version, block)
        graph = self.history.graph
        gone = [one for one in changes if one.before and not one.after and not graph.depends_on(one.version, version)]
        if len(gone) != 1 or len(gone[0].before) != 1:
            return None
        left, shift = gone[0].version, gone[0].before[0] - first
        # What it was removed from may have got it from the same session.
        came = [one for one in changes if one.after and not one.before and not graph.depends_on(left, one.version)]
        if [(one.version, len(one.after)) for one in came] != [(version, 1)]:
            return None
        moved = replace(place, lines=frozenset(line + shift for line in place.lines), name_line=place.name_line + shift)
        return DefinitionSource(self.history.paths[left[0]], graph.base(left), moved)

    def _changes(self, version: VersionId, block: Sequence[bytes | None]) -> list[_BlockChange]:
        """What the session that made a version did with a block; [] where that can't be told."""
        made = self.history.entry_of(version)
        if made is None:
            return []
        found = (self._search.entries_with(hash_) for hash_ in dict.fromkeys(block) if hash_ is not None)
        known = (entries for entries in found if len(entries) <= _MAX_ENTRIES)
        own = next(filter(None, (_alone(entries, _who(made[0])) for entries in known)), [])
        self.history = self._ledger.read(self.history, dict.fromkeys(path for _, path in own))
        changes: list[_BlockChange] = []
        for record, path in own:
            id_ = self.history.find(path, record) if path in self.history.paths else None
            if id_ is None:
                return []
            changes.append(_BlockChange(id_, self._places_before(id_, block), _places(block, self._lines(id_))))
        return changes

    def _lines(self, version: VersionId) -> list[bytes | None]:
        """The hashes of its lines, as far as they are known."""
        built = self.history.graph.build((version,)).get(version)
        return [] if built is None else [hash_ for _, hash_, _ in built.lines]

    def _places_before(self, version: VersionId, block: Sequence[bytes | None]) -> list[int]:
        """Where the block stood in the content that a version builds on; if no record left it, in what was removed."""
        base = self.history.graph.base(version)
        if base is not None:
            return _places(block, self._lines(base))
        recorded = self.history.entry_of(version)
        lines = None if recorded is None else removed_lines(hunks_of(recorded[1]) or (), removed_by(recorded[1]))
        return [] if lines is None else [lines[0][start - 1] for start in _places(block, lines[1])]


def _alone(entries: Sequence[Entry], who: tuple[str | None, str | None]) -> list[tuple[Record, str]]:
    """Those of one session, with their files; [] if a line stands in other files too, where it may be from as well."""
    own = [(record, str(entry["path"])) for record, entry in entries if _who(record) == who]
    paths = {path for _, path in own}
    return own if all(entry["path"] in paths for _, entry in entries) else []


def _who(record: Record) -> tuple[str | None, str | None]:
    return text_of(record, "intent_id"), text_of(record, "session_id")


def _places(block: Sequence[bytes | None], lines: Sequence[bytes | None]) -> list[int]:
    """The lines, from 1, at which a block begins."""
    starts = range(len(lines) - len(block) + 1)
    return [start + 1 for start in starts if list(lines[start : start + len(block)]) == list(block)]

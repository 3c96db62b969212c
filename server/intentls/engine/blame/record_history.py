"""What the ledger says of a file and of the files that its lines came from, read for `core.blame`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from intentls.core.blame.version_graph import AuthoredRange, FileVersion, Node, VersionGraph
from intentls.core.hashing import PREFIX, content_hash
from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.origin import MAX_ORIGINS, Origin, read_origin
from intentls.core.text.lines import Hunk
from intentls.core.untrusted_json import Record, files_of, is_imported, objects, text_of
from intentls.engine.ledger.queries import Progress
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_search.query import RecordQuery

Owner = tuple[int, int]
"""Who wrote a line, by number: (entry, conversation). Numbers compare cheaply, and equal ones are one range."""

MADE = "\0"
"""What the name of an origin's file begins with if no record names it."""

_MOST_FILES = 24  # that a file's lines are followed to


class Histories:
    """The entries of some files: `entries` by number, and the versions of each file as one of `lineages`.

    `rewritten` are contents whose lines somebody moved or formatted unseen.
    """

    def __init__(self, workspace: Workspace, path: str, progress: Progress) -> None:
        self.workspace = workspace
        self.entries: list[tuple[Record, Record]] = []
        self.lineages: list[list[FileVersion[Owner]]] = []
        self.foreign: list[AuthoredRange[Owner]] = []
        self.paths: list[str] = []
        self.rewritten: list[bytes] = []
        self._progress = progress
        self._places: dict[int, Node] = {}
        self._numbers: list[list[int]] = []  # by lineage and place, the number of the entry
        self.add(path)

    def add(self, path: str) -> int | None:
        """The number of a file's lineage, which is read if it is not known; None if there are too many."""
        if path in self.paths:
            return self.paths.index(path)
        if len(self.paths) == _MOST_FILES:
            return None
        lineage: list[FileVersion[Owner]] = []
        numbers: list[int] = []
        for record, file in _entries(self.workspace, path, self._progress):
            number = len(self.entries)
            self.entries.append((record, file))
            if not is_imported(record):
                self._places[number] = (len(self.paths), len(lineage))
                lineage.append(version_of(number, file, origins=True))
                numbers.append(number)
            elif not self.paths:  # another program's word: it says nothing of what the file held before or after
                claims = _claims(number, file)
                self.foreign += (claim for claim in claims if claim.where.content_hash.startswith(PREFIX))
        self.paths.append(path)
        self.lineages.append(lineage)
        self._numbers.append(numbers)
        return len(self.paths) - 1

    def find(self, path: str, record: Record) -> Node | None:
        """Where the version stands that a record made of a file."""
        if path not in self.paths:
            return None
        number = self.paths.index(path)
        for place, entry in enumerate(self._numbers[number]):
            if self.entries[entry][0].get("id") == record.get("id") and self.entries[entry][1].get("path") == path:
                return number, place
        return None

    def place(self, entry: int) -> Node | None:
        """Where an entry's version stands; None for another program's word, which has none."""
        return self._places.get(entry)

    def add_made(self, versions: list[FileVersion[Owner]]) -> None:
        """Take in versions that no record tells of."""
        self.paths.append("")
        self.lineages.append(versions)
        self._numbers.append([])

    def settle(self) -> None:
        """Read the files that origins lead to, and say from which of their versions the lines came."""
        at = 0
        while at < len(self._numbers):
            for path in sorted({name for version in self.lineages[at] for name in _unsettled(version)}):
                self.add(path)
            at += 1
        images = VersionGraph(self.lineages)
        for number, numbers in enumerate(self._numbers):
            for place, entry in enumerate(numbers):
                version = self.lineages[number][place]
                found = {name: self._source(images, name, self.entries[entry][0]) for name in _unsettled(version)}
                others = {name: node for name, node in found.items() if node is not None}
                if others:
                    self.lineages[number][place] = replace(version, others={**version.others, **others})

    def _source(self, images: VersionGraph[Owner], path: str, record: Record) -> Node | None:
        """The version of `path` that `record` found."""
        node = self.find(path, record)
        return None if node is None else images.base(node)


def _unsettled(version: FileVersion[Owner]) -> set[str]:
    names = {origin.path for origin in version.origins if origin.path is not None and origin.path[:1] != MADE}
    return names - version.others.keys()


def _entries(workspace: Workspace, path: str, progress: Progress) -> list[tuple[Record, Record]]:
    """(record, its entry of this file), oldest first, followed back through renames.

    A rename has both names, so from there on the other one is looked for.
    """
    found: list[tuple[Record, Record]] = []
    name: str | None = path
    renamed: Record | None = None
    while name is not None:
        wanted, name = name, None
        for record in workspace.ledger.search(RecordQuery(path=wanted), progress):
            if renamed is not None:
                renamed = None if record == renamed else renamed
                continue
            before = _collect(record, wanted, found)
            if before != wanted:
                name, renamed = before, record
                break
    return found[::-1]


def _collect(record: Record, name: str, found: list[tuple[Record, Record]]) -> str:
    """Add the record's entries of the file, unless it failed; the name that the file had before it."""
    imported = is_imported(record)
    for file in files_of(record) if imported or record.get("success") is True else ():
        if file.get("path") == name:
            found.append((record, file))
            name = name if imported else text_of(file, "old_path") or name
    return name


def version_of(number: int, file: Record, *, origins: bool = False) -> FileVersion[Owner]:
    """What entry `number` says of its file; an owner is that number and a conversation's.

    With `origins`, lines that were only moved or formatted stay with whoever wrote them; without, they are those of
    the record that changed them last.
    """
    return FileVersion(
        pre_hash=text_of(file, "pre_hash"),
        post_hash=text_of(file, "post_hash"),
        hunks=hunks_of(file),
        claims=tuple(_claims(number, file)),
        origins=tuple(_origins(file)) if origins else (),
    )


def _origins(file: Record) -> Iterable[Origin]:
    entries = objects(file.get("origins"))[:MAX_ORIGINS]
    return (origin for entry in entries if (origin := read_origin(entry)) is not None)


def hunks_of(file: Record) -> tuple[Hunk, ...] | None:
    """What changed, line by line; None where the entry does not tell it."""
    given: Any = file.get("hunks")
    if given is None and _is_unchanged(file):
        return ()  # a rename, or an empty file made: there was nothing to tell
    if not isinstance(given, list):
        return None
    if not all(isinstance(hunk, list) and len(hunk) == 4 and all(isinstance(n, int) for n in hunk) for hunk in given):
        return None
    return tuple(Hunk(*hunk) for hunk in given)


def _is_unchanged(file: Record) -> bool:
    before, after = file.get("pre_hash"), file.get("post_hash")
    return before == after or (before is None and after == content_hash(b""))


def _claims(number: int, file: Record) -> Iterator[AuthoredRange[Owner]]:
    lines = iter(line_hashes_of(file))
    for index, conversation in enumerate(objects(file.get("conversations"))):
        for where in objects(conversation.get("ranges")):
            start, end, hash_ = where.get("start_line"), where.get("end_line"), where.get("content_hash")
            hashes = next(lines, None)
            if isinstance(start, int) and isinstance(end, int) and isinstance(hash_, str) and 1 <= start <= end:
                yield AuthoredRange((number, index), LineRange(start, end, hash_, hashes))


def line_hashes_of(file: Record) -> list[str | None]:
    """The hashes of the lines of each range, in the order of the ranges; [] where the entry does not tell them."""
    given = file.get("line_hashes")
    return [each if isinstance(each, str) else None for each in given] if isinstance(given, list) else []

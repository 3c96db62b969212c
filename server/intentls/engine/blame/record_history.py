"""What the ledger says of a file, and of the files that its lines came from."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from intentls.core.blame.line_owners import BlameHistory, blame
from intentls.core.blame.version_graph import AuthoredRange, FileVersion, KeptOwners, VersionGraph, VersionId
from intentls.core.hashing import PREFIX, content_hash
from intentls.core.ledger.line_range import MAX_ORIGINS, LineRange, read_origin
from intentls.core.ledger.packed_lines import unpack_hunks, unpack_line_hashes
from intentls.core.ledger.record_json import (
    FileJson,
    Record,
    files_of,
    is_evidence_of_content,
    is_imported,
    objects,
    text_of,
)
from intentls.core.text.lines import Hunk
from intentls.engine.blame.searches import Searches
from intentls.store.ledger_search.query import RecordQuery

if TYPE_CHECKING:
    from intentls.engine.workspace.progress import Progress
    from intentls.engine.workspace.workspace import Workspace

Owner = tuple[int, int]
"""Who wrote a line, by number: (entry, conversation). Numbers compare cheaply, and equal ones are one range."""

Entry = tuple[Record, FileJson]
"""A record, and what it says of one file."""

SYNTHETIC_PREFIX = "\0"
"""What the name of an origin's file begins with if blame inferred the origin: no record names it."""

_MAX_FILES = 24  # that a file's lines are followed to
_MAX_KEPT = 16  # files whose histories are remembered


class Histories(BlameHistory[Owner], frozen=True, dict=True):
    """The histories of some files, with the ledger's entries that they were read from.

    `paths` are the names of the graph's files, the blamed one first; "" is a history that no record tells.
    `recorded` has, by file and place, the number in `entries` of what each version was read from. `rewritten` are
    contents whose lines were moved or formatted without a record.
    """

    paths: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    recorded: tuple[tuple[int, ...], ...] = ()
    rewritten: tuple[bytes, ...] = ()

    @cached_property
    def _versions(self) -> Mapping[int, VersionId]:
        return {
            entry: (file, place) for file, entries in enumerate(self.recorded) for place, entry in enumerate(entries)
        }

    def version(self, entry: int) -> VersionId | None:
        """The version that an entry was read as; None for an imported one or an attestation, which are none."""
        return self._versions.get(entry)

    def entry_of(self, version: VersionId) -> Entry | None:
        """The entry that a version was read from; None for one that no record left."""
        file, place = version
        numbers = self.recorded[file]
        return self.entries[numbers[place]] if place < len(numbers) else None

    def find(self, path: str, record: Record) -> VersionId | None:
        """The version that a record left of a file."""
        file = self.paths.index(path)
        for place, number in enumerate(self.recorded[file]):
            other, entry = self.entries[number]
            if other.get("id") == record.get("id") and entry.get("path") == path:
                return file, place
        return None

    def with_versions(self, versions: Mapping[VersionId, FileVersion[Owner]]) -> Histories:
        """With these versions replaced."""
        return replace(self, graph=self.graph.with_versions(versions)) if versions else self

    def add_inferred(self, versions: Sequence[FileVersion[Owner]]) -> Histories:
        """With a history that no record tells, as the last file."""
        return self._add("", versions)

    def add_read(self, path: str, entries: Sequence[Entry], known: KeptHistory | None = None) -> Histories:
        """With the history of a file, read from its entries, oldest first. `known` may have read some before."""
        read = read_version if known is None else known.version
        versions: list[FileVersion[Owner]] = []
        numbers: list[int] = []
        claims: list[AuthoredRange[Owner]] = []
        for number, (record, file) in enumerate(entries, start=len(self.entries)):
            if is_evidence_of_content(record):
                versions.append(read(number, file))
                numbers.append(number)
            elif not self.paths:  # the others say nothing of what the file held before or after
                claims += (claim for claim in _claims(number, file) if claim.where.content_hash.startswith(PREFIX))
        added = replace(self, entries=(*self.entries, *entries), imported_claims=(*self.imported_claims, *claims))
        return added._add(path, versions, numbers)

    def _add(self, path: str, versions: Sequence[FileVersion[Owner]], numbers: Sequence[int] = ()) -> Histories:
        return replace(
            self,
            graph=self.graph.with_file(versions),
            paths=(*self.paths, path),
            recorded=(*self.recorded, tuple(numbers)),
        )

    def unresolved(self, file: int) -> list[str]:
        """The other files that the origins of a file's versions name, and of which no version is known yet."""
        return sorted({name for version in self.graph.files[file] for name in _unresolved(version)})

    def resolve_origins(self) -> Histories:
        """With the versions of other files that origins lead to: those that the same record found there."""
        resolved: dict[VersionId, FileVersion[Owner]] = {}
        for file, numbers in enumerate(self.recorded):
            for place, number in enumerate(numbers):
                version = self.graph.files[file][place]
                sources = {name: self._source(name, self.entries[number][0]) for name in _unresolved(version)}
                others = {name: source for name, source in sources.items() if source is not None}
                if others:
                    resolved[file, place] = replace(version, others={**version.others, **others})
        return self.with_versions(resolved)

    def _source(self, path: str, record: Record) -> VersionId | None:
        version = self.find(path, record) if path in self.paths else None
        return None if version is None else self.graph.base(version)


class KeptHistory:
    """What was made of a file's entries, for the next blame of the file: only what came since is read then."""

    def __init__(self) -> None:
        self.owners: KeptOwners[Owner] = KeptOwners()
        self._versions: dict[int, tuple[FileJson, FileVersion[Owner]]] = {}

    def version(self, number: int, file: FileJson) -> FileVersion[Owner]:
        """What entry `number` says; the very same object as before if it is the very same entry."""
        known = self._versions.get(number)
        if known is None or known[0] is not file:
            known = self._versions[number] = file, read_version(number, file)
        return known[1]


class KeptHistories:
    """Those of the files of one root that were blamed last. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: OrderedDict[str, KeptHistory] = OrderedDict()

    @classmethod
    def of(cls, workspace: Workspace) -> KeptHistories:
        """Those of this root."""
        return workspace.part("blame", cls)

    def file(self, path: str) -> KeptHistory:
        """That of a file."""
        with self._lock:
            kept = self._files.setdefault(path, KeptHistory())
            self._files.move_to_end(path)
            while len(self._files) > _MAX_KEPT:
                self._files.popitem(last=False)
            return kept


def _unresolved(version: FileVersion[Owner]) -> set[str]:
    if not version.origins:
        return set()
    names = {origin.path for origin in version.origins if origin.path is not None}
    return {name for name in names - version.others.keys() if not name.startswith(SYNTHETIC_PREFIX)}


class LedgerReader:
    """Adds to a history what the ledger says of more files. It reads the ledger once for each file and former name."""

    def __init__(self, workspace: Workspace, progress: Progress, searches: Searches | None = None) -> None:
        self._workspace, self._progress = workspace, progress
        self._searches = Searches(workspace) if searches is None else searches
        self.names: dict[str, None] = {}  # that were searched for

    def read(self, history: Histories, paths: Iterable[str]) -> Histories:
        """The history with these files, and with those that their origins lead to; no more than 24 in all."""
        for path in paths:
            history = self._read(history, path)
        file = 0
        while file < len(history.paths):
            for path in history.unresolved(file):
                history = self._read(history, path)
            file += 1
        return history.resolve_origins()

    def _read(self, history: Histories, path: str) -> Histories:
        if path in history.paths or len(history.paths) == _MAX_FILES:
            return history
        kept = None if history.paths else KeptHistories.of(self._workspace).file(path)
        if kept is not None:  # the blamed file
            history = replace(history, graph=VersionGraph((), kept.owners))
        return history.add_read(path, self._entries(path), kept)

    def _entries(self, path: str) -> list[Entry]:
        """A file's entries, oldest first, followed back through renames.

        A rename has both names: the search for the former one begins anew, and passes over all up to that record.
        """
        entries: list[Entry] = []
        former: str | None = path
        renaming: Record | None = None
        while former is not None:
            name, former = former, None
            self.names[name] = None
            for record in self._searches.newest(RecordQuery(path=name), progress=self._progress):
                if renaming is not None:
                    renaming = None if record == renaming else renaming
                    continue
                before = _collect(record, name, entries)
                if before != name:
                    former, renaming = before, record
                    break
        return entries[::-1]


def _collect(record: Record, name: str, entries: list[Entry]) -> str:
    """Add the record's entries of the file, unless the record is a refusal; the name that the file had before it."""
    imported = is_imported(record)
    for file in files_of(record) if imported or record.get("success") is True else ():
        if file.get("path") == name:
            entries.append((record, file))
            name = name if imported else text_of(file, "old_path") or name
    return name


def last_changes(files: Sequence[FileJson], content: bytes) -> list[int | None]:
    """By line of a content, the number of the file entry (oldest first) that changed it last.

    Lines that were only moved or formatted count as changed: it is the change that is asked for, not the author.
    """
    return [None if owner is None else owner[0] for owner in last_owners(files, content)]


def last_owners(files: Sequence[FileJson], content: bytes) -> list[Owner | None]:
    """The same, with the number of the conversation that has the line."""
    versions = [replace(read_version(number, file), origins=()) for number, file in enumerate(files)]
    return blame(BlameHistory(VersionGraph([versions])), content).owners


def read_version(number: int, file: FileJson) -> FileVersion[Owner]:
    """What entry `number` says of its file; an owner is that number and a conversation's."""
    origins = (read_origin(entry) for entry in objects(file.get("origins"))[:MAX_ORIGINS])
    return FileVersion(
        pre_hash=text_of(file, "pre_hash"),
        post_hash=text_of(file, "post_hash"),
        hunks=hunks_of(file),
        claims=tuple(_claims(number, file)),
        origins=tuple(origin for origin in origins if origin is not None),
    )


def hunks_of(file: FileJson) -> tuple[Hunk, ...] | None:
    """What changed, line by line; None where the entry does not have it."""
    value: Any = file.get("hunks")
    if value is None:
        before, after = file.get("pre_hash"), file.get("post_hash")
        # A rename, or a new empty file, changes no line.
        return () if before == after or (before is None and after == content_hash(b"")) else None
    return unpack_hunks(value)


def _claims(number: int, file: FileJson) -> Iterator[AuthoredRange[Owner]]:
    """The ranges of all conversations; the hashes of their lines stand beside them, in the same order."""
    lines = iter(unpack_line_hashes(file))
    for index, conversation in enumerate(objects(file.get("conversations"))):
        for where in objects(conversation.get("ranges")):
            start, end, hash_ = where.get("start_line"), where.get("end_line"), where.get("content_hash")
            hashes = next(lines, None)
            if isinstance(start, int) and isinstance(end, int) and isinstance(hash_, str) and 1 <= start <= end:
                yield AuthoredRange((number, index), LineRange(start, end, hash_, hashes))

"""Which intent wrote each line of a file: the ledger's entries of the file, replayed over its content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from intentls.core.blame import Claim, FileVersion, blame
from intentls.core.errors import InvalidArgument
from intentls.core.foreign import is_imported, objects, text_of
from intentls.core.hashing import PREFIX, content_hash
from intentls.core.text import Hunk, LineRange
from intentls.engine.engine import Engine
from intentls.engine.explain import Progress, Record, files_of, needle, no_progress
from intentls.engine.workspace import Workspace

# An owner, by number: (entry, conversation). Numbers compare cheaply, and equal ones are one range.
_Owner = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BlameRange:
    """Consecutive lines (from 1, both ends included) that one conversation of one record wrote.

    `record` and `conversation` are None for lines that nobody recorded.
    """

    start_line: int
    end_line: int
    record: Record | None = None
    conversation: Record | None = None


def blame_file(
    workspace: Workspace, path: str, line: int | None = None, progress: Progress = no_progress
) -> list[BlameRange]:
    """Every line's record, or that of `line` alone. Raises InvalidPath if `path` is no regular file.

    `progress` is as for `explain.query`.
    """
    ranges = blame_content(workspace, path, workspace.contents.read(path).data or b"", progress)
    return [found for found in ranges if line is None or found.start_line <= line <= found.end_line]


def blame_content(
    workspace: Workspace, path: str, content: bytes, progress: Progress = no_progress
) -> list[BlameRange]:
    """The record of every line of `content`, which is what `path` holds, or held. `progress` is as above."""
    entries = _entries(workspace, path, progress)
    versions: list[FileVersion[_Owner]] = []
    foreign: list[Claim[_Owner]] = []
    for number, (record, file) in enumerate(entries):
        if is_imported(record):  # another program's word: it says nothing of what the file held before or after
            foreign += (claim for claim in _claims(number, file) if claim.where.content_hash.startswith(PREFIX))
        else:
            versions.append(version_of(number, file))
    owners = blame(versions, content, foreign)
    return list(_ranges(entries, owners))


def blame_at(
    engine: Engine, session_id: str, path: str, line: int | None, progress: Progress = no_progress
) -> tuple[str, list[BlameRange]]:
    """The root-relative path that `path` means for this session, and its blame. `progress` is as above.

    Raises InvalidArgument where no root governs it, or there is no such file or line.
    """
    venue = engine.venue((path,), session_id)
    below = venue.places[path].below(venue.workspace.root) if venue.workspace is not None else None
    if venue.workspace is None or below is None:
        raise InvalidArgument("path", f"{path} lies in no governed workspace, so nothing is on record")
    if venue.workspace.contents.read(below).data is None:
        raise InvalidArgument("path", f"{below} does not exist")
    ranges = blame_file(venue.workspace, below, line, progress)
    if line is not None and not ranges:
        raise InvalidArgument("line", f"{below} has no line {line}")
    return below, ranges


def _entries(workspace: Workspace, path: str, progress: Progress) -> list[tuple[Record, Record]]:
    """(record, its entry of this file), oldest first, followed back through renames.

    Only lines of the ledger with the file's name in them are parsed; a rename has both names, so from there on the
    other one is looked for.
    """
    found: list[tuple[Record, Record]] = []
    name: str | None = path
    renamed: Record | None = None
    while name is not None:
        wanted, name = name, None
        for record in workspace.ledger.newest_first(needle(wanted.rpartition("/")[2]), progress):
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


def version_of(number: int, file: Record) -> FileVersion[_Owner]:
    """What entry `number` says of its file, for `core.blame`; an owner is that number and a conversation's."""
    return FileVersion(
        pre_hash=text_of(file, "pre_hash"),
        post_hash=text_of(file, "post_hash"),
        hunks=_hunks(file),
        claims=tuple(_claims(number, file)),
    )


def _hunks(file: Record) -> tuple[Hunk, ...] | None:
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


def _claims(number: int, file: Record) -> Iterator[Claim[_Owner]]:
    for index, conversation in enumerate(objects(file.get("conversations"))):
        for where in objects(conversation.get("ranges")):
            start, end, hash_ = where.get("start_line"), where.get("end_line"), where.get("content_hash")
            if isinstance(start, int) and isinstance(end, int) and isinstance(hash_, str) and 1 <= start <= end:
                yield Claim((number, index), LineRange(start, end, hash_))


def _ranges(entries: Sequence[tuple[Record, Record]], owners: Sequence[_Owner | None]) -> Iterator[BlameRange]:
    for owner, lines in groupby(enumerate(owners, start=1), key=lambda line: line[1]):
        numbers = [number for number, _ in lines]
        if owner is None:
            yield BlameRange(numbers[0], numbers[-1])
            continue
        record, file = entries[owner[0]]
        yield BlameRange(numbers[0], numbers[-1], record, objects(file["conversations"])[owner[1]])

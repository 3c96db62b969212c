"""Which intent wrote each line of a file: one loop over the sources of blame, around a pure function of their history.

`core.blame` says who wrote each line, from a history and a content. Where that leaves something open, each source in
turn is asked for more history; whatever one adds is judged again, until none has more:

1. the ledger: the records of the file, and of the files that their lines came from (this is where the loop begins);
2. git (`git_history`): versions that no record left, if the content or a record builds on one;
3. other files (`unrecorded_moves`): they may have lost lines, without a record, that have no owner yet;
4. cut and paste (`two_edit_moves`): blocks that were moved by two edits, and look as if the second one wrote them.

    ledger   1  Ada writes a.py: `first_line() second_line() third_line() fourth_line()`
             2  Ben changes its line 2 to `other_line()`
    without  a.py is renamed to b.py, where `fifth_line()` is appended
    record

    blame b.py      what is added to the history              owners of its five lines
    the ledger      b.py, of which there is no record         None None None None None
    git             nothing, it has no version of b.py
    other files     a.py, which wrote `fourth_line()`
    other files     a.py may be searched, and lost its lines  Ada Ben Ada Ada None
    other files     nothing: `fifth_line()` is nowhere else
    cut and paste   nothing: no record pasted these lines

Line 5 is shown as unrecorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.blame.line_owners import Blame, blame
from intentls.core.blame.version_graph import VersionGraph
from intentls.core.errors import InvalidArgument
from intentls.core.ledger.record_json import Record, objects
from intentls.engine.blame.git_history import GitVersions
from intentls.engine.blame.kept_blame import KeptBlames
from intentls.engine.blame.record_history import Entry, Histories, LedgerReader, Owner
from intentls.engine.blame.searches import BatchedSearches, Unanswered
from intentls.engine.blame.two_edit_moves import CutAndPaste
from intentls.engine.blame.unrecorded_moves import LineSearch, OtherFiles
from intentls.engine.ledger.settled_classes import settled
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger_search.query import RecordQuery

MAX_SINGLE = 16
"""Files: to search the ledger for each of so many costs no more than to read all of it for them together."""


class OwnedRange(Struct, frozen=True):
    """Consecutive lines (from 1, both ends included) that one conversation of one record wrote.

    `record` and `conversation` are None for lines that no record covers.
    """

    start_line: int
    end_line: int
    record: Record | None = None
    conversation: Record | None = None


def blame_content(
    workspace: Workspace, path: str, content: bytes, progress: Progress = no_progress
) -> list[OwnedRange]:
    """The record of every line of `content`, which is what root-relative `path` holds, or held.

    `progress` is called while the ledger is searched, and may raise to end it. Raises LedgerUnavailable.
    """
    known = _recall(workspace, path, content, progress)
    return compute_blame(workspace, path, content, progress) if known is None else known


def blame_files(workspace: Workspace, contents: Mapping[str, bytes]) -> dict[str, list[OwnedRange]]:
    """The same for what many files hold, by path. Raises LedgerUnavailable.

    The ledger is read a few times for all of them, not some times for each. What is computed is not kept.
    """
    blamed: dict[str, list[OwnedRange]] = {}
    for path, content in contents.items():
        known = _recall(workspace, path, content, no_progress)
        if known is not None:
            blamed[path] = known
    searches, pending = BatchedSearches(workspace), [path for path in contents if path not in blamed]
    with suppress(Unanswered):
        searches.expect(RecordQuery(path=path) for path in pending)
    while len(pending) > MAX_SINGLE and searches.read():
        unanswered = []
        for path in pending:
            ledger = LedgerReader(workspace, no_progress, searches)
            search = LineSearch(workspace, searches=searches)
            try:
                history, result = search_sources(workspace, path, contents[path], ledger, search)
            except Unanswered:
                unanswered.append(path)
            else:
                blamed[path] = list(ranges_of(history.entries, result.owners))
        pending = unanswered
    return blamed | {path: compute_blame(workspace, path, contents[path]) for path in pending}


def _recall(workspace: Workspace, path: str, content: bytes, progress: Progress) -> list[OwnedRange] | None:
    known = KeptBlames.of(workspace).answer(workspace, path, content, progress)
    return None if known is None else list(ranges_of(known.entries, known.owners))


def compute_blame(
    workspace: Workspace, path: str, content: bytes, progress: Progress = no_progress
) -> list[OwnedRange]:
    """The same, computed from the ledger, git and other files, and kept for `blame_content` if that may be."""
    mark = workspace.ledger.mark()
    ledger, search = LedgerReader(workspace, progress), LineSearch(workspace)
    history, result = search_sources(workspace, path, content, ledger, search)
    KeptBlames.of(workspace).keep(workspace, mark, ledger, search, result, history)
    return list(ranges_of(history.entries, result.owners))


def search_sources(
    workspace: Workspace, path: str, content: bytes, ledger: LedgerReader, search: LineSearch
) -> tuple[Histories, Blame[Owner]]:
    """The history that all sources together make, and the owners by it. Raises LedgerUnavailable."""
    sources = (GitVersions(workspace, ledger), OtherFiles(ledger, search), CutAndPaste(ledger, search))
    history, result = ledger.read(Histories(VersionGraph()), (path,)), None
    while True:
        result = blame(history, content, result)
        for source in sources:
            extended = source.extend(history, result)
            if extended is not None:
                history = extended
                break
        else:
            return history, result


def blame_at(
    engine: Engine, session_id: str, path: str, line: int | None, progress: Progress = no_progress
) -> tuple[str, list[OwnedRange]]:
    """The root-relative path that `path` means for this session, and every line's record, or that of `line` alone.

    The records have their settled classes.

    `progress` is as above. Raises InvalidArgument where no root governs the path, or there is no such file or line.
    """
    workspace, below, content = content_at(engine, session_id, path)
    ranges = list(shown(workspace, blame_content(workspace, below, content, progress)))
    if line is not None:
        ranges = [part for part in ranges if part.start_line <= line <= part.end_line]
        if not ranges:
            raise InvalidArgument("line", f"{below} has no line {line}")
    return below, ranges


def shown(workspace: Workspace, ranges: Iterable[OwnedRange]) -> Iterator[OwnedRange]:
    """The ranges with the settled classes of their records. Raises LedgerUnavailable."""
    parts = list(ranges)
    records = settled(workspace, [part.record for part in parts if part.record is not None])
    for part in parts:
        yield part if part.record is None else replace(part, record=next(records))


def content_at(engine: Engine, session_id: str, path: str) -> tuple[Workspace, str, bytes]:
    """The workspace that governs the file `path` means for this session, its root-relative path, and what it holds.

    Raises InvalidArgument where no root governs the path, or there is no such file.
    """
    governing = engine.resolve((path,), session_id)
    if governing.workspace is None or not governing.paths:
        raise InvalidArgument("path", f"{path} lies in no governed workspace, so nothing is on record")
    (below,) = governing.paths
    content = governing.workspace.contents.read(below).data
    if content is None:
        raise InvalidArgument("path", f"{below} does not exist")
    return governing.workspace, below, content


def ranges_of(entries: Sequence[Entry], owners: Sequence[Owner | None]) -> Iterator[OwnedRange]:
    """Runs of lines with one owner, in order."""
    for owner, lines in groupby(enumerate(owners, start=1), key=lambda line: line[1]):
        numbers = [number for number, _ in lines]
        if owner is None:
            yield OwnedRange(numbers[0], numbers[-1])
            continue
        record, file = entries[owner[0]]
        yield OwnedRange(numbers[0], numbers[-1], record, objects(file["conversations"])[owner[1]])

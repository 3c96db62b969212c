"""Which intent wrote each line of a file: from the ledger and its content, and from git where that tells more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from intentls.core.blame.line_owners import blame_within
from intentls.core.errors import InvalidArgument
from intentls.core.untrusted_json import objects
from intentls.engine.blame.git_history import bridge
from intentls.engine.blame.line_lookup import LineSearch
from intentls.engine.blame.record_history import Histories, Owner
from intentls.engine.blame.two_edit_moves import follow_moves
from intentls.engine.blame.unrecorded_moves import fill_from_elsewhere
from intentls.engine.ledger.queries import Progress, Record, no_progress
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.workspace import Workspace

_MOST_MOVES = 8  # of one block, one after the other


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
    book = Histories(workspace, path, progress)
    book.settle()
    found = blame_within(book.lineages, content, book.foreign)
    if not found.is_exact and bridge(book, content):
        found = blame_within(book.lineages, content, book.foreign)
    wanted = LineSearch(workspace)
    fill_from_elsewhere(book, wanted, content, found.owned)
    for _ in range(_MOST_MOVES):
        if not follow_moves(book, wanted, content, found.owned.owners):
            break
        found = blame_within(book.lineages, content, book.foreign)
        fill_from_elsewhere(book, wanted, content, found.owned)
    return list(_ranges(book.entries, found.owned.owners))


def blame_at(
    engine: Engine, session_id: str, path: str, line: int | None, progress: Progress = no_progress
) -> tuple[str, list[BlameRange]]:
    """The root-relative path that `path` means for this session, and its blame. `progress` is as above.

    Raises InvalidArgument where no root governs it, or there is no such file or line.
    """
    governing = engine.resolve((path,), session_id)
    if governing.workspace is None or not governing.paths:
        raise InvalidArgument("path", f"{path} lies in no governed workspace, so nothing is on record")
    (below,) = governing.paths
    if governing.workspace.contents.read(below).data is None:
        raise InvalidArgument("path", f"{below} does not exist")
    ranges = blame_file(governing.workspace, below, line, progress)
    if line is not None and not ranges:
        raise InvalidArgument("line", f"{below} has no line {line}")
    return below, ranges


def _ranges(entries: Sequence[tuple[Record, Record]], owners: Sequence[Owner | None]) -> Iterator[BlameRange]:
    for owner, lines in groupby(enumerate(owners, start=1), key=lambda line: line[1]):
        numbers = [number for number, _ in lines]
        if owner is None:
            yield BlameRange(numbers[0], numbers[-1])
            continue
        record, file = entries[owner[0]]
        yield BlameRange(numbers[0], numbers[-1], record, objects(file["conversations"])[owner[1]])

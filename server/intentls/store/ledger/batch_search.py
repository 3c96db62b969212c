"""Many searches with one reading of the live file, for those who ask about every file.

    wanted   the records of a.py; those of b.py; those that name the line `3iq63oMs`
    read     record 1 is of a.py; record 2 is of b.py, and wrote that line
    kept     where they are: a.py [0], b.py [690], the line [690]
    asked    the records at these places are read, and of what was appended since those that match

An answer is the one that a search of its own would give. What is held is two numbers for each record and query.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, TypedDict, cast

import msgspec
from msgspec import Struct

from intentls.core.ledger.hash_chain import parse
from intentls.core.ledger.record_json import FileJson, files_of, mentioned_lines, text_of
from intentls.store.fs.atomic_write import read_at
from intentls.store.ledger.history import LedgerHistory, records_in
from intentls.store.ledger.kept_searches import Extent
from intentls.store.ledger_files.line_reader import lines_backward, lines_forward
from intentls.store.ledger_search.query import RecordQuery


class _Answer(Struct, frozen=True):
    """Where the records are that match, oldest first: offset and length of each line, in turn."""

    extent: Extent
    places: array[int]


class _FileNames(TypedDict, total=False):
    """What a query compares of a file's entry. Anything may stand there."""

    path: Any
    old_path: Any
    line_hashes: Any
    removed_line_hashes: Any
    origins: Any


class _Named(Struct):
    files: list[_FileNames] = []


_decode = msgspec.json.Decoder(_Named).decode


class BatchSearch:
    """The answers of searches by path alone, or by line hash alone. Used by one thread."""

    def __init__(self) -> None:
        self._answers: dict[RecordQuery, _Answer] = {}

    def read(self, history: LedgerHistory, queries: Iterable[RecordQuery]) -> bool:
        """Find the records of all queries. Whether it could: it reads no archive, and needs a live file."""
        if history.live is None or history.archives:
            return False
        extent = Extent.of(history.live, history.end)
        answers = {query: _Answer(extent, array("Q")) for query in queries}
        paths = {query.path: query for query in answers if query.path is not None}
        hashes = {query.line_hash: query for query in answers if query.line_hash is not None}
        widths = set(map(len, hashes))  # one, as a rule
        for offset, raw in lines_forward(history.live, 0, history.end):
            line = raw.removesuffix(b"\n")
            for query in _answered(_files_in(line), paths, hashes, widths):
                if query.required_bytes() in line:
                    answers[query].places.extend((offset, len(line)))
        self._answers |= answers
        return True

    def newest(self, history: LedgerHistory, query: RecordQuery, limit: int) -> Sequence[dict[str, Any]] | None:
        """The newest `limit` records that match (0: all), last line first.

        None where the query was not read, or in another file than the one that is there now.
        """
        answer, live = self._answers.get(query), history.live
        if answer is None or live is None or history.archives:
            return None
        extent = Extent.of(live, history.end)
        if not answer.extent.is_prefix_of(extent, live) or not answer.extent.ends_line():
            return None
        added = records_in(lines_backward(live, extent.end, query.required_bytes(), start=answer.extent.end), query)
        return list(islice(chain(added, records_in(_lines_at(live, answer.places), query)), limit or None))


def _files_in(line: bytes) -> Sequence[FileJson]:
    """What a line says of files, as far as a query compares it: to make the rest of a record takes as long again.

    Where this takes a line for a record that is none, it does no harm: what is found is parsed before it is given.
    """
    try:
        return cast("list[FileJson]", _decode(line).files)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return files_of(parse(line) or {})


def _answered(
    files: Iterable[FileJson], paths: Mapping[str, RecordQuery], hashes: Mapping[str, RecordQuery], widths: set[int]
) -> set[RecordQuery]:
    """The queries that a record matches, by the paths and the line hashes in what it says of files."""
    queries = set[RecordQuery]()
    for file in files:
        if paths:
            for name in (text_of(file, "path"), text_of(file, "old_path")):
                if name is not None and name in paths:
                    queries.add(paths[name])
        for width in widths:
            queries.update(hashes[hash_] for hash_ in hashes.keys() & mentioned_lines(file, width))
    return queries


def _lines_at(descriptor: int, places: array[int]) -> Iterator[tuple[int, bytes]]:
    for index in range(len(places) - 2, -1, -2):
        offset, length = places[index : index + 2]
        yield offset, read_at(descriptor, length, offset)

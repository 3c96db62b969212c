"""How far the local file was read once, what was appended since, and records by their places.

A mark holds as long as the file is the same one with more lines behind:

    marked at the end of line 9          the file's number, the digests of its first and last bytes up to there
    line 10 and 11 are appended          both digests are the same: `since` gives lines 10 and 11
    another branch is checked out        the file was made again, so it has another number: the mark is of no use
    a line is changed in its last bytes  another digest: the mark is of no use

The last bytes hold the newest lines with their places in their chains. What lies further back is not compared: who
keeps something of it compares the lines that it needs, and who rewrites a ledger in place is named by `verify`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from intentls.core.ledger.hash_chain import parse
from intentls.store.fs.atomic_write import read_at
from intentls.store.ledger.history import LedgerHistory, LedgerRecord
from intentls.store.ledger_files.segments import digest_of

MAX_SINCE: Final = 1 << 23
"""Bytes that are read from a mark on: behind more of them a search with the index is faster."""

_SAMPLE: Final = 4096  # bytes


class LedgerPosition(msgspec.Struct, frozen=True, array_like=True):
    """The end of a line in the local file. `modified_ns` is when the file was written last before it was marked."""

    device: int
    inode: int
    end: int
    modified_ns: int
    first: str
    last: str


class LinePlace(NamedTuple):
    """Where a line is in the local file: its offset, its length in bytes without its end, its digest in hex."""

    offset: int
    length: int
    digest: str


class Appended(NamedTuple):
    """What stands behind a mark: whole lines, from the offset `start` on; and the mark of their end."""

    start: int
    lines: bytes
    mark: LedgerPosition


def mark_of(history: LedgerHistory) -> LedgerPosition | None:
    """The mark of the ledger's end. None where there is none: no file, an archive, a torn last line."""
    live, end = history.live, history.end
    if live is None or not end or history.archives:
        return None
    status = os.fstat(live)
    first = read_at(live, min(_SAMPLE, end), 0)
    last = read_at(live, min(_SAMPLE, end), max(0, end - _SAMPLE))
    if last[-1:] != b"\n":
        return None
    return LedgerPosition(status.st_dev, status.st_ino, end, status.st_mtime_ns, _digest(first), _digest(last))


def since(history: LedgerHistory, mark: LedgerPosition) -> Appended | None:
    """What was appended behind the mark; None if the mark is of another file, or there is too much behind it."""
    now = mark_of(history)
    if now is None or history.live is None or (now.device, now.inode) != (mark.device, mark.inode):
        return None
    if now.end == mark.end:
        return Appended(mark.end, b"", now) if now == mark else None  # touched without growing
    if not 0 < now.end - mark.end <= MAX_SINCE or mark.end <= 0:
        return None
    start = max(0, mark.end - _SAMPLE)
    data = read_at(history.live, now.end - start, start)
    first = read_at(history.live, min(_SAMPLE, mark.end), 0)
    if (_digest(first), _digest(data[: mark.end - start])) != (mark.first, mark.last):
        return None
    return Appended(mark.end, data[mark.end - start :], now)


def records_at(history: LedgerHistory, places: Iterable[LinePlace]) -> list[LedgerRecord] | None:
    """The records at these places; None if one of them is not the line that it was."""
    records = []
    for place in places:
        if history.live is None or place.offset < 0 or not 0 < place.length <= history.end:
            return None
        line = read_at(history.live, place.length, place.offset)
        record = parse(line) if _digest(line) == place.digest else None
        if record is None:
            return None
        records.append(LedgerRecord(record, place.offset, place.length))
    return records


def places_of(history: LedgerHistory, records: Iterable[LedgerRecord]) -> list[LinePlace]:
    """Where records are."""
    if history.live is None:
        return []
    return [
        LinePlace(record.offset, record.length, _digest(read_at(history.live, record.length, record.offset)))
        for record in records
    ]


def _digest(data: bytes) -> str:
    return digest_of(data).hex()

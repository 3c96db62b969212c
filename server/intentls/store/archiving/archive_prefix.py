"""Where a ledger is cut in two: what goes into an archive, and what stays. Always a prefix: nothing is reordered."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from intentls.core.ledger.archive_marker import is_marker
from intentls.core.ledger.hash_chain import parse, strip_end
from intentls.store.clock import parse_timestamp
from intentls.store.ledger.appender import unavailable
from intentls.store.ledger_files.line_reader import lines_forward, opened


@dataclass(frozen=True, slots=True)
class ArchiveBefore:
    """Move what is older than a moment, up to the first record that is not."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class ArchiveAllBut:
    """Move all but the newest `records`."""

    records: int


@dataclass(frozen=True, slots=True)
class LedgerPrefix:
    """What is to be moved: so many bytes from the beginning, which are whole lines. 0 if that is nothing.

    `first` and `last` are the timestamps of its first and last record (None where they have none), `kept` is how many
    records stay.
    """

    length: int
    records: int
    first: str | None
    last: str | None
    kept: int


def find_prefix(ledger: Path, wish: ArchiveBefore | ArchiveAllBut) -> LedgerPrefix:
    """Cut the live file. Bridges alone are not worth moving. Raises LedgerUnavailable."""
    try:
        with opened(ledger) as live:
            if live is None:
                return LedgerPrefix(0, 0, None, None, 0)
            return _cut(live, os.fstat(live).st_size, wish)
    except OSError as error:
        raise unavailable(ledger, error, "read") from error


def _cut(live: int, end: int, wish: ArchiveBefore | ArchiveAllBut) -> LedgerPrefix:
    total = sum(1 for _ in _records(live, end))
    length, records, worth_it, first, last = 0, 0, False, b"", b""
    for behind, line in _records(live, end):
        if records >= total - wish.records if isinstance(wish, ArchiveAllBut) else not _is_older(line, wish.moment):
            break
        length, records, last = behind, records + 1, line
        first = first or line
        worth_it = worth_it or not is_marker(line)
    if not worth_it:
        return LedgerPrefix(0, 0, None, None, total)
    return LedgerPrefix(length, records, _timestamp(first), _timestamp(last), total - records)


def _records(live: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Each line that is not blank, without its end, and the offset behind it."""
    for offset, raw in lines_forward(live, 0, end):
        line = strip_end(raw)
        if line.strip():
            yield offset + len(raw), line


def _is_older(line: bytes, moment: datetime) -> bool:
    """Whether a record is older; one of which that can't be said, stays."""
    text = _timestamp(line)
    try:
        return text is not None and parse_timestamp(text) < moment
    except ValueError:
        return False


def _timestamp(line: bytes) -> str | None:
    value = (parse(line) or {}).get("timestamp")
    return value if isinstance(value, str) else None

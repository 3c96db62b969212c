"""What of a ledger goes into an archive: its oldest records, in the order in which they are read.

A segment that git has is packed wholly or not at all, since a commit must not change one. A segment
that git does not have yet is cut in two.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from msgspec import Struct

from intentls.core.errors import LedgerUnavailable
from intentls.core.ledger.archive_marker import is_marker
from intentls.core.ledger.hash_chain import parse
from intentls.store.clock import parse_timestamp
from intentls.store.fs.path_resolution import system_reason
from intentls.store.layout import Layout
from intentls.store.ledger_files.segments import LedgerSegment, digest_of, in_order, lines_of, read_segments


class ArchiveBefore(Struct, frozen=True):
    """Move what is older than a moment, up to the first record that is not."""

    moment: datetime


class ArchiveAllBut(Struct, frozen=True):
    """Move all but the newest `records`."""

    records: int


class LedgerPrefix(Struct, frozen=True):
    """What is to be moved: these lines of these segments, `length` bytes in all; 0 if that is nothing.

    `first` and `last` are the timestamps of its first and last record (None where they have none), `kept` is how many
    records stay.
    """

    lines: tuple[bytes, ...]
    segments: tuple[LedgerSegment, ...]
    kept: int

    @property
    def length(self) -> int:
        """In bytes, line ends included."""
        return sum(len(line) + 1 for line in self.lines)

    @property
    def records(self) -> int:
        """How many are moved."""
        return len(self.lines)

    @property
    def first(self) -> str | None:
        """The first one's timestamp."""
        return _timestamp(self.lines[0]) if self.lines else None

    @property
    def last(self) -> str | None:
        """The last one's."""
        return _timestamp(self.lines[-1]) if self.lines else None


def find_prefix(layout: Layout, wish: ArchiveBefore | ArchiveAllBut, taken: Collection[str]) -> LedgerPrefix:
    """What to move. `taken` are the names of the segments that git has. Raises LedgerUnavailable.

    Bridges alone are not worth moving. Every line is held in memory once, for their order; contents are read twice.
    """
    try:
        lines = in_order(content for _, content in read_segments(layout.trace))
        chosen = set(map(digest_of, _oldest(lines, wish)))
        touched = []
        for segment, content in read_segments(layout.trace):
            digests = set(map(digest_of, lines_of(content)))
            if segment.name in taken and not digests <= chosen:
                chosen -= digests
            elif digests & chosen:
                touched.append(segment)
    except OSError as error:
        message = f"{layout.trace} can't be read ({system_reason(error)}). Make it a folder that can be."
        raise LedgerUnavailable(message) from error
    packed = tuple(line for line in lines if digest_of(line) in chosen)
    if all(is_marker(line) for line in packed):
        return LedgerPrefix((), (), len(lines))
    return LedgerPrefix(packed, tuple(touched), len(lines) - len(packed))


def _oldest(lines: list[bytes], wish: ArchiveBefore | ArchiveAllBut) -> list[bytes]:
    if isinstance(wish, ArchiveAllBut):
        return lines[: max(0, len(lines) - wish.records)]
    end = next((number for number, line in enumerate(lines) if not _is_older(line, wish.moment)), len(lines))
    return lines[:end]


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

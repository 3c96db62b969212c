"""Archive markers: records that say which lines of a ledger went into an archive, so that its chains can be followed.

The ledger is its archives, oldest first, and then the live file: archiving changes where a line is kept, never the
line. A marker is an ordinary record at the end of the ledger at that time, chained like any other. As long as its
archive is there it is a second opinion on it; where the archive is missing, it says what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from intentls.core.ledger.hash_chain import ChainLink, line_hash, member, read_link, strip_end

TOOL_NAME = "trace_archive"
KEY = "archive"
_MARK = member("tool_name", TOOL_NAME)

_Count = Annotated[int, msgspec.Meta(ge=0)]


class ArchivedHead(msgspec.Struct, frozen=True):
    """A writer's newest line among those that were moved: its number and its hash."""

    seq: Annotated[int, msgspec.Meta(ge=1)]
    line_hash: str


class ArchiveMarker(msgspec.Struct, frozen=True):
    """What a marker says of its archive.

    `file` is the archive's name; `content_hash`, `bytes` and `records` are of what it holds, uncompressed. `first`
    and `last` are the hashes of its first and last record's lines, `writers` has each writer that occurs in it. Of
    such a writer no number up to the cut is to be looked for behind the archive.
    """

    file: str
    content_hash: str
    bytes: _Count
    records: _Count
    first: str
    last: str
    writers: dict[str, ArchivedHead]
    by: str = ""

    def to_json(self) -> dict[str, Any]:
        """What stands under `archive` in the record."""
        value: dict[str, Any] = msgspec.to_builtins(self)
        return value


class _MarkerPart(msgspec.Struct):
    archive: ArchiveMarker


_read = msgspec.json.Decoder(_MarkerPart).decode


def is_marker(line: bytes) -> bool:
    """Whether a line is a marker, or at least looks like one. Quick: most lines are none."""
    return _MARK in line


def read_marker(line: bytes) -> ArchiveMarker | None:
    """What the marker in a line says; None if there is none that can be read."""
    if not is_marker(line):
        return None
    try:
        return _read(line).archive
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class MarkerBuilder:
    """Collects what the marker of an archive needs, while its lines are read one after the other."""

    def __init__(self) -> None:
        self.records = 0
        self.bytes = 0
        self._first = ""
        self._last = ""
        self._cuts: dict[str, ArchivedHead] = {}

    def feed(self, raw: bytes) -> None:
        """Take in the next line, with or without its end."""
        self.bytes += len(raw)
        line = strip_end(raw)
        link = read_link(line) if line.strip() else None
        if link is None:
            return
        self._last = line_hash(line)
        self._first = self._first or self._last
        self._note(link)
        self.records += 1

    def _note(self, link: ChainLink) -> None:
        cut = self._cuts.get(link.writer)
        if cut is None or cut.seq < link.seq:  # after a merge a writer's older lines may come again
            self._cuts[link.writer] = ArchivedHead(link.seq, self._last)

    def marker(self, file: str, content_hash: str, by: str) -> ArchiveMarker:
        """The marker to the archive `file`, which holds just these lines."""
        return ArchiveMarker(
            file, content_hash, self.bytes, self.records, self._first, self._last, dict(self._cuts), by
        )


class ArchiveMarkers:
    """The markers of a ledger, and which of their archives are there. For the verifier.

    First `add` every marker and `add_archive` every archive; then ask.
    """

    def __init__(self) -> None:
        self._markers: dict[str, tuple[ArchiveMarker, int]] = {}  # by content: archived twice is archived once
        self._reach: dict[str, tuple[int, int]] = {}  # writer: highest number at a cut, and the marker's line
        self._contents: dict[str, str | None] = {}
        self.needed: set[str] = set()  # contents that were missed

    def add(self, marker: ArchiveMarker, line: int) -> None:
        """A marker, and the line it stands in."""
        self._markers.setdefault(marker.content_hash, (marker, line))
        for writer, cut in marker.writers.items():
            if cut.seq > self.reach(writer):
                self._reach[writer] = (cut.seq, line)

    def add_archive(self, file: str, content_hash: str | None) -> None:
        """An archive that is there; None if it can't be read to its end."""
        self._contents[file] = content_hash

    def reach(self, writer: str) -> int:
        """The highest number of a writer that some marker speaks of; 0 if none does."""
        return self._reach.get(writer, (0, 0))[0]

    def reaches(self) -> Mapping[str, tuple[int, int]]:
        """For every writer that markers speak of: its highest number, and the line of the marker that has it."""
        return self._reach

    def is_behind_cut(self, writer: str, seq: int) -> bool:
        """Whether a number is the writer's first behind one of the cuts."""
        cuts = [marker.writers.get(writer) for marker, _ in self._markers.values()]
        return bool(cuts) and (seq == 1 or any(cut is not None and cut.seq == seq - 1 for cut in cuts))

    def explain(self, writer: str, first: int, after: int) -> int:
        """From which number on nothing explains why `first` to `after` (not included) are not there.

        What explains it are markers whose archives are not there, or can't be read: those are needed.
        """
        cuts = sorted((marker.writers[writer].seq, marker.content_hash) for marker, _ in self._lacking(writer))
        for seq, content in cuts:
            if first <= seq and first < after:
                self.needed.add(content)
                first = seq + 1
        return min(first, after)

    def cut_at(self, writer: str, seq: int) -> tuple[str, int] | None:
        """The hash that the marker of such an archive gives for a number, and the marker's line."""
        for marker, line in self._lacking(writer):
            if marker.writers[writer].seq == seq:
                return marker.writers[writer].line_hash, line
        return None

    def missing(self) -> list[tuple[ArchiveMarker, int]]:
        """The markers, with their lines, whose archives are needed and not there."""
        return [
            (marker, line)
            for content, (marker, line) in self._markers.items()
            if content in self.needed and marker.file not in self._contents
        ]

    def contradicted(self) -> list[tuple[ArchiveMarker, int]]:
        """The markers, with their lines, whose archives hold something else."""
        return [
            (marker, line)
            for marker, line in self._markers.values()
            if not self._has(marker) and self._contents.get(marker.file) is not None
        ]

    def _has(self, marker: ArchiveMarker) -> bool:
        """Whether the archive is there and whole, by whatever name."""
        return marker.content_hash in self._contents.values()

    def _lacking(self, writer: str) -> list[tuple[ArchiveMarker, int]]:
        return [
            (marker, line)
            for marker, line in self._markers.values()
            if writer in marker.writers and not self._has(marker) and self._contents.get(marker.file) is None
        ]

"""Bridges: records that say which lines of a ledger went into an archive, so that its chains can be followed.

The ledger is its archives, oldest first, and then the live file: archiving changes where a line is kept, never the
line. A bridge is an ordinary record at the end of the ledger at that time, chained like any other. As long as its
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
    """What a bridge says of its archive.

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


def is_bridge(line: bytes) -> bool:
    """Whether a line is a bridge, or at least looks like one. Quick: most lines are none."""
    return _MARK in line


def read_bridge(line: bytes) -> ArchiveMarker | None:
    """What the bridge in a line says; None if there is none that can be read."""
    if not is_bridge(line):
        return None
    try:
        return _read(line).archive
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class MarkerBuilder:
    """Looks over lines that are to be archived, for what their bridge has to say of them."""

    def __init__(self) -> None:
        self.records = 0
        self.bytes = 0
        self._first = ""
        self._last = ""
        self._cuts: dict[str, ArchivedHead] = {}

    def feed(self, raw: bytes) -> None:
        """The next line, with or without its end."""
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
        known = self._cuts.get(link.writer)
        if known is None or known.seq < link.seq:  # after a merge a writer's older lines may come again
            self._cuts[link.writer] = ArchivedHead(link.seq, self._last)

    def bridge(self, file: str, content_hash: str, by: str) -> ArchiveMarker:
        """The bridge to the archive `file`, which holds just these lines."""
        return ArchiveMarker(
            file, content_hash, self.bytes, self.records, self._first, self._last, dict(self._cuts), by
        )


class ArchiveMarkers:
    """The bridges of a ledger, and which of their archives are there. For the verifier.

    First `note` every bridge and `found` every archive; then ask.
    """

    def __init__(self) -> None:
        self._bridges: dict[str, tuple[ArchiveMarker, int]] = {}  # by content: archived twice is archived once
        self._reach: dict[str, tuple[int, int]] = {}  # writer: highest number at a cut, and the bridge's line
        self._contents: dict[str, str | None] = {}
        self.needed: set[str] = set()  # contents that were missed

    def note(self, bridge: ArchiveMarker, line: int) -> None:
        """A bridge, and the line it stands in."""
        self._bridges.setdefault(bridge.content_hash, (bridge, line))
        for writer, cut in bridge.writers.items():
            if cut.seq > self.reach(writer):
                self._reach[writer] = (cut.seq, line)

    def found(self, file: str, content_hash: str | None) -> None:
        """An archive that is there; None if it can't be read to its end."""
        self._contents[file] = content_hash

    def reach(self, writer: str) -> int:
        """The highest number of a writer that some bridge speaks of; 0 if none does."""
        return self._reach.get(writer, (0, 0))[0]

    def reaches(self) -> Mapping[str, tuple[int, int]]:
        """For every writer that bridges speak of: its highest number, and the line of the bridge that has it."""
        return self._reach

    def is_behind_cut(self, writer: str, seq: int) -> bool:
        """Whether a number is the writer's first behind one of the cuts."""
        cuts = [bridge.writers.get(writer) for bridge, _ in self._bridges.values()]
        return bool(cuts) and (seq == 1 or any(cut is not None and cut.seq == seq - 1 for cut in cuts))

    def explain(self, writer: str, first: int, after: int) -> int:
        """From which number on nothing explains why `first` to `after` (not included) are not there.

        What explains it are bridges whose archives are not there, or can't be read: those are needed.
        """
        cuts = sorted((bridge.writers[writer].seq, bridge.content_hash) for bridge, _ in self._lacking(writer))
        for seq, content in cuts:
            if first <= seq and first < after:
                self.needed.add(content)
                first = seq + 1
        return min(first, after)

    def cut_at(self, writer: str, seq: int) -> tuple[str, int] | None:
        """The hash that the bridge of such an archive gives for a number, and the bridge's line."""
        for bridge, line in self._lacking(writer):
            if bridge.writers[writer].seq == seq:
                return bridge.writers[writer].line_hash, line
        return None

    def missing(self) -> list[tuple[ArchiveMarker, int]]:
        """The bridges, with their lines, whose archives are needed and not there."""
        return [
            (bridge, line)
            for content, (bridge, line) in self._bridges.items()
            if content in self.needed and bridge.file not in self._contents
        ]

    def contradicted(self) -> list[tuple[ArchiveMarker, int]]:
        """The bridges, with their lines, whose archives hold something else."""
        return [
            (bridge, line)
            for bridge, line in self._bridges.values()
            if not self._has(bridge) and self._contents.get(bridge.file) is not None
        ]

    def _has(self, bridge: ArchiveMarker) -> bool:
        """Whether the archive is there and whole, by whatever name."""
        return bridge.content_hash in self._contents.values()

    def _lacking(self, writer: str) -> list[tuple[ArchiveMarker, int]]:
        return [
            (bridge, line)
            for bridge, line in self._bridges.values()
            if writer in bridge.writers and not self._has(bridge) and self._contents.get(bridge.file) is None
        ]

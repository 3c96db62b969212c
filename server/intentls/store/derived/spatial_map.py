"""spatial_map.json as bytes: a JSON array, one entry a line so that differences stay readable."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from enum import StrEnum

import msgspec

_log = logging.getLogger(__name__)

MAX_ENTRIES = 2_000
"""When there are more, the oldest go: the ledger has them all."""


_Key = tuple[str, int, int, str, str]


class Operation(StrEnum):
    """What was done to the file."""

    READ = "read"
    WRITE = "write"
    MODIFY = "modify"


class LineSpan(msgspec.Struct, frozen=True, order=True):
    """Lines `start` to `end`, counted from 1, both included."""

    start: int
    end: int


class SpatialEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """An intent touched a file (root-relative POSIX) at some time (RFC 3339, UTC)."""

    file_path: str
    intent_id: str
    operation_type: Operation
    timestamp: str
    line_range: LineSpan | None = None
    content_hash: str | None = None

    @property
    def key(self) -> _Key:
        """What makes two entries the same one; also their order in the file."""
        start, end = (self.line_range.start, self.line_range.end) if self.line_range else (0, 0)
        return (self.file_path, start, end, self.intent_id, self.operation_type)


class SpatialMap:
    """The entries, one a key and the newest of it, at most MAX_ENTRIES; kept as the lines they will be."""

    def __init__(self, entries: Iterable[SpatialEntry] = ()) -> None:
        self._lines: dict[_Key, tuple[str, bytes]] = {}
        self.record(entries)

    def record(self, entries: Iterable[SpatialEntry]) -> None:
        """Add `entries`, each in place of one of its key that is not newer."""
        for entry in entries:
            earlier = self._lines.get(entry.key)
            if earlier is None or earlier[0] <= entry.timestamp:
                self._lines[entry.key] = (entry.timestamp, msgspec.json.encode(entry))
        surplus = len(self._lines) - MAX_ENTRIES
        if surplus > 0:
            for key in sorted(self._lines, key=lambda key: (self._lines[key][0], key))[:surplus]:
                del self._lines[key]

    def encode(self) -> bytes:
        """The file's bytes: the same for the same entries, in whatever order they came."""
        if not self._lines:
            return b"[]\n"
        return b"[\n" + b",\n".join(self._lines[key][1] for key in sorted(self._lines)) + b"\n]\n"


def decode(data: bytes) -> tuple[SpatialEntry, ...]:
    """The entries in the file's bytes. What can't be read is left out, with a warning: it is derived."""
    try:
        return msgspec.json.decode(data, type=tuple[SpatialEntry, ...])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = str(error)
    entries = [entry for item in _items(data) if (entry := _entry(item)) is not None]
    _log.warning("spatial_map.json: %s; %d entries could be kept, the rest is replaced", reason, len(entries))
    return tuple(entries)


def _items(data: bytes) -> list[object]:
    try:
        items = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    return items if isinstance(items, list) else []


def _entry(item: object) -> SpatialEntry | None:
    try:
        return msgspec.convert(item, SpatialEntry)
    except (msgspec.ValidationError, RecursionError):
        return None

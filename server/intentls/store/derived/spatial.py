"""spatial_map.json as bytes: a JSON array, one entry a line so that differences stay readable."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from enum import StrEnum

import msgspec

_log = logging.getLogger(__name__)

MAX_ENTRIES = 5_000
"""When there are more, the oldest go: the ledger has them all."""


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
    def key(self) -> tuple[str, int, int, str, str]:
        """What makes two entries the same one; also their order in the file."""
        start, end = (self.line_range.start, self.line_range.end) if self.line_range else (0, 0)
        return (self.file_path, start, end, self.intent_id, self.operation_type)


def merge(known: Iterable[SpatialEntry], new: Iterable[SpatialEntry]) -> tuple[SpatialEntry, ...]:
    """One entry a key, the newest (of equals the last given), at most MAX_ENTRIES, in the file's order."""
    entries: dict[tuple[str, int, int, str, str], SpatialEntry] = {}
    for source in (known, new):
        for entry in source:
            other = entries.get(entry.key)
            if other is None or other.timestamp <= entry.timestamp:
                entries[entry.key] = entry
    kept = sorted(entries.values(), key=lambda entry: entry.timestamp)[-MAX_ENTRIES:]
    return tuple(sorted(kept, key=lambda entry: entry.key))


def encode(entries: Iterable[SpatialEntry]) -> bytes:
    """The file's bytes."""
    lines = b",\n".join(msgspec.json.encode(entry) for entry in entries)
    return b"[\n" + lines + b"\n]\n" if lines else b"[]\n"


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
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _entry(item: object) -> SpatialEntry | None:
    try:
        return msgspec.convert(item, SpatialEntry)
    except (msgspec.ValidationError, RecursionError):
        return None

"""What is looked for in a ledger, and the keys by which an index knows the blocks that may hold it.

A block is about 64 KiB of whole lines. Its keys are numbers, one for each intent, session and path of its records:

    query: path `src/a.py`, intent `INT-1`    -> keys of ("path", "src/a.py") and ("intent", "INT-1")
    blocks that have both keys                -> these are read, and each of their records is compared itself
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple
from zlib import crc32

import msgspec
from msgspec import Struct

from intentls.core.ledger.hash_chain import parse
from intentls.core.ledger.record_json import files_of, mentions_line, text_of
from intentls.late_pattern import late_pattern
from intentls.store.clock import parse_timestamp
from intentls.store.fs.atomic_write import read_at

# A search reads whole blocks: smaller ones would make the index larger, larger ones each answer slower.
_BLOCK: Final = 1 << 14  # bytes
DEFAULT_LIMIT, MAX_LIMIT = 20, 10_000
"""How many records `intentls trace log` shows if it is not told, and at most."""

_CANONICAL = late_pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)  # these compare as texts
_PLAIN = late_pattern(r"[A-Za-z0-9_.-]+")  # no program escapes these


class RecordQuery(Struct, frozen=True):
    """The conditions that a record must meet; None leaves one out.

    `path` is root-relative: the name that a file has after a change, or had before it. `line_hash` is that of a line of
    a file (`core.text.line_hashes`) which the record names. `containing` are bytes (no newline) that the record's own
    line must contain: lines without them are not even parsed.
    """

    intent_id: str | None = None
    path: str | None = None
    session_id: str | None = None
    since: datetime | None = None
    containing: bytes = b""
    line_hash: str | None = None

    def matches(self, record: dict[str, Any]) -> bool:
        """Whether a record, whose line has `containing`, meets all the others."""
        if self.intent_id is not None and record.get("intent_id") != self.intent_id:
            return False
        if self.session_id is not None and record.get("session_id") != self.session_id:
            return False
        if self.path is not None and not any(
            self.path in (file.get("path"), file.get("old_path")) for file in files_of(record)
        ):
            return False
        hash_ = self.line_hash
        if hash_ is not None and not any(mentions_line(file, hash_) for file in files_of(record)):
            return False
        return self.since is None or _is_since(record, self.since)

    def required_bytes(self) -> bytes:
        """Bytes that the line of every record that matches contains: the longest that all JSON writers spell alike."""
        names = (self.intent_id, self.session_id, self.line_hash, (self.path or "").rpartition("/")[2])
        plain = (name for name in names if name is not None and _PLAIN.fullmatch(name))
        return self.containing or max(plain, key=len, default="").encode("ascii")

    def index_keys(self) -> list[int]:
        """The keys of every block with a record that matches, the rarest kind first."""
        kinds = (("path", self.path), ("session", self.session_id), ("intent", self.intent_id))
        return [_key(kind, value) for kind, value in kinds if value is not None]


class Block(NamedTuple):
    """Whole lines of a file: where they begin, how many bytes they take, and those bytes' CRC-32."""

    start: int
    length: int
    checksum: int


class IndexedBlock(NamedTuple):
    """A block and what is in it. `newest` is its newest timestamp, None if that is not certain."""

    block: Block
    keys: set[int]
    newest: str | None


class _LedgerFile(msgspec.Struct):
    path: str | None = None
    old_path: str | None = None


class _RecordHead(msgspec.Struct):
    """The parts of a record that a query compares."""

    intent_id: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    files: list[_LedgerFile] = []


_decoder = msgspec.json.Decoder(_RecordHead)


def blocks_of(descriptor: int, start: int, end: int, limit: int) -> Iterator[IndexedBlock]:
    """The blocks of a file of lines from `start` (where a line begins) on, about `limit` bytes of them.

    What stands behind the last newline before `end` is left for later.
    """
    last, size = min(end, start + limit), _BLOCK
    while start < last:
        content = read_at(descriptor, min(size, end - start), start)
        length = content.rfind(b"\n") + 1
        if length:
            content, size = content[:length], _BLOCK
            yield describe(Block(start, length, crc32(content)), content)
            start += length
        elif start + len(content) >= end:
            return
        else:
            size *= 2  # a longer line


def describe(block: Block, content: bytes) -> IndexedBlock:
    """What is in a block with this content. A key too many does no harm, one too few would."""
    intents, sessions, paths, times = set[str | None](), set[str | None](), set[str | None](), set[str | None]()
    for record in _decode_lines(content) or map(_decode_line, content.split(b"\n")):
        intents.add(record.intent_id)
        sessions.add(record.session_id)
        times.add(record.timestamp)
        for file in record.files:
            paths.add(file.path)
            paths.add(file.old_path)
    kinds = (("intent", intents), ("session", sessions), ("path", paths))
    keys = {_key(kind, value) for kind, values in kinds for value in values if value is not None}
    return IndexedBlock(block, keys, _newest(times))


def _key(kind: str, value: str) -> int:
    """The number by which an index knows a name. Two names may share one, so each record is compared itself."""
    return crc32(f"{kind}\0{value}".encode("utf-8", "surrogatepass"))


def _decode_lines(content: bytes) -> list[_RecordHead] | None:
    """All lines at once, which is fast; None unless each is certainly one object."""
    lines = content.count(b"\n")
    if content.count(b"}\n{") + 1 != lines:  # an object that has these within does not exist
        return None
    try:
        records = _decoder.decode_lines(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return records if len(records) == lines else None


def _decode_line(line: bytes) -> _RecordHead:
    record = parse(line) or {}
    files = [_LedgerFile(text_of(file, "path"), text_of(file, "old_path")) for file in files_of(record)]
    return _RecordHead(text_of(record, "intent_id"), text_of(record, "session_id"), text_of(record, "timestamp"), files)


def _newest(times: set[str | None]) -> str | None:
    canonical = [time for time in times if time is not None and _CANONICAL.fullmatch(time)]
    return max(canonical) if canonical and len(canonical) == len(times) else None


def _is_since(record: dict[str, Any], moment: datetime) -> bool:
    try:
        return parse_timestamp(str(record.get("timestamp"))) >= moment
    except ValueError:
        return False

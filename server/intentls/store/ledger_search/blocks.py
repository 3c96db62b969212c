"""What is in a ledger's blocks: a file cut into them, and the words and times of their records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from zlib import crc32

import msgspec

from intentls.core.ledger.hash_chain import parse
from intentls.core.ledger.record_json import files_of, text_of
from intentls.store.fs.atomic_write import read_at
from intentls.store.ledger_search.query import word

# A search reads whole blocks: smaller ones would make the index larger, larger ones each answer slower.
_BLOCK: Final = 1 << 16  # bytes
_CANONICAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)  # these compare as texts


class Block(NamedTuple):
    """Whole lines of a file: where they begin, how many bytes they take, and those bytes' CRC-32."""

    start: int
    length: int
    checksum: int


class IndexedBlock(NamedTuple):
    """A block and what is in it. `newest` is its newest timestamp, None if that can't be told."""

    block: Block
    words: set[int]
    newest: str | None


class _LedgerFile(msgspec.Struct):
    path: str | None = None
    old_path: str | None = None


class _RecordHead(msgspec.Struct):
    """The little of a record that can be sought."""

    intent_id: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    files: list[_LedgerFile] = []


_records = msgspec.json.Decoder(_RecordHead)


def blocks_of(descriptor: int, start: int, end: int, most: int) -> Iterator[IndexedBlock]:
    """The blocks of a file of lines from `start` (where a line begins) on, about `most` bytes of them.

    What stands behind the last newline before `end` is left for later.
    """
    last, size = min(end, start + most), _BLOCK
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
    """What is in a block with this content. Too much does no harm, too little would."""
    intents, sessions, paths, times = set[str | None](), set[str | None](), set[str | None](), set[str | None]()
    for record in _quick(content) or map(_slow, content.split(b"\n")):
        intents.add(record.intent_id)
        sessions.add(record.session_id)
        times.add(record.timestamp)
        for file in record.files:
            paths.add(file.path)
            paths.add(file.old_path)
    words = {
        word(kind, value)
        for kind, values in (("intent", intents), ("session", sessions), ("path", paths))
        for value in values
        if value is not None
    }
    return IndexedBlock(block, words, _newest(times))


def _quick(content: bytes) -> list[_RecordHead] | None:
    """All lines at once, where each is one object without a doubt."""
    lines = content.count(b"\n")
    if content.count(b"}\n{") + 1 != lines:  # an object that has these within does not exist
        return None
    try:
        found = _records.decode_lines(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if len(found) == lines else None


def _slow(line: bytes) -> _RecordHead:
    record = parse(line) or {}
    files = [_LedgerFile(text_of(file, "path"), text_of(file, "old_path")) for file in files_of(record)]
    return _RecordHead(text_of(record, "intent_id"), text_of(record, "session_id"), text_of(record, "timestamp"), files)


def _newest(times: set[str | None]) -> str | None:
    known = [time for time in times if time is not None and _CANONICAL.fullmatch(time)]
    return max(known) if known and len(known) == len(times) else None

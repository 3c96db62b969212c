"""The ledger's lines: how a record becomes one, how it is read again, and how lines are chained."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import chain, cycle
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from intentls.core.hashing import content_hash
from intentls.late_pattern import late_pattern

# Other programs also split lines at these: they may stand in JSON, but not raw in our lines.
_LINE_ENDS = ((b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029"), (b"\xc2\x85", b"\\u0085"))
_RANGE = rb'\{"start_line":[0-9]+,"end_line":[0-9]+,"content_hash":"[a-z0-9:]+"\},?'
_WHOLE = rb'"ranges":\[(?>%b)++\]|"hunks":\[[0-9,]++\]|"(?>[^"\\]++|\\.)*+"' % _RANGE  # no comma in it gets a space
_UP_TO_COMMA = late_pattern(rb'(?:[^,"]++|%b)*+,|.+' % _WHOLE, re.DOTALL)
_SPACES = tuple(tuple(b" " if byte >> bit & 1 else b"" for bit in range(8)) for byte in range(256))  # by a byte's bits
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class ChainLink(msgspec.Struct, frozen=True):
    """A line's place in a chain. `prev` is the hash of the writer's line before, None for the first."""

    writer: Annotated[str, msgspec.Meta(min_length=1)]
    seq: Annotated[int, msgspec.Meta(ge=1)]
    prev: str | None


class _LinkedRecord(msgspec.Struct):
    chain: ChainLink


class NewestLine(Struct, frozen=True):
    """A writer's newest line as its machine remembers it: its number, its hash, and its record's id."""

    seq: int
    line_hash: str
    record_id: str


_encode = msgspec.json.Encoder().encode
_read_link = msgspec.json.Decoder(_LinkedRecord).decode


def link(record: Mapping[str, Any], writer: str, seq: int, prev: str | None) -> bytes:
    """The line, without its newline, that makes `record` (not empty) number `seq` of `writer`. Its last key is `chain`.

    No line-separating character of any kind is in it, and it is valid UTF-8 whatever the record holds.
    """
    if "chain" in record:  # another chain's place: the new one must be the last key
        record = {key: value for key, value in record.items() if key != "chain"}
    chain = encode({"writer": writer, "seq": seq, "prev": prev})
    return b'%b,"chain":%b}' % (_unlike_others(encode(record)[:-1]), chain)


def _unlike_others(text: bytes) -> bytes:
    """The same JSON with a space behind some of its commas: which ones, the text's hash says.

    Git takes a file that was added for the renamed one that was removed if half of their stretches of 64 bytes are the
    same, and two branches that each remove a segment would then conflict. Records are much alike; their spaces are not.
    Ranges and hunks need none: they are hashes and numbers.
    """
    pieces: list[bytes] = _UP_TO_COMMA.findall(text)
    last = pieces.pop()
    spaces = chain.from_iterable(map(_SPACES.__getitem__, reversed(sha256(text).digest())))
    first = next(spaces)
    return b"".join(chain.from_iterable(zip(pieces, cycle(chain(spaces, (first,))), strict=False))) + last


def encode(value: object) -> bytes:
    """Compact JSON in valid UTF-8 that no program takes for several lines."""
    try:
        data = _encode(value)
    except UnicodeEncodeError:  # half a surrogate pair, as in a file name that is not UTF-8
        return json.dumps(value, separators=(",", ":")).encode("ascii")
    if not data.isascii():
        for raw, escape in _LINE_ENDS:
            data = data.replace(raw, escape)
    return data


def member(key: str, value: str) -> bytes:
    """How the text `value` stands under `key` in a line: what to search for before anything is parsed."""
    return encode(key) + b":" + encode(value)


def strip_end(raw: bytes) -> bytes:
    r"""A line without its end. `\r\n` is one too: a checkout may have made it of `\n`."""
    return raw.removesuffix(b"\n").removesuffix(b"\r")


def line_hash(line: bytes) -> str:
    """The hash that the writer's next line cites; `line` is without its end."""
    return content_hash(line)


def parse(line: bytes) -> dict[str, Any] | None:
    """The JSON object in a line, or None if there is none (torn, blank, or no object)."""
    try:
        value = msgspec.json.decode(line)
    except _UNREADABLE:
        value = _lenient(line)
    return value if isinstance(value, dict) else None


def read_link(line: bytes) -> ChainLink | None:
    """A line's place in its chain, or None if it has none. Faster than `parse`: it keeps nothing else."""
    try:
        return _read_link(line).chain
    except _UNREADABLE:
        record = parse(line)
    try:
        return msgspec.convert(record and record.get("chain"), ChainLink)
    except (msgspec.ValidationError, UnicodeEncodeError):  # encode: half of a surrogate pair as a key
        return None


def _lenient(line: bytes) -> object:
    # msgspec refuses escapes of half a surrogate pair, which `encode` writes.
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None

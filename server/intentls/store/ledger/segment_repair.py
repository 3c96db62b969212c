"""Repairing the open segment after a power loss: its last lines may be torn, or lost while later ones are there."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from intentls.core.ledger.hash_chain import line_hash, parse, read_link, strip_end
from intentls.store.fs.atomic_write import read_at, replace_bytes, sync
from intentls.store.fs.primitives import NO_LINK
from intentls.store.fs.state_directory import make_directory
from intentls.store.layout import Layout
from intentls.store.ledger_files.line_reader import lines_forward, reading
from intentls.store.ledger_files.segments import WRITER_DIGITS

log = logging.getLogger(__name__)

EnterRecords = Callable[[Sequence[dict[str, Any]]], None]


class WholePart(Struct, frozen=True):
    """Up to where (bytes) a segment's lines follow each other, and the whole records behind that."""

    end: int
    records: tuple[dict[str, Any], ...]


def whole_part(name: str, descriptor: int, size: int) -> WholePart:
    """What of the segment of this name still stands. The name says which number its first line has.

    Example: lines 4, 5, a block of zeros where 6 was, 7 -> up to the end of 5, and the record of 7. A torn line with
    the next number behind it is older than the power loss, and stays.
    """
    end, number, newest, behind = 0, 0, "", list[dict[str, Any]]()
    begin = _begin(name)
    for offset, raw in lines_forward(descriptor, 0, size):
        line = strip_end(raw)
        link = read_link(line)
        if link is None:
            continue
        is_next = (link.seq, link.prev) == (number + 1, newest) if end else begin in (None, link.seq)
        if is_next:
            end, number, newest, behind = offset + len(raw), link.seq, line_hash(line), []
        else:
            behind.append(parse(line) or {})
    return WholePart(end, tuple(behind))


def cut_torn_ends(segments: Sequence[Path], layout: Layout, enter: EnterRecords) -> None:
    """Cut what does not follow from these segments' ends, once `enter` holds the records in it. Raises OSError.

    What is cut is kept in `.state/aside`.
    """
    wholes = [
        (segment, size, whole_part(segment.name, descriptor, size)) for segment, descriptor, size in _opened(segments)
    ]
    enter([record for _, _, whole in wholes for record in whole.records])
    for segment, size, whole in wholes:
        if whole.end < size:
            _cut(segment, size, whole.end, layout)


def underived(kept: bytes, segment_names: Iterable[str]) -> bytes:
    """Of a damaged local file: the lines that never were in a segment, with none that was torn.

    Example: line 7 of writer a was in the segment `a-00000005-...`; line 3 of a is from before there were segments.
    """
    begins: dict[str, int] = {}
    for name in segment_names:
        writer, number = name.partition("-")[0], _begin(name)
        if number is not None:
            begins[writer] = min(begins.get(writer, number), number)
    lines = []
    for line in kept.split(b"\n"):
        link = read_link(line)
        begin = None if link is None else begins.get(link.writer[:WRITER_DIGITS])
        if b"\0" not in line and (link is None or begin is None or link.seq < begin):
            lines.append(line)
    while lines and read_link(lines[-1]) is None:
        lines.pop()
    return b"".join(line + b"\n" for line in lines)


def _begin(name: str) -> int | None:
    """The number of the first line of a segment of this name; None where it doesn't say."""
    _, *rest = name.split("-")
    return int(rest[0]) if len(rest) > 1 and rest[0].isdecimal() else None


def _opened(segments: Sequence[Path]) -> Iterator[tuple[Path, int, int]]:
    for segment in segments:
        with reading(segment) as descriptor:
            yield segment, descriptor, os.fstat(descriptor).st_size


def _cut(segment: Path, size: int, end: int, layout: Layout) -> None:
    descriptor = os.open(segment, os.O_RDWR | NO_LINK)
    try:
        make_directory(layout.aside)
        kept = layout.aside / f"torn-{os.urandom(8).hex()}-{segment.name}"
        replace_bytes(kept, read_at(descriptor, size - end, end), durable=True)
        os.ftruncate(descriptor, end)
        sync(descriptor)
    finally:
        os.close(descriptor)
    log.warning("the end of %s was torn by a power loss; it is kept in %s", segment, kept)

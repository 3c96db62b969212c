"""Repairing the open segment after a power loss: its last lines may be torn, or lost while later ones are there."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intentls.core.ledger.hash_chain import line_hash, parse, read_link, strip_end
from intentls.store.fs.atomic_write import read_at, replace_bytes, sync
from intentls.store.fs.primitives import NO_LINK
from intentls.store.layout import Layout
from intentls.store.ledger_files.line_reader import lines_forward

EnterRecords = Callable[[Sequence[dict[str, Any]]], None]


@dataclass(frozen=True, slots=True)
class WholePart:
    """Up to where (bytes) a segment's lines follow each other, and the whole records behind that."""

    end: int
    records: tuple[dict[str, Any], ...]


def whole_part(descriptor: int, size: int) -> WholePart:
    """What of a segment still stands.

    Example: lines 4, 5, a block of zeros where 6 was, 7 -> up to the end of 5, and the record of 7. A torn line with
    the next number behind it is older than the power loss, and stays.
    """
    end, number, newest, behind = 0, 0, "", list[dict[str, Any]]()
    for offset, raw in lines_forward(descriptor, 0, size):
        line = strip_end(raw)
        link = read_link(line)
        if link is None:
            continue
        if not end or (link.seq, link.prev) == (number + 1, newest):
            end, number, newest, behind = offset + len(raw), link.seq, line_hash(line), []
        else:
            behind.append(parse(line) or {})
    return WholePart(end, tuple(behind))


def cut_torn_end(segment: Path, layout: Layout, enter: EnterRecords) -> None:
    """Cut what does not follow from the segment's end, once `enter` holds the records in it. Raises OSError.

    What is cut is kept in `.state/aside`.
    """
    descriptor = os.open(segment, os.O_RDWR | NO_LINK)
    try:
        size = os.fstat(descriptor).st_size
        whole = whole_part(descriptor, size)
        enter(whole.records)
        if whole.end < size:
            layout.aside.mkdir(parents=True, exist_ok=True)
            torn = read_at(descriptor, size - whole.end, whole.end)
            replace_bytes(layout.aside / f"torn-{os.urandom(8).hex()}-{segment.name}", torn, durable=True)
            os.ftruncate(descriptor, whole.end)
        sync(descriptor)
    finally:
        os.close(descriptor)

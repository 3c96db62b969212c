"""Reading a file of lines from either end. What is held at once is a block, or the longest line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from intentls.store.fs.atomic_write import read_at
from intentls.store.fs.primitives import READ

_FIRST_BLOCK = 1 << 16  # bytes: enough for the newest few records
_BLOCK = 1 << 20


@contextmanager
def opened(path: Path) -> Iterator[int | None]:
    """A descriptor for reading, None if there is no such file. Raises OSError. Never waits."""
    try:
        descriptor = os.open(path, READ)
    except FileNotFoundError:
        yield None
        return
    with _closing(descriptor):
        yield descriptor


@contextmanager
def reading(path: Path) -> Iterator[int]:
    """A descriptor for reading a file that must be there. Raises OSError. Never waits."""
    with _closing(os.open(path, READ)) as descriptor:
        yield descriptor


def lines_forward(descriptor: int, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Each line between two offsets with the offset it begins at; with its end, if it has one."""
    with open(descriptor, "rb", buffering=_BLOCK, closefd=False) as file:
        file.seek(start)
        for raw in file:
            if start + len(raw) >= end:
                if start < end:
                    yield start, raw[: end - start]
                return
            yield start, raw
            start += len(raw)


def lines_backward(
    descriptor: int, end: int, needle: bytes = b"", report: Callable[[int], None] = lambda _left: None, start: int = 0
) -> Iterator[tuple[int, bytes]]:
    """The lines before the offset `end` that contain `needle`, last first, without their ends, with their offsets.

    Those from the offset `start` on, where a line begins. `needle` must not contain a newline. Blocks without it are
    passed over at the speed of a search. `report` gets, before each block, how many bytes are left; what it raises ends
    the reading.
    """
    size, pieces = _FIRST_BLOCK, list[bytes]()  # pieces of the line whose start is still to come, last first
    while end > start:
        report(end)
        size, lower = min(size * 2, _BLOCK), max(start, end - size)
        block = read_at(descriptor, end - lower, lower)
        end = lower
        first, last = block.find(b"\n"), block.rfind(b"\n")
        if first < 0:
            pieces.append(block)
            continue
        pieces.append(block[last + 1 :])
        if needle in (line := b"".join(reversed(pieces))):
            yield lower + last + 1, line
        if first < last:
            yield from lines_with(needle, block[first + 1 : last], lower + first + 1)
        pieces = [block[:first]]
    if pieces and needle in (line := b"".join(reversed(pieces))):
        yield start, line


def lines_with(needle: bytes, block: bytes, offset: int = 0) -> Iterator[tuple[int, bytes]]:
    """The lines of a block that contain `needle`, last first, without their ends; the block begins at `offset`."""
    end = len(block)  # of the line that is searched next; what lies behind was given
    if not needle:
        for line in reversed(block.split(b"\n")):
            yield offset + end - len(line), line
            end -= len(line) + 1
        return
    while (place := block.rfind(needle, 0, end)) >= 0:
        start, newline = block.rfind(b"\n", 0, place) + 1, block.find(b"\n", place)
        yield offset + start, block[start : newline if newline >= 0 else len(block)]
        end = start


def count_lines(path: Path) -> int:
    """How many lines a file has, 0 if there is none. Much faster than reading them. Raises OSError."""
    with opened(path) as descriptor:
        if descriptor is None:
            return 0
        found, last = 0, b"\n"
        while block := os.read(descriptor, _BLOCK):
            found, last = found + block.count(b"\n"), block[-1:]
        return found + (last != b"\n")


def find_last(descriptor: int, start: int, end: int, needles: Iterable[bytes]) -> dict[bytes, tuple[int, bytes]]:
    """For each needle that occurs between two offsets: where its last line begins, and that line."""
    missing, found = set(needles), dict[bytes, tuple[int, bytes]]()
    overlap = max(map(len, missing), default=0)
    upper = end
    while upper > start and missing:
        lower = max(start, upper - _BLOCK)
        block = read_at(descriptor, min(upper + overlap, end) - lower, lower)
        for needle in [needle for needle in missing if needle in block]:
            found[needle] = _line_around(descriptor, lower + block.rfind(needle), end)
            missing.discard(needle)
        upper = lower
    return found


def last_byte(descriptor: int, size: int) -> bytes:
    """The last byte of a file of `size` bytes; empty if that is 0."""
    return read_at(descriptor, 1, size - 1) if size else b""


@contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _line_around(descriptor: int, position: int, end: int) -> tuple[int, bytes]:
    start = position
    while start > 0:
        lower = max(0, start - _FIRST_BLOCK)
        newline = read_at(descriptor, start - lower, lower).rfind(b"\n")
        if newline >= 0:
            start = lower + newline + 1
            break
        start = lower
    _, raw = next(lines_forward(descriptor, start, end))
    return start, raw

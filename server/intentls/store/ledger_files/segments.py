"""Segments: the files in `trace/` that git carries the ledger in. A commit adds some, and changes none.

A segment holds lines of one writer, in their chain's order. What is read of several goes into one order that depends on
the lines alone, so that it is the same on every machine:

    a-00000001-5f...   10:00 a1, 10:04 a2          10:00 a1
    b-00000001-c3...   10:02 b1, 09:00 b2    ->    10:02 b1
                                                   10:02 b2   (its clock was set back; a chain keeps its order)
                                                   10:04 a2
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from hashlib import blake2b, sha256
from pathlib import Path
from typing import NamedTuple

from intentls.core.ledger.hash_chain import parse, read_link
from intentls.late_pattern import late_pattern
from intentls.store.fs.atomic_write import read_at
from intentls.store.fs.primitives import READ_NO_LINK, names_in
from intentls.store.layout import Layout

WRITER_DIGITS = 12
"""Characters of a writer's name in its segments' names."""

_SUFFIX = ".jsonl"
_LINK = late_pattern(rb'"chain":\{"writer":"([0-9a-f]{1,64})","seq":([1-9][0-9]{0,17}),"prev":(?:null|"[^"\\]*")\}\}')
_TIME = late_pattern(rb'^\{"version":"[^"\\]*", ?"id":"[^"\\]*", ?"timestamp":"([^"\\]*)"')
_TAIL = 300  # bytes: a record's chain is in them


class LedgerSegment(NamedTuple):
    """One segment: its file's name, its size in bytes when it was looked at, and when it was last `changed` (ns)."""

    name: str
    size: int
    changed: int = 0


def new_name(writer: str, seq: int) -> str:
    """The name of a segment that begins with the writer's number `seq`; no other has it."""
    return f"{writer[:WRITER_DIGITS]}-{seq:08d}-{os.urandom(4).hex()}.jsonl"


def is_of(name: str, writer: str) -> bool:
    """Whether a segment's name says that it is this writer's."""
    return name.startswith(f"{writer[:WRITER_DIGITS]}-")


def moved_name(content: bytes) -> str:
    """The name of the segment that holds what stood in an older repository's ledger: the same for the same content."""
    return f"0000-{sha256(content).hexdigest()[:12]}.jsonl"


def is_segment(name: str) -> bool:
    """Whether a file of this name in `trace/` is a segment."""
    return name.endswith(_SUFFIX) and not name.startswith(".")


def segments(layout: Layout) -> list[LedgerSegment]:
    """The segments of a root, by name. Raises OSError where the folder can't be read."""
    try:
        with os.scandir(layout.trace) as entries:
            listed = [
                LedgerSegment(entry.name, status.st_size, status.st_mtime_ns)
                for entry in entries
                if is_segment(entry.name) and stat.S_ISREG((status := entry.stat(follow_symlinks=False)).st_mode)
            ]
    except FileNotFoundError:
        return []
    return sorted(listed, key=lambda segment: segment.name)


def segment_names(layout: Layout) -> list[str]:
    """Their names alone, sorted, which is much quicker. Raises OSError where the folder can't be read."""
    return sorted(name for name in names_in(layout.trace) if is_segment(name))


def has_segments(layout: Layout) -> bool:
    """Whether there is any: it looks no further than to the first. Raises OSError where the folder can't be read."""
    try:
        with os.scandir(layout.trace) as entries:
            return any(is_segment(entry.name) for entry in entries)
    except FileNotFoundError:
        return False


def fingerprint(names: Iterable[str]) -> str:
    """What tells one set of segments from another, by their sorted names."""
    return sha256("\0".join(names).encode(errors="surrogateescape")).hexdigest()


def read_segment(path: Path) -> bytes:
    """A segment's content. Raises OSError."""
    descriptor = os.open(path, READ_NO_LINK)
    try:
        return read_at(descriptor, os.fstat(descriptor).st_size, 0)
    finally:
        os.close(descriptor)


def read_segments(trace: Path) -> Iterator[tuple[LedgerSegment, bytes]]:
    """Every segment in the folder with its content, by name: each is opened once, and looked at no other time.

    Raises OSError.
    """
    try:
        with os.scandir(trace) as entries:
            names = sorted(
                entry.name for entry in entries if is_segment(entry.name) and entry.is_file(follow_symlinks=False)
            )
    except FileNotFoundError:
        return
    folder = os.path.join(trace, "")  # there are thousands of them: Path objects are slower
    for name in names:
        descriptor = os.open(folder + name, READ_NO_LINK)
        try:
            status = os.fstat(descriptor)
            content = os.read(descriptor, status.st_size)
            if len(content) < status.st_size:
                content += read_at(descriptor, status.st_size - len(content), len(content))
        finally:
            os.close(descriptor)
        yield LedgerSegment(name, len(content), status.st_mtime_ns), content


def lines_of(content: bytes) -> list[bytes]:
    """Its lines without their ends; blank ones are left out."""
    if content.find(b"\n") == len(content) - 1 and content[-2:-1] == b"}":
        return [content[:-1]]  # one record, as most have
    return [line for raw in content.split(b"\n") if (line := raw.removesuffix(b"\r")).strip()]


def digest_of(line: bytes) -> bytes:
    """What a line is known by, in little room."""
    return blake2b(line, digest_size=16).digest()


def in_order(contents: Iterable[bytes], without: set[bytes] | frozenset[bytes] = frozenset()) -> list[bytes]:
    """The lines of these files, each once, in the order that is the same everywhere; but for those of such digests."""
    seen, placed = set(without), list[tuple[str, int, int, bytes, str, bytes]]()
    for content in contents:
        writer, seq, behind = "", 0, 0
        for line in lines_of(content):
            digest = digest_of(line)
            place = _place(line)
            if place is None:
                behind, time = behind + 1, ""  # what is no record stays behind the one before it
            else:
                (writer, seq, time), behind = place, 0
            if digest not in seen:
                seen.add(digest)
                placed.append((writer, seq, behind, digest, time, line))
    placed.sort()
    return [line for _, line in sorted(_with_moments(placed))]


def _with_moments(
    placed: list[tuple[str, int, int, bytes, str, bytes]],
) -> Iterator[tuple[tuple[str, str, int, int, bytes], bytes]]:
    """Each line with what it is ordered by: first the newest time that its chain has reached."""
    current, newest = "", ""
    for writer, seq, behind, digest, time, line in placed:
        newest = time if writer != current else max(newest, time)
        current = writer
        yield (newest, writer, seq, behind, digest), line


def _place(line: bytes) -> tuple[str, int, str] | None:
    """The line's writer, number and time; None if it is in no chain."""
    link, time = _LINK.search(line, max(0, len(line) - _TAIL)), _TIME.match(line)
    if link is not None and link.end() == len(line) and time is not None:
        return link[1].decode(), int(link[2]), time[1].decode("utf-8", "replace")
    read = read_link(line)
    if read is None:
        return None
    moment = (parse(line) or {}).get("timestamp")
    return read.writer, read.seq, moment if isinstance(moment, str) else ""

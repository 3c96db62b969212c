"""Segments that git once had and the working tree has not: taken out by a revert, a reset, or by hand."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from intentls.store.git.command import ask_git
from intentls.store.git.commits import read_objects
from intentls.store.layout import TRACE_FOLDER, Layout
from intentls.store.ledger_files.segments import digest_of, is_segment, lines_of, read_segment, segments

_TIMEOUT_S = 60.0
_ENTRY = re.compile(rb"\0?:[0-7]{6} [0-7]{6} ([0-9a-f]+) [0-9a-f]+ D\0([^\0]+)\0|\n?([0-9a-f]{40,64})\0")
_LISTED = re.compile(rb"[0-7]{6} blob ([0-9a-f]+)\t([^\0]+)\0")


@dataclass(frozen=True, slots=True)
class RemovedSegment:
    """A segment that is gone: its name, its content, and the commit that took it out; None if no commit did yet."""

    name: str
    content: bytes
    commit: str | None


def removed_segments(layout: Layout) -> list[RemovedSegment]:
    """The segments that HEAD's history had, whose lines no other file of the ledger has; by name. Empty outside git.

    What `packed` archives hold counts as there: see `missing_lines`.
    """
    there = {segment.name for segment in segments(layout)}
    gone = {name: entry for name, entry in _history(layout) if name not in there}
    contents = read_objects(layout.root, (oid for oid, _ in gone.values()))
    return [
        RemovedSegment(name, contents[oid], commit) for name, (oid, commit) in sorted(gone.items()) if oid in contents
    ]


def _history(layout: Layout) -> Iterator[tuple[str, tuple[str, str | None]]]:
    """Each segment that a commit took out, oldest commit first, then all that HEAD has; with their blobs."""
    arguments = (
        "log",
        "--reverse",
        "-m",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--diff-filter=D",
        "-z",
        "--format=%H",
    )
    output = ask_git(layout.root, *arguments, "HEAD", "--", TRACE_FOLDER, timeout_s=_TIMEOUT_S)
    commit = ""
    for match in _ENTRY.finditer(output or b""):
        if match[3] is not None:
            commit = match[3].decode("ascii")
        elif is_segment(name := os.fsdecode(match[2]).rpartition("/")[2]):
            yield name, (match[1].decode("ascii"), commit)
    listed = ask_git(layout.root, "ls-tree", "-z", "HEAD", f"{TRACE_FOLDER}/")
    for match in _LISTED.finditer(listed or b""):
        if is_segment(name := os.fsdecode(match[2]).rpartition("/")[2]):
            yield name, (match[1].decode("ascii"), None)


def has_ever_had(layout: Layout, name: str) -> bool:
    """Whether some branch, tag or stash has or had the segment."""
    output = ask_git(layout.root, "log", "--all", "-m", "-1", "--format=%H", "--", f"{TRACE_FOLDER}/{name}")
    return bool((output or b"").strip())


def known_digests(layout: Layout) -> set[bytes]:
    """The digests of all lines in segments."""
    return {
        digest_of(line) for segment in segments(layout) for line in lines_of(read_segment(layout.trace / segment.name))
    }

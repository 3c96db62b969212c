"""Segments that git once had and the working tree has not: taken out by a revert, a reset, or by hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from intentls.late_pattern import late_pattern
from intentls.store.git.command import ask_git
from intentls.store.git.commits import read_objects
from intentls.store.layout import TRACE_FOLDER, Layout
from intentls.store.ledger_files.segments import digest_of, is_segment, lines_of, read_segment, segments
from intentls.store.ledger_files.signature_files import signature_names, signed_segment

_TIMEOUT_S = 60.0
_ENTRY = late_pattern(rb"\0?:[0-7]{6} [0-7]{6} ([0-9a-f]+) [0-9a-f]+ D\0([^\0]+)\0|\n?([0-9a-f]{40,64})\0")
_ADDED = late_pattern(rb":[0-7]{6} [0-7]{6} [0-9a-f]+ ([0-9a-f]+) [AM]\0([^\0]+)\0")
_LISTED = late_pattern(rb"[0-7]{6} blob ([0-9a-f]+)\t([^\0]+)\0")


class RemovedSegment(Struct, frozen=True):
    """A segment that is gone: its name, its content, and the commit that took it out; None if no commit did yet."""

    name: str
    content: bytes
    commit: str | None


def removed_segments(layout: Layout) -> list[RemovedSegment]:
    """The segments that HEAD's history had, whose lines no other file of the ledger has; by name. Empty outside git.

    What `packed` archives hold counts as there: see `missing_lines`.
    """
    there = {segment.name for segment in segments(layout)}
    return _contents(layout, {name: entry for name, entry in _history(layout, is_segment) if name not in there})


def removed_signatures(layout: Layout, names: Collection[str]) -> list[RemovedSegment]:
    """The signatures beside the segments of these names that HEAD's history had and the tree has not; by name."""
    if not names:
        return []
    there = set(signature_names(layout))
    history = _history(layout, lambda name: name not in there and signed_segment(name) in names)
    return _contents(layout, dict(history))


def _contents(layout: Layout, gone: Mapping[str, tuple[str, str | None]]) -> list[RemovedSegment]:
    contents = read_objects(layout.root, (oid for oid, _ in gone.values()))
    return [
        RemovedSegment(name, contents[oid], commit) for name, (oid, commit) in sorted(gone.items()) if oid in contents
    ]


def _history(layout: Layout, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, tuple[str, str | None]]]:
    """Each file in `trace/` that a commit took out, oldest commit first, then all that HEAD has; with their blobs."""
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
        elif is_wanted(name := os.fsdecode(match[2]).rpartition("/")[2]):
            yield name, (match[1].decode("ascii"), commit)
    listed = ask_git(layout.root, "ls-tree", "-z", "HEAD", f"{TRACE_FOLDER}/")
    for match in _LISTED.finditer(listed or b""):
        if is_wanted(name := os.fsdecode(match[2]).rpartition("/")[2]):
            yield name, (match[1].decode("ascii"), None)


def has_ever_had(layout: Layout, name: str) -> bool:
    """Whether some branch, tag or stash has or had the segment."""
    output = ask_git(layout.root, "log", "--all", "-m", "-1", "--format=%H", "--", f"{TRACE_FOLDER}/{name}")
    return bool((output or b"").strip())


def names_at(layout: Layout, commit: str) -> frozenset[str]:
    """The names of the files that a commit has in `trace/`; none where there is no such commit."""
    listed = ask_git(layout.root, "ls-tree", "-z", "--name-only", commit, f"{TRACE_FOLDER}/")
    return frozenset(os.fsdecode(path).rpartition("/")[2] for path in (listed or b"").split(b"\0") if path)


def versions_anywhere(layout: Layout, names: Iterable[str]) -> dict[str, set[bytes]]:
    """What files of these names in `trace/` held in commits of any branch or tag; without those that no commit had."""
    arguments = ("log", "--all", "-m", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM", "-z", "--format=")
    asked = frozenset(names)
    output = ask_git(layout.root, *arguments, "--", TRACE_FOLDER, timeout_s=_TIMEOUT_S)
    blobs = [
        (name, match[1].decode("ascii"))
        for match in _ADDED.finditer(output or b"")
        if (name := os.fsdecode(match[2]).rpartition("/")[2]) in asked
    ]
    contents = read_objects(layout.root, (oid for _, oid in blobs))
    versions: dict[str, set[bytes]] = {}
    for name, oid in blobs:
        versions.setdefault(name, set()).add(contents.get(oid, b""))
    return versions


def known_digests(layout: Layout) -> set[bytes]:
    """The digests of all lines in segments."""
    return {
        digest_of(line) for segment in segments(layout) for line in lines_of(read_segment(layout.trace / segment.name))
    }

"""What git sees of a working tree: which files differ from HEAD or are new, and what HEAD holds of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from intentls.store.git.index_queries import ask_git

_STATUS = (
    *("-c", "core.untrackedCache=keep", "-c", "submodule.recurse=false"),
    *("status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--no-renames"),
    *("--ignore-submodules=all", "--", "."),
)
_NO_OBJECT = "0"
_FILE_MODES = frozenset({"100644", "100755"})


@dataclass(frozen=True, slots=True)
class StatusEntry:
    """A path that is not as in HEAD. `blob` is HEAD's object (None: HEAD has none), `remodeled` a changed x bit."""

    blob: str | None = None
    remodeled: bool = False


@dataclass(frozen=True, slots=True)
class GitStatus:
    """`revision` is HEAD's commit, None before the first; `entries` by root-relative path."""

    revision: str | None
    entries: Mapping[str, StatusEntry]


def read_status(root: Path) -> GitStatus | None:
    """The state of the working tree below `root` (resolved), None where git has no answer."""
    prefix = _prefix(root)
    told = None if prefix is None else ask_git(root, *_STATUS, filters=True)
    if told is None or prefix is None:
        return None
    revision: str | None = None
    entries: dict[str, StatusEntry] = {}
    for line in os.fsdecode(told).split("\0"):
        if line.startswith("# branch.oid "):
            oid = line.removeprefix("# branch.oid ")
            revision = None if oid.startswith("(") else oid
            continue
        path, entry = _entry(line)
        if path.startswith(prefix) and not path.endswith("/"):  # a repository inside has its own affairs
            entries[path[len(prefix) :]] = entry
    return GitStatus(revision, entries)


def moved_between(root: Path, old: str | None, new: str | None) -> dict[str, str | None]:
    """The root-relative paths in which two commits differ, each with the object that the old one holds."""
    prefix = _prefix(root)
    if old == new or new is None or prefix is None:
        return {}
    told = _tree(root, new) if old is None else ask_git(root, "diff-tree", "-r", "-z", "--no-renames", old, new, "--")
    fields = os.fsdecode(told or b"").split("\0")
    found: dict[str, str | None] = {}
    for meta, path in zip(fields[::2], fields[1::2], strict=False):
        if path.startswith(prefix):
            found[path[len(prefix) :]] = None if old is None else _object(meta.split(" ")[2])
    return found


def read_blobs(root: Path, blobs: Mapping[str, str]) -> dict[str, bytes]:
    """The contents of objects (by path), as a checkout would write them: line ends and filters applied."""
    if not blobs:
        return {}
    lines = "".join(f"{blob} {path.replace(chr(10), '_')}\n" for path, blob in blobs.items())
    told = ask_git(root, "cat-file", "--batch", "--filters", stdin=os.fsencode(lines), filters=True)
    return dict(_contents(blobs, told or b""))


def _contents(paths: Iterable[str], told: bytes) -> Iterable[tuple[str, bytes]]:
    at = 0
    for path in paths:
        end = told.find(b"\n", at)
        if end < 0:
            return
        parts = told[at:end].split(b" ")
        at = end + 1
        if len(parts) != 3 or not parts[2].isdigit():  # "... missing"
            continue
        size = int(parts[2])
        yield path, told[at : at + size]
        at += size + 1


def _entry(line: str) -> tuple[str, StatusEntry]:
    kind, _, rest = line.partition(" ")
    if kind == "?":
        return rest, StatusEntry()
    if kind == "1":
        _, _, head, _, work, blob, _, path = rest.split(" ", 7)
        return path, StatusEntry(_object(blob), head != work and {head, work} <= _FILE_MODES)
    if kind == "u":
        return rest.split(" ", 9)[9], StatusEntry(_object(rest.split(" ", 9)[7]))
    return "/", StatusEntry()


def _object(oid: str) -> str | None:
    return None if not oid.strip(_NO_OBJECT) else oid


def _tree(root: Path, revision: str) -> bytes | None:
    """All of a commit, in the form of a difference."""
    told = ask_git(root, "ls-tree", "-r", "-z", "--name-only", "--full-name", revision)
    return None if told is None else b"".join(b":\0" + path + b"\0" for path in told.split(b"\0") if path)


def _prefix(root: Path) -> str | None:
    """What git's paths begin with for files below `root`: "" at the top, None outside git."""
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            inner = root.relative_to(folder).as_posix()
            return "" if inner == "." else f"{inner}/"
    return None

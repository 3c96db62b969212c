"""Which files a root has: those in git's index and the new ones that git does not ignore; outside git, a bounded walk.

The list is kept for a moment, so that typing does not start git again and again; a change of git's index, and
anything that is put on record, ends that at once.
"""

from __future__ import annotations

import os
import re
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.store.git.index_queries import ask_git
from intentls.store.layout import ORCHESTRATION

MAX_FILES: Final = 250_000
"""Of a larger workspace the first ones, in git's order, are known: some 100 bytes of memory each."""

MAX_WALKED: Final = 20_000
"""Files outside git."""

_FRESH_S = 2.0
_NO_TEXT = re.compile("[\ud800-\udfff]")
_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
_INDEX = ("rev-parse", "--git-path", "index")


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one root at one moment: root-relative POSIX paths, sorted. Not `complete`: there are more."""

    paths: tuple[str, ...] = ()
    complete: bool = True
    _folders: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def below(self, folder: str) -> Sequence[str]:
        """The files below a folder (without a final slash; "" is the root)."""
        if not folder:
            return self.paths
        return self.paths[bisect_left(self.paths, f"{folder}/") : bisect_left(self.paths, f"{folder}0")]  # "0" is "/"+1

    def has(self, path: str) -> bool:
        """Whether there is a file of exactly this path."""
        place = bisect_left(self.paths, path)
        return self.paths[place : place + 1] == (path,)

    def inside(self, folder: str) -> tuple[str, ...]:
        """The names in a folder, those of folders with a final slash."""
        names = self._folders.get(folder)
        if names is None:
            start = len(folder) + 1 if folder else 0
            heads = (path[start:].partition("/") for path in self.below(folder))
            names = self._folders[folder] = tuple(dict.fromkeys(name + slash for name, slash, _ in heads))
        return names


class FileList:
    """The files of one root, as they were at most a moment ago. Safe to use from several threads.

    `told_by` is a file that grows whenever somebody changes files through us: then they are looked at again.
    """

    def __init__(self, root: Path, told_by: Path) -> None:
        self._root = root
        self._told_by = told_by
        self._lock = threading.Lock()
        self._files: Files | None = None
        self._index: Path | None = None
        self._stamp: tuple[int, ...] = ()
        self._listed = 0.0

    def current(self) -> Files:
        """The files now. The very same object as before where nothing changed."""
        with self._lock:
            if self._index is None:
                self._index = self._find_index()
            stamp = self._look()
            if self._files is None or stamp != self._stamp or time.monotonic() - self._listed > _FRESH_S:
                listed = self._list()
                self._stamp, self._listed = stamp, time.monotonic()
                if listed != self._files:
                    self._files = listed
            assert self._files is not None
            return self._files

    def _look(self) -> tuple[int, ...]:
        """What changes with the files, as far as a stat can tell."""
        return tuple(part for path in (self._index, self._told_by) for part in _stamp(path))

    def _list(self) -> Files:
        told = ask_git(self._root, *_LIST)
        if told is None:
            self._index = None
            return _cut(self._walk(), MAX_WALKED)
        # A repository inside has its own affairs: git names its folder, with a final slash.
        return _cut((path for path in os.fsdecode(told).split("\0") if path and path[-1] != "/"), MAX_FILES)

    def _find_index(self) -> Path | None:
        index = os.fsdecode(ask_git(self._root, *_INDEX) or b"").rstrip("\n")
        return self._root / index if index else None

    def _walk(self) -> Iterator[str]:
        for folder, folders, names in os.walk(self._root):
            folders[:] = sorted(name for name in folders if name != ".git")
            inner = os.path.relpath(folder, self._root).replace(os.sep, "/")
            yield from (name if inner == "." else f"{inner}/{name}" for name in sorted(names))


def _stamp(path: Path | None) -> tuple[int, ...]:
    try:
        found = None if path is None else path.stat()
    except OSError:
        found = None
    return () if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)


def _cut(paths: Iterator[str], limit: int) -> Files:
    """At most `limit` of the paths, without what intentls itself writes."""
    found: set[str] = set()
    for path in paths:
        if not path.isascii() and _NO_TEXT.search(path):
            continue  # a name that is no Unicode: nobody can show it
        if f"{ORCHESTRATION}/" in path and path != INTENTS_FILE and _is_ours(path):
            continue
        if len(found) == limit:
            return Files(tuple(sorted(found)), complete=False)
        found.add(path)
    return Files(tuple(sorted(found)))


def _is_ours(path: str) -> bool:
    return ORCHESTRATION in path.split("/")

"""Which files a root has: those in git's index and the new ones that git does not ignore; outside git, a bounded walk.

The list is kept for a moment, so that typing does not start git again and again; a change of git's index, and
each new record, ends that at once.
"""

from __future__ import annotations

import os
import re
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct

from intentls.core.patterns.protected_paths import is_intents_file
from intentls.store.fs.primitives import Stamp, file_stamp
from intentls.store.git.command import ask_git
from intentls.store.layout import ORCHESTRATION

MAX_FILES: Final = 250_000
"""Of a larger workspace the first ones, in git's order, are known: some 100 bytes of memory each."""

MAX_WALKED: Final = 20_000
"""Files outside git."""

_FRESH_S = 2.0
_NO_TEXT = re.compile("[\ud800-\udfff]")
_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
_INDEX = ("rev-parse", "--git-path", "index")


class Files(Struct, frozen=True, dict=True):
    """The files of one root at one moment: root-relative POSIX paths, sorted. Not `complete`: there are more."""

    paths: tuple[str, ...] = ()
    complete: bool = True

    def below(self, directory: str) -> Sequence[str]:
        """The files below a directory (without a final slash; "" is the root)."""
        if not directory:
            return self.paths
        after = f"{directory}0"  # "0" comes right after "/"
        return self.paths[bisect_left(self.paths, f"{directory}/") : bisect_left(self.paths, after)]

    def has(self, path: str) -> bool:
        """Whether there is a file of exactly this path."""
        index = bisect_left(self.paths, path)
        return self.paths[index : index + 1] == (path,)

    def inside(self, directory: str) -> tuple[str, ...]:
        """The names in a directory, those of directories with a final slash."""
        names = self._names.get(directory)
        if names is None:
            start = len(directory) + 1 if directory else 0
            heads = (path[start:].partition("/") for path in self.below(directory))
            names = self._names[directory] = tuple(dict.fromkeys(name + slash for name, slash, _ in heads))
        return names

    @cached_property
    def _names(self) -> dict[str, tuple[str, ...]]:
        return {}


class FileList:
    """The files of one root, as they were at most a moment ago. Safe to use from several threads.

    They are listed again when `ledger` changes, as it does with each edit through us.
    """

    def __init__(self, root: Path, ledger: Path) -> None:
        self._root = root
        self._ledger = ledger
        self._lock = threading.Lock()
        self._files: Files | None = None
        self._index: Path | None = None
        self._stamps: tuple[Stamp | None, ...] = ()
        self._listed = 0.0

    def current(self) -> Files:
        """The files now. The very same object as before where nothing changed."""
        with self._lock:
            if self._index is None:
                self._index = self._find_index()
            # what changes with the files, as far as a stat can tell
            stamps = tuple(None if path is None else file_stamp(path) for path in (self._index, self._ledger))
            if self._files is None or stamps != self._stamps or time.monotonic() - self._listed > _FRESH_S:
                listed = self._list()
                self._stamps, self._listed = stamps, time.monotonic()
                if listed != self._files:
                    self._files = listed
            assert self._files is not None
            return self._files

    def _list(self) -> Files:
        output = ask_git(self._root, *_LIST)
        if output is None:
            self._index = None
            return _files(walk_files(self._root), MAX_WALKED)
        # Of a repository inside git names only the directory, with a final slash: its files are not ours.
        return _files((path for path in os.fsdecode(output).split("\0") if path and path[-1] != "/"), MAX_FILES)

    def _find_index(self) -> Path | None:
        index = os.fsdecode(ask_git(self._root, *_INDEX) or b"").rstrip("\n")
        return self._root / index if index else None


def walk_files(root: Path) -> Iterator[str]:
    """The root-relative POSIX path of every file below `root` but git's own, directory by directory."""
    for directory, directories, names in os.walk(root):
        directories[:] = sorted(name for name in directories if name != ".git")
        inner = os.path.relpath(directory, root).replace(os.sep, "/")
        yield from (name if inner == "." else f"{inner}/{name}" for name in sorted(names))


def _files(paths: Iterator[str], limit: int) -> Files:
    """At most `limit` of the paths, without what intentls itself writes."""
    chosen: set[str] = set()
    for path in paths:
        if not path.isascii() and _NO_TEXT.search(path):
            continue  # a name that is no Unicode can't be shown
        if f"{ORCHESTRATION}/" in path and not is_intents_file(path) and ORCHESTRATION in path.split("/"):
            continue
        if len(chosen) == limit:
            return Files(tuple(sorted(chosen)), complete=False)
        chosen.add(path)
    return Files(tuple(sorted(chosen)))

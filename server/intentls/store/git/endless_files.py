"""Files for which git would wait without end: a FIFO where it reads settings or rules.

Where the file can lie is known for most questions: in the root, and in the directories of the paths that are asked
about. `git status` reads the rules of any directory; to look at all of them for each question would take too long, so
that is done for a git that takes long.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

_RULES = (".gitattributes", ".gitignore")
# What git opens for most questions.
_ALWAYS = (
    *(".git/config", ".git/info/attributes", ".git/info/exclude", *_RULES),
    *(f".orchestration/{name}" for name in _RULES),
)
_MAX_DIRECTORIES = 10_000


def endless_for(root: Path, paths: Iterable[str]) -> str | None:
    """The root-relative file for which git would wait if it is asked about these root-relative `paths`."""
    names = chain(_ALWAYS, _above(paths))
    return next((name for name in names if _is_endless(os.path.join(root, name))), None)


def endless_below(root: Path) -> str | None:
    """The root-relative file with rules for which git would wait; of many directories the first 10,000 are seen."""
    waiting = deque([os.fspath(root)])
    for _ in range(_MAX_DIRECTORIES):
        if not waiting:
            break
        directory = waiting.popleft()
        for name in _RULES:
            if _is_endless(file := os.path.join(directory, name)):
                return os.path.relpath(file, root)
        waiting.extend(_directories_in(directory))
    return None


def _above(paths: Iterable[str]) -> Iterator[str]:
    """The files with rules in the directories of the paths and in those above them, each once; not the root's."""
    seen = {""}
    for path in paths:
        directory = path.rpartition("/")[0]
        while directory not in seen:
            seen.add(directory)
            yield from (f"{directory}/{name}" for name in _RULES)
            directory = directory.rpartition("/")[0]


def _is_endless(file: str) -> bool:
    try:
        mode = os.stat(file).st_mode  # noqa: PTH116  (before each question: Path objects are slower)
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _directories_in(directory: str) -> list[str]:
    """Those that git would go into; none where the directory can't be read."""
    try:
        with os.scandir(directory) as entries:
            return [entry.path for entry in entries if entry.name != ".git" and entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []

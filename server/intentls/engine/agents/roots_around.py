"""The roots that a command reaches from a folder: those at, above and below it, and those of linked work trees.

    repo/                 no root: a command that runs here reaches packages/a and packages/b
    repo/packages/a/      a root
    repo/packages/b/      a root
    ../wt/packages/a/     the same root in a linked work tree: reached, too

Below a folder git's index names the roots that were ever added to it; of others the directories near by are looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from intentls.store.fs.path_resolution import find_root
from intentls.store.git.command import ask_git
from intentls.store.git.repository import Repository, find_repository, read_regular, repository_at
from intentls.store.layout import ORCHESTRATION

MAX_ROOTS: Final = 32
"""As many are compared around one command."""

_MAX_DEPTH = 3
_MAX_DIRECTORIES = 500
_MAX_INDEX = 256 * 1024 * 1024
_MAX_WORK_TREES = 16
_SKIPPED = frozenset({"node_modules", "venv", "target", "dist", "build", "vendor", "__pycache__"})


def roots_around(folder: Path) -> tuple[Path, ...]:
    """The roots around `folder` (resolved): the one that governs it first, then those above, below and beside."""
    repository = find_repository(folder)
    own = [*_above(folder), *_below(folder, repository)]
    beside = [] if repository is None else _beside(repository, own)
    return tuple(dict.fromkeys([*own, *beside]))[:MAX_ROOTS]


def _above(folder: Path) -> Iterator[Path]:
    root = find_root(folder)
    while root is not None:
        yield root
        root = find_root(root.parent) if root.parent != root else None


def _below(folder: Path, repository: Repository | None) -> Iterator[Path]:
    names = _tracked(folder) if repository is not None and _may_name_roots(repository) else []
    directories = [folder / name.split(f"{ORCHESTRATION}/")[0] for name in names]
    for directory in dict.fromkeys([*directories, *_near(folder)]):
        if directory != folder and find_root(directory) == directory:
            yield directory


def _tracked(folder: Path) -> list[str]:
    output = ask_git(folder, "ls-files", "-z", "--", f":(glob)**/{ORCHESTRATION}/**")
    return os.fsdecode(output or b"").split("\0")[:-1]


def _may_name_roots(repository: Repository) -> bool:
    """Whether git's index has the name anywhere: cheaper than to start git. It may share a name's first letters."""
    return ORCHESTRATION[1:].encode() in read_regular(repository.own / "index", _MAX_INDEX)


def _near(folder: Path) -> list[Path]:
    """The directories a few steps below that have an `.orchestration`, of those that are looked at."""
    found: list[Path] = []
    level, looked_at = [str(folder)], 0
    for _ in range(_MAX_DEPTH):
        below: list[str] = []
        for directory in level:
            looked_at += 1
            if looked_at > _MAX_DIRECTORIES:
                return found
            below += _directories(directory)
        found += [Path(directory) for directory in below if os.path.lexists(f"{directory}/{ORCHESTRATION}")]
        level = below
    return found


def _directories(directory: str) -> list[str]:
    try:
        with os.scandir(directory) as entries:
            return sorted(
                entry.path
                for entry in entries
                if entry.name[0] != "." and entry.name not in _SKIPPED and entry.is_dir(follow_symlinks=False)
            )
    except OSError:
        return []


def _work_trees(repository: Repository) -> Iterator[Repository]:
    """The other work trees of the repository, the main one included."""
    tops = [repository.common.parent] if repository.common.name == ".git" else []
    try:
        names = sorted(os.listdir(repository.common / "worktrees"))  # noqa: PTH208  Path objects are slower
    except OSError:
        names = []
    for name in names[:_MAX_WORK_TREES]:
        link = read_regular(repository.common / "worktrees" / name / "gitdir").strip()
        tops += [Path(os.fsdecode(link)).parent] if link else []
    for top in tops:
        if top != repository.top and (top / ".git").exists():
            yield repository_at(top)


def _beside(repository: Repository, roots: list[Path]) -> Iterator[Path]:
    """The roots of the other work trees that stand in the same places as `roots`."""
    places = [root.relative_to(repository.top) for root in roots if root.is_relative_to(repository.top)]
    for tree in _work_trees(repository) if places else ():
        for place in places:
            root = tree.top.resolve() / place
            if find_root(root) == root:
                yield root

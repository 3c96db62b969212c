"""An intent's scope as paths that a sandbox understands: folders and files, no patterns.

A sandbox can't match patterns, so `tests/api/*.py` becomes all of `tests/api`. The gate still decides each edit: what
a sandbox adds is that the system itself stops a command that writes elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct

from intentls.core.errors import ConfigurationError
from intentls.core.intents.intent import Intent
from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER, POLICY_FILE
from intentls.store.git.status import GitFiles
from intentls.store.layout import ORCHESTRATION

_DECLARED = (INTENTS_FILE, INTENTS_FOLDER, POLICY_FILE)
_GIT = ".git"


class SandboxPaths(Struct, frozen=True):
    """Root-relative paths, sorted. `writable` are the scope's, `read_only` lie inside of them.

    `beside` are what is in the root, in none of the others, and not ignored by git; `ignored` is ignored by git. An
    example: of the scope `src/api/**`, `!src/api/gen/**` in a root with `src/api`, `src/db`, `docs` and an ignored
    `build` they are `("src/api",)`, `("src/api/gen",)`, `("docs", "src/db")` and `("build",)`.
    """

    writable: tuple[str, ...]
    read_only: tuple[str, ...]
    beside: tuple[str, ...]
    ignored: tuple[str, ...]


def sandbox_paths(root: Path, intent: Intent) -> SandboxPaths:
    """The paths for `intent` in `root`, as the disk is now. Raises OSError, and ConfigurationError for a scope that
    names no folder: the sandbox would limit nothing.
    """
    places = {place for glob in intent.scope.included for place, _ in glob.places}
    if not places or "" in places:
        patterns = ", ".join(intent.scope.patterns) or "the whole workspace"
        raise ConfigurationError(
            f"The scope of {intent.id} ({patterns}) reaches over the whole workspace: no sandbox can limit it."
        )
    writable = _outermost(places)
    excluded = {place for glob in intent.scope.excluded for place, whole in glob.places if whole}
    read_only = [path for path in _outermost(excluded) if _is_below(path, writable)] + list(_DECLARED)
    beside = tuple(_beside(root, (*writable, ORCHESTRATION)))
    ignored = GitFiles(root).ignored(beside)
    return SandboxPaths(
        writable,
        tuple(path for path in read_only if os.path.lexists(root / path)),
        tuple(path for path in beside if path not in ignored),
        tuple(path for path in beside if path in ignored),
    )


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    everything = sorted(set(paths))
    return tuple(path for path in everything if not _is_below(path, [other for other in everything if other != path]))


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)


def _beside(root: Path, writable: tuple[str, ...]) -> Iterator[str]:
    """What lies beside the way to the writable paths."""
    ways = {str(parent) for path in writable for parent in PurePosixPath(path).parents}
    for way in sorted(ways):
        folder = root / way
        for name in sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []:
            path = name if way == "." else f"{way}/{name}"
            if path not in ways and path not in writable and name != _GIT:
                yield path

"""Which directories hold what an editor shows, apart from the files that people edit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from intentls.engine.workspace.engine import Engine
from intentls.store.fs.path_resolution import find_root
from intentls.store.git.repository import find_repository
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION, Layout

_HEAD = "HEAD"
_OF_ROOT = frozenset({ORCHESTRATION, IGNORE_NAME, _HEAD, ".git"})
_TEMPORARY = (".tmp", ".lock")


def watched_directories(engine: Engine) -> list[Path]:
    """The directories of all roots and folders in which a change may change what the editor shows."""
    return list(dict.fromkeys(_directories(engine)))


def is_watched(directory: Path, name: str) -> bool:
    """Whether a change of `name` in a watched directory counts; the root itself is full of other files.

    Example: of `.git` only `HEAD` counts, not the locks and the index that every `git status` writes.
    """
    if name.endswith(_TEMPORARY):
        return False
    return not name or ORCHESTRATION in directory.parts or name in _OF_ROOT


def _directories(engine: Engine) -> Iterator[Path]:
    for folder in engine.host.folders():
        yield folder
        if find_root(folder) is None:  # git may bring its intents: what git ignores in their folder is still there
            layout = Layout(folder)
            yield from (layout.orchestration, layout.intents_folder, *_git_directory(folder))
    for workspace in engine.known():
        layout = workspace.layout
        yield from (layout.root, *_git_directory(layout.root))
        yield from (layout.orchestration, layout.intents_folder, layout.state, layout.sessions)
        yield from (layout.leases, layout.accepted)
        if workspace.coordination.is_shared:
            yield layout.coordination  # the keeper tells of other machines there


def _git_directory(directory: Path) -> tuple[Path, ...]:
    repository = find_repository(directory)
    return () if repository is None else (repository.own,)

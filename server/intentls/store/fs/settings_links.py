"""Symbolic links where an agent looks for its settings: whoever writes to where they lead writes the settings."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from intentls.core.patterns.protected_paths import AGENT_SETTINGS_NAMES


def settings_links(root: Path) -> tuple[tuple[str, str], ...]:
    """Where each link leads, and its own path, both from `root` (resolved); only those that stay in it.

    Example: of `.claude/settings.json -> ../src/settings.json` it is `("src/settings.json", ".claude/settings.json")`.
    """
    links = []
    for link in _links(root):
        target = os.path.realpath(os.path.join(root, link))
        if target.startswith(f"{root}{os.sep}"):
            links.append((os.path.relpath(target, root).replace(os.sep, "/"), link))
    return tuple(links)


def _links(root: Path) -> Iterator[str]:
    for name in AGENT_SETTINGS_NAMES:
        path = os.path.join(root, name)
        try:
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                yield name
            elif not stat.S_ISDIR(mode):
                continue
            with os.scandir(path) as entries:
                yield from [f"{name}/{entry.name}" for entry in entries if entry.is_symlink()]
        except OSError:
            continue  # most are not there; a link may lead to a file

"""Symbolic links where an agent looks for its settings: whoever writes to where they lead writes the settings."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from intentls.core.patterns.protected_paths import AGENT_SETTINGS_NAMES
from intentls.store.fs.cached_file import directory_stamp
from intentls.store.fs.primitives import Stamp, is_racy


class _NoLinks(Struct, frozen=True):
    """There was no link while the root and these directories in it, by path, had these stamps."""

    root: Stamp
    directories: tuple[tuple[Path, Stamp], ...]

    def still_holds(self, root: Stamp | None) -> bool:
        """Whether no name came or went since."""
        return self.root == root and all(directory_stamp(path) == stamp for path, stamp in self.directories)


class SettingsLinks:
    """The links of one root, looked for again when names came or went. Safe to use from several threads.

    Hardly any root has some. Where there are, they are looked at each time: what is on the way to their targets may
    change without a sign.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._none: _NoLinks | None = None

    def get(self, root: Stamp | None) -> tuple[tuple[str, str], ...]:
        """Where each link leads, and its own path, both from the root (resolved); only those that stay in it.

        `root` is the stamp of the root directory, None if it proves nothing. Example: of
        `.claude/settings.json -> ../src/settings.json` it is `("src/settings.json", ".claude/settings.json")`.
        """
        none = self._none
        if none is not None and none.still_holds(root):
            return ()
        started = time.time_ns()
        paths = [self._root / name for name in AGENT_SETTINGS_NAMES]
        stamps = [(path, stamp) for path in paths if (stamp := directory_stamp(path)) is not None]
        links = list(_links(self._root))
        young = any(is_racy(stamp, started) for stamp in (root, *dict(stamps).values()))
        self._none = None if root is None or links or young else _NoLinks(root, tuple(stamps))
        return tuple(pair for link in links if (pair := self._led(link)) is not None)

    def _led(self, link: str) -> tuple[str, str] | None:
        target = os.path.realpath(os.path.join(self._root, link))
        if not target.startswith(f"{self._root}{os.sep}"):
            return None
        return os.path.relpath(target, self._root).replace(os.sep, "/"), link


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

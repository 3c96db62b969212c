"""Reading a repository's own configuration files where that is simple: cheaper than to start git for them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_MOST_BYTES = 1024 * 1024
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
# A section's name is written out, letter by letter; what is not in these files comes in by an `include`.
_TELLING = (b"filter", b"include")


def surely_defines_no_filter(root: Path) -> bool:
    """Whether no repository that git could take `root` (resolved) to be in defines a content filter of its own.

    False also where it is not that simple to tell: linked worktrees, submodules, bare repositories, files that
    include others. `.git` folders further up count too, for git goes on to the next where one is no repository.
    """
    return all(_is_clean(folder) for folder in (root, *root.parents))


def _is_clean(folder: Path) -> bool:
    if os.path.lexists(folder / "HEAD"):
        return False  # it may be a repository itself
    own = folder / ".git"
    if not os.path.lexists(own):
        return True
    if not own.is_dir() or os.path.lexists(own / "commondir"):
        return False
    return all(_is_silent(own / name) for name in ("config", "config.worktree"))


def _is_silent(file: Path) -> bool:
    """Whether a configuration file says nothing of filters; one that is not there says nothing."""
    try:
        descriptor = os.open(file, _READ)
    except FileNotFoundError:
        return not os.path.lexists(file)
    except OSError:
        return False
    with open(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        data = opened.read(_MOST_BYTES + 1).lower()
    return len(data) <= _MOST_BYTES and not any(word in data for word in _TELLING)

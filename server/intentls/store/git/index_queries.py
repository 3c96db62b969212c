"""What git makes of files in a work tree: whether it ignores or tracks them, which attributes they have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.store.git.command import git_version as git_version
from intentls.store.git.command import run_git

if TYPE_CHECKING:
    from subprocess import CompletedProcess


class GitFiles:
    """Asks git about files below `root`, named by their root-relative paths.

    Every answer is None where git has none: outside a work tree, or where git is not installed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def attribute(self, path: str, name: str) -> str | None:
        """The value of an attribute of `.gitattributes`; `unspecified` if no line sets it."""
        done = self._ask("check-attr", "-z", name, "--", path)
        if done is None or done.returncode != 0:
            return None
        return os.fsdecode(done.stdout).split("\0")[2]

    def is_ignored(self, path: str) -> bool | None:
        """Whether a new file of this name would be left out."""
        done = self._ask("check-ignore", "--quiet", "--no-index", "--", path)
        return None if done is None or done.returncode not in (0, 1) else done.returncode == 0

    def is_tracked(self, path: str) -> bool | None:
        """Whether the file, or a file in the folder, is in git's index."""
        done = self._ask("ls-files", "-z", "--", f":(literal){path}")
        return None if done is None or done.returncode != 0 else bool(done.stdout)

    def _ask(self, *arguments: str) -> CompletedProcess[bytes] | None:
        return run_git(self._root, *arguments)


def ask_git(root: Path, *arguments: str, stdin: bytes = b"", filters: bool = False) -> bytes | None:
    """What git says on stdout when run in `root`; None where it fails, is not installed or takes too long.

    Takes no lock of the repository and runs nothing that the repository names; for `filters` see `run_git`.
    """
    done = run_git(root, *arguments, stdin=stdin, filters=filters)
    return None if done is None or done.returncode != 0 else done.stdout

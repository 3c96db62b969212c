"""What git makes of files in a work tree: whether it ignores or tracks them, which attributes they have."""

from __future__ import annotations

import logging
import os
import subprocess
from pathlib import Path

log = logging.getLogger(__name__)

_TIMEOUT_S = 10.0
# Which configuration and which programs git uses is for the user to say; other variables of a git that called
# us (GIT_DIR, GIT_INDEX_FILE, ...) would lead to another repository.
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})


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

    def _ask(self, *arguments: str) -> subprocess.CompletedProcess[bytes] | None:
        return _run(["git", "-C", str(self._root), "-c", "core.fsmonitor=false", *arguments])


def git_version() -> str | None:
    """What `git --version` says; None if there is no git."""
    done = _run(["git", "--version"])
    return None if done is None or done.returncode != 0 else os.fsdecode(done.stdout).strip()


def _run(command: list[str]) -> subprocess.CompletedProcess[bytes] | None:
    environment = {
        name: value for name, value in os.environ.items() if name in _KEPT or not name.upper().startswith("GIT_")
    }
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            env=environment | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.info("git could not be asked: %s", error)
        return None

"""Workspaces to measure in: so many files, so many intents, committed."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

PER_FOLDER = 100
ONE_INTENT = """\
active_intents:
  - id: INT-001
    name: Measure
    status: IN_PROGRESS
    owned_scope: ["src/**"]
"""


def repository(root: Path, files: int, intents: str = ONE_INTENT) -> Path:
    """A committed repository of `files` small files below `src/`."""
    for number in range(files):
        path = root / name(number)
        if number % PER_FOLDER == 0:
            path.parent.mkdir(parents=True)
        path.write_text(f"NUMBER = {number}\n")
    (root / ".orchestration").mkdir()
    (root / ".orchestration" / "active_intents.yaml").write_text(intents)
    git(root, "init", "--quiet")
    git(root, "config", "user.name", "A")
    git(root, "config", "user.email", "a@example.invalid")
    git(root, "config", "gc.auto", "0")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Start")
    return root


def settle(root: Path, thoroughly: bool) -> None:
    """Let git note what the files are; thoroughly: once no time stamp is so young any more as to hide a change."""
    if thoroughly:
        time.sleep(2.1)
    subprocess.run(["git", "-C", str(root), "update-index", "--refresh", "-q"], check=False, stdout=subprocess.DEVNULL)


def name(number: int) -> str:
    """The root-relative path of a file."""
    return f"src/d{number // PER_FOLDER:04}/f{number % PER_FOLDER:02}.py"


def git(root: Path, *arguments: str) -> None:
    """Run git, its output thrown away. CalledProcessError if it fails."""
    subprocess.run(["git", "-C", str(root), *arguments], check=True, stdout=subprocess.DEVNULL)

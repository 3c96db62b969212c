"""Workspaces and git repositories on disk, as a test wants them: one call, one folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

Content = str | bytes

# What somebody has configured on this machine must not reach a test: conftest.py puts this in force for all.
GIT_ENV: Mapping[str, str] = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada Test",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_COMMITTER_NAME": "Ada Test",
    "GIT_COMMITTER_EMAIL": "ada@example.invalid",
    "GIT_TERMINAL_PROMPT": "0",
}

WEATHER_INTENTS = """\
active_intents:
  - id: INT-001
    name: Build Weather API
    status: IN_PROGRESS
    owned_scope: ["src/api/**", "tests/api/*.py", "!src/api/generated/**"]
    constraints: ["Must not use external auth providers"]
    acceptance_criteria: ["Unit tests in tests/api pass"]
  - id: INT-002
    name: Write the guide
    status: PLANNED
    owned_scope: ["docs/**"]
  - id: INT-003
    name: First prototype
    status: COMPLETED
    owned_scope: ["prototype/**"]
"""

WEATHER_FILES: Mapping[str, Content] = {
    "src/api/weather.py": "def today():\n    return 'sunny'\n",
    "src/api/generated/schema.py": "SCHEMA = {}\n",
    "docs/design.md": "# Design\n",
    "prototype/main.py": "print('hello')\n",
}

WHEN_MADE: Callable[[Path], object] = lambda _: None  # noqa: E731  a test's store of leases replaces it
"""What else is done with each new root; see `tests.support.stores`."""


def write_files(folder: Path, files: Mapping[str, Content]) -> None:
    """Write each of `files` (POSIX paths below `folder`), text as UTF-8, line ends exactly as given."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def make_workspace(
    root: Path,
    intents: Content | None = WEATHER_INTENTS,
    files: Mapping[str, Content] | None = None,
    *,
    policy: Content | None = None,
    ignore: Content | None = None,
) -> Path:
    """Make `root` a workspace and return it, resolved.

    `intents` is the text of active_intents.yaml (None: no such file, so no root); `files` defaults to those
    that the default intents speak of; `policy` and `ignore` are what policy.yaml and .intentignore hold.
    """
    own = {
        ".orchestration/active_intents.yaml": intents,
        ".orchestration/policy.yaml": policy,
        ".intentignore": ignore,
    }
    root.mkdir(parents=True, exist_ok=True)
    write_files(root, WEATHER_FILES if files is None else files)
    write_files(root, {name: content for name, content in own.items() if content is not None})
    if intents is not None:
        WHEN_MADE(root.resolve())
    return root.resolve()


def intents_yaml(scopes: Mapping[str, Iterable[str]], status: str = "IN_PROGRESS") -> str:
    """The text of an intents file with one intent a key, e.g. `intents_yaml({"INT-001": ["src/**"]})`."""
    lines = ["active_intents:" if scopes else "active_intents: []"]
    for intent_id, globs in scopes.items():
        quoted = ", ".join("'" + glob.replace("'", "''") + "'" for glob in globs)
        lines += [
            f"  - id: {intent_id}",
            f"    name: Work on {intent_id}",
            f"    status: {status}",
            f"    owned_scope: [{quoted}]",
        ]
    return "\n".join(lines) + "\n"


def git(folder: Path, *arguments: str) -> str:
    """Run git in `folder`; its output, without the last line end."""
    done = subprocess.run(
        ["git", *arguments],
        check=False,  # the assertion below shows what git said
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stderr or done.stdout}"
    return done.stdout.removesuffix("\n")


def make_git_repo(folder: Path, files: Mapping[str, Content] | None = None) -> Path:
    """Make `folder` a git repository whose first commit, if there is anything to commit, holds all of it."""
    folder.mkdir(parents=True, exist_ok=True)
    write_files(folder, files or {})
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "core.autocrlf", "false")
    if git(folder, "status", "--porcelain"):
        commit_all(folder, "Start")
    return folder.resolve()


def commit_all(folder: Path, message: str) -> str:
    """Commit everything in the working tree; the new commit's id."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD")

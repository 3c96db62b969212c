"""What one commit changed, with the contents before and after. Against the first parent, renames found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from intentls.core.change_kind import Change
from intentls.core.errors import ConfigurationError
from intentls.store.git.command import run_git
from intentls.store.git.commits import read_objects

_TIMEOUT_S = 120.0
_DIFF = (
    *("diff-tree", "-r", "-z", "--no-commit-id"),
    *("--find-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
)
_KINDS = {"A": Change.ADD, "D": Change.DELETE, "M": Change.MODIFY, "R": Change.RENAME, "T": Change.MODIFY}


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of a commit. `before`/`after` None: it did not exist there. `old_path` only of a rename."""

    path: str
    change: Change
    before: bytes | None
    after: bytes | None
    old_path: str | None = None


def changed_files(top: Path, commit: str) -> tuple[ChangedFile, ...]:
    """The files that `commit` changed against its first parent, in git's order; a root commit adds all.

    Raises ConfigurationError if git can't tell.
    """
    parents = _ask(top, commit, "rev-list", "--parents", "--max-count=1", commit).decode("ascii").split()[1:2]
    told = _ask(top, commit, *_DIFF, *(parents or ["--root"]), commit)
    rows: list[tuple[str, str, str, list[str]]] = []
    items = iter(told.split(b"\0")[:-1])
    for item in items:
        _, _, old, new, status = item.decode("ascii").split(" ")
        names = [os.fsdecode(next(items)) for _ in range(2 if status[0] == "R" else 1)]
        rows.append((old, new, status[0], names))
    contents = read_objects(top, (oid for old, new, _, _ in rows for oid in (old, new) if oid.strip("0")))
    return tuple(
        ChangedFile(
            names[-1], _KINDS[status], contents.get(old), contents.get(new), names[0] if status == "R" else None
        )
        for old, new, status, names in rows
    )


def _ask(top: Path, commit: str, *arguments: str) -> bytes:
    done = run_git(top, *arguments, timeout_s=_TIMEOUT_S)
    if done is None or done.returncode != 0:
        raise ConfigurationError(f"git can't tell what {commit[:12]} changed. Is the whole history here?")
    return done.stdout

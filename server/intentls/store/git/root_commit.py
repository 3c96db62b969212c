"""By what a repository is known on every machine: the first commit of its history."""

from __future__ import annotations

import re
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.store.git.command import run_git

_ID = re.compile(r"[0-9a-f]{40,64}")


def root_commit(root: Path) -> str:
    """The id of the first commit that HEAD's first parents lead to. Raises StoreError where there is none to be had."""
    shallow = run_git(root, "rev-parse", "--is-shallow-repository")
    if shallow is None or shallow.returncode != 0:
        raise StoreError(f"{root} is in no git repository, and other machines know it by its first commit")
    if shallow.stdout.strip() == b"true":
        raise StoreError(
            "this clone lacks its first commit, by which other machines know it: run `git fetch --unshallow`"
        )
    listed = run_git(root, "rev-list", "--first-parent", "--max-parents=0", "HEAD")
    lines = [] if listed is None or listed.returncode != 0 else listed.stdout.decode("ascii", "replace").split()
    if not lines or _ID.fullmatch(lines[-1]) is None:
        raise StoreError("the repository has no commit yet, and other machines know it by its first one")
    return lines[-1]


def folder_in_repository(root: Path) -> str:
    """The folder of `root` in its work tree, with a slash at its end; "" for the work tree's own. Raises StoreError."""
    prefix = run_git(root, "rev-parse", "--show-prefix")
    if prefix is None or prefix.returncode != 0:
        raise StoreError(f"{root} is in no git work tree")
    return prefix.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

"""How git converts contents between what it keeps and what lies on the disk: line ends and filters."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from intentls.store.git.command import ask_git
from intentls.store.git.repository import find_repository, read_regular

_NO_FILTER = frozenset({"unspecified", "unset"})
_DECIDING = ("config", "config.worktree", "info/attributes")


def filtered_paths(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Those of the root-relative `paths` that a filter converts; all of them where git can't tell.

    A repository's own filters are never run, and any other may answer otherwise than it did (`git lfs` without its
    network), so of such a file only a copy from the disk is exact.
    """
    paths = list(paths)
    if not paths:
        return frozenset()
    names = "".join(f"{path}\0" for path in paths)
    output = ask_git(root, "check-attr", "-z", "--stdin", "filter", stdin=os.fsencode(names))
    fields = os.fsdecode(output or b"").split("\0")
    values = dict(zip(fields[0::3], fields[2::3], strict=False))
    return frozenset(path for path in paths if values.get(path) not in _NO_FILTER)


def hash_conversion(root: Path) -> str:
    """The hash of the repository's files that decide how it converts, but for `.gitattributes`; "" outside git."""
    repository = find_repository(root)
    if repository is None:
        return ""
    directories = dict.fromkeys((repository.own, repository.common))
    contents = (read_regular(directory / name) for directory in directories for name in _DECIDING)
    return sha256(b"\0".join(sha256(data).digest() for data in contents)).hexdigest()

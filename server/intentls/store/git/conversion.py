"""How git converts contents between what it keeps and what lies on the disk: line ends and filters."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from intentls.store.fs.primitives import READ
from intentls.store.git.command import ask_git

_NO_FILTER = frozenset({"unspecified", "unset"})
_DECIDING = ("config", "config.worktree", "info/attributes")
_MAX_BYTES = 1024 * 1024  # of each file


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
    top = next((directory for directory in (root, *root.parents) if os.path.lexists(directory / ".git")), None)
    if top is None:
        return ""
    own = _linked(top / ".git", b"gitdir: ") or top / ".git"
    common = _linked(own / "commondir") or own
    contents = (_read(directory / name) for directory in dict.fromkeys((own, common)) for name in _DECIDING)
    return sha256(b"\0".join(sha256(data).digest() for data in contents)).hexdigest()


def _linked(file: Path, prefix: bytes = b"") -> Path | None:
    """The directory that a file of git's names: `.git` of a linked worktree, or `commondir`."""
    data = _read(file)
    if not data or not data.startswith(prefix):
        return None
    return file.parent / os.fsdecode(data.removeprefix(prefix).rstrip(b"\r\n"))


def _read(file: Path) -> bytes:
    """The content; "" for what is missing, no regular file or not readable."""
    try:
        with open(os.open(file, READ), "rb") as opened:
            return opened.read(_MAX_BYTES) if stat.S_ISREG(os.fstat(opened.fileno()).st_mode) else b""
    except (OSError, ValueError):
        return b""

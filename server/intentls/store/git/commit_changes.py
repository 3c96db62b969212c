"""What each of several commits changed: the modes and the objects before and after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from intentls.core.errors import ConfigurationError
from intentls.store.git.command import ask_git
from intentls.store.git.commits import AS_COMMITTED

_TIMEOUT_S = 120.0
_LOG = (
    *(AS_COMMITTED, "-c", "diff.ignoreSubmodules=none", "log", "--no-merges", "--full-history", "--full-diff"),
    *("--root", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--format=%H"),
)


@dataclass(frozen=True, slots=True)
class CommittedChange:
    """One path of one commit. The mode `000000` and an object of zeros stand for no file."""

    path: str
    old_mode: str
    new_mode: str
    old_oid: str
    new_oid: str

    @property
    def oids(self) -> tuple[str, ...]:
        """The objects that there are."""
        return tuple(oid for oid in (self.old_oid, self.new_oid) if oid.strip("0"))


def commit_changes(top: Path, base: str | None, head: str, paths: Iterable[str]) -> list[list[CommittedChange]]:
    """All that each commit from `base` (excluded) to `head` changed, if it changed one of `paths`; no merges.

    Raises ConfigurationError if git can't tell.
    """
    pathspecs = [f":(top,literal){path}" for path in paths]
    span = head if base is None else f"{base}..{head}"
    output = ask_git(top, *_LOG, span, "--", *pathspecs, timeout_s=_TIMEOUT_S)
    if output is None:
        raise ConfigurationError(f"git can't tell what the commits up to {head[:12]} changed. Is their history here?")
    commits: list[list[CommittedChange]] = []
    # A path follows its meta data, so that no name of a file can be taken for the next commit.
    items = iter(output.split(b"\0"))
    for item in items:
        meta = item.strip()
        if meta.startswith(b":"):
            old_mode, new_mode, old_oid, new_oid, _ = meta[1:].decode("ascii").split(" ")
            change = CommittedChange(os.fsdecode(next(items)), old_mode, new_mode, old_oid, new_oid)
            commits[-1].append(change)
        elif meta:
            commits.append([])
    return commits

"""What each of several commits changed: the modes and the objects before and after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import ConfigurationError
from intentls.store.git.command import ask_git
from intentls.store.git.commits import AS_COMMITTED

_TIMEOUT_S = 120.0
_LOG = (
    *(AS_COMMITTED, "-c", "diff.ignoreSubmodules=none", "log", "--no-merges", "--full-history", "--full-diff"),
    *("--root", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--format=%H"),
)
_LOG_OF_VERSIONS = (
    *(AS_COMMITTED, "-c", "diff.ignoreSubmodules=none", "log", "-c", "--full-history", "--reverse", "--topo-order"),
    *("--root", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv"),
    "--format=%H%x1f%an%x1f%ae",
)
_MAX_PATHSPECS = 200


class CommittedChange(Struct, frozen=True):
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


class CommittedVersion(Struct, frozen=True):
    """What a commit made of a path, and who wrote the commit. `parents` are the objects that its parents have.

    None stands for no file. Of a merge only what differs from all of its parents counts.
    """

    commit: str
    author: str
    address: str
    oid: str | None
    parents: tuple[str | None, ...]


def committed_versions(
    top: Path, base: str | None, head: str, paths: Iterable[str]
) -> dict[str, list[CommittedVersion]]:
    """By path, its versions by the commits from `base` (excluded) to `head`, merges too; oldest first.

    Raises ConfigurationError if git can't tell.
    """
    wanted = set(paths)
    pathspecs = [f":(top,literal){path}" for path in wanted] if len(wanted) <= _MAX_PATHSPECS else []
    span = head if base is None else f"{base}..{head}"
    output = ask_git(top, *_LOG_OF_VERSIONS, span, "--", *pathspecs, timeout_s=_TIMEOUT_S)
    if output is None:
        raise ConfigurationError(f"git can't tell what the commits up to {head[:12]} changed. Is their history here?")
    versions: dict[str, list[CommittedVersion]] = {}
    commit, author, address = "", "", ""
    items = iter(output.split(b"\0"))
    for item in items:
        meta = item.strip()
        if meta.startswith(b":"):
            path, count = os.fsdecode(next(items)), len(meta) - len(meta.lstrip(b":"))
            oids = [_object(oid) for oid in meta.split(b" ")[count + 1 : 2 * count + 2]]
            if path in wanted:
                version = CommittedVersion(commit, author, address, oids[-1], tuple(oids[:-1]))
                versions.setdefault(path, []).append(version)
        elif meta:
            commit, author, address = os.fsdecode(meta).split("\x1f")
    return versions


def _object(oid: bytes) -> str | None:
    return oid.decode("ascii") if oid.strip(b"0") else None


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

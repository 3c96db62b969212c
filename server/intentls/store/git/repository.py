"""The repository that a directory lies in, and what it holds at one moment: the commits that its names lead to.

Of an operation of git that is compared with a moment before it, what counts as known is what this moment reached:

    before: main -> C2, origin/main -> C1, a stash S1     known: C1, C2, S1 and all that they come from
    after `git pull`: main -> C3, origin/main -> C3       C3 came by fetch, so it is known as well
    after `git commit`: main -> C4                        C4 is the command's own
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from intentls.late_pattern import late_pattern
from intentls.store.fs.primitives import open_binary
from intentls.store.git.command import ask_git

MAX_TIPS = 5_000
"""Commits that names lead to; of more, the first in git's order are known."""

_MAX_LOG = 4 * 1024 * 1024  # bytes at the end of a reflog
_MAX_SMALL = 1024 * 1024
_TIPS = ("for-each-ref", f"--count={MAX_TIPS}", "--format=%(objectname) %(refname)")
_OWN_HEADS = (
    *("HEAD", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"),
    *("AUTO_MERGE", "rebase-merge/autostash", "rebase-merge/orig-head", "rebase-apply/orig-head"),
)
_OBJECT = late_pattern(rb"^([0-9a-f]{64}|[0-9a-f]{40})\b", re.MULTILINE)
_LOG_LINE = late_pattern(
    rb"^([0-9a-f]{64}|[0-9a-f]{40}) ([0-9a-f]{64}|[0-9a-f]{40}) [^\t\n]*(?:\t([^\n]*))?$", re.MULTILINE
)


_NO_FILTER = frozenset({"unspecified", "unset"})
_DECIDING = ("config", "config.worktree", "info/attributes")


class Repository(NamedTuple):
    """`top` is the top of the work tree, `own` this work tree's git directory, `common` the one that all share."""

    top: Path
    own: Path
    common: Path


class LogEntry(NamedTuple):
    """A line of a reflog: the commit that a name left, the one it came to, and why."""

    old: str
    new: str
    message: str


class KnownObjects(Struct, frozen=True):
    """What a repository's names led to. `tips` are objects, `stashes` the stash's commits, newest first.

    `log_size` and `log_digest` are of the log of HEAD: what is behind it was written later.
    """

    tips: tuple[str, ...] = ()
    stashes: tuple[str, ...] = ()
    log_size: int = 0
    log_digest: str = ""


def find_repository(root: Path) -> Repository | None:
    """The repository that `root` (resolved) lies in, found without git; None outside git.

    A linked work tree's `.git` is a file that names the directory.
    """
    # As texts: each record asks, and to make paths of all folders above would cost it ten times as much.
    top = os.fspath(root)
    while not os.path.lexists(os.path.join(top, ".git")):
        if (above := os.path.dirname(top)) == top:
            return None
        top = above
    return repository_at(Path(top))


def repository_at(top: Path) -> Repository:
    """The repository whose work tree is at `top`."""
    own = _linked(top / ".git", b"gitdir: ") or top / ".git"
    return Repository(top, own, _linked(own / "commondir") or own)


def known_objects(root: Path, repository: Repository) -> KnownObjects:
    """What the names of `repository` lead to now, those in its logs included."""
    log = _log(repository.own / "logs/HEAD")
    stashes = [entry.new for entry in _entries(_log(repository.common / "logs/refs/stash"))]
    tips = dict.fromkeys(_own_heads(repository))
    tips |= dict.fromkeys(oid for oid, _ in refs(root))
    tips |= dict.fromkeys(entry.new for entry in reversed(_entries(log)))
    return KnownObjects(tuple(tips)[:MAX_TIPS], tuple(reversed(stashes)), len(log), _digest(log))


def refs(root: Path) -> list[tuple[str, str]]:
    """The objects that names lead to, with the names."""
    output = ask_git(root, *_TIPS)
    lines = os.fsdecode(output or b"").splitlines()
    return [(oid, name) for oid, _, name in (line.partition(" ") for line in lines)]


def entries_since(repository: Repository, known: KnownObjects) -> list[LogEntry] | None:
    """What was written to the log of HEAD since, oldest first; None where the log was changed otherwise."""
    log = _log(repository.own / "logs/HEAD")
    if _digest(log[: known.log_size]) != known.log_digest:
        return None
    return _entries(log[known.log_size :])


def newest_log_message(repository: Repository, name: str) -> str:
    """Why the name of a ref came to where it is; "" if its log does not say."""
    entries = _entries(_log(repository.common / "logs" / name)[-_MAX_SMALL:])
    return entries[-1].message if entries else ""


def fetched_heads(repository: Repository) -> tuple[str, ...]:
    """What the last fetch brought."""
    return tuple(_objects(read_regular(repository.own / "FETCH_HEAD")))


def read_regular(file: Path, limit: int = _MAX_SMALL) -> bytes:
    """The content; "" for what is missing, no regular file or not readable."""
    try:
        with open_binary(file) as opened:
            return opened.read(limit) if stat.S_ISREG(os.fstat(opened.fileno()).st_mode) else b""
    except (OSError, ValueError):
        return b""


def _own_heads(repository: Repository) -> Iterator[str]:
    for name in _OWN_HEADS:
        yield from _objects(read_regular(repository.own / name))


def _objects(data: bytes) -> Iterator[str]:
    return (oid.decode("ascii") for oid in _OBJECT.findall(data))


def _log(file: Path) -> bytes:
    return read_regular(file, _MAX_LOG)


def _entries(log: bytes) -> list[LogEntry]:
    return [LogEntry(old.decode(), new.decode(), os.fsdecode(why)) for old, new, why in _LOG_LINE.findall(log)]


def _digest(log: bytes) -> str:
    return sha256(log).hexdigest()


def _linked(file: Path, prefix: bytes = b"") -> Path | None:
    """The directory that a file of git's names: `.git` of a linked worktree, or `commondir`."""
    data = read_regular(file)
    if not data or not data.startswith(prefix):
        return None
    return file.parent / os.fsdecode(data.removeprefix(prefix).rstrip(b"\r\n"))


def filtered_paths(root: Path, paths: Iterable[str], index: Path | None = None) -> frozenset[str]:
    """Those of the root-relative `paths` that a filter converts; all of them where git can't tell.

    `index` takes the place of the repository's own, which git reads for `.gitattributes` that are not on the disk.
    A repository's own filters are never run, and any other may answer otherwise than it did (`git lfs` without its
    network), so of such a file only a copy from the disk is exact.
    """
    paths = list(paths)
    if not paths:
        return frozenset()
    names = "".join(f"{path}\0" for path in paths)
    output = ask_git(root, "check-attr", "-z", "--stdin", "filter", stdin=os.fsencode(names), index=index, about=paths)
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

"""What git says about a root, read from its files where that is simple and asked from git where it is not."""

from __future__ import annotations

import logging
import os
import stat
import time
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from intentls.late_pattern import late_pattern
from intentls.store.fs.primitives import READ, Stamp, file_stamp, is_racy
from intentls.store.git.command import run_git

log = logging.getLogger(__name__)

NULL_ID = "0" * 40
"""Stands for the revision before the first commit."""

_OBJECT_ID = late_pattern(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_OWN_REFS = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")  # every worktree has its own
_BRANCH = b"ref: refs/heads/"
_MAX_SYMBOLIC = 5  # as deep as git itself follows
_SMALL = 64 * 1024  # bytes; HEAD, a ref or a `.git` file is far smaller
_TIMEOUT_S = 60.0  # against a git that never ends: a record's revision must not depend on how busy the machine is


class Revision(Struct, frozen=True):
    """What is checked out. `sha` is 40 (SHA-1) or 64 (SHA-256) hex digits; None before the first commit."""

    sha: str | None


class _NeedsGit(Exception):  # not an error: git itself is asked instead
    """Something that only git can read. `watched`: the files read will show when its result changes."""

    def __init__(self, reason: str, *, watched: bool = False) -> None:
        super().__init__(reason)
        self.watched = watched


class _HeadReader(Struct):
    """Reads files and remembers how each of them looked, so that the result can be kept until one changes."""

    seen: dict[Path, Stamp | None] = field(default_factory=dict)

    def text(self, file: Path, limit: int | None = _SMALL) -> bytes | None:
        """The content, or None if there is no such file. Raises _NeedsGit for what is no readable regular file."""
        self.seen[file] = file_stamp(file)
        try:
            descriptor = os.open(file, READ)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _NeedsGit(str(error)) from error
        try:
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISDIR(mode):
                return None  # what is left of a branch `a/b` is no ref `a`
            if not stat.S_ISREG(mode):
                raise _NeedsGit(f"{file} is no regular file")
            with open(descriptor, "rb", closefd=False) as opened:
                return opened.read() if limit is None else opened.read(limit)
        finally:
            os.close(descriptor)

    def is_settled(self) -> bool:
        """Whether every file seen is old enough to show the next change in its stamp."""
        now = time.time_ns()
        return not any(is_racy(stamp, now) for stamp in self.seen.values())


class _GitDirectories(Struct, frozen=True):
    """Where a repository keeps its files: `own` is this worktree's directory, `common` all worktrees'."""

    own: Path
    common: Path


class Git:
    """Git as seen from `root`, which may lie anywhere in a work tree."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._index: Path | None = None
        self._cached: tuple[dict[Path, Stamp | None], Revision | None] | None = None  # what was read; the result

    @property
    def root(self) -> Path:
        """The directory from which git is seen."""
        return self._root

    def head(self) -> Revision | None:
        """The commit that is checked out now; None outside git, or if git can't tell. Never raises."""
        if self._cached is not None and all(file_stamp(file) == stamp for file, stamp in self._cached[0].items()):
            return self._cached[1]
        self._cached = None
        reader = _HeadReader()
        keep = True
        try:
            directories = _find(self._root, reader)
            revision = None if directories is None else Revision(_resolve(directories, reader))
        except _NeedsGit as reason:
            log.debug("asking git for HEAD of %s: %s", self._root, reason)
            revision = _ask(self._root)
            keep = reason.watched and revision is not None
        if keep and reader.is_settled():
            self._cached = (reader.seen, revision)
        return revision

    def branch(self) -> str | None:
        """The branch that is checked out; None for a detached HEAD, outside git, and where only git could tell."""
        reader = _HeadReader()
        try:
            directories = _find(self._root, reader)
            content = None if directories is None else reader.text(directories.own / "HEAD")
        except _NeedsGit as reason:
            log.debug("the branch of %s is not known: %s", self._root, reason)
            return None
        ref = (content or b"").strip()
        return os.fsdecode(ref.removeprefix(_BRANCH)) if ref.startswith(_BRANCH) else None

    def index_file(self) -> Path | None:
        """Where this work tree's index is; None outside git, or where only git can tell. Never raises."""
        if self._index is None:
            try:
                directories = _find(self._root, _HeadReader())
            except _NeedsGit:
                return None
            self._index = None if directories is None else directories.own / "index"
        return self._index


def _find(root: Path, reader: _HeadReader) -> _GitDirectories | None:
    for parent in (root, *root.parents):
        marker = parent / ".git"
        reader.seen[marker] = file_stamp(marker)
        try:
            mode = marker.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise _NeedsGit(str(error)) from error
        if stat.S_ISDIR(mode):
            directories = _directories(marker, reader)
            if directories is None:
                continue
            del reader.seen[marker]  # it changes with every lock file in it; HEAD is watched anyway
            return directories
        content = reader.text(marker) or b""  # of a worktree or a submodule: it points to the directory
        if not content.startswith(b"gitdir: "):
            raise _NeedsGit(f"{marker} names no directory")
        directories = _directories(parent / _named(content.removeprefix(b"gitdir: ")), reader)
        if directories is None:
            raise _NeedsGit(f"{marker} leads to no repository")
        return directories
    return None


def _named(content: bytes) -> str:
    """The path or ref name that the file content is."""
    if b"\0" in content:
        raise _NeedsGit("a NUL byte where a name should be")
    return os.fsdecode(content.rstrip(b"\r\n"))


def _directories(own: Path, reader: _HeadReader) -> _GitDirectories | None:
    """The directories of the repository at `own`; None if there is none by git's own test."""
    shared = reader.text(own / "commondir")
    common = own if shared is None else own / _named(shared)
    complete = os.path.lexists(own / "HEAD") and (common / "objects").is_dir() and (common / "refs").is_dir()
    return _GitDirectories(own, common) if complete else None


def _resolve(directories: _GitDirectories, reader: _HeadReader) -> str | None:
    """The commit that HEAD leads to; None before the first commit."""
    tables = directories.common / "reftable"
    if tables.exists():
        for directory in (tables, directories.own / "reftable"):
            reader.text(directory / "tables.list")  # git rewrites it with every change of a ref
        raise _NeedsGit("refs are kept in tables", watched=True)
    name = "HEAD"
    for _ in range(_MAX_SYMBOLIC):
        own = name == "HEAD" or name.startswith(_OWN_REFS)
        content = reader.text((directories.own if own else directories.common) / name)
        if content is None:
            if name == "HEAD":
                raise _NeedsGit("HEAD is a link to a missing file")
            return _packed(directories, name, reader)
        value = content.strip()
        if _OBJECT_ID.fullmatch(value):
            return value.decode("ascii")
        if not value.startswith(b"ref:"):
            raise _NeedsGit(f"{name} holds neither an object id nor a reference")
        name = _named(value.removeprefix(b"ref:").strip())
        if not name.startswith("refs/") or ".." in PurePosixPath(name).parts:
            raise _NeedsGit(f"HEAD leads to the unusual name {name!r}")
    raise _NeedsGit("HEAD leads through too many references")


def _packed(directories: _GitDirectories, name: str, reader: _HeadReader) -> str | None:
    """The packed ref `name`; None if there is no such ref: nothing is committed to it yet."""
    content = reader.text(directories.common / "packed-refs", limit=None) or b""
    end = content.find(b" " + os.fsencode(name) + b"\n")
    if end < 0:
        return None
    value = content[content.rfind(b"\n", 0, end) + 1 : end]
    if not _OBJECT_ID.fullmatch(value):
        raise _NeedsGit(f"packed-refs is damaged at {name!r}")
    return value.decode("ascii")


def _ask(root: Path) -> Revision | None:
    result = run_git(root, "rev-parse", "--verify", "--quiet", "HEAD", timeout_s=_TIMEOUT_S)
    if result is None:
        return None
    if result.returncode == 1:  # quietly: a repository, but no commit yet
        return Revision(None)
    sha = result.stdout.strip()
    if result.returncode != 0 or not _OBJECT_ID.fullmatch(sha):
        log.info("git can't tell HEAD of %s: %s", root, os.fsdecode(result.stderr.strip()))
        return None
    return Revision(sha.decode("ascii"))

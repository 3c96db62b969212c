"""Whom git's configuration names: `user.name` and `user.email`, as git itself reads them.

Git is asked, since only git knows what an `includeIf`, a linked worktree's own file or a system file says. The answer
is kept until a file changes that git read, or would read if it were there: one process for each start and each change.

Environment variables that name the author of one commit (`GIT_AUTHOR_NAME` and its like) are left out: what calls a
command may set them for a commit under way, and a record is made by the person at this machine.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from intentls.core.ledger.person import person_name
from intentls.store.fs.primitives import Stamp, file_stamp, is_racy
from intentls.store.git.command import git_program, run_git

log = logging.getLogger(__name__)

_TIMEOUT_S = 60.0  # against a git that never ends: who made a record must not depend on how busy the machine is
_SMALL = 64 * 1024  # bytes; a `.git` file is far smaller
# What leads git to other files. A value of these is not known from the files' stamps alone.
_ENVIRONMENT = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_IN_GIT_DIRECTORY = ("config", "config.worktree", "HEAD")  # HEAD: an `includeIf "onbranch:..."` may depend on it


class GitUser(Struct, frozen=True):
    """A name and an address, each on one line and of a bounded length; None where git knows none."""

    name: str | None = None
    email: str | None = None


class _CachedUser(Struct, frozen=True):
    """What git said, and the state in which it did."""

    environment: tuple[str | None, ...]
    stamps: dict[Path, Stamp | None]
    user: GitUser

    def holds(self) -> bool:
        """Whether git would say the same now."""
        if self.environment != _environment():
            return False
        return all(file_stamp(file) == stamp for file, stamp in self.stamps.items())


class GitIdentity:
    """The user of git in `root`, which may lie anywhere in a work tree, or outside every repository."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._cached: _CachedUser | None = None

    def user(self) -> GitUser:
        """The user as git is configured now; without name and address where git can't be asked. Never raises."""
        cached = self._cached
        if cached is not None and cached.holds():
            return cached.user
        started, environment = time.time_ns(), _environment()
        stamps = {file: file_stamp(file) for file in _usual_files(self._root)}
        answer = _ask(self._root)
        entries = answer or []
        stamps |= {file: file_stamp(file) for file in _files_of(entries, self._root) if file not in stamps}
        user = GitUser(_last(entries, "user.name"), _last(entries, "user.email"))
        # A git that gave no answer, as one that was killed, is asked again; where there is none, none is looked for.
        is_final = answer is not None or git_program() is None
        settled = is_final and not any(is_racy(stamp, started) for stamp in stamps.values())
        self._cached = _CachedUser(environment, stamps, user) if settled else None
        return user


_Entry = tuple[Path | None, str, str]
"""The file of a setting (None: it is none), its key with section and name in lower case, its value."""


def _ask(root: Path) -> list[_Entry] | None:
    """All settings; none where git can't read its configuration; None where git gave no answer at all."""
    result = run_git(root, "config", "--list", "--show-origin", "-z", "--includes", timeout_s=_TIMEOUT_S)
    if result is None or result.returncode != 0:
        log.info("git can't tell who its user in %s is", root)
        return None if result is None or result.returncode < 0 else []
    fields = os.fsdecode(result.stdout).split("\0")
    return [_entry(root, origin, setting) for origin, setting in zip(fields[::2], fields[1::2], strict=False)]


def _entry(root: Path, origin: str, setting: str) -> _Entry:
    key, _, value = setting.partition("\n")
    kind, _, name = origin.partition(":")
    return (root / name if kind == "file" else None), key, value


def _last(entries: Iterable[_Entry], key: str) -> str | None:
    """The value that counts: the last one that was set."""
    values = [value for _, name, value in entries if name == key]
    # What is no UTF-8 came as half surrogates, which no record can hold.
    return person_name(os.fsencode(values[-1]).decode("utf-8", "replace")) if values else None


def _files_of(entries: Iterable[_Entry], root: Path) -> Iterator[Path]:
    """The files that these settings are from, and those that they include, whether or not they are there."""
    for file, key, value in entries:
        if file is not None:
            yield file
        if key == "include.path" or (key.startswith("includeif.") and key.endswith(".path")):
            yield (file or root).parent / os.path.expanduser(value)  # noqa: PTH111  (a Path would raise)


def _usual_files(root: Path) -> Iterator[Path]:
    """Where git looks for its configuration, whether or not something is there."""
    home = os.path.expanduser("~")  # noqa: PTH111  (a Path would raise where there is no home)
    yield Path(os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig")
    yield Path(os.environ.get("GIT_CONFIG_GLOBAL") or Path(home, ".gitconfig"))
    yield Path(os.environ.get("XDG_CONFIG_HOME") or Path(home, ".config"), "git", "config")
    for parent in (root, *root.parents):
        marker = parent / ".git"
        own = _pointed_to(marker)
        is_directory = own is None and marker.is_dir()  # its stamp changes all the time, and what is in it tells more
        if not is_directory:
            yield marker
        if own is not None or is_directory:
            yield from ((own or marker) / name for name in _IN_GIT_DIRECTORY)
            return


def _pointed_to(marker: Path) -> Path | None:
    """The directory that a `.git` file of a linked worktree or a submodule names; None for anything else."""
    try:
        if not marker.is_file():
            return None
        with marker.open("rb") as file:
            content = file.read(_SMALL)
    except OSError:
        return None
    return marker.parent / os.fsdecode(content.removeprefix(b"gitdir: ").rstrip(b"\r\n").replace(b"\0", b""))


def _environment() -> tuple[str | None, ...]:
    return tuple(os.environ.get(name) for name in _ENVIRONMENT)

"""What changed in the working tree around a tool that may write anywhere.

Before the tool: which files differ from HEAD or are new, and what they hold (git knows the rest). After it: the same
again, and the differences. Outside git, a bounded walk takes git's place. What git ignores is not looked at, nor is
what intentls itself writes.

Contents are kept by hash in `.state/`, and files that did not change since they were last looked at are not read again.
"""

from __future__ import annotations

import json
import logging
import os
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from intentls.core.errors import StoreError
from intentls.store.clock import now_ns, timestamp
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import RACY_ANY_DISK_NS, READ_NO_LINK, keep_newest
from intentls.store.git.file_list import walk_files
from intentls.store.git.status import moved_between, read_blobs, read_status
from intentls.store.layout import INTENTS_NAME, ORCHESTRATION

log = logging.getLogger(__name__)

MAX_CONTENT = 4 * 1024 * 1024
"""Bytes of a file whose content is remembered; of a larger one only that it changed."""

_MAX_WALKED = 20_000  # files, outside git
_MAX_WALKED_BYTES = 16 * 1024 * 1024  # of content kept, outside git
_MAX_WALKED_FILE = 256 * 1024  # bytes of a file of which content is kept there
_MAX_KEPT = 64  # remembered states
_MAX_BLOBS = 4_000
_LAST = "last"
_OWN_ORCHESTRATION = frozenset({INTENTS_NAME, "policy.yaml", ".intentignore"})
_MISSING = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class PathState:
    """A file at one moment: mode, size, mtime_ns and inode (zeros: no file); `digest` where its content is kept."""

    stamp: tuple[int, int, int, int] = _MISSING
    digest: str | None = None

    @property
    def exists(self) -> bool:
        """Whether there was a file."""
        return self.stamp != _MISSING


@dataclass(frozen=True, slots=True)
class TreeState:
    """The working tree at one moment. `files` are those that are not as in `revision`; outside git, all."""

    at: str
    at_ns: int
    in_git: bool
    revision: str | None
    files: Mapping[str, PathState]

    @property
    def is_truncated(self) -> bool:
        """Whether there are more files than were looked at."""
        return not self.in_git and len(self.files) >= _MAX_WALKED


@dataclass(frozen=True, slots=True)
class TreeChange:
    """A file that changed. `before`/`after` None: there is none; unless not `known`, when it is just not known."""

    path: str
    before: bytes | None
    after: bytes | None
    known: bool = True
    mode: int | None = None
    is_link: bool = False


class _ByteBudget:
    """How many bytes of content may still be kept."""

    def __init__(self, left: int) -> None:
        self._left = left

    def takes(self, size: int) -> bool:
        """Whether a file of this size is kept; if so, there is less room for the next."""
        if size > min(self._left, _MAX_WALKED_FILE):
            return False
        self._left -= size
        return True


class Worktree:
    """The working tree of one root (resolved), remembered in `directory`."""

    def __init__(self, root: Path, directory: Path) -> None:
        self._root = root
        self._states = directory / "views"
        self._blobs = directory / "blobs"

    def remember(self, key: str) -> None:
        """Take the state before a tool. Raises StoreError where it can't be kept."""
        try:
            self._states.mkdir(parents=True, exist_ok=True)
            self._blobs.mkdir(parents=True, exist_ok=True)
            state = self._look(self._load(_LAST))
            data = json.dumps(asdict(state)).encode("ascii")
            for name in (_LAST, _name(key)):
                replace_bytes(self._states / name, data)
            keep_newest(self._states, _MAX_KEPT)
            keep_newest(self._blobs, _MAX_BLOBS)
        except OSError as error:
            raise StoreError(f"The working tree can't be remembered: {because(error)}.") from error

    def recall(self, key: str) -> TreeState | None:
        """The state remembered under `key`, which is forgotten then; None if there is none."""
        state = self._load(_name(key))
        (self._states / _name(key)).unlink(missing_ok=True)
        return state

    def changes(self, before: TreeState) -> list[TreeChange]:
        """What is different now, by path."""
        status = read_status(self._root) if before.in_git else None
        now = {} if status is None else status.entries
        moved = moved_between(self._root, before.revision, status.revision) if status is not None else {}
        paths = (
            set(before.files) | set(now) | set(moved)
            if status is not None
            else {*before.files, *islice(walk_files(self._root), _MAX_WALKED)}
        )
        paths = {path for path in paths if not _is_ours(path)}
        old = {path: moved[path] if path in moved else now[path].blob if path in now else None for path in paths}
        blobs = read_blobs(self._root, {p: b for p, b in old.items() if b is not None and p not in before.files})
        changes = (self._compare(path, before, blobs, path in now and now[path].mode_changed) for path in sorted(paths))
        return [change for change in changes if change is not None]

    def _compare(
        self, path: str, state: TreeState, blobs: Mapping[str, bytes], mode_changed: bool
    ) -> TreeChange | None:
        was, stamp = state.files.get(path), self._stamp(path)
        if stamp is None:
            return None  # a directory or a device has taken its place, or never was anything else
        if was is not None and was.stamp == stamp and (was.digest is None or not _is_racy(was, state)):
            return None
        if was is None and state.is_truncated and stamp[2] + RACY_ANY_DISK_NS < state.at_ns:
            return None  # it was there before, beyond the limit
        after = self._content(path, stamp)
        too_large = stamp != _MISSING and after is None
        if was is None:
            before, known = blobs.get(path), not too_large
        else:
            before = self._kept(was.digest)
            known = not too_large and (before is not None or not was.exists)
            mode_changed = was.exists and stamp != _MISSING and was.stamp[0] != stamp[0]
        if not too_large and before == after and known and not mode_changed:
            return None
        mode = stat.S_IMODE(was.stamp[0]) if was is not None and was.exists else None
        is_link = stat.S_ISLNK(stamp[0]) or (was is not None and stat.S_ISLNK(was.stamp[0]))
        return TreeChange(path, before, after, known, mode, is_link)

    def _look(self, last: TreeState | None) -> TreeState:
        status = read_status(self._root)
        paths = islice(walk_files(self._root), _MAX_WALKED) if status is None else iter(status.entries)
        at, at_ns = timestamp(), now_ns()
        budget = None if status is not None else _ByteBudget(_MAX_WALKED_BYTES)
        files = {path: self._path_state(path, last, budget) for path in paths if not _is_ours(path)}
        return TreeState(
            at,
            at_ns,
            status is not None,
            None if status is None else status.revision,
            {path: file for path, file in files.items() if file is not None},
        )

    def _path_state(self, path: str, last: TreeState | None, budget: _ByteBudget | None) -> PathState | None:
        """The file as it is now, with its content kept; None for what is no file. `last` spares reading it again."""
        stamp = self._stamp(path)
        if stamp is None or stamp == _MISSING:
            return None if stamp is None else PathState()
        if budget is not None and not budget.takes(stamp[1]):
            return PathState(stamp)
        earlier = None if last is None else last.files.get(path)
        unchanged = earlier is not None and last is not None and earlier.stamp == stamp and not _is_racy(earlier, last)
        if earlier is not None and earlier.digest is not None and unchanged and (self._blobs / earlier.digest).exists():
            return earlier
        data = self._content(path, stamp)
        if data is None:
            return PathState(stamp)
        digest = sha256(data).hexdigest()
        if not (self._blobs / digest).exists():
            replace_bytes(self._blobs / digest, data)
        return PathState(stamp, digest)

    def _stamp(self, path: str) -> tuple[int, int, int, int] | None:
        try:
            status = os.lstat(self._root / path)
        except (FileNotFoundError, NotADirectoryError):
            return _MISSING
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISLNK(status.st_mode):
            return None
        return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino)

    def _content(self, path: str, stamp: tuple[int, int, int, int]) -> bytes | None:
        """The bytes now; a link's are its target. None for no file, a large one and one that can't be read."""
        if stamp == _MISSING or stamp[1] > MAX_CONTENT:
            return None
        file = self._root / path
        try:
            return os.fsencode(file.readlink()) if stat.S_ISLNK(stamp[0]) else _read(file)
        except OSError as error:
            log.info("%s can't be read: %s", path, error)
            return None

    def _kept(self, digest: str | None) -> bytes | None:
        try:
            return None if digest is None else (self._blobs / digest).read_bytes()
        except OSError:
            return None

    def _load(self, name: str) -> TreeState | None:
        try:
            return _tree_state(json.loads((self._states / name).read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None


def _read(file: Path) -> bytes:
    with open(os.open(file, READ_NO_LINK), "rb") as opened:
        return opened.read(MAX_CONTENT + 1)


def _is_ours(path: str) -> bool:
    """What is written by intentls itself, in this root or one inside it: everything in there but what people write."""
    parts = path.split("/")
    if ORCHESTRATION not in parts:
        return False
    inner = parts[parts.index(ORCHESTRATION) + 1 :]
    return len(inner) != 1 or inner[0] not in _OWN_ORCHESTRATION


def _is_racy(file: PathState, state: TreeState) -> bool:
    return file.exists and file.stamp[2] + RACY_ANY_DISK_NS > state.at_ns


def _name(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _tree_state(data: dict[str, Any]) -> TreeState:
    files = {path: PathState(tuple(file["stamp"]), file["digest"]) for path, file in data["files"].items()}
    return replace(TreeState(**data), files=files)

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
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.store.clock import now_ns, timestamp
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import RACY_ANY_DISK_NS, READ_NO_LINK, keep_newest
from intentls.store.git.conversion import filtered_paths, hash_conversion
from intentls.store.git.file_list import walk_files
from intentls.store.git.status import StatusEntry, moved_between, read_blobs, read_hidden, read_status
from intentls.store.git.worktree_state import (
    ABSENT,
    NOTHING,
    UNKNOWN,
    Inode,
    PathState,
    Presence,
    TreeChange,
    TreeChanges,
    TreeContent,
    TreeState,
    decode_tree_state,
    is_file,
)
from intentls.store.layout import INTENTS_FOLDER_NAME, INTENTS_NAME, ORCHESTRATION

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
_ATTRIBUTES = ".gitattributes"


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


@dataclass(frozen=True, slots=True)
class _GitBefore:
    """What git says now of the tree as it was before, by path.

    `objects`: the object (None: none) of each file that may have changed; `entries`: those that differ from HEAD. Of
    those in `filtered` the disk did not hold what git keeps. Not `converts_alike`: git converts contents by other
    rules now.
    """

    objects: Mapping[str, str | None]
    entries: Mapping[str, StatusEntry]
    contents: Mapping[str, bytes]
    filtered: frozenset[str]
    converts_alike: bool

    def content(self, path: str) -> TreeContent:
        """What the disk held at `path`, which was as in HEAD or was not there."""
        if self.objects.get(path) is None:
            return ABSENT
        data = None if path in self.filtered else self.contents.get(path)
        return TreeContent(Presence.PRESENT, data, exact=self.converts_alike)


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

    def changes(self, before: TreeState) -> TreeChanges:
        """What is different now."""
        git = self._ask_git(before) if before.in_git else None
        if git is not None:
            paths = {*before.files, *git.objects}
        else:
            paths = {*before.files, *islice(walk_files(self._root), _MAX_WALKED)}
        compared = (self._compare(path, before, git) for path in sorted(paths) if not _is_ours(path))
        changes = tuple(change for change in compared if change is not None)
        return TreeChanges(changes, git_failed=before.in_git and git is None)

    def _ask_git(self, before: TreeState) -> _GitBefore | None:
        """None where git can't tell what the files were that it knew before."""
        status = read_status(self._root)
        moved = None if status is None else moved_between(self._root, before.revision, status.revision)
        hidden = None if status is None else read_hidden(self._root)
        if status is None or moved is None or hidden is None:
            return None
        objects = {**hidden, **{path: entry.blob for path, entry in status.entries.items()}, **moved}
        clean = {path: oid for path, oid in objects.items() if oid is not None and path not in before.files}
        converts_alike = before.conversion == hash_conversion(self._root) and not any(
            path.rpartition("/")[2] == _ATTRIBUTES and not self._is_unchanged(path, before) for path in objects
        )
        return _GitBefore(
            objects,
            status.entries,
            read_blobs(self._root, clean),
            filtered_paths(self._root, clean),
            converts_alike,
        )

    def _is_unchanged(self, path: str, before: TreeState) -> bool:
        was = before.files.get(path)
        try:
            return was is not None and was.inode == self._inode(path)
        except OSError:
            return False

    def _compare(self, path: str, state: TreeState, git: _GitBefore | None) -> TreeChange | None:
        was = state.files.get(path)
        try:
            now = self._inode(path)
        except OSError as error:
            log.info("%s can't be looked at: %s", path, error)
            return TreeChange(path, self._before(path, was, state, git), UNKNOWN)
        if was is not None and was.inode == now and (was.digest is None or not _is_racy(was, state)):
            return None
        before = self._before(path, was, state, git)
        if before.presence is Presence.UNKNOWN and (now == NOTHING or not is_file(now) or state.is_older(now)):
            return None
        if not is_file(now) and (before.presence is Presence.ABSENT or not (was is None or is_file(was.inode))):
            return None  # a directory or a device, as it was or where no file was
        after = self._content(path, now)
        entry = git.entries.get(path) if git is not None and was is None else None
        mode = _mode(was, entry, now)
        if was is not None:
            mode_changed = was.exists and now != NOTHING and was.inode[0] != now[0]
        else:
            mode_changed = entry is not None and entry.mode_changed
        if before.is_known and after.is_known and before.data == after.data and not mode_changed:
            return None
        is_link = stat.S_ISLNK(now[0]) or (was is not None and stat.S_ISLNK(was.inode[0]))
        return TreeChange(path, before, after, mode, is_link)

    def _before(self, path: str, was: PathState | None, state: TreeState, git: _GitBefore | None) -> TreeContent:
        if was is not None:
            return TreeContent(Presence.PRESENT, self._kept(was.digest)) if was.exists else ABSENT
        if git is None:
            return UNKNOWN if state.in_git or state.is_truncated else ABSENT
        content = git.content(path)
        return UNKNOWN if content.presence is Presence.ABSENT and state.ignores(path) else content

    def _look(self, last: TreeState | None) -> TreeState:
        status = read_status(self._root, ignored=True)
        walked = list(islice(walk_files(self._root), _MAX_WALKED)) if status is None else []
        at, at_ns = timestamp(), now_ns()
        budget = None if status is not None else _ByteBudget(_MAX_WALKED_BYTES)
        paths: Iterable[str] = walked if status is None else {**(read_hidden(self._root) or {}), **status.entries}
        state = TreeState(
            at,
            at_ns,
            in_git=status is not None,
            revision=None if status is None else status.revision,
            files={path: self._path_state(path, last, budget) for path in paths if not _is_ours(path)},
            is_truncated=len(walked) >= _MAX_WALKED,
        )
        if status is None:
            return state
        return replace(state, ignored=status.ignored, conversion=hash_conversion(self._root))

    def _path_state(self, path: str, last: TreeState | None, budget: _ByteBudget | None) -> PathState:
        """What stands there now, with its content kept. `last` spares reading it again."""
        inode = self._inode(path)
        if not is_file(inode) or (budget is not None and not budget.takes(inode[1])):
            return PathState(inode)
        earlier = None if last is None else last.files.get(path)
        unchanged = earlier is not None and last is not None and earlier.inode == inode and not _is_racy(earlier, last)
        if earlier is not None and earlier.digest is not None and unchanged and (self._blobs / earlier.digest).exists():
            return earlier
        data = self._content(path, inode).data
        if data is None:
            return PathState(inode)
        digest = sha256(data).hexdigest()
        if not (self._blobs / digest).exists():
            replace_bytes(self._blobs / digest, data)
        return PathState(inode, digest)

    def _inode(self, path: str) -> Inode:
        """What stands there. Raises OSError where that can't be told."""
        try:
            status = os.lstat(self._root / path)
        except (FileNotFoundError, NotADirectoryError):
            return NOTHING
        return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns)

    def _content(self, path: str, inode: Inode) -> TreeContent:
        """The file now; a link's content is its target. What a large or unreadable file holds is not known."""
        if not is_file(inode):
            return ABSENT
        if inode[1] > MAX_CONTENT:
            return TreeContent(Presence.PRESENT)
        file = self._root / path
        try:
            data = os.fsencode(file.readlink()) if stat.S_ISLNK(inode[0]) else _read(file)
        except OSError as error:
            log.info("%s can't be read: %s", path, error)
            return TreeContent(Presence.PRESENT)
        return TreeContent(Presence.PRESENT, data if len(data) <= MAX_CONTENT else None)

    def _kept(self, digest: str | None) -> bytes | None:
        try:
            data = None if digest is None else (self._blobs / digest).read_bytes()
        except OSError:
            return None
        return data if data is not None and sha256(data).hexdigest() == digest else None

    def _load(self, name: str) -> TreeState | None:
        try:
            return decode_tree_state(json.loads((self._states / name).read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None


def _read(file: Path) -> bytes:
    with open(os.open(file, READ_NO_LINK), "rb") as opened:
        return opened.read(MAX_CONTENT + 1)


def _mode(was: PathState | None, entry: StatusEntry | None, now: Inode) -> int | None:
    """The permission bits before, as far as they are known: git knows only whether a file is executable."""
    if was is not None:
        return stat.S_IMODE(was.inode[0]) if was.exists else None
    if entry is None or entry.executable is None or not (entry.executable or is_file(now)):
        return None
    bits = stat.S_IMODE(now[0]) if is_file(now) else 0o644
    return bits | (bits & 0o444) >> 2 if entry.executable else bits & ~0o111


def _is_ours(path: str) -> bool:
    """What is written by intentls itself, in this root or one inside it: everything in there but what people write."""
    parts = path.split("/")
    if ORCHESTRATION not in parts:
        return False
    inner = parts[parts.index(ORCHESTRATION) + 1 :]
    is_in_folder = len(inner) == 2 and inner[0] == INTENTS_FOLDER_NAME
    return not is_in_folder and (len(inner) != 1 or inner[0] not in _OWN_ORCHESTRATION)


def _is_racy(file: PathState, state: TreeState) -> bool:
    return file.exists and max(file.inode[2], file.inode[4]) + RACY_ANY_DISK_NS > state.at_ns


def _name(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

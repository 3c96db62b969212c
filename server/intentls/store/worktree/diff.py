"""What changed in the working tree around a tool that may write anywhere.

Before the tool: which files differ from HEAD or are new, and what they hold (git knows the rest). After it: the same
again, and the differences. Outside git, a bounded walk takes git's place. What git ignores is not looked at here (see
`ignored_files`), nor is what intentls itself writes.

Contents are kept by hash in `.state/`, and files that did not change since they were last looked at are not read again.
"""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from intentls.core.errors import StoreError
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import keep_newest
from intentls.store.fs.state_directory import make_directory
from intentls.store.git.command import ask_git
from intentls.store.git.file_list import walk_files
from intentls.store.git.repository import filtered_paths, find_repository, hash_conversion, read_regular
from intentls.store.git.status import GitStatus, StatusEntry, read_blobs, read_status
from intentls.store.worktree import capture as worktree_capture
from intentls.store.worktree.capture import (
    MAX_CONTENT,
    KeptContents,
    capture,
    content_at,
    inode_at,
    is_linked_work_tree,
    is_racy,
    new_repository_files,
)
from intentls.store.worktree.state import (
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
    git_mode,
    is_file,
)

log = logging.getLogger(__name__)

_MAX_KEPT = 64  # remembered states
_LAST = "last"
_MAX_INDEX = 256 * 1024 * 1024
_ATTRIBUTES = ".gitattributes"


class _GitBefore(Struct, frozen=True):
    """What git says now of the tree as it was before, by path.

    `objects`: the index's object then (None: none) of each file that may have changed; `entries`: those that differ
    from that index. Of those in `filtered` the disk did not hold what git keeps. Not `converts_alike`: git converts
    contents by other rules now. `ignored`: what it ignores now and did not then.
    """

    objects: Mapping[str, str | None]
    entries: Mapping[str, StatusEntry]
    contents: Mapping[str, bytes]
    filtered: frozenset[str]
    converts_alike: bool
    ignored: tuple[str, ...]

    def content(self, path: str) -> TreeContent:
        """What the disk held at `path`, which was as in the index or was not there."""
        if self.objects.get(path) is None:
            return ABSENT
        data = None if path in self.filtered else self.contents.get(path)
        return TreeContent(Presence.PRESENT, data, exact=self.converts_alike)


def _as_json(value: Any) -> Any:
    """A part of a state as JSON has it: a class by its fields, a set as a sorted list."""
    return asdict(value) if isinstance(value, Struct) else sorted(value)


class Worktree:
    """The working tree of one root (resolved), remembered in `directory`."""

    def __init__(self, root: Path, directory: Path) -> None:
        self.root = root
        self._states = directory / "views"
        self._indexes = directory / "indexes"
        self._contents = KeptContents(directory / "blobs")

    def remember(self, key: str, note: str = "") -> TreeState:
        """Take the state before a tool, with a `note` of the caller's. Raises StoreError where it can't be kept."""
        try:
            for directory in (self._states, self._indexes):
                make_directory(directory)
            self._contents.prepare()
            state = capture(self.root, self._contents, self._load(_LAST), self._index(key))
            state = replace(state, note=note)
            data = json.dumps(state, default=_as_json).encode("ascii")
            for name in (_LAST, _name(key)):
                replace_bytes(self._states / name, data)
            keep_newest(self._states, _MAX_KEPT)
            keep_newest(self._indexes, _MAX_KEPT)
        except OSError as error:
            raise StoreError(f"The working tree can't be remembered: {because(error)}.") from error
        return state

    def recall(self, key: str) -> TreeState | None:
        """The state remembered under `key`; None if there is none."""
        return self._load(_name(key))

    def forget(self, key: str) -> None:
        """Nothing is remembered under `key` any more."""
        (self._states / _name(key)).unlink(missing_ok=True)
        self._index(key).unlink(missing_ok=True)

    def has_same_index(self, key: str) -> bool:
        """Whether git's index is, byte by byte, that of the state under `key`."""
        repository = find_repository(self.root)
        index = None if repository is None else repository.own / "index"
        return index is not None and read_regular(index, _MAX_INDEX) == read_regular(self._index(key), _MAX_INDEX)

    def changes(self, key: str, before: TreeState) -> TreeChanges:
        """What is different now from the state that was remembered under `key`."""
        git = self._ask_git(key, before) if before.in_git else None
        if git is not None:
            paths = {*before.files, *git.objects}
        else:
            paths = {*before.files, *islice(walk_files(self.root), worktree_capture.MAX_WALKED)}
        compared = (self._compare(path, before, git) for path in sorted(paths) if not before.is_ours(path))
        changes = tuple(change for change in compared if change is not None)
        is_back = not before.in_git and before.top is not None and read_status(self.root) is not None
        failed, ignored = before.in_git and git is None, () if git is None else git.ignored
        return TreeChanges(changes, git_failed=failed, git_is_back=is_back, ignored=ignored)

    def _ask_git(self, key: str, before: TreeState) -> _GitBefore | None:
        """None where git can't tell what the files were that it knew before."""
        status = read_status(self.root, complete=True, index=self._index(key), top=Path(before.top or self.root))
        if status is None or not self._is_same_repository(status, before):
            return None
        entries = {path: entry for path, entry in status.entries.items() if entry.in_work_tree}
        objects = {path: entry.blob for path, entry in entries.items()}
        made = [
            directory
            for directory in status.repositories
            if directory not in before.repositories and not is_linked_work_tree(self.root, directory)
        ]
        objects |= dict.fromkeys(new_repository_files(self.root, made))
        clean = {path: oid for path, oid in objects.items() if oid is not None and path not in before.files}
        converts_alike = before.conversion == hash_conversion(self.root) and not any(
            path.rpartition("/")[2] == _ATTRIBUTES and not self._is_unchanged(path, before) for path in objects
        )
        contents = read_blobs(self.root, clean, MAX_CONTENT)
        filtered = filtered_paths(self.root, clean, self._index(key))
        ignored = tuple(path for path in status.ignored if not before.ignores(path))
        return _GitBefore(objects, entries, contents, filtered, converts_alike, ignored)

    def _is_same_repository(self, status: GitStatus, before: TreeState) -> bool:
        """Whether git still has the commit that the tree was at."""
        if before.revision is None or status.revision == before.revision:
            return True
        return ask_git(self.root, "cat-file", "-e", f"{before.revision}^{{tree}}") is not None

    def _is_unchanged(self, path: str, before: TreeState) -> bool:
        was = before.files.get(path)
        try:
            return was is not None and was.inode == inode_at(self.root / path)
        except OSError:
            return False

    def _compare(self, path: str, state: TreeState, git: _GitBefore | None) -> TreeChange | None:
        was = state.files.get(path)
        try:
            now = inode_at(self.root / path)
        except OSError as error:
            log.info("%s can't be looked at: %s", path, error)
            return TreeChange(path, self._before(path, was, state, git), UNKNOWN)
        if was is not None and was.inode == now and (was.digest is None or not is_racy(was, state)):
            return None
        before = self._before(path, was, state, git)
        if before.presence is Presence.UNKNOWN and (now == NOTHING or not is_file(now) or state.is_older(now)):
            return None
        if not is_file(now) and (before.presence is Presence.ABSENT or not (was is None or is_file(was.inode))):
            return None  # a directory or a device, as it was or where no file was
        after = content_at(self.root / path, now)
        entry = git.entries.get(path) if git is not None and was is None else None
        mode = _mode(was, entry, now)
        if was is not None:
            mode_changed = was.exists and now != NOTHING and was.inode[0] != now[0]
        else:
            mode_changed = entry is not None and entry.mode_changed
        if before.is_known and after.is_known and before.data == after.data and not mode_changed:
            return None
        is_link = stat.S_ISLNK(now[0]) or (was is not None and stat.S_ISLNK(was.inode[0]))
        return TreeChange(path, before, after, mode, is_link, git_mode(now))

    def _before(self, path: str, was: PathState | None, state: TreeState, git: _GitBefore | None) -> TreeContent:
        if was is not None:
            return TreeContent(Presence.PRESENT, self._contents.get(was.digest)) if was.exists else ABSENT
        if git is None:
            return UNKNOWN if state.in_git or state.is_truncated else ABSENT
        content = git.content(path)
        return UNKNOWN if content.presence is Presence.ABSENT and state.ignores(path) else content

    def _index(self, key: str) -> Path:
        return self._indexes / _name(key)

    def _load(self, name: str) -> TreeState | None:
        try:
            return decode_tree_state(json.loads((self._states / name).read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None


def _mode(was: PathState | None, entry: StatusEntry | None, now: Inode) -> int | None:
    """The permission bits before, as far as they are known: git knows only whether a file is executable."""
    if was is not None:
        return stat.S_IMODE(was.inode[0]) if was.exists else None
    if entry is None or entry.executable is None or not (entry.executable or is_file(now)):
        return None
    bits = stat.S_IMODE(now[0]) if is_file(now) else 0o644
    return bits | (bits & 0o444) >> 2 if entry.executable else bits & ~0o111


def _name(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

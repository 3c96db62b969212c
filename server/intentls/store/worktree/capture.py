"""Taking the state of a working tree: which files differ from the index or are new, and what git knows."""

from __future__ import annotations

import logging
import os
import shutil
import stat
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from intentls.store.clock import now_ns, timestamp
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.path_resolution import find_root
from intentls.store.fs.primitives import RACY_ANY_DISK_NS, READ_NO_LINK, keep_newest, open_binary
from intentls.store.fs.state_directory import make_directory
from intentls.store.git.command import ask_git
from intentls.store.git.file_list import walk_files
from intentls.store.git.repository import (
    Repository,
    find_repository,
    hash_conversion,
    known_objects,
    read_regular,
    repository_at,
)
from intentls.store.git.status import GitStatus, read_status, read_tracked
from intentls.store.layout import ORCHESTRATION
from intentls.store.worktree.state import (
    ABSENT,
    IGNORE_FILE,
    NOTHING,
    Inode,
    PathState,
    Presence,
    TreeContent,
    TreeState,
    is_file,
)

log = logging.getLogger(__name__)

MAX_CONTENT = 4 * 1024 * 1024
"""Bytes of a file whose content is remembered; of a larger one only that it changed."""

_MAX_BLOBS = 4_000
MAX_WALKED = 20_000  # files, outside git
_MAX_MADE = 2_000  # files in repositories that a command made
_MAX_WALKED_BYTES = 16 * 1024 * 1024  # of content kept, outside git
_MAX_WALKED_FILE = 256 * 1024  # bytes of a file of which content is kept there


class KeptContents:
    """Contents in one directory, each under its SHA-256."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def prepare(self) -> None:
        """Make the directory, and let the oldest go. Raises OSError."""
        make_directory(self._directory)
        keep_newest(self._directory, _MAX_BLOBS)

    def has(self, digest: str) -> bool:
        """Whether this content is kept."""
        return (self._directory / digest).exists()

    def keep(self, data: bytes) -> str:
        """Keep it; its digest. Raises OSError."""
        digest = sha256(data).hexdigest()
        if not self.has(digest):
            replace_bytes(self._directory / digest, data)
        return digest

    def get(self, digest: str | None) -> bytes | None:
        """The content; None where it is not kept, or not whole."""
        try:
            data = None if digest is None else (self._directory / digest).read_bytes()
        except OSError:
            return None
        return data if data is not None and sha256(data).hexdigest() == digest else None


def inode_at(file: Path) -> Inode:
    """What stands there. Raises OSError where that can't be told."""
    try:
        status = os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return NOTHING
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns)


def content_at(file: Path, inode: Inode) -> TreeContent:
    """The file now; a link's content is its target. What a large or unreadable file holds is not known."""
    if not is_file(inode):
        return ABSENT
    if inode[1] > MAX_CONTENT:
        return TreeContent(Presence.PRESENT)
    try:
        data = os.fsencode(file.readlink()) if stat.S_ISLNK(inode[0]) else _read(file)
    except OSError as error:
        log.info("%s can't be read: %s", file, error)
        return TreeContent(Presence.PRESENT)
    return TreeContent(Presence.PRESENT, data if data is not None and len(data) <= MAX_CONTENT else None)


def _read(file: Path) -> bytes | None:
    with open_binary(file, READ_NO_LINK) as opened:
        return opened.read(MAX_CONTENT + 1) if stat.S_ISREG(os.fstat(opened.fileno()).st_mode) else None


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


def capture(root: Path, contents: KeptContents, last: TreeState | None, index: Path) -> TreeState:
    """The working tree below `root` (resolved) now. `last` spares reading files again.

    `index` becomes a copy of git's: what a command does to git's own hides nothing then. Raises OSError.
    """
    repository = find_repository(root)
    copied = repository is not None and _copy_index(repository.own / "index", index)
    status = read_status(root, complete=True, top=None if repository is None else repository.top) if copied else None
    if repository is None or status is None:
        top = None if last is None else last.top
        return replace(_walked(root, contents, last), top=top if repository is None else str(repository.top))
    at, at_ns = timestamp(), now_ns()
    tracked = read_tracked(root)
    hidden: Mapping[str, str] = {} if tracked is None else tracked.hidden
    roots = _nested_roots(root, [*(() if tracked is None else tracked.orchestrated), *status.entries])
    return TreeState(
        at,
        at_ns,
        in_git=True,
        revision=status.revision,
        files=_path_states(root, {**hidden, **status.entries}, contents, last, roots, None),
        ignored=frozenset(status.ignored),
        conversion=hash_conversion(root),
        roots=roots,
        repositories=frozenset(status.repositories),
        top=str(repository.top),
        staged=_staged(status),
        known=known_objects(root, repository),
        rules=read_rules(root, repository, status.ignored),
    )


def read_rules(root: Path, repository: Repository, ignored: Collection[str]) -> dict[str, str]:
    """The ignore rules that no comparison of the tree shows, by directory from the top: "" has those of the user, of
    the repository and of the top, in this order.

    `ignored`: root-relative paths, among them perhaps ignore files that git itself ignores.
    """
    prefix = root.relative_to(repository.top)
    own = (prefix / Path(path).parent for path in ignored if path.rpartition("/")[2] == IGNORE_FILE)
    rules = {"": f"{_user_rules(root, repository)}\n{_text(repository.common / 'info/exclude')}"}
    for place in (*reversed(prefix.parents), *own):
        name = "" if place == Path() else place.as_posix()
        rules[name] = f"{rules.get(name, '')}\n{_text(repository.top / place / IGNORE_FILE)}"
    return rules


def _user_rules(root: Path, repository: Repository) -> str:
    """What the file holds that `core.excludesFile` names."""
    named = ask_git(root, "config", "--type=path", "--get", "core.excludesFile")
    if named is None:
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111  (never raises)
        return _text(Path(home) / "git/ignore")
    return _text(repository.top / os.fsdecode(named).removesuffix("\n"))


def _text(file: Path) -> str:
    return os.fsdecode(read_regular(file))


def is_racy(file: PathState, state: TreeState) -> bool:
    """Whether the file may have changed since `state` without a trace in its times."""
    return file.exists and max(file.inode[2], file.inode[4]) + RACY_ANY_DISK_NS > state.at_ns


def new_repository_files(root: Path, directories: Iterable[str]) -> list[str]:
    """The files in repositories that a command made inside the root: git itself would pass over them."""
    found: list[str] = []
    for directory in directories:
        walked = islice(walk_files(root / directory), max(0, _MAX_MADE - len(found)))
        found += [f"{directory}{path}" for path in walked]
    return found


def is_linked_work_tree(root: Path, directory: str) -> bool:
    """Whether git made this directory another work tree of the repository that `root` lies in.

    That has a root of its own. Git's own note of it must lead back to it.
    """
    around, inside = find_repository(root), repository_at(root / directory)
    if around is None or inside.own == inside.top / ".git":
        return False
    back = os.fsdecode(read_regular(inside.own / "gitdir").strip())
    return inside.common.resolve() == around.common.resolve() and Path(back) == (root / directory / ".git")


def _walked(root: Path, contents: KeptContents, last: TreeState | None) -> TreeState:
    walked = list(islice(walk_files(root), MAX_WALKED))
    at, at_ns = timestamp(), now_ns()
    roots = _nested_roots(root, walked)
    files = _path_states(root, walked, contents, last, roots, _ByteBudget(_MAX_WALKED_BYTES))
    truncated = len(walked) >= MAX_WALKED
    return TreeState(at, at_ns, in_git=False, revision=None, files=files, is_truncated=truncated, roots=roots)


def _copy_index(index: Path, copy: Path) -> bool:
    """Whether there is a copy now, as old as the original; of none, none."""
    copy.unlink(missing_ok=True)
    try:
        status = index.lstat()
    except FileNotFoundError:
        return True
    if not is_file((status.st_mode, 0, 0, 0, 0)):
        return False
    shutil.copyfile(index, copy)
    os.utime(copy, ns=(status.st_mtime_ns, status.st_mtime_ns))
    return True


def _staged(status: GitStatus) -> dict[str, str | None]:
    """The index's object of each path that is staged otherwise than in HEAD, or has no other."""
    return {path: entry.blob for path, entry in status.entries.items()}


def _nested_roots(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """The root-relative directories inside `root` that are roots of their own."""
    inner = {path.split(f"{ORCHESTRATION}/")[0].rstrip("/") for path in paths if f"/{ORCHESTRATION}/" in path}
    return frozenset(directory for directory in inner if find_root(root / directory) == root / directory)


def _path_states(
    root: Path,
    paths: Iterable[str],
    contents: KeptContents,
    last: TreeState | None,
    roots: frozenset[str],
    budget: _ByteBudget | None,
) -> dict[str, PathState]:
    state = TreeState("", 0, in_git=True, revision=None, files={}, roots=roots)
    return {path: _path_state(root, path, contents, last, budget) for path in paths if not state.is_ours(path)}


def _path_state(
    root: Path, path: str, contents: KeptContents, last: TreeState | None, budget: _ByteBudget | None
) -> PathState:
    """What stands there now, with its content kept. `last` spares reading it again."""
    inode = inode_at(root / path)
    if not is_file(inode) or (budget is not None and not budget.takes(inode[1])):
        return PathState(inode)
    earlier = None if last is None else last.files.get(path)
    unchanged = earlier is not None and last is not None and earlier.inode == inode and not is_racy(earlier, last)
    if earlier is not None and earlier.digest is not None and unchanged and contents.has(earlier.digest):
        return earlier
    data = content_at(root / path, inode).data
    return PathState(inode) if data is None else PathState(inode, contents.keep(data))

"""What a command changed, as the upper layer of its overlay has it.

    a regular file                  written, or only its permission bits changed: compare it with the tree
    a character device 0, 0         the name was removed
    a directory, marked opaque      it was removed and made again: only what is in the layer is in it
    anything else                   a link, a pipe, a socket: no edit can make one

Source: the kernel's Documentation/filesystems/overlayfs.rst, "whiteouts and opaque directories".
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from enum import Enum
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.patterns.protected_paths import POLICY_FILE
from intentls.store.fs.rooted_files import RootedFiles

_OPAQUE = "user.overlay.opaque"
_REMOVED = "user.overlay.whiteout"
_ORIGIN = "user.overlay.origin"
_MAX_TARGET = 200


class TooManyChanges(StoreError):
    """The command changed more than is judged at once."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The command changed more than {limit:,} files that git does not ignore. Let git ignore what it makes, or "
            f"raise `run: max_changes` in {POLICY_FILE}."
        )


class LayerEntry(Enum):
    """What a name in the layer stands for."""

    FILE = "file"
    REMOVED = "removed"
    LINK = "link"
    OTHER = "other"
    LEFT_OUT = "left out"
    CLOSED = "closed"


class LayerChange(Struct, frozen=True):
    """One changed name. `path` is root-relative; `signature` tells this content from a later one.

    `what` names the kind of an entry that is no file, for people. LEFT_OUT is a folder that the caller wants nothing
    of, CLOSED one that can't be looked into while the command runs.
    """

    path: str
    entry: LayerEntry
    signature: tuple[int, ...] = ()
    mode: int = 0
    what: str = ""


class _Folder(Struct, frozen=True):
    """A folder to look into: the layer's, or one of the tree of which nothing is left."""

    path: str
    is_gone: bool = False


class UpperLayer:
    """The layer of one run. It is read while the command still writes: what vanishes meanwhile is left out."""

    def __init__(self, upper: Path, tree: Path) -> None:
        self._upper = upper
        self._files = RootedFiles(upper)
        self._tree = tree

    def changes(
        self, left_out: Callable[[Sequence[str]], Set[str]], *, final: bool = False, limit: int | None = None
    ) -> list[LayerChange]:
        """Everything that differs from the tree by name: first what is gone, then what is there, each sorted by path.

        `left_out` says which of some folders are not looked into. `final`: the command has ended, so what it closed to
        its own user is opened. Raises TooManyChanges for more than `limit` names.
        """
        changes: list[LayerChange] = []
        folders = [_Folder("")]
        while folders:
            below: list[_Folder] = []
            for folder in folders:
                for item in self._gone(folder.path, set()) if folder.is_gone else self._below(folder.path, final):
                    if isinstance(item, _Folder):
                        below.append(item)
                    else:
                        changes.append(item)
                if limit is not None and len(changes) > limit:
                    raise TooManyChanges(limit)
            whole = left_out([folder.path for folder in below]) if below else frozenset()
            changes += [LayerChange(path, LayerEntry.LEFT_OUT) for path in sorted(whole)]
            folders = [folder for folder in below if folder.path not in whole]
        return sorted(changes, key=lambda change: (change.entry is not LayerEntry.REMOVED, change.path))

    def read(self, path: str) -> bytes | None:
        """A file's content in the layer; None where it is no regular file any more. Never waits. Raises StoreError."""
        try:
            return self._files.read(path)
        except InvalidPath:
            return None

    def was_in_tree(self, path: str) -> bool:
        """Whether the layer's file is a changed copy of one that the tree had, as the kernel noted at the copying.

        A file that was written anew and renamed over the tree's is none.
        """
        try:
            os.getxattr(self._upper / path, _ORIGIN, follow_symlinks=False)
        except OSError:
            return False
        return True

    def _below(self, folder: str, final: bool) -> Iterator[LayerChange | _Folder]:
        place = self._upper / folder
        names = []
        try:
            entries = _entries(place)
        except PermissionError:
            if not final:
                yield LayerChange(folder, LayerEntry.CLOSED)
                return
            place.chmod(stat.S_IRWXU)
            entries = _entries(place)
        for entry in entries:
            names.append(entry.name)
            path = f"{folder}/{entry.name}" if folder else entry.name
            with suppress(FileNotFoundError):
                yield from self._entry(path, entry.stat(follow_symlinks=False), final)
        if folder and _has_mark(place, _OPAQUE):
            yield from self._gone(folder, set(names))

    def _entry(self, path: str, status: os.stat_result, final: bool) -> Iterator[LayerChange | _Folder]:
        signature = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        kind = stat.S_IFMT(status.st_mode)
        if kind == stat.S_IFDIR:
            if (self._tree / path).is_symlink() or (self._tree / path).is_file():
                yield LayerChange(path, LayerEntry.REMOVED, signature)
            yield _Folder(path)
            return
        is_removed = kind == stat.S_IFCHR and status.st_rdev == 0
        is_removed |= kind == stat.S_IFREG and status.st_size == 0 and _has_mark(self._upper / path, _REMOVED)
        if _is_folder(self._tree / path):
            yield _Folder(path, is_gone=True)
        elif is_removed:
            yield LayerChange(path, LayerEntry.REMOVED, signature)
        if is_removed:
            return
        if kind == stat.S_IFREG:
            mode = stat.S_IMODE(status.st_mode)
            if final and not mode & stat.S_IRUSR:
                mode |= stat.S_IRUSR  # nothing could be read, judged or shown of it otherwise
                (self._upper / path).chmod(mode)
            yield LayerChange(path, LayerEntry.FILE, signature, mode)
        elif kind == stat.S_IFLNK:
            with suppress(OSError):  # something else took its place
                target = os.fspath((self._upper / path).readlink())[:_MAX_TARGET]
                yield LayerChange(path, LayerEntry.LINK, signature, what=f"symbolic link to {target!a}")
        else:
            yield LayerChange(path, LayerEntry.OTHER, signature, what=_WHAT.get(kind, "special file"))

    def _gone(self, folder: str, kept: Set[str]) -> Iterator[LayerChange | _Folder]:
        """What the tree's folder has below names that are not in `kept`."""
        try:
            entries = _entries(self._tree / folder)
        except PermissionError:  # then the command could not empty it either
            return
        for entry in entries:
            path = f"{folder}/{entry.name}"
            if entry.name in kept:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield _Folder(path, is_gone=True)
            else:
                yield LayerChange(path, LayerEntry.REMOVED)


_WHAT = {stat.S_IFIFO: "named pipe", stat.S_IFSOCK: "socket"}


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder has; nothing where it has vanished. Raises PermissionError."""
    try:
        return list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _has_mark(path: Path, name: str) -> bool:
    try:
        return os.getxattr(path, name, follow_symlinks=False) in (b"y", b"")
    except OSError:
        return False

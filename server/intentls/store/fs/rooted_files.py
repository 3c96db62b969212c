"""The files below one root, read and changed without ever following a link.

A path here is root-relative and already resolved (`store.resolve`). Every component is entered anew for
each operation, so a link that was swapped in since the path was checked raises PathMoved and nothing leaves
the root. How far that holds on which system is said in `store.folder`. A folder that is *moved* while a file
in it is being written takes the file along, just as if it had been moved a moment later.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.patterns.protected_paths import check_name
from intentls.store.fs.atomic_write import sync
from intentls.store.fs.directory_handle import DirectoryHandle, require_regular
from intentls.store.fs.directory_handle import PathMoved as PathMoved
from intentls.store.fs.path_resolution import because

_PERMISSIONS = 0o777  # never set-uid, set-gid or sticky: new content must not inherit those
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_SOURCE = os.O_RDONLY | _NO_LINK
_CHUNK = 1 << 20  # bytes
_NO_SUCH_FILE = frozenset({errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG})


def _read_umask() -> int:
    """The process's umask. Reading it means setting it for a moment, so it is done once, at import."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_UMASK = _read_umask()


@dataclass(frozen=True, slots=True)
class FileState:
    """A regular file's permission bits, size in bytes, time of change and inode."""

    mode: int
    size: int
    mtime_ns: int
    inode: int


class RootedFiles:
    """Access to regular files below `root` (absolute, resolved).

    Every method raises InvalidPath for what is no regular file and can't become one, PathMoved (a StoreError)
    where a link took a component's place, and StoreError for all else that the disk refuses.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)

    def read(self, rel: str) -> bytes | None:
        """The content, or None if there is no such file. Never waits, whatever lies there."""
        try:
            with self._parent(rel, "read") as (folder, name):
                return folder.read(name)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def state(self, rel: str) -> FileState | None:
        """The file's state, or None if there is no such file."""
        try:
            with self._parent(rel, "looked at") as (folder, name):
                found = folder.regular(name)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return FileState(found.st_mode & _PERMISSIONS, found.st_size, found.st_mtime_ns, found.st_ino)

    def put(self, rel: str, staged: Path, mode: int | None) -> None:
        """Let the file `staged` take the place of `rel` in one step, and make that durable.

        `staged`'s own content must be durable already. The permission bits become `mode`, or those of any
        new file; owner, ACLs and extended attributes are those of `staged`. Missing folders are made. From
        another file system the content is copied beside its destination first. On failure `rel` is as it
        was, `staged` still exists and nothing else is left but folders made on the way.
        """
        permissions = 0o666 & ~_UMASK if mode is None else mode & _PERMISSIONS
        with _gone_is_an_error(rel, "written"), self._parent(rel, "written", create=True) as (folder, name):
            _regular_or_missing(folder, name)
            _set_permissions(staged, permissions)
            try:
                folder.take(staged, name)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                _copy(staged, folder, name, permissions)
            folder.sync()

    def remove_copy(self, rel: str, staged: Path) -> None:
        """Remove what a `put` of `staged` to `rel` left beside it when it was killed while copying."""
        folder, slash, _ = rel.rpartition("/")
        self.remove(folder + slash + _hidden(staged))

    def remove(self, rel: str) -> None:
        """Remove the file, durably, and nothing else. A file that is gone already is fine."""
        try:
            with self._parent(rel, "removed") as (folder, name):
                folder.regular(name)
                folder.unlink(name)
                folder.sync()
        except (FileNotFoundError, NotADirectoryError):
            return

    @contextmanager
    def _parent(self, rel: str, verb: str, *, create: bool = False) -> Iterator[tuple[DirectoryHandle, str]]:
        """The folder that holds `rel`, entered, and the name in it. OSErrors become what `Tree` promises,
        all but those that say that something on the way is missing."""
        *folders, name = _components(rel)
        try:
            folder = DirectoryHandle.enter_root(self._root)
            try:
                for step in folders:
                    inner = folder.enter(step, create=create)
                    folder.close()
                    folder = inner
                yield folder, name
            finally:
                folder.close()
        except (FileNotFoundError, NotADirectoryError):
            raise
        except OSError as error:
            raise _refusal(error, rel, verb) from error


@contextmanager
def _gone_is_an_error(rel: str, verb: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _refusal(error, rel, verb) from error


def _refusal(error: OSError, rel: str, verb: str) -> InvalidPath | StoreError:
    if error.errno in _NO_SUCH_FILE:
        return InvalidPath(rel, f"can't be {verb}: {because(error)}")
    return StoreError(f"{rel} can't be {verb}: {because(error)}.")


def _components(rel: str) -> list[str]:
    check_name(rel)
    names = rel.split("/")
    if rel == ".":
        raise InvalidPath(rel, "is the root folder: name a file in it")
    if any(name in ("", ".", "..") or (os.sep == "\\" and ("\\" in name or ":" in name)) for name in names):
        raise InvalidPath(rel, "is no resolved path relative to the root")
    return names


def _regular_or_missing(folder: DirectoryHandle, name: str) -> None:
    try:
        folder.regular(name)
    except FileNotFoundError:
        return


def _set_permissions(staged: Path, permissions: int) -> None:
    """Give the staged file its permissions, durably. Windows knows only "read-only" and sets it by path."""
    descriptor = os.open(staged, _SOURCE)
    try:
        found = os.fstat(descriptor)
        require_regular(found, str(staged))
        if found.st_mode & 0o7777 == permissions:
            return
        if os.chmod in os.supports_fd:
            os.fchmod(descriptor, permissions)
            os.fsync(descriptor)
        else:
            staged.chmod(permissions)
    finally:
        os.close(descriptor)


def _hidden(staged: Path) -> str:
    """What the copy of a staged file is called until it is whole: known, so that it can be found after a kill."""
    return f".{staged.name}.intentls-tmp"


def _copy(staged: Path, folder: DirectoryHandle, name: str, permissions: int) -> None:
    with open(os.open(staged, _SOURCE), "rb") as source, folder.temporary(_hidden(staged), name) as descriptor:
        with open(descriptor, "wb", closefd=False) as target:
            while chunk := source.read(_CHUNK):
                target.write(chunk)
        if os.chmod in os.supports_fd:
            os.fchmod(descriptor, permissions)
        sync(descriptor)
    staged.unlink()

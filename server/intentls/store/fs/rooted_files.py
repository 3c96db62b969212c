"""The files below one root, read and changed without ever following a link.

A path here is root-relative and already resolved (`path_resolution`). Every component is entered anew for
each operation, so a link that was swapped in since the path was checked raises PathMoved and nothing leaves
the root. How far that holds on which system is said in `directory_handle`. A directory that is *moved* while a file
in it is being written takes the file along, just as if it had been moved a moment later.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.patterns.protected_paths import check_name
from intentls.store.fs.atomic_write import sync
from intentls.store.fs.directory_handle import DirectoryHandle, require_regular
from intentls.store.fs.directory_handle import PathMoved as PathMoved
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import NO_LINK, READ_NO_LINK, open_binary

_PERMISSIONS = 0o777  # never set-uid, set-gid or sticky: new content must not inherit those
_CHUNK = 1 << 20  # bytes
_GONE = (FileNotFoundError, NotADirectoryError, InvalidPath, PathMoved)
_NO_NAMES = frozenset({"", ".", ".."})
_NO_SUCH_FILE = frozenset({errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG})


def _read_umask() -> int:
    """The process's umask. Reading it means setting it for a moment, so it is done once, at import."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_UMASK = _read_umask()


class FileState(Struct, frozen=True):
    """A regular file's permission bits, size in bytes, inode, and times of its last change (ns).

    `mtime_ns` is that of its content, which programs may set; `ctime_ns` that of anything: since when it is this file.
    """

    mode: int
    size: int
    mtime_ns: int
    inode: int
    ctime_ns: int


class RootedFiles:
    """Access to regular files below `root` (absolute, resolved).

    Every method raises InvalidPath for what is no regular file and can't become one, PathMoved (a StoreError)
    where a link took a component's place, and StoreError for all else that the disk refuses.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)

    def read(self, rel: str) -> bytes | None:
        """The content, or None if there is no such file. Never waits, whatever lies there."""
        file = self.read_with_state(rel)
        return None if file is None else file[1]

    def read_with_state(self, rel: str) -> tuple[FileState, bytes] | None:
        """The state and the content of one file, or None if there is no such file. Never waits, as `read`."""
        try:
            directory, name = self._enter(rel)
            try:
                status, content = directory.read(name)
            finally:
                directory.close()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _refusal(error, rel, "read") from error
        return _state(status), content

    @contextmanager
    def editable(self, rel: str) -> Iterator[int | None]:
        """The file, open to be read and overwritten, or None if there is no such file. Never waits."""
        with ExitStack() as opened:
            try:
                directory, name = opened.enter_context(self._parent(rel, "written"))
                descriptor, _ = opened.enter_context(directory.opened(name, os.O_RDWR | NO_LINK))
            except (FileNotFoundError, NotADirectoryError):
                yield None
                return
            yield descriptor

    def state(self, rel: str) -> FileState | None:
        """The file's state, or None if there is no such file."""
        try:
            with self._parent(rel, "looked at") as (directory, name):
                status = directory.regular(name)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _state(status)

    def make_parents(self, rel: str) -> None:
        """Make the directories that `rel` lies in, those that are missing. That is not durable."""
        try:
            with self._parent(rel, "written", create=True, durable=False):
                return
        except OSError as error:
            raise _refusal(error, rel, "written") from error

    def nearest_folder(self, rel: str) -> tuple[str, int]:
        """The nearest existing directory on the way to `rel` ("" the root), and when a name in it last came or went."""
        *directories, _ = _components(rel)
        while True:
            try:
                with self._parent("/".join((*directories, "_")), "looked at") as (directory, _):
                    return "/".join(directories), directory.status().st_mtime_ns
            except (FileNotFoundError, NotADirectoryError):
                if not directories:
                    raise
                directories.pop()

    def sync(self, rels: Iterable[str]) -> None:
        """Have the disk itself hold these files as they are now, and the names of the directories that they are in.

        What is no file of ours any more (it was removed, moved, or a link took its place) is left out.
        """
        rels = tuple(rels)
        for rel in rels:
            with suppress(*_GONE), self._parent(rel, "synced") as (directory, name):
                directory.sync_file(name)
        self.sync_folders(rels)

    def sync_folders(self, rels: Iterable[str]) -> None:
        """Have the disk itself hold the names on the way to these files, and which of the files there are."""
        folders = {
            "/".join(steps[:depth]) for rel in rels for steps in [_components(rel)] for depth in range(len(steps))
        }
        for folder in sorted(folders):
            with suppress(*_GONE), self._parent(f"{folder}/_" if folder else "_", "synced") as (directory, _):
                directory.sync()

    def put(self, rel: str, staged: Path, mode: int | None, *, durable: bool = True) -> None:
        """Let the file `staged` take the place of `rel` in one step; with `durable`, make that durable.

        `staged`'s own content must be durable already then. The permission bits become `mode`, or those of any
        new file; owner, ACLs and extended attributes are those of `staged`. Missing directories are made. From
        another file system the content is copied beside its destination first. On failure `rel` is as it
        was, `staged` still exists and nothing else is left but directories made on the way.
        """
        permissions = 0o666 & ~_UMASK if mode is None else mode & _PERMISSIONS
        try:
            with self._parent(rel, "written", create=True, durable=durable) as (directory, name):
                with suppress(FileNotFoundError):
                    directory.regular(name)
                _set_permissions(staged, permissions, durable=durable)
                try:
                    directory.take(staged, name)
                except OSError as error:
                    if error.errno != errno.EXDEV:
                        raise
                    _copy(staged, directory, name, permissions)
                    durable = True  # another inode than the staged one: a power loss could not be told from a change
                if durable:
                    directory.sync()
        except OSError as error:  # what is missing on the way is an error here
            raise _refusal(error, rel, "written") from error

    def remove_copy(self, rel: str, staged: Path) -> None:
        """Remove what a `put` of `staged` to `rel` left beside it when it was killed while copying."""
        directory, slash, _ = rel.rpartition("/")
        self.remove(directory + slash + _hidden(staged))

    def remove(self, rel: str, *, durable: bool = True) -> None:
        """Remove the file and nothing else; with `durable`, durably. A file that is gone already is fine."""
        try:
            with self._parent(rel, "removed") as (directory, name):
                directory.regular(name)
                directory.unlink(name)
                if durable:
                    directory.sync()
        except (FileNotFoundError, NotADirectoryError):
            return

    @contextmanager
    def _parent(
        self, rel: str, verb: str, *, create: bool = False, durable: bool = True
    ) -> Iterator[tuple[DirectoryHandle, str]]:
        """The directory that holds `rel`, entered, and the name in it. OSErrors become what `Tree` promises,
        all but those that say that something on the way is missing."""
        try:
            directory, name = self._enter(rel, create=create, durable=durable)
            try:
                yield directory, name
            finally:
                directory.close()
        except (FileNotFoundError, NotADirectoryError):
            raise
        except OSError as error:
            raise _refusal(error, rel, verb) from error

    def _enter(self, rel: str, *, create: bool = False, durable: bool = True) -> tuple[DirectoryHandle, str]:
        """The directory that holds `rel`, which the caller closes, and the name in it. Raises OSError."""
        *directories, name = _components(rel)
        directory = DirectoryHandle.enter_root(self._root)
        try:
            for step in directories:
                inner = directory.enter(step, create=create, durable=durable)
                directory.close()
                directory = inner
        except BaseException:
            directory.close()
            raise
        return directory, name


def _state(status: os.stat_result) -> FileState:
    return FileState(
        status.st_mode & _PERMISSIONS, status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns
    )


def _refusal(error: OSError, rel: str, verb: str) -> InvalidPath | StoreError:
    if error.errno in _NO_SUCH_FILE:
        return InvalidPath(rel, f"can't be {verb}: {because(error)}")
    return StoreError(f"{rel} can't be {verb}: {because(error)}.")


def _components(rel: str) -> list[str]:
    check_name(rel)
    names = rel.split("/")
    if rel == ".":
        raise InvalidPath(rel, "is the root folder: name a file in it")
    if not _NO_NAMES.isdisjoint(names) or (os.sep == "\\" and any("\\" in name or ":" in name for name in names)):
        raise InvalidPath(rel, "is no resolved path relative to the root")
    return names


def _set_permissions(staged: Path, permissions: int, *, durable: bool) -> None:
    """Give the staged file its permissions, if it lacks them. Windows knows only "read-only" and sets it by path."""
    status = os.lstat(staged)
    if stat.S_ISREG(status.st_mode) and stat.S_IMODE(status.st_mode) == permissions:
        return
    descriptor = os.open(staged, READ_NO_LINK)
    try:
        require_regular(os.fstat(descriptor), str(staged))
        if os.chmod in os.supports_fd:
            os.fchmod(descriptor, permissions)
            if durable:
                os.fsync(descriptor)
        else:
            staged.chmod(permissions)
    finally:
        os.close(descriptor)


def _hidden(staged: Path) -> str:
    """What the copy of a staged file is called until it is whole: known, so that it can be found after a kill."""
    return f".{staged.name}.intentls-tmp"


def _copy(staged: Path, directory: DirectoryHandle, name: str, permissions: int) -> None:
    with open_binary(staged, READ_NO_LINK) as source, directory.temporary(_hidden(staged), name) as descriptor:
        with open(descriptor, "wb", closefd=False) as target:
            while chunk := source.read(_CHUNK):
                target.write(chunk)
        if os.chmod in os.supports_fd:
            os.fchmod(descriptor, permissions)
        sync(descriptor)
    staged.unlink()

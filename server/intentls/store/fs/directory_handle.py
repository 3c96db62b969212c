"""One directory, held so that names in it mean what they meant when it was entered.

Where the system has handles for directories (Linux, macOS, BSD) an entered directory is an open descriptor and
every name is looked up relative to it, so a link swapped in along the way is never followed. Elsewhere
(Windows) the directory's path is resolved again before and after each use and compared with what was entered:
a swap made before is refused and one made meanwhile is reported, but one that is made and undone within
those microseconds is not seen.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from intentls.core.errors import InvalidPath, StoreError
from intentls.store.fs.atomic_write import sync, sync_names
from intentls.store.fs.path_resolution import real_path
from intentls.store.fs.primitives import ENTER_DIRECTORY, NO_LINK, READ_NO_LINK, read_whole

_NEEDED = {os.open, os.stat, os.mkdir, os.rename, os.unlink}
_HAS_HANDLES = _NEEDED.issubset(os.supports_dir_fd) and hasattr(os, "O_NOFOLLOW")

_IS_LINK = frozenset({errno.ELOOP, errno.EMLINK})  # what O_NOFOLLOW answers; EMLINK on FreeBSD


class PathMoved(StoreError):
    """A path leads elsewhere than when it was checked: a component turned into a link."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} was replaced by a link or moved meanwhile, and links are not followed. Try again.")
        self.path = path


class DirectoryHandle:
    """A directory in use; every method takes a plain name in it, never a path, and raises OSError or PathMoved.

    `shown` goes before a name in messages: the way from the root, with a slash at its end.
    """

    def __init__(self, path: str, handle: int | None, shown: str = "") -> None:
        self._path = path
        self._handle = handle
        self._shown = shown

    @classmethod
    def enter_root(cls, path: str) -> Self:
        """Enter a directory by its absolute, resolved path."""
        if not _HAS_HANDLES:
            root = cls(path, None)
            root._check_unmoved()
            Path(path).stat()  # it must exist
            return root
        try:
            return cls(path, os.open(path, ENTER_DIRECTORY))
        except OSError as error:
            if Path(path).is_symlink():
                raise PathMoved(path) from error
            raise

    def close(self) -> None:
        """Let go of it."""
        if self._handle is not None:
            os.close(self._handle)

    def enter(self, name: str, *, create: bool, durable: bool = True) -> Self:
        """Enter the directory `name` in this one; with `create`, make it (`durable` or not) if it is missing."""
        try:
            return self._enter(name)
        except FileNotFoundError:
            if not create:
                raise
        with suppress(FileExistsError):  # another process was faster: enter theirs
            os.mkdir(self._at(name), dir_fd=self._handle)
        if durable:
            self.sync()
        return self._enter(name)

    def stat(self, name: str) -> os.stat_result:
        """What `name` itself is; a link is not followed."""
        return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)

    def regular(self, name: str) -> os.stat_result:
        """Like `stat`; raises PathMoved for a link, InvalidPath for all else that is no regular file."""
        status = self.stat(name)
        if stat.S_ISLNK(status.st_mode):
            raise PathMoved(self._shown + name)
        require_regular(status, self._shown + name)
        return status

    def read(self, name: str) -> tuple[os.stat_result, bytes]:
        """What the regular file `name` is, and its content."""
        descriptor, status = self._open_regular(name, READ_NO_LINK)
        try:
            return status, read_whole(descriptor, status.st_size)
        finally:
            os.close(descriptor)

    @contextmanager
    def opened(self, name: str, flags: int = READ_NO_LINK) -> Iterator[tuple[int, os.stat_result]]:
        """The regular file `name`, open for reading or as `flags` say, and what it is."""
        descriptor, status = self._open_regular(name, flags)
        try:
            yield descriptor, status
        finally:
            os.close(descriptor)

    def take(self, source: Path, name: str) -> None:
        """Rename `source`, from anywhere on the same file system, to `name`, replacing what is there."""
        os.replace(source, self._at(name), dst_dir_fd=self._handle)
        self._check_unmoved()

    @contextmanager
    def temporary(self, hidden: str, name: str) -> Iterator[int]:
        """A new file, open for writing, that becomes `name` in the end; gone if anything goes wrong.

        Until then it is called `hidden`; whatever a killed process left under that name goes first.
        """
        with suppress(FileNotFoundError):
            os.unlink(self._at(hidden), dir_fd=self._handle)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK
        descriptor = os.open(self._at(hidden), flags, 0o600, dir_fd=self._handle)
        try:
            try:
                yield descriptor
            finally:
                os.close(descriptor)
            os.replace(self._at(hidden), self._at(name), src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(self._at(hidden), dir_fd=self._handle)
            raise
        self._check_unmoved()

    def unlink(self, name: str) -> None:
        """Remove the name of a file."""
        os.unlink(self._at(name), dir_fd=self._handle)
        self._check_unmoved()

    def status(self) -> os.stat_result:
        """What the directory itself is."""
        return Path(self._path).stat() if self._handle is None else os.fstat(self._handle)

    def sync_file(self, name: str) -> None:
        """Have the disk itself hold the regular file `name` as it is now."""
        with self.opened(name) as (descriptor, _):
            sync(descriptor)

    def sync(self) -> None:
        """Make renames and new names in this directory durable. Windows has no such call."""
        if self._handle is not None:
            sync_names(self._handle)

    def _open_regular(self, name: str, flags: int) -> tuple[int, os.stat_result]:
        self.regular(name)  # before it is opened: opening a device can already do something
        try:
            descriptor = os.open(self._at(name), flags, dir_fd=self._handle)
        except OSError as error:
            if error.errno in _IS_LINK:
                raise PathMoved(self._shown + name) from error
            raise
        try:
            opened = os.fstat(descriptor)
            self._require_opened(opened, name)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor, opened

    def _require_opened(self, opened: os.stat_result, name: str) -> None:
        """Raises InvalidPath if what was opened is no regular file, PathMoved if another one has the name by now."""
        require_regular(opened, self._shown + name)
        if self._handle is None and not os.path.samestat(opened, self.stat(name)):
            raise PathMoved(self._shown + name)

    def _enter(self, name: str) -> Self:
        shown = self._shown + name
        try:
            handle = None if self._handle is None else os.open(name, ENTER_DIRECTORY, dir_fd=self._handle)
        except OSError as error:
            # A link is answered with ELOOP or ENOTDIR, depending on the system.
            if error.errno in _IS_LINK or (error.errno == errno.ENOTDIR and self._is_link_or_directory(name)):
                raise PathMoved(shown) from error
            raise
        if handle is None and not stat.S_ISDIR(self.stat(name).st_mode):
            if self._is_link_or_directory(name):
                raise PathMoved(shown)
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return type(self)(os.path.join(self._path, name), handle, shown + "/")

    def _is_link_or_directory(self, name: str) -> bool:
        """Whether `name`, just seen not to be a directory, is a link, or something else again already."""
        try:
            mode = self.stat(name).st_mode
        except FileNotFoundError:
            return True
        return stat.S_ISLNK(mode) or stat.S_ISDIR(mode)

    def _at(self, name: str) -> str:
        if self._handle is not None:
            return name
        self._check_unmoved()
        return os.path.join(self._path, name)

    def _check_unmoved(self) -> None:
        if self._handle is None and str(real_path(Path(self._path))) != self._path:
            raise PathMoved(self._shown or self._path)


def require_regular(status: os.stat_result, shown: str) -> None:
    """Raises InvalidPath for a directory, a device, a FIFO or a socket."""
    if stat.S_ISREG(status.st_mode):
        return
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a FIFO"), (stat.S_ISSOCK, "a socket"))
    kind = next((text for test, text in kinds if test(status.st_mode)), "a device")
    raise InvalidPath(shown, f"is {kind}: only regular files can be read and changed")

"""What a staged command sees: everything, read-only; the tree through an overlay; its own temporary folders.

A command in this view can read what its user can read. It can write in

    the tree        into the overlay's upper layer: nothing reaches the tree itself
    git's directory the same, where the tree is a linked worktree and has it elsewhere
    /tmp ...        folders of its own, on disk, gone after the run
    `writable`      the caches that the run names: these are the real folders

It has no capabilities, sees only its own processes, no devices but the harmless ones, and none of the sockets by
which other programs would write for it (`/run`, where the buses and the container engines listen).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from intentls.store.confinement import kernel_calls

_TEMPORARY = (Path("/tmp"), Path("/var/tmp"))
_RUNTIME = Path("/run")
_DEVICES = tuple(Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom", "tty"))
_KERNEL_SETTINGS = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi")  # below /proc: user 0 may write there
_KEPT_OF_RUNTIME = (Path("/run/systemd/resolve"), Path("/run/resolvconf"), Path("/run/NetworkManager/resolv.conf"))


class LayeredFolder(Struct, frozen=True):
    """A folder, and where what is written to it goes instead."""

    folder: Path
    upper: Path
    work: Path


class PrivateView(Struct, frozen=True):
    """How a view is made. All paths are absolute and resolved.

    `root` is the tree, `temporary` the folder for temporary files. `git` is the repository's directory where it is not
    in the tree. `writable` are the real places that the command may change, `read_only` those in them that it may not,
    `visible` those that must be seen although they lie in a hidden folder. `copies` are files of the command's own,
    each with the place where it is seen.
    """

    root: LayeredFolder
    temporary: Path
    writable: tuple[Path, ...] = ()
    read_only: tuple[Path, ...] = ()
    visible: tuple[Path, ...] = ()
    git: LayeredFolder | None = None
    copies: tuple[tuple[Path, Path], ...] = ()

    def enter(self) -> None:
        """Let this process, alone in its new namespaces, see the world so. Raises OSError."""
        hidden = (*_TEMPORARY, _RUNTIME)
        shown = [path for path in self.visible if _is_below(path, hidden)]
        runtime = [path for path in _KEPT_OF_RUNTIME if path.exists()]
        layered = [self.root] if self.git is None else [self.git, self.root]  # a worktree may lie in git's directory
        layers = [path for one in layered for path in (one.folder, one.upper, one.work)]
        with _opened(
            (
                *layers,
                self.temporary,
                *self.writable,
                *self.read_only,
                *(copy for copy, _ in self.copies),
                *shown,
                *runtime,
                *_DEVICES,
            )
        ) as handles:
            kernel_calls.keep_mounts_private()
            temporary = [path for path in _TEMPORARY if path.is_dir() and not path.is_symlink()]
            for path in temporary:
                kernel_calls.bind(handles[self.temporary], path)
            if _RUNTIME.is_dir():
                kernel_calls.mount_memory(_RUNTIME)
            for path in (*runtime, *shown):
                _show(handles[path], path)
            for one in layered:
                one.folder.mkdir(parents=True, exist_ok=True)  # it may lie in a folder that is hidden
                kernel_calls.mount_overlay(one.folder, handles[one.folder], handles[one.upper], handles[one.work])
            for path in (*self.writable, *self.read_only):
                _show(handles[path], path)
            for copy, place in self.copies:
                _show(handles[copy], place)
            # An upper layer on a read-only mount is refused, so all else becomes read-only only now.
            kernel_calls.set_read_only(Path("/"), read_only=True, recursive=True)
            for path in (
                *temporary,
                *(one.folder for one in layered),
                *self.writable,
                *(place for _, place in self.copies),
            ):
                kernel_calls.set_read_only(path, read_only=False)
            _own_devices(handles)
            _own_processes()


def _own_devices(handles: Mapping[Path, int]) -> None:
    """A `/dev` with nothing in it that reaches a disk or another program."""
    folder = Path("/dev")
    kernel_calls.mount_memory(folder)
    for path in _DEVICES:
        path.touch()
        kernel_calls.bind(handles[path], path)
    for name in ("pts", "shm"):
        (folder / name).mkdir()
    kernel_calls.mount_terminals(folder / "pts")
    kernel_calls.mount_memory(folder / "shm", mode=0o1777)
    for name, target in (
        ("ptmx", "pts/ptmx"),
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ):
        (folder / name).symlink_to(target)


def _own_processes() -> None:
    folder = Path("/proc")
    kernel_calls.mount_processes(folder)
    for name in _KERNEL_SETTINGS:
        path = folder / name
        if path.exists():
            handle = _open(path)
            kernel_calls.bind(handle, path)
            os.close(handle)
            kernel_calls.set_read_only(path, read_only=True)


def _show(handle: int, target: Path) -> None:
    """What `handle` stands for, at `target`, which is made where a hidden folder has no such name."""
    if not os.path.lexists(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            target.mkdir()
        else:
            target.touch()
    kernel_calls.bind(handle, target)


class _opened:  # noqa: N801  used as a function
    """The descriptors of some paths, by path; closed at the end."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = tuple(dict.fromkeys(paths))
        self._handles: dict[Path, int] = {}

    def __enter__(self) -> dict[Path, int]:
        for path in self._paths:
            self._handles[path] = _open(path)
        return self._handles

    def __exit__(self, *_: object) -> None:
        for handle in self._handles.values():
            with suppress(OSError):
                os.close(handle)


def _open(path: Path) -> int:
    return os.open(path, os.O_PATH | os.O_CLOEXEC)


def _is_below(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def resolved(paths: Iterable[Path]) -> Iterator[Path]:
    """Those of the paths that exist, resolved, each once, and none that lies in another."""
    real = sorted({path.resolve() for path in paths if path.exists()})
    for path in real:
        if not any(path != other and path.is_relative_to(other) for other in real):
            yield path

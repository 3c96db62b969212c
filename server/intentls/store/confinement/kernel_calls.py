"""The few calls of Linux that confinement needs and Python does not have: namespaces, mounts, capabilities, Landlock.

Sources: unshare(2), mount(2), mount_setattr(2), capabilities(7), landlock(7).
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Final

NEW_MOUNTS: Final = 0x20000
NEW_USER: Final = 0x10000000
NEW_PROCESSES: Final = 0x20000000
NEW_NETWORK: Final = 0x40000000
NEW_VIEW: Final = NEW_USER | NEW_MOUNTS | NEW_PROCESSES
"""What a view of one's own needs."""

_NO_SETUID, _NO_DEVICES, _NO_PROGRAMS = 2, 4, 8
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_SYS_MOUNT_SETATTR = 442
_READ_ONLY = 1
_HERE, _AT_RECURSIVE = -100, 0x8000
_DIE_WITH_PARENT, _DROP_BOUND, _SECURE_BITS, _REAP_ALL, _NO_NEW_PRIVILEGES = 1, 24, 28, 36, 38
_ROOT_IS_NOTHING = 0x2F  # no capabilities for user 0, and none kept, for good
_CAPABILITIES = 64
_CAPABILITY_VERSION = 0x20080522


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user", ctypes.c_uint64),
    )


def c_library() -> ctypes.CDLL:
    """The C library, with the number of the last error."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """The result of a call about `what`. Raises OSError where it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def unshare(flags: int) -> None:
    """Leave these namespaces for new ones. Raises OSError."""
    checked(c_library().unshare(flags), "unshare")


def die_with_parent(signal_number: int) -> None:
    """Be sent this signal when the parent ends. Raises OSError."""
    checked(c_library().prctl(_DIE_WITH_PARENT, signal_number, 0, 0, 0), "prctl")


def reap_all_below() -> None:
    """Be the parent of all processes below this one whose own parent ended. Raises OSError."""
    checked(c_library().prctl(_REAP_ALL, 1, 0, 0, 0), "prctl")


def keep_mounts_private() -> None:
    """No mount made from here on shows outside of this namespace. Raises OSError."""
    _mount(None, Path("/"), None, _RECURSIVE | _PRIVATE)


def bind(source: int, target: Path) -> None:
    """Show what the descriptor `source` stands for at `target`, and what is mounted below it. Raises OSError."""
    _mount(f"/proc/self/fd/{source}", target, None, _BIND | _RECURSIVE)


def mount_overlay(target: Path, lower: int, upper: int, work: int) -> None:
    """Show directory `lower` at `target`; what is written goes to `upper`. All are descriptors. Raises OSError."""
    layers = f"lowerdir=/proc/self/fd/{lower},upperdir=/proc/self/fd/{upper},workdir=/proc/self/fd/{work},userxattr"
    _mount("overlay", target, "overlay", _NO_SETUID | _NO_DEVICES, layers)


def mount_processes(target: Path) -> None:
    """The `/proc` of this process namespace. Raises OSError."""
    _mount("proc", target, "proc", _NO_SETUID | _NO_DEVICES | _NO_PROGRAMS)


def mount_memory(target: Path, *, mode: int = 0o755) -> None:
    """An empty file system in memory. Raises OSError."""
    _mount("tmpfs", target, "tmpfs", _NO_SETUID, f"mode={mode:o}")


def mount_terminals(target: Path) -> None:
    """New pseudo-terminals of its own. Raises OSError."""
    _mount("devpts", target, "devpts", _NO_SETUID | _NO_PROGRAMS, "newinstance,ptmxmode=0666,mode=620")


def set_read_only(path: Path, *, read_only: bool, recursive: bool = False) -> None:
    """Let the mount at `path` (and all below it) be read-only, or not any more. Raises OSError."""
    attributes = _MountAttributes(_READ_ONLY if read_only else 0, 0 if read_only else _READ_ONLY, 0, 0)
    result = c_library().syscall(
        _SYS_MOUNT_SETATTR,
        _HERE,
        os.fsencode(path),
        _AT_RECURSIVE if recursive else 0,
        ctypes.byref(attributes),
        ctypes.sizeof(attributes),
    )
    checked(result, str(path))


def drop_privileges() -> None:
    """No capability and no way to get one again, also for user 0. Raises OSError."""
    library = c_library()
    for capability in range(_CAPABILITIES):
        library.prctl(_DROP_BOUND, capability, 0, 0, 0)  # those that this kernel does not know fail
    checked(library.prctl(_SECURE_BITS, _ROOT_IS_NOTHING, 0, 0, 0), "prctl")
    no_new_privileges()
    head = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    checked(library.capset(ctypes.byref(head), ctypes.byref(none)), "capset")


def no_new_privileges() -> None:
    """No program started from here gets rights that this process does not have. Raises OSError."""
    checked(c_library().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")


def _mount(source: str | None, target: Path, kind: str | None, flags: int, data: str | None = None) -> None:
    result = c_library().mount(
        None if source is None else os.fsencode(source),
        os.fsencode(target),
        None if kind is None else kind.encode(),
        ctypes.c_ulong(flags),
        None if data is None else os.fsencode(data),
    )
    checked(result, f"mount {target}")

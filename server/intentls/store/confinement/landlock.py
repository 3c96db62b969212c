"""Landlock: the kernel refuses this process, and all that it starts, to change anything but what lies below some paths.

Source: landlock(7) and the kernel's Documentation/userspace-api/landlock.rst. It can't refuse changes of permission
bits, times and extended attributes, and can't tell a pattern from a folder.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from intentls.store.confinement import kernel_calls

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1
_BELOW_PATH = 1
_WRITE_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 14, 1 << 13
_OF_FOLDERS: Final = sum(1 << bit for bit in range(4, 13))  # remove and make files, folders, links, pipes, devices
_OF_FILES: Final = _WRITE_FILE | _TRUNCATE
_MIN_ABI = 3  # before, truncation could not be refused
_SCOPED_ABI, _OTHER_SOCKETS, _OTHER_SIGNALS = 6, 1, 2


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Below(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """The version of Landlock that this kernel has; 0 for none."""
    try:
        library = kernel_calls.c_library()
        return max(0, int(library.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)))
    except (OSError, AttributeError):
        return 0


def is_usable() -> bool:
    """Whether this kernel can refuse every write that a strict run has to refuse."""
    return abi() >= _MIN_ABI


def restrict(writable: Iterable[Path]) -> None:
    """From here on this process changes only what is one of these paths, or below it. Raises OSError.

    Paths that do not exist are left out.
    """
    library = kernel_calls.c_library()
    handled = _OF_FILES | _OF_FOLDERS | _REFER
    version = abi()
    rules = _Ruleset(handled, 0, _OTHER_SOCKETS | _OTHER_SIGNALS if version >= _SCOPED_ABI else 0)
    size = ctypes.sizeof(rules) if version >= _SCOPED_ABI else ctypes.sizeof(ctypes.c_uint64)
    ruleset = kernel_calls.checked(library.syscall(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0), "landlock")
    try:
        for path in writable:
            _allow(library, ruleset, path, handled)
        kernel_calls.no_new_privileges()
        kernel_calls.checked(library.syscall(_RESTRICT, ruleset, 0), "landlock")
    finally:
        os.close(ruleset)


def _allow(library: ctypes.CDLL, ruleset: int, path: Path, handled: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        is_folder = stat.S_ISDIR(os.fstat(parent).st_mode)
        rule = _Below(handled if is_folder else _OF_FILES, parent)
        kernel_calls.checked(library.syscall(_ADD, ruleset, _BELOW_PATH, ctypes.byref(rule), 0), str(path))
    finally:
        os.close(parent)

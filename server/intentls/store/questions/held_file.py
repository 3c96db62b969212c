"""A small file that says something of the process that holds it; the kernel tells which process that is.

The holder has a POSIX record lock on the file. The system frees it when the process ends, and tells any other process
the holder's number (`F_GETLK`): nobody can hold a file in another process's name. Closing any descriptor of the file
frees the lock as well, so a process never opens a file that it holds itself.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.primitives import NO_LINK, READ_NO_LINK
from intentls.store.fs.state_directory import make_directory
from intentls.store.process.liveness import process_exists
from intentls.store.sessions.agent_processes import process_place

if sys.platform != "win32":
    import fcntl

_MAX_BYTES = 64 * 1024
_ATTEMPTS = 3
_FLOCK = {"linux": "hhqqi0q", "darwin": "qqihh"}.get(sys.platform, "") if sys.maxsize > 1 << 32 else ""
"""The C structure of a record lock: type, whence, start, length, process; on macOS the process comes third."""

_held: set[str] = set()  # the paths that this process holds


class HeldFile:
    """A file that this process holds until `release`, which also removes it unless told otherwise."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def create(cls, path: Path, values: dict[str, Any]) -> HeldFile | None:
        """A new file with these values, which appears whole and held; None if there is one. Raises OSError."""
        boot, namespace = process_place()
        data = json.dumps({**values, "pid": os.getpid(), "boot": boot, "namespace": namespace}).encode("ascii")
        make_directory(path.parent)
        if sys.platform == "win32":  # an open file can't be renamed there, nor does the system tell who has it open
            try:
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINK, 0o600)
            except FileExistsError:
                return None
            os.write(descriptor, data)
            _held.add(str(path))
            return cls(path, descriptor)
        for attempt in range(_ATTEMPTS):
            temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
            descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINK, 0o600)
            try:
                os.write(descriptor, data)
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.link(temporary, path)
            except FileExistsError:
                os.close(descriptor)
                return None
            except FileNotFoundError:  # swept away by a process that is just starting
                os.close(descriptor)
                if attempt == _ATTEMPTS - 1:
                    raise
            except OSError:
                os.close(descriptor)
                raise
            else:
                _held.add(str(path))
                return cls(path, descriptor)
            finally:
                temporary.unlink(missing_ok=True)
        return None

    @property
    def is_there(self) -> bool:
        """Whether the file is still at its place."""
        try:
            return self._descriptor is not None and os.path.samestat(os.fstat(self._descriptor), self.path.lstat())
        except OSError:
            return False

    def release(self, *, keep: bool = False) -> None:
        """Let go, and remove the file unless it is to be kept."""
        if self._descriptor is None:
            return
        is_ours = self.is_there
        _held.discard(str(self.path))
        os.close(self._descriptor)
        self._descriptor = None
        if is_ours and not keep:
            with suppress(OSError):
                self.path.unlink()


def is_own(path: Path) -> bool:
    """Whether this process holds the file."""
    return str(path) in _held


def read_held(path: Path) -> tuple[dict[str, Any], int] | None:
    """What a file says that another process holds, and that process's number; None if nobody holds it here.

    Where the system does not tell who holds a file, its word is taken for it while such a process runs.
    """
    values = _values(path)
    holder = _holder(path, values) if values is not None else None
    return None if values is None or holder is None else (values, holder)


def is_abandoned(path: Path) -> bool:
    """Whether a process of this machine made the file and holds it no more."""
    values = _values(path)
    return values is not None and _holder(path, values) is None


def _values(path: Path) -> dict[str, Any] | None:
    """What the file says; None for this process's own, for one of another machine or container, or none."""
    if is_own(path):
        return None
    try:
        data = read_bounded(path, _MAX_BYTES)
        values: Any = json.loads(data) if data is not None else None
    except (OSError, ValueError, RecursionError):
        return None
    is_here = isinstance(values, dict) and (values.get("boot"), values.get("namespace")) == process_place()
    return values if is_here else None


def _holder(path: Path, values: dict[str, Any]) -> int | None:
    if sys.platform == "win32" or not _FLOCK:
        claimed = values.get("pid")
        return claimed if isinstance(claimed, int) and claimed > 0 and process_exists(claimed) else None
    try:
        descriptor = os.open(path, READ_NO_LINK)
    except OSError:
        return None
    try:
        if sys.platform == "darwin":
            asked = struct.pack(_FLOCK, 0, 0, 0, fcntl.F_WRLCK, os.SEEK_SET)
            _, _, pid, kind, _ = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))
        else:
            asked = struct.pack(_FLOCK, fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
            kind, _, _, _, pid = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))
    except (OSError, struct.error):
        return None
    finally:
        os.close(descriptor)
    return pid if kind != fcntl.F_UNLCK and pid > 0 else None

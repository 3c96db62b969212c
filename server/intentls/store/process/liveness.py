"""Whether a process is still there. A hint: its number may be another's by now, and other machines can't be asked."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from intentls.core.intents.lease import Process
from intentls.store.fs.boot_id import boot_id

_NAMESPACE = Path("/proc/self/ns/pid")


def this_process() -> Process:
    """The process that asks."""
    return Process(os.getpid(), _place())


def is_gone(process: Process) -> bool:
    """Whether `process` has certainly ended. False for one elsewhere: its absence here says nothing."""
    return process.place == _place() and not process_exists(process.pid)


def waits_for_processor(pid: int) -> bool:
    """Whether a thread of the process could run now. False for one that waits or is stopped, and beyond Linux."""
    with suppress(OSError):
        for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
            if stat.read_bytes().rpartition(b")")[2].startswith(b" R"):
                return True
    return False


@cache
def _place() -> str:
    """Where a process number means one process: a machine since its start, and on Linux the container too."""
    parts = [os.environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename]
    if boot := boot_id():
        with suppress(OSError):
            parts += [boot, str(_NAMESPACE.readlink())]
    return " ".join(parts)


if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE = 0x00100000
    _WAIT_TIMEOUT = 0x00000102

    def process_exists(pid: int) -> bool:
        """Whether a process of this id runs. `os.kill` would end it on Windows."""
        handle = ctypes.windll.kernel32.OpenProcess(_SYNCHRONIZE, False, pid)
        if not handle:
            return False
        try:
            return bool(ctypes.windll.kernel32.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
        finally:
            ctypes.windll.kernel32.CloseHandle(handle)

else:

    def process_exists(pid: int) -> bool:
        """Whether a process of this id runs."""
        try:
            os.kill(pid, 0)
        except PermissionError:  # another user's, so it is there
            return True
        except (ProcessLookupError, OverflowError):
            return False
        return True

"""The process that the client says it is: when it is gone, the server leaves too."""

from __future__ import annotations

import os
import sys


class ClientProcess:
    """A process that was alive when it was named."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._is_parent = os.getppid() == pid

    @classmethod
    def named(cls, pid: int | None) -> ClientProcess | None:
        """The process of `initialize`'s `processId`; None if there is none that can be watched.

        A client in another container or on another machine names a process that does not exist here. Its
        absence must not be taken for its end.
        """
        if pid is None or pid <= 0 or pid == os.getpid() or not process_exists(pid):
            return None
        return cls(pid)

    def is_alive(self) -> bool:
        """Whether it still runs. A parent that nobody has waited for yet exists, but has no children left."""
        if self._is_parent and os.getppid() != self.pid:
            return False
        return process_exists(self.pid)


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
        except PermissionError:  # somebody else's, so it is there
            return True
        except (ProcessLookupError, OverflowError):
            return False
        return True

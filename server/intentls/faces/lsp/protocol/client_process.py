"""The client's process, as it names it at `initialize`: when it is gone, the server ends too."""

from __future__ import annotations

import os

from intentls.store.process.liveness import process_exists as process_exists


class ClientProcess:
    """A process that was running when the client named it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._is_parent = os.getppid() == pid

    @classmethod
    def named(cls, pid: int | None) -> ClientProcess | None:
        """The process of `initialize`'s `processId`; None if there is none that can be watched.

        A client in another container or on another machine names a process that does not exist here: that
        does not mean that the client has ended.
        """
        if pid is None or pid <= 0 or pid == os.getpid() or not process_exists(pid):
            return None
        return cls(pid)

    def is_alive(self) -> bool:
        """Whether it still runs. A parent that is a zombie still exists, but has no children left."""
        if self._is_parent and os.getppid() != self.pid:
            return False
        return process_exists(self.pid)

"""The client's process, as it names it at `initialize`: when it is gone, the server ends too."""

from __future__ import annotations

import asyncio
import os
import sys

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

    async def wait_for_end(self, poll_s: float) -> None:
        """Return when it no longer runs. Linux tells of it, and nothing wakes up before; elsewhere it is looked at
        every `poll_s` seconds.
        """
        descriptor = _open_descriptor(self.pid)
        if descriptor is None:
            while self.is_alive():
                await asyncio.sleep(poll_s)
            return
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(descriptor, ended.set)
        try:
            if self.is_alive():  # another process may have got the number of a parent that is gone
                await ended.wait()
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)


def _open_descriptor(pid: int) -> int | None:
    """What becomes readable when the process ends; None where the system has none."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None

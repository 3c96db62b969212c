"""Where the engine runs: never on the event loop, and in the order in which the client asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")


class CallQueue:
    """`workers` threads, first come first served."""

    def __init__(self, workers: int = 1) -> None:
        self._limiter = anyio.CapacityLimiter(workers)

    async def run(self, work: Callable[[], T]) -> T:
        """`work` in a thread. Once begun it is waited for, even if the call is cancelled."""
        return await anyio.to_thread.run_sync(work, limiter=self._limiter)

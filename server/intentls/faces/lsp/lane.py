"""Where the engine runs: never on the event loop, and in the order in which the client asked."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Lane:
    """One thread, first come first served. What one client asks in a row happens in that row."""

    def __init__(self, name: str, workers: int = 1) -> None:
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        """`work` in the lane; awaits its result."""
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._executor, context.run, work)

    def begin(self, work: Callable[[], object]) -> None:
        """`work` in the lane some time; the loop goes on."""
        self._executor.submit(work)

    def close(self) -> None:
        """Take no more work; what has begun is finished."""
        self._executor.shutdown(wait=False, cancel_futures=True)

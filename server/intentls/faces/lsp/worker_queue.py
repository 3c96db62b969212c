"""Queues in whose threads the engine runs: off the event loop, in the order of the client's messages."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class WorkerQueue:
    """Runs work first in, first out, in one thread unless `workers` says more."""

    def __init__(self, name: str, workers: int = 1) -> None:
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._awaited = 0

    @property
    def is_idle(self) -> bool:
        """Whether the result of everything that was given to `run` has been delivered. Used on the event loop only."""
        return self._awaited == 0

    async def run(self, work: Callable[[], T]) -> T:
        """The result of `work`, run in the queue's thread. Work that is cancelled before its turn never begins.

        (`run_in_executor` chains two futures, which costs a fifth of the round trip.)
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._executor.submit(self._do, work, contextvars.copy_context(), loop, future)
        self._awaited += 1
        return await future

    def begin(self, work: Callable[[], object]) -> None:
        """Run `work` in its turn, without waiting for it."""
        self._executor.submit(work)

    def close(self) -> None:
        """Refuse later work and drop what has not begun; what runs is finished."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _do(
        self,
        work: Callable[[], T],
        context: contextvars.Context,
        loop: asyncio.AbstractEventLoop,
        future: asyncio.Future[T],
    ) -> None:
        """Run one piece of work in the queue's thread and hand its result to the loop."""
        deliver = partial(self._deliver, future)
        if future.cancelled():
            loop.call_soon_threadsafe(deliver, None, None)
            return
        try:
            result = context.run(work)
        except BaseException as error:  # noqa: BLE001 - every error is raised where the work is awaited
            loop.call_soon_threadsafe(deliver, future.set_exception, error)
        else:
            loop.call_soon_threadsafe(deliver, future.set_result, result)

    def _deliver(self, future: asyncio.Future[Any], settle: Callable[[Any], None] | None, value: Any) -> None:
        """On the loop: settle the future unless it was cancelled meanwhile."""
        self._awaited -= 1
        if settle is not None and not future.done():
            settle(value)

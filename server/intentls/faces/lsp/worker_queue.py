"""Where the engine runs: never on the event loop, and in the order in which the client asked."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class WorkerQueue:
    """One thread, first come first served. What one client asks in a row happens in that row."""

    def __init__(self, name: str, workers: int = 1) -> None:
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        """`work` on its thread; awaits its result. Work that is given up before its turn never begins.

        (`run_in_executor` ties two futures together, which costs a fifth of the way there and back.)
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._executor.submit(_do, work, contextvars.copy_context(), loop, future)
        return await future

    def begin(self, work: Callable[[], object]) -> None:
        """`work` on its thread some time; the loop goes on."""
        self._executor.submit(work)

    def close(self) -> None:
        """Take no more work; what has begun is finished."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _do(
    work: Callable[[], T],
    context: contextvars.Context,
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[T],
) -> None:
    """On the queue's thread."""
    if future.cancelled():
        return
    try:
        result = context.run(work)
    except BaseException as error:  # noqa: BLE001 - whoever awaits the work gets to know, whatever it is
        loop.call_soon_threadsafe(_deliver, future, future.set_exception, error)
    else:
        loop.call_soon_threadsafe(_deliver, future, future.set_result, result)


def _deliver(future: asyncio.Future[Any], settle: Callable[[Any], None], value: Any) -> None:
    """On the loop; whoever gave up in the meantime wants nothing."""
    if not future.done():
        settle(value)

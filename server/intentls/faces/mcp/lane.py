"""Where the engine runs: never on the event loop, and in the order in which the client asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio
import anyio.to_thread

from intentls.engine.effects import Effect, Reply, Steps

T = TypeVar("T")


class Lane:
    """`workers` threads, first come first served."""

    def __init__(self, workers: int = 1) -> None:
        self._limiter = anyio.CapacityLimiter(workers)

    async def run(self, work: Callable[[], T]) -> T:
        """`work` in a thread. Once begun it is waited for, even if the call is cancelled."""
        return await anyio.to_thread.run_sync(work, limiter=self._limiter)


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """A use case came to its end with this result."""

    value: T


def advance(steps: Steps[T], answer: Reply | bool | None) -> Effect | Ended[T]:
    """One step of a use case: the next effect it needs, or its result."""
    try:
        return next(steps) if answer is None else steps.send(answer)
    except StopIteration as end:
        return Ended(end.value)

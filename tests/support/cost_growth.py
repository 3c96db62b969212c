"""How the cost of work grows with its size: a ratio within one run, so that a busy machine decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

_STEP = 4  # times the size
_SLACK = 2.5  # linear work measured at 4.0 +- 1; quadratic would be 16


def cost(work: Callable[[], object], times: int = 3) -> float:
    """The least processor time of this thread, in seconds, that `work` took in several runs."""
    found = []
    for _ in range(times):
        started = time.thread_time()
        work()
        found.append(time.thread_time() - started)
    return min(found)


def assert_linear(work: Callable[[int], object], size: int) -> None:
    """Four times the size costs about four times as much, by far not sixteen times."""
    small, large = cost(lambda: work(size)), cost(lambda: work(size * _STEP))
    assert large < small * _STEP * _SLACK, f"{size * _STEP} cost {large / small:.1f} times as much as {size}"

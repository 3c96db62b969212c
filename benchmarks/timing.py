"""The clocks: how long a piece of code takes when its neighbours do not sit still."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence


def elapsed(action: Callable[[], object]) -> float:
    """Seconds of one call, on the wall."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def processor(action: Callable[[], object], least: float = 0.01) -> float:
    """Seconds of this thread's processor a call, called as often as it takes to fill `least` seconds."""
    times = 1
    collecting = gc.isenabled()
    gc.disable()
    try:
        while True:
            start = time.thread_time()
            for _ in range(times):
                action()
            took = time.thread_time() - start
            if took >= least:
                return took / times
            times *= 2 if took <= least / 8 else 4
    finally:
        if collecting:
            gc.enable()


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of them lie; the largest of few."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

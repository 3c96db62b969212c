"""Seconds that nobody sets, that go on while the machine sleeps, and that all processes of it count alike."""

from __future__ import annotations

import time

_CLOCK = getattr(time, "CLOCK_BOOTTIME", None)


def elapsed_s() -> float:
    """Seconds since some moment in the past, the same one for every process of this machine."""
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)

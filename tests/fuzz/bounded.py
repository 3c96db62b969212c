"""How long one hostile input may keep us busy."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Seconds of this thread's own processor time, so that a busy machine makes no find. An honest input of a few
# kilobytes takes milliseconds; the limit is there for what grows faster than its input.
LIMIT_S = float(os.environ.get("INTENTLS_FUZZ_LIMIT_S", "3"))


class TooSlow(AssertionError):
    """An input took far more work than its size explains."""


@contextmanager
def bounded(what: str, limit_s: float | None = None) -> Iterator[None]:
    """Raises TooSlow if the block used more processor time than an input of any size may."""
    started = time.thread_time()
    yield
    spent, limit = time.thread_time() - started, LIMIT_S if limit_s is None else limit_s
    if spent > limit:
        raise TooSlow(f"{what} took {spent:.1f} s of processor time, and {limit:g} s are allowed")

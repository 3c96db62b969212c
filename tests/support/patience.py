"""How long a test waits for a fact: only a test that fails anyway waits that long."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 120
"""Seconds. A machine that is busy with other work is slow, and no promise depends on that."""


def eventually(look: Callable[[], T]) -> T:
    """What `look` answers, as soon as that counts as true."""
    end = time.monotonic() + PATIENCE_S
    while not (answer := look()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
    return answer

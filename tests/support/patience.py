"""How long a test waits for a fact: only a test that fails anyway waits that long."""

from __future__ import annotations

import asyncio
import os
import selectors
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


def read_soon(descriptor: int, size: int = 4096) -> bytes:
    """What can be read of a terminal or a pipe, as soon as there is something; b"" at its end. Raises OSError."""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        assert selector.select(PATIENCE_S), "nothing came"
    return os.read(descriptor, size)


async def eventually_in_loop(look: Callable[[], T]) -> T:
    """What `look` answers, as soon as that counts as true; meanwhile the event loop goes on with other work."""
    end = time.monotonic() + PATIENCE_S
    while not (answer := look()):
        assert time.monotonic() < end, "it never happened"
        await asyncio.sleep(0)
    return answer

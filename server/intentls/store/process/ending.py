"""How a process in the background is asked to end."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Final

ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)  # Windows has no SIGHUP
"""The signals that say so."""


def on_ending(end: Callable[[], object]) -> None:
    """Call `end` in the main thread when this process is asked to end, once: further signals are ignored."""

    def handle(*_: object) -> None:
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)
        end()

    for number in ENDING:
        signal.signal(number, handle)

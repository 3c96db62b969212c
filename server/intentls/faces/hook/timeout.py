"""A hook's own time limit. The agent's would let the tool run, so the hook refuses before that."""

from __future__ import annotations

import _thread  # `threading` takes long to import
import os
from collections.abc import Callable

EXIT_ERROR = 2
"""The exit code at which every agent stops the tool."""
ERROR_PREFIX = "intentls: refused, because the hook itself is in trouble: "
"""Starts the one line on stderr."""


def start_timeout(timeout_s: float) -> Callable[[], None]:
    """End this process with a refusal in `timeout_s` seconds, unless the function that is returned is called before."""
    done = _thread.allocate_lock()
    done.acquire()

    def wait() -> None:
        if not done.acquire(timeout=timeout_s):
            line = f"{ERROR_PREFIX}no answer was found within {timeout_s:g} seconds. Try again.\n"
            os.write(2, line.encode("ascii"))
            os._exit(EXIT_ERROR)

    _thread.start_new_thread(wait, ())
    return done.release

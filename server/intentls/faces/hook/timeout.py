"""A hook's own time limit. The agent's would let the tool run, so ours must come first."""

from __future__ import annotations

import _thread  # `threading` takes long to import
import os
from collections.abc import Callable

TROUBLE = 2
"""The exit code that every agent takes for a no."""
IN_TROUBLE = "intentls: refused, because the hook itself is in trouble: "
"""What the one line on stderr begins with."""


def limited(timeout_s: float) -> Callable[[], None]:
    """End this process with a refusal in `timeout_s` seconds, unless what is returned is called before."""
    running = _thread.allocate_lock()
    running.acquire()

    def wait() -> None:
        if not running.acquire(timeout=timeout_s):
            line = f"{IN_TROUBLE}no answer was found within {timeout_s:g} seconds. Try again.\n"
            os.write(2, line.encode("ascii"))
            os._exit(TROUBLE)

    _thread.start_new_thread(wait, ())
    return running.release

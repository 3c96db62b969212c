"""A hook's own time limit. The agent's would let the tool run, so the hook refuses before that."""

from __future__ import annotations

import _thread  # `threading` takes long to import
import os

TYPE_CHECKING = False  # see `daemon_client`
if TYPE_CHECKING:
    from collections.abc import Callable

EXIT_ERROR = 2
"""The exit code at which every agent stops the tool."""
ERROR_PREFIX = "intentls: refused, because the hook itself is in trouble: "
"""Starts the one line on stderr."""


_extensions: list[float] = []


def extend_timeout(seconds: float) -> None:
    """A person is asked now: this process has so much more time."""
    _extensions.append(seconds)


def start_timeout(timeout_s: float) -> Callable[[], None]:
    """End this process with a refusal in `timeout_s` seconds, unless the function that is returned is called before.

    `extend_timeout` gives it more time, once each.
    """
    done = _thread.allocate_lock()
    done.acquire()

    def wait() -> None:
        left = timeout_s
        while not done.acquire(timeout=left):
            if _extensions:
                left = _extensions.pop()
                continue
            line = f"{ERROR_PREFIX}no answer was found within {timeout_s:g} seconds. Try again.\n"
            os.write(2, line.encode("ascii"))
            os._exit(EXIT_ERROR)

    _thread.start_new_thread(wait, ())
    return done.release

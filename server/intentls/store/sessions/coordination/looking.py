"""Waiting for an answer that does not blame the other side for the time in which this process was not scheduled.

On a busy machine a process may sleep through its whole deadline, and find then that the answer has been there for long,
or that the other process, which slept as well, needs a moment still. So a wait is a few short looks. A look that took
far longer than it should have does not count: nobody was there to look.

Worked example: 40 ms are eight looks of 5 ms. The process is stopped for a minute in the third; that one does not
count, the next sees the answer. Where nothing ever comes and the process runs, the eighth ends after 40 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from intentls.store.sessions.coordination.elapsed import elapsed_s

T = TypeVar("T")

_LOOKS = 8
_SLEPT = 2.0  # a look that took so many times its length was slept through
_MOST_SLEPT = 8  # looks that don't count: on a machine that is always busy, a wait has an end all the same


def look_for(look: Callable[[float], T], seconds: float) -> T:
    """What `look` gives, within `seconds` in which this process could run.

    `look` waits for so many seconds as it is called with, and raises TimeoutError after them. So does this.
    """
    length = seconds / _LOOKS
    slept, seen = 0, 0
    while True:
        began = elapsed_s()
        try:
            return look(length)
        except TimeoutError:
            if elapsed_s() - began > _SLEPT * length and slept < _MOST_SLEPT:
                slept += 1
                continue
            seen += 1
            if seen == _LOOKS:
                raise

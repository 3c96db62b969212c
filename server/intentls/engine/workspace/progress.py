"""How far long work is: (done, total), told now and then."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]


def no_progress(_done: int, _total: int) -> None:
    """Report no progress."""

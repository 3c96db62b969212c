"""What stands around a workspace: programs that policy names, agents whose settings call us."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

_MARK = b"intentls hook"
_MOST_BYTES = 1 << 20


def find_program(command: Sequence[str], root: Path) -> str | None:
    """Where the program that a command starts with lies; None if there is none. It may lie in the root."""
    name = command[0]
    inside = root / name
    return shutil.which(name if not Path(name).parent.parts else str(inside))


def first_that_calls_us(root: Path, files: Iterable[str]) -> str | None:
    """The first of these settings files (root-relative) that calls `intentls hook`."""
    return next((file for file in files if _calls_us(root / file)), None)


def _calls_us(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return _MARK in opened.read(_MOST_BYTES)
    except OSError:
        return False

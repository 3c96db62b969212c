"""Whether this program is part of a staged run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from intentls.late_pattern import late_pattern

RUN_VARIABLE: Final = "INTENTLS_RUN"
_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = late_pattern(r"\\([0-7]{3})")


def is_inside_run(root: Path) -> bool:
    """Whether `root` (resolved) is the layered tree of a staged run: what changes there is judged when it lands.

    The environment says so, and the tree is an overlay: to set the variable is not enough.
    """
    if not os.environ.get(RUN_VARIABLE):
        return False
    try:
        lines = _MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return False
    return any(_is_overlay_at(line, str(root)) for line in lines)


def _is_overlay_at(line: str, root: str) -> bool:
    """A line is `36 35 0:40 / /the/root rw,relatime - overlay overlay rw,...`; odd characters are octal."""
    place, _, kind = line.partition(" - ")
    target = _ESCAPED.sub(lambda match: chr(int(match[1], 8)), place.split(" ")[4])
    return target == root and kind.startswith("overlay ")

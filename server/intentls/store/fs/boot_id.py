"""Which run of the machine this is: what was written in another one may not have reached the disk."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_FILE = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """A name that each start of the machine changes; "" where the system has none (it is Linux that has)."""
    try:
        return _boot(_FILE)
    except OSError:  # it may be read the next time: a process may have no descriptor left just now
        return ""


@lru_cache(maxsize=1)
def _boot(file: Path) -> str:
    return file.read_text("ascii").strip()

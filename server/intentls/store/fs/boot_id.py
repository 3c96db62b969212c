"""Which run of the machine this is: what was written in another one may not have reached the disk."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_FILE = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """A name that each start of the machine changes; "" where the system has none (it is Linux that has)."""
    return _boot(_FILE)


@lru_cache(maxsize=1)
def _boot(file: Path) -> str:
    try:
        return file.read_text("ascii").strip()
    except OSError:
        return ""

"""A command that the kernel refuses all writes but those below some paths: by Landlock on Linux, Seatbelt on macOS."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from intentls.store.confinement import landlock, seatbelt
from intentls.store.confinement.confined_process import ConfinedCommand, ConfinedProcess, NotConfined


def why_not_strict() -> str | None:
    """Why no command can be confined strictly here; None where one can."""
    if sys.platform == "darwin":
        return seatbelt.why_not()
    return None if landlock.is_usable() else "this kernel has no Landlock (Linux 6.2 or later)"


def start_strict(command: ConfinedCommand, writable: Sequence[Path]) -> ConfinedProcess | seatbelt.SeatbeltProcess:
    """Start `command`, which changes only what is one of these paths, or below it. Raises NotConfined.

    `why_not_strict` is to be asked before.
    """
    if sys.platform == "darwin":
        try:
            return seatbelt.SeatbeltProcess(command, writable)
        except OSError as error:
            raise NotConfined(f"The command can't be confined here ({error}).") from error
    return ConfinedProcess.start(command, lambda: landlock.restrict(writable), namespaces=0)

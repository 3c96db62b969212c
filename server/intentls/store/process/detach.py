"""Start a program that goes on by itself when this process ends."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Sequence

log = logging.getLogger(__name__)


def start_detached(command: Sequence[str]) -> None:
    """Start `command` (an argument vector) away from our terminal, folder and streams. A failure is only logged."""
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command, cwd="/", stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
    except OSError:
        log.warning("%s can't be started", command[0], exc_info=True)
        return
    # Should it end before us, somebody must take note, or the system keeps it as a zombie.
    threading.Thread(target=process.wait, name="intentls-detached", daemon=True).start()

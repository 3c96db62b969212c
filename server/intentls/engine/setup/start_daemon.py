"""Starting `intentls daemon` for a person who works in an editor."""

from __future__ import annotations

import os
import sys

from intentls.store.process.detach import start_detached


def start_daemon() -> None:
    """Have agents' hooks answered by a process that outlives this one; where one runs already it stays the only one.

    Never raises: hooks do without.
    """
    if os.name == "posix":
        # Not from the folder we stand in (-P): a workspace must not bring its own intentls along.
        start_detached([sys.executable, "-P", "-m", "intentls", "daemon"])

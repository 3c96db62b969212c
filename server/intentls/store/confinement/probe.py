"""What this machine can confine, tried and not guessed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from intentls.store.confinement.confined_process import ConfinedCommand, ConfinedProcess, NotConfined
from intentls.store.confinement.kernel_calls import NEW_VIEW
from intentls.store.confinement.private_view import LayeredFolder, PrivateView
from intentls.store.confinement.run_directory import remove_tree, runs_directory


def why_not_staged() -> str | None:
    """Why no command can be staged here; None where one can. It makes such a view, in a folder of its own."""
    try:
        runs = runs_directory()
        runs.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix="probe-", dir=runs))
        try:
            tree, upper, work, temporary = (place / name for name in ("tree", "upper", "work", "temporary"))
            for folder in (tree, upper, work, temporary):
                folder.mkdir()
            command = ConfinedCommand(("true",), tree, dict(os.environ))
            return _tried(command, PrivateView(LayeredFolder(tree, upper, work), temporary))
        finally:
            remove_tree(place)
    except OSError as error:
        return f"{error.strerror}: {error.filename}"


def _tried(command: ConfinedCommand, view: PrivateView) -> str | None:
    try:
        ConfinedProcess.start(command, view.enter, NEW_VIEW).kill()
    except NotConfined as error:
        return str(error)
    return None

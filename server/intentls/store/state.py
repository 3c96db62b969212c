"""The engine's own folder: made on first use, kept out of git, safe to delete."""

from __future__ import annotations

import os
from pathlib import Path

from intentls.store.atomic import replace_bytes, sweep_temporaries
from intentls.store.layout import Layout

_NO_TEMPORARIES = frozenset({"journal", "locks", "stage"})
_IGNORE = "# Written by intentls: its own state, no part of the history.\n*\n"


def prepare_state(layout: Layout) -> None:
    """Make `.state/` with a `.gitignore` of its own. Raises OSError where that is impossible."""
    layout.state.mkdir(parents=True, exist_ok=True)
    ignore = layout.state / ".gitignore"
    if not ignore.exists():
        replace_bytes(ignore, _IGNORE.encode())


def sweep_state(layout: Layout) -> None:
    """Remove the temporary files that killed processes left, but for those that the journal answers for."""
    sweep_temporaries(layout.orchestration)
    for folder, folders, _ in os.walk(layout.state):
        sweep_temporaries(Path(folder))
        folders[:] = [name for name in folders if name not in _NO_TEMPORARIES]

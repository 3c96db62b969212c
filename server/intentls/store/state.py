"""The engine's own folder: made on first use, kept out of git, safe to delete."""

from __future__ import annotations

from intentls.store.layout import Layout

_IGNORE = "# Written by intentls: its own state, no part of the history.\n*\n"


def prepare_state(layout: Layout) -> None:
    """Make `.state/` with a `.gitignore` of its own. Raises OSError where that is impossible."""
    layout.state.mkdir(parents=True, exist_ok=True)
    ignore = layout.state / ".gitignore"
    if not ignore.exists():
        ignore.write_text(_IGNORE, encoding="utf-8")

"""The engine's own directory: made on first use, kept out of git, safe to delete."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from intentls.store.fs.atomic_write import replace_bytes, sweep_temporaries
from intentls.store.fs.boot_id import boot_id
from intentls.store.fs.primitives import names_in
from intentls.store.layout import ORCHESTRATION, Layout

log = logging.getLogger(__name__)

_NO_TEMPORARIES = frozenset({"journal", "locks", "log", "stage", "trash"})
_IGNORE = "# Written by intentls: its own state, no part of the history.\n*\n"


def prepare_state(layout: Layout) -> None:
    """Make `.state/` with a `.gitignore` of its own. Raises OSError where that is impossible.

    A link or a file of that name goes: nothing of ours is written to where a link leads.
    """
    if layout.state.is_symlink() or layout.state.is_file():
        log.warning("%s is no folder; it is replaced by one", layout.state)
        layout.state.unlink(missing_ok=True)
    make_directory(layout.state)
    ignore = layout.state / ".gitignore"
    if not ignore.exists():
        replace_bytes(ignore, _IGNORE.encode())


def make_directory(directory: Path) -> None:
    """Make a directory below `.orchestration`, with those above it; one that is there already is fine. Raises OSError.

    `.orchestration` itself is made by `init` alone, and with what a person declares: where a branch has none, or a
    person removed it, FileNotFoundError says so, and a server that still runs does not bring it back.
    """
    try:
        directory.mkdir(exist_ok=True)
    except FileNotFoundError:
        if directory.parent == directory or directory.parent.name == ORCHESTRATION:
            raise
        make_directory(directory.parent)
        directory.mkdir(exist_ok=True)


def is_settled(layout: Layout) -> bool:
    """Whether the journal has nothing that waits, which is so nearly always. False where it can't be looked at.

    A log of another run of the machine waits to be compared with the disk.
    """
    try:
        if logs_of_other_boots(layout):
            return False
        filled = any((layout.journal / name).stat().st_size for name in names_in(layout.journal))
        return not filled and not names_in(layout.stage)
    except OSError:
        return False


def logs_of_other_boots(layout: Layout) -> list[Path]:
    """The write-ahead logs from before the machine was started. Raises OSError."""
    names = names_in(layout.write_ahead)
    boot = boot_id() if names else ""
    return [layout.write_ahead / name for name in sorted(names) if name.partition(".")[0] != boot]


def sweep_state(layout: Layout) -> None:
    """Remove the temporary files that killed processes left, but for those that the journal answers for.

    Directories of ours that are links go as well (see `prepare_state`). Raises OSError if one can't.
    """
    sweep_temporaries(layout.orchestration)
    if not layout.trace.is_symlink():
        sweep_temporaries(layout.trace)
    for directory, directories, _ in os.walk(layout.state):
        sweep_temporaries(Path(directory))
        for link in [Path(directory, name) for name in directories if Path(directory, name).is_symlink()]:
            log.warning("%s was a link; it is removed", link)
            link.unlink(missing_ok=True)
        directories[:] = [name for name in directories if name not in _NO_TEMPORARIES]

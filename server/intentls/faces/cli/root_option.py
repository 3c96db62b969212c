"""Which folder a verb is about, from where the user stands and what `--root` says."""

from __future__ import annotations

from pathlib import Path

from intentls.core.errors import ConfigurationError
from intentls.store.fs.path_resolution import find_root, real_path


def governing_root(root: Path | None) -> Path:
    """`root`, or else the root that governs the current folder. Raises ConfigurationError outside governance."""
    if root is None:
        here = current_folder()
        governing = find_root(here)
        if governing is None:
            raise ConfigurationError(
                f"Nothing governs {here}: there is no .orchestration/active_intents.yaml here or above. "
                "Run `intentls init` to make one."
            )
        return governing
    requested = real_path(root)
    if find_root(requested) != requested:
        raise ConfigurationError(
            f"{requested} is no root: it has no .orchestration/active_intents.yaml. "
            f"Run `intentls init --root {root}` to make one."
        )
    return requested


def root_or_here(root: Path | None) -> Path:
    """Where a root is to be made or completed: `root`, else the one that governs the current folder, else that."""
    if root is not None:
        return real_path(root)
    here = current_folder()
    return find_root(here) or here


def current_folder() -> Path:
    """The folder that the user stands in, resolved. Raises ConfigurationError if it is gone."""
    try:
        return Path.cwd()
    except OSError as error:
        raise ConfigurationError("The current folder no longer exists. Change to another one and try again.") from error

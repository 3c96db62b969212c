"""From the folder somebody stands in to an opened workspace."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

import click

from intentls.core.errors import ConfigurationError, StoreError
from intentls.engine.engine import Engine
from intentls.engine.host import Headless
from intentls.engine.workspace import Workspace
from intentls.store.resolve import because, find_root, real_path, to_path

_FACE = "cli"


@dataclass(frozen=True, slots=True)
class Opened:
    """The engine with the one root that a verb is about. `start` is where relative paths begin."""

    engine: Engine
    workspace: Workspace
    start: Path

    def path(self, given: str) -> str:
        """A path argument as the engine takes it. Raises InvalidPath."""
        return given if self.start == self.workspace.root else str(to_path(given, self.start))


def open_root(root: Path | None) -> Opened:
    """Open `root`, or else the root that governs the current folder. Raises ConfigurationError, StoreError.

    A relative path argument begins at the current folder where that lies in the root, else at the root.
    """
    here = current_folder()
    found = find_root(here) if root is None else real_path(root)
    if found is None:
        raise ConfigurationError(
            f"Nothing governs {here}: there is no .orchestration/active_intents.yaml here or above. "
            "Run `intentls init` to make one."
        )
    if root is not None and find_root(found) != found:
        raise ConfigurationError(
            f"{found} is no root: it has no .orchestration/active_intents.yaml. "
            f"Run `intentls init --root {root}` to make one."
        )
    _log_to_stderr()
    engine = Engine(Headless(_FACE, (found,)))
    try:
        workspace = engine.workspace(found)
    except OSError as error:
        raise StoreError(f"{found / '.orchestration'} can't be used: {because(error)}.") from error
    return Opened(engine, workspace, here if here.is_relative_to(found) else found)


def current_folder() -> Path:
    """The folder that the user stands in, resolved. Raises ConfigurationError if it is gone."""
    try:
        return Path.cwd()
    except OSError as error:
        raise ConfigurationError("The current folder no longer exists. Change to another one and try again.") from error


class _OneLine(logging.Handler):
    """Warnings of the engine as one sentence on stderr; what a developer needs of them is in `intentls serve`'s log."""

    def emit(self, record: logging.LogRecord) -> None:
        click.echo(f"intentls: {record.getMessage()}", err=True)


def _log_to_stderr() -> None:
    log = logging.getLogger("intentls")
    if not any(isinstance(handler, _OneLine) for handler in log.handlers):
        log.addHandler(_OneLine(logging.WARNING))
        log.propagate = False

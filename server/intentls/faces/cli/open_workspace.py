"""An opened workspace for a verb, and what its path arguments mean."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from intentls.engine.tools.open_calls import settle_orphans
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.root_option import current_folder, governing_root
from intentls.store.fs.path_resolution import to_path

_FACE = "cli"


class OpenWorkspace(Struct, frozen=True):
    """The engine with the one root that a verb is about. `start` is where relative paths begin."""

    engine: Engine
    workspace: Workspace
    start: Path

    def path(self, argument: str) -> str:
        """A path argument as the engine takes it. Raises InvalidPath."""
        return argument if self.start == self.workspace.root else str(to_path(argument, self.start))


def open_root(root: Path | None, *, trusted: bool = False, trust_cache: bool = False) -> OpenWorkspace:
    """Open `root`, or else the root that governs the current folder. Raises ConfigurationError, StoreError.

    `trusted`: the user trusts its files to name commands that are run. `trust_cache`: use what an earlier process
    parsed of the declared files; only for a verb that records nothing. A relative path argument begins at the current
    directory where that lies in the root, else at the root.
    """
    governing = governing_root(root)
    show_warnings()
    host = Headless(_FACE, (governing,), trusted, trust_cache=trust_cache)
    engine = Engine(host) if trust_cache else Engine(host, settle_orphans)
    workspace = engine.workspace(governing)
    here = current_folder()
    return OpenWorkspace(engine, workspace, here if here.is_relative_to(governing) else governing)

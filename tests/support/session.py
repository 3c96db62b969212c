"""A real server in a workspace, spoken to by the bare client."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.connection import Json, Session, ledger_of
from tests.support.forked_servers import INTENTLS, connected
from tests.support.wire import Wire

__all__ = ["ASKING", "SERVER", "Json", "Session", "ledger_of", "session"]

SERVER = (*INTENTLS, "serve")

ASKING = {"window": {"showMessage": {"messageActionItem": {}}}, "workspace": {"applyEdit": True}}


@contextmanager
def session(
    root: Path,
    capabilities: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    folders: list[Path] | None = None,
) -> Iterator[Session]:
    """Start a server for `root` and end it properly; its log is shown if the test fails.

    It is a process of its own, forked from one that has the program imported, where the system can fork.
    """
    with connected(Wire, root, "serve") as wire:
        wire.initialize(
            rootUri=root.as_uri(),
            workspaceFolders=[{"uri": folder.as_uri(), "name": folder.name} for folder in folders or [root]],
            capabilities=dict(capabilities or {}),
            initializationOptions=dict(options or {}),
        )
        try:
            yield Session(wire, root)
        except BaseException:
            sys.stderr.write(wire.log())
            raise
        assert wire.shutdown() == 0

"""Whether calls of agents' shells are open: known without loading what compares working trees."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from intentls.store.fs.primitives import names_in
from intentls.store.layout import Layout

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace


def has_open_calls(roots: Iterable[Path | None]) -> bool:
    """Whether a call in one of the roots (None: no root) is announced and not over. Only looks for files."""
    directories = [Layout(root).announced / "calls" for root in roots if root is not None]
    try:
        return any(name.endswith(".json") for directory in directories for name in names_in(directory))
    except OSError:
        return False


def shell_calls() -> ModuleType:
    """The module that compares working trees: each event of an agent is a process, and few of them need it."""
    from intentls.engine.tools import shell_calls as module  # see above

    return module


def settle_orphans(workspace: Workspace) -> None:
    """Settle what agents announced here that are gone, where there is any such call."""
    if has_open_calls((workspace.root,)):
        shell_calls().settle_orphans(workspace)

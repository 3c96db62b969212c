"""Paths outside the workspace folders: they are refused also where no root governs."""

from __future__ import annotations

from collections.abc import Mapping

from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.path_argument import ResolvedPath


def outside_folders(engine: Engine, resolved: Mapping[str, ResolvedPath]) -> Refusal | None:
    """The refusal of paths outside the workspace folders, which hold also where no root governs."""
    resolver = engine.path_resolver
    outside = tuple(argument for argument, path in resolved.items() if not resolver.is_inside(path))
    if not outside:
        return None
    return Refusal.of(
        Code.PATH_OUTSIDE_WORKSPACE,
        f"Path Outside Workspace: [{', '.join(outside)}] lies outside the workspace. Choose another path.",
        paths=outside,
    )

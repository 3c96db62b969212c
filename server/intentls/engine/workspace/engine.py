"""The engine of one process: which root governs a path, and one opened workspace per root."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from intentls.engine.workspace.host import Host
from intentls.engine.workspace.leases import release
from intentls.engine.workspace.linked_orchestration import layout_of
from intentls.engine.workspace.path_argument import PathResolver, ResolvedPath
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.path_resolution import find_root


@dataclass(frozen=True, slots=True)
class GoverningWorkspace:
    """Where an action is judged: `workspace` is None where governance is off."""

    workspace: Workspace | None
    places: Mapping[str, ResolvedPath]


class Engine:
    """What every use case starts from. Safe to use from several threads."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._workspaces: dict[Path, Workspace] = {}
        self._lock = threading.Lock()

    @property
    def atlas(self) -> PathResolver:
        """The map of this host's workspace folders, as they are now."""
        return PathResolver(self.host.folders())

    def workspace(self, root: Path) -> Workspace:
        """The opened workspace of `root`."""
        layout = layout_of(root)
        with self._lock:
            opened = self._workspaces.get(root)
            if opened is None or opened.layout != layout:
                opened = self._workspaces[root] = Workspace(layout, self.host)
            return opened

    def workspaces(self) -> Iterator[Workspace]:
        """The workspaces of all folders, the main one's first."""
        roots = (find_root(folder) for folder in self.host.folders())
        for root in dict.fromkeys(root for root in roots if root is not None):
            yield self.workspace(root)

    def untraced(self) -> frozenset[Path]:
        """The opened roots in which a change waits to be put on record. Never waits."""
        opened = list(self._workspaces.items())  # without the lock, which is held while a root is opened
        return frozenset(root for root, workspace in opened if workspace.trace_broken)

    def home(self, session_id: str) -> Workspace | None:
        """Where a session is at home: the root in which it selected an intent, else the main one."""
        first: Workspace | None = None
        for workspace in self.workspaces():
            if workspace.sessions.load(session_id).intent_id is not None:
                return workspace
            first = first or workspace
        return first

    def venue(self, paths: tuple[str, ...], session_id: str) -> GoverningWorkspace:
        """Where an action on `paths` is judged. One action answers to one root.

        A path outside every root is judged by the session's home, which refuses it; only in a folder
        without governance is it nobody's business. Raises InvalidPath.
        """
        atlas, home = self.atlas, self.home(session_id)
        base = home.root if home is not None else None
        places = {given: atlas.place(given, base) for given in paths}
        roots = {place.root if atlas.reaches(place.root) else None for place in places.values()}
        if len(roots) == 1:
            (root,) = roots
            if root is not None:
                return GoverningWorkspace(self.workspace(root), places)
            if home is None or all(atlas.is_ungoverned(place) for place in places.values()):
                return GoverningWorkspace(None, places)
        return GoverningWorkspace(home, places)

    def end_session(self, session_id: str) -> None:
        """A connection's own session ends with it, in every root that was opened."""
        with self._lock:
            opened = list(self._workspaces.values())
        for workspace in opened:
            workspace.sessions.drop(session_id)
            release(workspace, session_id)

    def governing(self, path: Path) -> tuple[Workspace, str] | None:
        """The workspace that governs a real path, and the path relative to it; None if ungoverned."""
        root = find_root(path)
        if root is None:
            return None
        return self.workspace(root), path.relative_to(root).as_posix()

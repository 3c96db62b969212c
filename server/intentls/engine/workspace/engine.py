"""The engine of one process: which root governs a path, and one opened workspace per root."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import InvalidArgument
from intentls.engine.workspace.active_sessions import ActiveSessions
from intentls.engine.workspace.configuration import layout_of
from intentls.engine.workspace.editors import end_editor
from intentls.engine.workspace.host import Host
from intentls.engine.workspace.leases import release
from intentls.engine.workspace.live_sessions import hide
from intentls.engine.workspace.path_argument import PathResolver, ResolvedPath
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs.path_resolution import find_root, roots_below, unusable
from intentls.store.sessions.sessions import check_session_id


class GoverningWorkspace(Struct, frozen=True):
    """Where an action is decided: `workspace` is None where governance is off. `resolved` has each path argument."""

    workspace: Workspace | None
    resolved: Mapping[str, ResolvedPath]

    @property
    def paths(self) -> tuple[str, ...]:
        """The root-relative paths of the arguments that lie inside the root, each once."""
        if self.workspace is None:
            return ()
        relative = (path.relative_to(self.workspace.root) for path in self.resolved.values())
        return tuple(dict.fromkeys(path for path in relative if path is not None))


class Engine:
    """What every use case starts from. Safe to use from several threads.

    `on_open` is called once with each workspace that is opened.
    """

    def __init__(self, host: Host, on_open: Callable[[Workspace], None] = lambda _workspace: None) -> None:
        self.host = host
        self._on_open = on_open
        self._workspaces: dict[Path, Workspace] = {}
        self._lock = threading.Lock()
        self.active_sessions = ActiveSessions(host, self.home)

    @property
    def path_resolver(self) -> PathResolver:
        """Resolves path arguments for this host's workspace folders, as they are now."""
        return PathResolver(self.host.folders())

    def workspace(self, root: Path) -> Workspace:
        """The opened workspace of `root`. Raises StoreError where its state can't be kept."""
        layout = layout_of(root)
        with self._lock:
            known = self._workspaces.get(root)
            if known is not None and known.layout == layout:
                return known
            try:
                opened = self._workspaces[root] = Workspace(layout, self.host)
            except OSError as error:
                raise unusable(error, root) from error
        self._on_open(opened)
        return opened

    def workspaces(self) -> Iterator[Workspace]:
        """The workspaces of all folders, the main one's first."""
        for root in _roots(self.host.folders()):
            yield self.workspace(root)

    def root_named(self, argument: str) -> Workspace:
        """The workspace of the root at or above a path. Raises InvalidArgument where there is none, InvalidPath."""
        root = self.path_resolver.resolve(argument).root
        if root is None or root not in [workspace.root for workspace in self.known()]:
            raise InvalidArgument("root", f"{argument} is in no root of the workspace folders")
        return self.workspace(root)

    def opened(self) -> list[Workspace]:
        """The workspaces of all folders, and those that were opened for files below the folders."""
        named = list(self.workspaces())
        with self._lock:
            return [*named, *(workspace for workspace in self._workspaces.values() if workspace not in named)]

    def loaded(self) -> list[Workspace]:
        """The workspaces that something was asked of so far: no look at the disk."""
        with self._lock:
            return list(self._workspaces.values())

    def known(self) -> Iterator[Workspace]:
        """The roots that an editor shows: those of all folders, and those opened below the folders that still exist."""
        named = _roots(self.host.folders())
        for workspace in self.opened():
            if workspace.root in named or (
                self.path_resolver.overlaps(workspace.root) and find_root(workspace.root) == workspace.root
            ):
                yield workspace

    def open_below(self) -> None:
        """Open the roots below the folders, as far as `roots_below` looks."""
        for folder in self.host.folders():
            for root in roots_below(folder):
                self.workspace(root)

    def untraced(self) -> frozenset[Path]:
        """The opened roots in which a change waits to be put on record. Never waits."""
        opened = list(self._workspaces.items())  # without the lock, which is held while a root is opened
        return frozenset(root for root, workspace in opened if workspace.trace_broken)

    def home(self, session_id: str) -> Workspace | None:
        """Where a session is at home: the root in which it selected an intent, else the main one.

        The session is only loaded where there are several roots. Raises InvalidArgument for an impossible id.
        """
        return self._home(session_id, self.host.folders())

    def _home(self, session_id: str, folders: Sequence[Path]) -> Workspace | None:
        roots = _roots(folders)
        if len(roots) > 1:
            for root in roots:
                if self.workspace(root).sessions.load(session_id).intent_id is not None:
                    return self.workspace(root)
        elif roots:
            check_session_id(session_id)
        return self.workspace(roots[0]) if roots else None

    def resolve(self, paths: tuple[str, ...], session_id: str) -> GoverningWorkspace:
        """Where an action on `paths` is decided. One action answers to one root.

        A path outside every root is judged by the session's home, which refuses it; only in a folder without
        governance does no root judge it. Raises InvalidPath.
        """
        folders = self.host.folders()
        resolver, home = PathResolver(folders), self._home(session_id, folders)
        base = home.root if home is not None else None
        resolved = {argument: resolver.resolve(argument, base) for argument in paths}
        roots = {path.root if resolver.overlaps(path.root) else None for path in resolved.values()}
        if len(roots) == 1:
            (root,) = roots
            if root is not None:
                is_home = home is not None and root == base
                return GoverningWorkspace(home if is_home else self.workspace(root), resolved)
            if home is None or all(resolver.is_ungoverned(path) for path in resolved.values()):
                return GoverningWorkspace(None, resolved)
        return GoverningWorkspace(home, resolved)

    def end_session(self, session_id: str) -> None:
        """A connection's own session ends with it, in every root that was opened."""
        with self._lock:
            opened = list(self._workspaces.values())
        for workspace in opened:
            workspace.sessions.drop(session_id)
            release(workspace, session_id)
            hide(workspace, session_id)

    def end_editor(self, session_id: str, client: str) -> None:
        """An editor's connection ends: its session holds no file any more, and keeps its selection for the next one."""
        with self._lock:
            opened = list(self._workspaces.values())
        for workspace in opened:
            end_editor(workspace, session_id, client)
            release(workspace, session_id)
            hide(workspace, session_id)

    def governing(self, path: Path) -> tuple[Workspace, str] | None:
        """The workspace that governs a real path, and the path relative to it; None if ungoverned."""
        root = find_root(path)
        if root is None:
            return None
        return self.workspace(root), path.relative_to(root).as_posix()


def _roots(folders: Sequence[Path]) -> tuple[Path, ...]:
    roots = map(find_root, folders)
    return tuple(dict.fromkeys(root for root in roots if root is not None))

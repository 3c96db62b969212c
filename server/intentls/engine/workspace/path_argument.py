"""Where a path argument leads, and which root governs it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from intentls.store.fs.path_resolution import find_root, real_path, relative_to_root, to_path


class ResolvedPath(Struct, frozen=True):
    """A path argument and the real path that it leads to. `root` governs that path; None where no root does."""

    argument: str
    real: Path
    root: Path | None

    def relative_to(self, root: Path) -> str | None:
        """The POSIX path relative to `root`; None if the path lies outside it or in another root inside it."""
        if self.root is not None and self.root != root:
            return None
        return relative_to_root(self.real, root)


class PathResolver:
    """Resolves path arguments for the workspace folders of one host."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)

    @property
    def primary(self) -> Path | None:
        """The directory that a relative path starts from: the main folder's root, or the folder itself."""
        if not self._folders:
            return None
        return find_root(self._folders[0]) or self._folders[0]

    def resolve(self, argument: str, base: Path | None = None) -> ResolvedPath:
        """Resolve `argument` against `base`, a root that was found just now (default: the primary folder).

        Raises InvalidPath.
        """
        real = real_path(to_path(argument, base or self.primary or Path.cwd()), base)
        return ResolvedPath(argument, real, find_root(real, base))

    def overlaps(self, root: Path | None) -> bool:
        """Whether a root lies in a workspace folder, or a workspace folder in it."""
        return root is not None and any(
            relative_to_root(root, folder) is not None or relative_to_root(folder, root) is not None
            for folder in self._folders
        )

    def is_ungoverned(self, path: ResolvedPath) -> bool:
        """Whether the path lies in a workspace folder where governance is off."""
        if path.root is not None:
            return False
        return any(
            relative_to_root(path.real, folder) is not None for folder in self._folders if find_root(folder) is None
        )

    def is_inside(self, path: ResolvedPath) -> bool:
        """Whether the path lies in a workspace folder, or in the root that governs the main one."""
        folders = (*self._folders, *((self.primary,) if self.primary is not None else ()))
        return any(relative_to_root(path.real, folder) is not None for folder in folders)

"""Where a path argument leads, and which root governs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from intentls.store.fs.path_resolution import find_root, real_path, relative_to_root, to_path


@dataclass(frozen=True, slots=True)
class ResolvedPath:
    """One path argument, resolved. `root` governs it; None where no root does."""

    given: str
    real: Path
    root: Path | None

    def below(self, root: Path) -> str | None:
        """The path relative to `root`, or None when it lies outside it or in a root of its own."""
        if self.root is not None and self.root != root:
            return None
        return relative_to_root(self.real, root)


class PathResolver:
    """Resolves paths for one host's workspace folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)

    @property
    def primary(self) -> Path | None:
        """The folder that a relative path starts from: the main folder's root, or the folder itself."""
        if not self._folders:
            return None
        return find_root(self._folders[0]) or self._folders[0]

    def place(self, given: str, base: Path | None = None) -> ResolvedPath:
        """Resolve `given` against `base` (default: the primary folder). Raises InvalidPath."""
        start = base or self.primary or Path.cwd()
        real = real_path(to_path(given, start))
        return ResolvedPath(given, real, find_root(real))

    def reaches(self, root: Path | None) -> bool:
        """Whether a root lies in a workspace folder, or a workspace folder in it."""
        return root is not None and any(
            relative_to_root(root, folder) is not None or relative_to_root(folder, root) is not None
            for folder in self._folders
        )

    def is_ungoverned(self, place: ResolvedPath) -> bool:
        """Whether the path lies in a workspace folder where governance is off."""
        if place.root is not None:
            return False
        return any(
            relative_to_root(place.real, folder) is not None for folder in self._folders if find_root(folder) is None
        )

    def is_inside(self, place: ResolvedPath) -> bool:
        """Whether the path lies in a workspace folder, or in the root that governs the main one."""
        folders = (*self._folders, *((self.primary,) if self.primary is not None else ()))
        return any(relative_to_root(place.real, folder) is not None for folder in folders)

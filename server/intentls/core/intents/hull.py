"""The hull of a scope: the folders and files that a kernel rule can name, and what is wider than the scope in them.

A kernel rule covers a folder with all below it, or one file. `src/**` is such a folder; of `tests/api/*.py` the rule
is `tests/api` with all below it, which is wider. No rule takes away from another, so `!src/gen/**` widens as well.

Example: `src/**`, `tests/api/*.py`, `!src/gen/**` in a tree give the folders `src` and `tests/api`, and two reasons.
"""

from __future__ import annotations

from msgspec import Struct

from intentls.core.intents.scope import Scope


class Hull(Struct, frozen=True):
    """Root-relative paths, sorted; "" is the root itself. `wider` are sentences: what the hull has beside the scope."""

    folders: tuple[str, ...]
    files: tuple[str, ...]
    wider: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        """Whether a path is in the hull just where it is in the scope."""
        return not self.wider


def hull(scope: Scope) -> Hull:
    """The smallest hull that has all of the scope."""
    if scope.is_whole_workspace:
        return Hull(("",), (), ())
    folders: set[str] = set()
    files: set[str] = set()
    wider: list[str] = []
    for glob in scope.included:
        for place, is_whole in glob.places:
            if is_whole and glob.matches(place):
                files.add(place)
            elif is_whole or glob.pattern == "**":
                folders.add(place)
            else:
                folders.add(place)
                wider.append(f"{glob.pattern} becomes all of {place or 'the workspace'}")
    wider += [f"!{glob.pattern} can't be told to the kernel" for glob in scope.excluded]
    return Hull(_outermost(folders), tuple(sorted(file for file in files if not _is_in(file, folders))), tuple(wider))


def _outermost(folders: set[str]) -> tuple[str, ...]:
    return tuple(sorted(folder for folder in folders if not _is_in(folder, folders - {folder})))


def _is_in(path: str, folders: set[str]) -> bool:
    return any(not folder or path.startswith(f"{folder}/") for folder in folders)

"""By which path a package of Go is imported: that of its module, and of its directory in it.

go.mod          module example.com/m
shop/a.go       package shop               import "example.com/m/shop"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from posixpath import basename, dirname

from msgspec import Struct

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.repository_text import RepositoryText

MODULE_FILE = "go.mod"
_MODULE = re.compile(rb"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)


class GoModule(Struct, frozen=True):
    """The directory of a module, and its path."""

    directory: str
    path: str

    def import_path(self, directory: str) -> str:
        """The path by which the package in a directory of the module is imported."""
        inner = directory.removeprefix(f"{self.directory}/") if self.directory else directory
        return self.path if directory == self.directory else f"{self.path}/{inner}"

    def directory_of(self, path: str) -> str | None:
        """The directory of the package that is imported by a path; None for one of another module."""
        if path == self.path:
            return self.directory
        inner = path.removeprefix(f"{self.path}/")
        return None if inner == path else f"{self.directory}/{inner}".lstrip("/")


class GoModules(Struct, frozen=True):
    """The modules of a repository, by their directories."""

    modules: Mapping[str, GoModule]

    def around(self, directory: str) -> GoModule | None:
        """The nearest module around a directory."""
        around = [path for path in self.modules if not path or f"{directory}/".startswith(f"{path}/")]
        place = max(around, key=len, default=None)
        return None if place is None else self.modules[place]

    def directory_of(self, package: str) -> str | None:
        """The directory of the package that is imported by a path; None for one of none of these modules."""
        found = (module.directory_of(package) for module in self.modules.values())
        return next((directory for directory in found if directory is not None), None)


def modules_of(edits: Sequence[FileVersions], others: RepositoryText) -> GoModules:
    """The modules as they are after the change."""
    files = {**(others.mentioning(("module",)) or {}), **{edit.path: edit.after or b"" for edit in edits}}
    found = {dirname(path): _MODULE.search(text) for path, text in files.items() if basename(path) == MODULE_FILE}
    return GoModules(
        {path: GoModule(path, name[1].decode("utf-8", "replace")) for path, name in found.items() if name is not None}
    )

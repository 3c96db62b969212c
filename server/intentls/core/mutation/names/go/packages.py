"""Packages of Go that are imported by another path than before, or have another name: all trees say it as it is now.

import "example.com/m/live"          import "example.com/m/pkg/share"      both are the second one
live.Open()                          share.Open()
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname

from msgspec import Struct, field

from intentls.core.syntax.tree import Node, Role, every_node

_OTHER_NAME = re.compile(r"v\d+\Z|go")


class MovedPackage(Struct, frozen=True):
    """By which path a package is imported after the change, and what it was called and is."""

    path: str
    old_name: str
    name: str


class MovedPackages(Struct, frozen=True):
    """The packages of Go that moved or are called otherwise.

    `files` has their files, from path to path, `packages` each of them by its directory before, and `imports` by the
    path of its import before.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, MovedPackage] = field(default_factory=dict)
    imports: Mapping[str, MovedPackage] = field(default_factory=dict)

    @property
    def is_called_otherwise(self) -> bool:
        """Whether one of them is."""
        return any(package.old_name != package.name for package in self.packages.values())

    def settle(self, root: Node, path: str, *, is_before: bool) -> set[str]:
        """Write a tree as if the packages had always been where they are; the paths of those that it imports."""
        own = self.packages.get(dirname(path)) if is_before and path in self.files else None
        followed: set[str] = set()
        if own is not None and own.old_name != own.name:
            _call_otherwise(next((child for child in root.children if child.kind == "package_clause"), root), own)
            followed.add(f"package {own.name}")
        for item in [child for child in root.children if child.kind == "import_item"]:
            imported, name = item.children[0], item.children[-1]
            text = imported.text or ""
            package = self.imports.get(text) if is_before else self._at(text)
            if package is None:
                continue
            if name.text == text.rpartition("/")[2]:  # its path need not tell how it is called
                name.text = package.old_name if is_before else package.name
                if is_before and package.old_name != package.name:
                    _use_otherwise(root, package)
            imported.text = name.origin = package.path
            followed.add(package.path)
        return followed

    def _at(self, path: str) -> MovedPackage | None:
        return next((package for package in self.imports.values() if package.path == path), None)


def _call_otherwise(clause: Node, package: MovedPackage) -> None:
    word = re.compile(rf"\b{package.old_name}(?=(_test)?\Z)")
    for leaf in every_node(clause):
        leaf.text = None if leaf.text is None else word.sub(package.name, leaf.text)


def _use_otherwise(root: Node, package: MovedPackage) -> None:
    """Call a package so wherever a file names it, if it has nothing else of either name."""
    leaves = [leaf for leaf in every_node(root) if leaf.text in (package.old_name, package.name)]
    bound = [leaf for leaf in leaves if leaf.binds]
    if len(bound) == 1 and not any(leaf.text == package.name for leaf in leaves if leaf.role is Role.NAME):
        for leaf in leaves:
            if leaf.role is Role.NAME:
                leaf.text = package.name


def told_name(item: Node) -> str | None:
    """The name that an import has in its file; None where it is not written and the path need not tell it.

    "net/http" is `http`, but "gopkg.in/yaml.v3", "example.com/m/v2" and "example.com/go-retry" are called otherwise
    """
    path, name = item.children[0].text or "", item.children[-1].text or ""
    is_told = name != path.rpartition("/")[2] or (name.isidentifier() and _OTHER_NAME.match(name) is None)
    return name if is_told else None

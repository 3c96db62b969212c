"""The files of packages of Go, before a change and after it: those that it changes, and those that it leaves alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from posixpath import dirname

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.go.modules import GoModules
from intentls.core.mutation.names.repository_text import RepositoryText

TEST = "_test.go"
_CLAUSE = re.compile(rb"^package[ \t]+(\w+)", re.MULTILINE)
_VERSION = re.compile(r"/v\d+\Z|\.v\d+\Z")
_AROUND = re.compile(r"\Ago-|\Ago\.|-go\Z|\.go\Z")  # what a directory's name has that the package's may not
PROGRAM = "main"


class GoSources:
    """A package is all that is imported by one path: the files of one directory, with its tests."""

    def __init__(self, edits: Sequence[FileVersions], others: RepositoryText, modules: GoModules) -> None:
        self._others, self._modules = others, modules
        before = {edit.old_path or edit.path: edit.before for edit in edits if edit.before is not None}
        after = {edit.path: edit.after for edit in edits if edit.after is not None}
        self.changed = {True: before, False: after}  # by path
        self._changed = {is_before: self._by_package(texts) for is_before, texts in self.changed.items()}
        self._rest: dict[str, Mapping[str, bytes] | None] = {}

    def texts(self, package: str, *, is_before: bool) -> Mapping[str, bytes] | None:
        """The content of each file of a package by its path: none of a foreign one; None if it can't be told."""
        if self._modules.directory_of(package) is None:
            return {}
        self.fetch([package])
        rest = self._rest[package]
        return None if rest is None else {**rest, **self._changed[is_before].get(package, {})}

    def fetch(self, packages: Iterable[str]) -> None:
        """Look for the files of several packages at once."""
        asked = [path for path in packages if path not in self._rest and self._modules.directory_of(path) is not None]
        if not asked:
            return
        phrases = {f"package {name}" for path in asked for name in self._names(path)}
        mentioning = self._others.mentioning(sorted(phrases))
        found = self._by_package(mentioning or {})
        for path in asked:
            # What has no file may be called in another way.
            is_told = mentioning is not None and (path in found or any(path in side for side in self._changed.values()))
            self._rest[path] = found.get(path, {}) if is_told else None

    def programs(self) -> list[str] | None:
        """The packages that are programs after the change; None if they can't be told."""
        mentioning = self._others.mentioning((f"package {PROGRAM}",))
        if mentioning is None:
            return None
        found = self._by_package(mentioning)
        changed = self._changed[False]
        files = {package: {**found.get(package, {}), **changed.get(package, {})} for package in {*found, *changed}}
        return sorted(
            package
            for package, texts in files.items()
            if any(clause_in(text) == PROGRAM for path, text in texts.items() if not path.endswith(TEST))
        )

    def _names(self, package: str) -> set[str]:
        """What a package may be called in its files."""
        last = _VERSION.sub("", package).rpartition("/")[2]
        names = {last, package.rpartition("/")[2], _AROUND.sub("", last), PROGRAM}
        for changed in self._changed.values():
            names |= {clause_in(text) for text in changed.get(package, {}).values()}
        return names | {f"{name}_test" for name in names}

    def _by_package(self, texts: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
        found: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        for path, text in texts.items():
            module = self._modules.around(dirname(path))
            if path.endswith(".go") and module is not None:
                found[module.import_path(dirname(path))][path] = text
        return dict(found)


def clause_in(text: bytes) -> str:
    """What a file calls its package, as a glance tells; nothing if that can't be told."""
    clause = _CLAUSE.search(text)
    return "" if clause is None else clause[1].decode("utf-8", "replace")

"""What a package of Go loads when it is imported, before a change and after it, and whether that does anything.

package shop         import "example.com/m/money"      what `money` imports, its `init` functions, and
                                                       the variables that get their values by calls
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.moves.go_sources import TEST, GoSources
from intentls.core.mutation.moves.package_moves import Loaded, is_timeless
from intentls.core.mutation.names.go.references import key_of, parts_of_file
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.tree import Node

_FIRST = re.compile(rb"^(?:func|type|var|const)\b", re.MULTILINE)
_IMPORTS = re.compile(rb"^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?\"([^\"\n]+)\"", re.MULTILINE)
_EFFECTS = re.compile(rb"^func[ \t]+init\(|^[ \t]*(?:import|var)?[ \t]*_[ \t]+(?:=|\")", re.MULTILINE)
_ACTING = kinds("net/http/pprof expvar image/gif image/jpeg image/png time/tzdata")  # of Go itself


class GoLoading:
    """The packages of a repository that a change set leaves alone or changes. `parse` gives the tree of a file."""

    def __init__(
        self, edits: Sequence[FileVersions], sources: GoSources, parse: Callable[[str, bytes], Node | None]
    ) -> None:
        self._sources, self._parse = sources, parse
        code = [edit for edit in edits if edit.path.endswith(".go")]
        texts = {True: [edit.before for edit in code], False: [edit.after for edit in code]}
        self._own = {
            is_before: {path for text in own if text is not None for path in _imported(text)}
            for is_before, own in texts.items()
        }
        self.is_same = cache(self._is_same)
        self._loaded = cache(self._find_loaded)
        self._acts_itself = cache(self._does_act_itself)
        self._programs = cache(sources.programs)

    def _is_same(self, package: str, *, is_test: bool) -> bool:
        """Whether nobody can tell that a package, or its tests, load others than before.

        What programs of the repository load as before may differ in when a variable gets its value, which no program
        can tell that has the package from there.
        """
        lost, new = self._differing(package, is_test=is_test)
        if is_test:
            itself = self._differing(package, is_test=False)
            is_same = self.is_same(package, is_test=False) if itself != (set(), set()) else True
            return is_same and not (lost - itself[0] or new - itself[1])
        if not (lost or new):
            return True
        differing = [*((path, True) for path in lost), *((path, False) for path in new)]
        programs = [
            path for path in self._programs() or () if package in self._loaded(path, is_before=True, is_test=False)
        ]
        return (
            bool(programs)
            and all(self._differing(path, is_test=False) == (set(), set()) for path in programs)
            and not any(self._has_effects(path, is_before=is_before) for path, is_before in differing)
        )

    def _differing(self, package: str, *, is_test: bool) -> tuple[set[str], set[str]]:
        """The packages that it loads no more, and those that it loads now, if they may do something then."""
        was, now = (self._loaded(package, is_before=is_before, is_test=is_test) for is_before in (True, False))
        return (
            {path for path in was - now if self._acts(path, is_before=True)},
            {path for path in now - was if self._acts(path, is_before=False)},
        )

    def _has_effects(self, path: str, *, is_before: bool) -> bool:
        """Whether a package does more when it is loaded than to give its variables their values."""
        files = self._sources.texts(path, is_before=is_before)
        return files is None or any(map(_EFFECTS.search, files.values()))

    def _find_loaded(self, package: str, *, is_before: bool, is_test: bool) -> set[str]:
        """All that a package imports, and what that does. `is_test`: with what its tests import."""
        own = self._sources.texts(package.removesuffix("_test"), is_before=is_before) or {}
        new = {path for name, text in own.items() if is_test or not name.endswith(TEST) for path in _imported(text)}
        seen: set[str] = set()
        while new:
            seen |= new
            self._sources.fetch(new)
            texts = [self._sources.texts(path, is_before=is_before) or {} for path in new]
            new = {
                path
                for files in texts
                for name, text in files.items()
                if not name.endswith(TEST)
                for path in _imported(text)
            } - seen
        return seen

    def _acts(self, path: str, *, is_before: bool) -> bool:
        """Whether a package may do something when it is loaded, or not. One of others has to be used in both versions.

        Who wants what an import does says so with an import of no name.
        """
        files = self._sources.texts(path, is_before=is_before)
        if files is None or files:
            own = [(name, text) for name, text in (files or {}).items() if not name.endswith(TEST)]
            return files is None or any(self._acts_itself(name, text) for name, text in own)
        is_foreign = "." in path.partition("/")[0]
        return path not in self._own[not is_before] if is_foreign else path in _ACTING

    def _does_act_itself(self, path: str, text: bytes) -> bool:
        root = self._parse(path, text)
        if root is None:
            return True
        known = Loaded.by(root)
        for part in parts_of_file(root):
            is_read = part.text is None
            if part.kind == "import_item" and part.children[-1].text == "_":
                return True
            if is_read and part.kind == "function_declaration" and key_of(part) == ("init",):
                return True
            if part.kind == "var_declaration" and not (is_read and is_timeless(part, known)):
                return True
        return False


def _imported(text: bytes) -> list[str]:
    """The paths that a file imports: they stand before all that it declares."""
    first = _FIRST.search(text)
    return [path.decode("utf-8", "replace") for path in _IMPORTS.findall(text[: first.start()] if first else text)]

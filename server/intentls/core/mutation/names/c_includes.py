"""Which files of C see what one of them declares: those that include it, and those that include them.

    list.h   struct list { .. };      tree.h   #include "list.h"      tree.c   #include "tree.h"      map.c   (neither)

`list.h` is seen in `tree.h` and `tree.c`: a `struct list` of `map.c` is another one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from posixpath import basename

from intentls.core.mutation.names.repository_text import RepositoryText

INCLUDED = re.compile(rb"#[ \t]*include[ \t]*[\"<](?:[^\n\">]*/)?([^\n/\">]+)[\">]")


class Includers:
    """Who includes what. Files are known by their last names, so that some may be named that do not see a file.

    `changed` are the contents of a change set by path, before it and after it; `others` has the rest of the repository.
    """

    def __init__(self, changed: Iterable[tuple[str, bytes]], others: RepositoryText) -> None:
        self._others = others
        self._by_name: defaultdict[str, set[str]] = defaultdict(set)
        self._asked: set[str] = set()
        for path, text in changed:
            self._read(path, text)

    def seeing(self, paths: Collection[str]) -> set[str] | None:
        """The files at these paths, and all that may see one; None if that can't be told."""
        found = set(paths)
        while True:
            names = {basename(path) for path in found}
            if not self._ask(names - self._asked):
                return None
            more = {path for name in names for path in self._by_name[name]} - found
            if not more:
                return found
            found |= more

    def _ask(self, names: Collection[str]) -> bool:
        mentioning = self._others.mentioning(sorted(names)) if names else {}
        for path, text in (mentioning or {}).items():
            self._read(path, text)
        self._asked.update(names)
        return mentioning is not None

    def _read(self, path: str, text: bytes) -> None:
        for name in INCLUDED.findall(text):
            self._by_name[name.decode("utf-8", "surrogateescape")].add(path)

"""Names of C that a file beside a change has for something of its own: it does not see what the change renames.

    list.h   struct list { int len; };   ->   struct list { int count; };
    list.c   #include "list.h"                return a->len;   ->   return a->count;
    map.c    struct map { int len; };         return map->len;

`map.c` includes neither `list.h` nor a file that does, so its `len` is another one. A function or variable that is not
`static` may be the program's all the same: then `map.c` must not declare it outside of its functions, or call it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from intentls.core.mutation.names.c_includes import Includers
from intentls.core.mutation.renames.c_declarations import CLOSES, OPENS, declarations, is_parameter, places_of_word
from intentls.core.syntax.languages.c.spans import Lexemes


class Namesakes:
    """Tells names of other files from those of a change.

    `homes` are by name the paths of the change that declare it, and `holders` those that have the word. `linked` are
    the names that a program knows in all of its files.
    """

    def __init__(
        self,
        homes: Mapping[str, Collection[str]],
        holders: Mapping[str, Collection[str]],
        linked: Collection[str],
        includers: Includers,
    ) -> None:
        self._homes, self._holders, self._linked = homes, holders, linked
        self._includers = includers

    def are_others(self, name: str, holders: Sequence[tuple[str, Lexemes]]) -> bool:
        """Whether the name is one of something else in all these files, by path: none belongs to the change."""
        if not holders:
            return True
        seeing = self._find_seeing(name)
        if seeing is None or (name in self._linked and any(_may_be_linked(tokens, name) for _, tokens in holders)):
            return False
        paths = [path for path, _ in holders]
        # A header that the same file includes is read beside the one of the change.
        around = self._includers.seeing(paths)
        if around is None or not around.isdisjoint(seeing):
            return False
        # What none of them declares is of a library, which a file of the change may know as well.
        known = self._includers.seeing([path for path, tokens in holders if _declares(tokens, name)])
        return known is not None and known.issuperset(paths)

    def _find_seeing(self, name: str) -> set[str] | None:
        """All files that may see it declared; None where that is not told by what they include."""
        homes = self._homes.get(name, ())
        seeing = self._includers.seeing(homes) if homes else None
        return seeing if seeing is not None and seeing.issuperset(self._holders.get(name, ())) else None


def _declares(tokens: Lexemes, name: str) -> bool:
    return any(declarations(tokens, name)) or any(is_parameter(tokens, index) for index in places_of_word(tokens, name))


def _may_be_linked(tokens: Lexemes, name: str) -> bool:
    """Whether a file may mean what another file of its program has under a name: it declares it so, or calls it."""
    depth = 0
    is_static = is_extern = is_value = False  # of the statement
    for index, token in enumerate(tokens):
        depth += (token in OPENS) - (token in CLOSES)
        if token in (";", "{", "}", "\n"):
            is_static = is_extern = is_value = False
        is_static = is_static or token == "static"
        is_extern = is_extern or token == "extern"
        is_value = is_value or token == "="
        if token == name:
            is_declared = depth <= 0 and not is_static and not is_value
            if is_extern or is_declared or tokens[index + 1 : index + 2] == ("(",):
                return True
    return depth != 0

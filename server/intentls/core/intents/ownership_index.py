"""The declared intents by id, and which of them may own a path: found by the folders that their globs spell out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Final

from intentls.core.errors import InvalidGlob
from intentls.core.intents.intent import Intent
from intentls.core.patterns import braces

# Up to here a glob is the text of each path that it matches. What follows a `{` is told only when it is expanded.
_MAGIC: Final = re.compile(r"[*?\[\\{]")
_SLASHES: Final = re.compile("/+")

Patterns = Iterable[tuple[str, Sequence[str]]]
"""Each intent's id and its scope's patterns, in the file's order."""


class OwnershipIndex(Mapping[str, Intent]):
    """Intents by id, in the file's order. `patterns` gives those of each without making it an `Intent`.

    Most globs begin with folders that they name. So a path has few possible owners, however many are declared; those
    whose globs begin with a wildcard are possible for every path. Safe to use from several threads.
    """

    def __init__(self, intents: Mapping[str, Intent], patterns: Callable[[], Patterns] | None = None) -> None:
        self._intents = intents
        self._patterns = patterns or self._own_patterns
        self._places: tuple[list[str], Mapping[str, Sequence[int]]] | None = None

    def __getitem__(self, intent_id: str) -> Intent:
        return self._intents[intent_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._intents)

    def __len__(self) -> int:
        return len(self._intents)

    def near(self, paths: Iterable[str]) -> list[Intent]:
        """Those that may own one of `paths`, and few others, in the file's order."""
        if self._places is None:
            self._places = _places(self._patterns())
        ids, places = self._places
        found: set[int] = set()
        for path in paths:
            found.update(places.get("", ()), places.get(path, ()))
            end = path.find("/")
            while end >= 0:
                found.update(places.get(path[: end + 1], ()))
                end = path.find("/", end + 1)
        return [self._intents[ids[number]] for number in sorted(found)]

    def values(self) -> ValuesView[Intent]:
        """All of them."""
        return self._intents.values()

    def _own_patterns(self) -> Patterns:
        return ((intent.id, intent.scope.patterns) for intent in self._intents.values())


def _places(patterns: Patterns) -> tuple[list[str], Mapping[str, Sequence[int]]]:
    """The ids by number, and the numbers by folder (it ends with a slash), by whole path, or by "" for anywhere."""
    ids: list[str] = []
    places: dict[str, list[int]] = {}
    for number, (intent_id, scope) in enumerate(patterns):
        ids.append(intent_id)
        keys = {key for pattern in scope if not pattern.startswith("!") for key in _keys(pattern)}
        for key in keys if scope else ("",):
            places.setdefault(key, []).append(number)
    return ids, places


def _keys(pattern: str) -> Iterator[str]:
    for one in _alternatives(pattern):
        literal = _MAGIC.split(one, 1)[0]
        # Several slashes are as good as one.
        yield one if literal == one and "//" not in one else _SLASHES.sub("/", literal[: literal.rfind("/") + 1])


def _alternatives(pattern: str) -> Sequence[str]:
    if "{" not in pattern or "\\" in pattern:
        return (pattern,)
    try:
        return braces.expand(pattern)
    except InvalidGlob:
        return (pattern,)

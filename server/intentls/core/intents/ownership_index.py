"""The declared intents by id, and which of them may own a path: looked up by the directories that globs spell out.

    INT-1: src/api/**, tests/*.py       keys `src/api/`, `tests/`
    INT-2: **/*.md                      key "": possible for every path
    INT-3: {setup,docs/conf}.py         keys `setup.py`, `docs/conf.py`

The path src/api/users/a.py is looked up as itself, `src/api/users/`, `src/api/`, `src/` and "": INT-1 and INT-2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Final

from intentls.core.errors import InvalidGlob
from intentls.core.intents.intent import Intent
from intentls.core.patterns import braces
from intentls.late_pattern import late_pattern

# Up to here a glob is the text of each path that it matches. What follows a `{` is known once it is expanded.
_MAGIC: Final = late_pattern(r"[*?\[\\{]")
_SLASHES: Final = late_pattern("/+")

Patterns = Iterable[tuple[str, Sequence[str]]]
"""Each intent's id and its scope's patterns, in the file's order."""


class OwnershipIndex(Mapping[str, Intent]):
    """Intents by id, in the file's order. `patterns` gives those of each without making it an `Intent`.

    Most globs begin with directories that they name. So a path has few possible owners, however many are declared;
    those whose globs begin with a wildcard are possible for every path. Safe to use from several threads.
    """

    def __init__(self, intents: Mapping[str, Intent], patterns: Callable[[], Patterns] | None = None) -> None:
        self._intents = intents
        self._patterns = patterns or self._own_patterns
        self._index: tuple[list[str], Mapping[str, Sequence[int]]] | None = None

    def __getitem__(self, intent_id: str) -> Intent:
        return self._intents[intent_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._intents)

    def __len__(self) -> int:
        return len(self._intents)

    def candidates(self, paths: Iterable[str]) -> list[Intent]:
        """Those that may own one of `paths`, and few others, in the file's order."""
        if self._index is None:
            self._index = _numbers_by_key(self._patterns())
        ids, numbers_by_key = self._index
        numbers: set[int] = set()
        for path in paths:
            numbers.update(numbers_by_key.get("", ()), numbers_by_key.get(path, ()))
            end = path.find("/")
            while end >= 0:
                numbers.update(numbers_by_key.get(path[: end + 1], ()))
                end = path.find("/", end + 1)
        return [self._intents[ids[number]] for number in sorted(numbers)]

    def values(self) -> ValuesView[Intent]:
        """All of them."""
        return self._intents.values()

    def patterns(self) -> Patterns:
        """Each intent's id and its scope's patterns, in the file's order."""
        return self._patterns()

    def _own_patterns(self) -> Patterns:
        return ((intent.id, intent.scope.patterns) for intent in self._intents.values())


def _numbers_by_key(patterns: Patterns) -> tuple[list[str], Mapping[str, Sequence[int]]]:
    """The ids by number, and the numbers by directory (it ends with a slash), whole path, or "" for anywhere."""
    ids: list[str] = []
    numbers_by_key: dict[str, list[int]] = {}
    for number, (intent_id, scope) in enumerate(patterns):
        ids.append(intent_id)
        for key in keys_of(scope):
            numbers_by_key.setdefault(key, []).append(number)
    return ids, numbers_by_key


def keys_of(scope: Sequence[str]) -> set[str]:
    """What a scope's patterns are looked up by: directories (they end with a slash), whole paths, "" for anywhere."""
    if not scope:
        return {""}
    return {key for pattern in scope if not pattern.startswith("!") for key in _keys(pattern)}


def _keys(pattern: str) -> Iterator[str]:
    """The keys of one glob: a path for each alternative without wildcards, else what it must begin with."""
    for glob in _alternatives(pattern):
        literal = _MAGIC.split(glob, 1)[0]
        # Several slashes are as good as one.
        yield glob if literal == glob and "//" not in glob else _SLASHES.sub("/", literal[: literal.rfind("/") + 1])


def _alternatives(pattern: str) -> Sequence[str]:
    if "{" not in pattern or "\\" in pattern:
        return (pattern,)
    try:
        return braces.expand(pattern)
    except InvalidGlob:
        return (pattern,)

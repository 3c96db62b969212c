"""How much work all declared scopes may be together, so that no decision becomes slow.

Each glob is bounded by itself; ten thousand that are all at their limits are not. Two sums are:

- the *alternatives* of all patterns, which cost time when they are read: `{a,b}/*.py` has two;
- the *weight* of all scopes that may own one path, in characters of regular expression: a refusal compiles them all to
  name the owner. Scopes below different directories don't add up.

    A: src/**/*.py, B: src/api/**, C: docs/**    for src/api/a.py the weights of A and B count, for docs/x that of C
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from intentls.core.errors import InvalidGlob
from intentls.core.intents.ownership_index import keys_of
from intentls.core.intents.scope import Scope
from intentls.core.patterns.glob import Glob

MAX_ALTERNATIVES: Final = 100_000
"""For all patterns together: some 3 s to read."""

MAX_WEIGHT: Final = 500_000
"""For all scopes that may own one path: some 3 s to compile."""


class AlternativesBudget:
    """What is left of `MAX_ALTERNATIVES` while intents are read; `used` is what other files of them took already."""

    def __init__(self, used: int = 0) -> None:
        self._left = MAX_ALTERNATIVES - used

    @property
    def used(self) -> int:
        """How many alternatives were taken, `MAX_ALTERNATIVES` at most."""
        return MAX_ALTERNATIVES - max(self._left, 0)

    def covers(self, patterns: Sequence[str]) -> bool:
        """Take these patterns out of the budget; False where it does not reach, and then never again."""
        for pattern in patterns:
            self._left -= 1 if "{" not in pattern else _alternatives(pattern)
            if self._left < 0:
                return False
        return True


class Excess(Struct, frozen=True):
    """Too much for one path: `directory` (with a slash at its end, "" for the root) or the path itself; whose scope is
    the heaviest there."""

    intent_id: str
    directory: str
    weight: int


def find_excess(scopes: Mapping[str, Scope]) -> Excess | None:
    """Where the scopes, by intent, are too much for one decision; None if they are so nowhere."""
    weights = {intent_id: _weight(scope) for intent_id, scope in scopes.items()}
    if sum(weights.values()) <= MAX_WEIGHT:
        return None
    owners: dict[str, list[str]] = {}
    for intent_id, scope in scopes.items():
        for key in keys_of(scope.patterns):
            owners.setdefault(key, []).append(intent_id)
    own = {key: sum(weights[intent_id] for intent_id in ids) for key, ids in owners.items()}
    for key in sorted(owners):
        places = [place for place in _ancestors(key) if place in owners]
        weight = sum(own[place] for place in places)
        if weight > MAX_WEIGHT:
            possible = [intent_id for place in places for intent_id in owners[place]]
            return Excess(max(possible, key=lambda intent_id: weights[intent_id]), key, weight)
    return None


def _weight(scope: Scope) -> int:
    return sum(len(source) for glob in (*scope.included, *scope.excluded) for source in glob.sources)


def _alternatives(pattern: str) -> int:
    try:
        return len(Glob(pattern.removeprefix("!")).alternatives)
    except InvalidGlob:
        return 1  # it is reported where it stands


def _ancestors(key: str) -> list[str]:
    """The keys under which the owners of a path at `key` are: for `src/a/` these are "", `src/` and itself."""
    ends = [index + 1 for index, character in enumerate(key[:-1]) if character == "/"]
    return list(dict.fromkeys(["", *(key[:end] for end in ends), key]))

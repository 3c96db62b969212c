"""Bring two trees of one file into one form, equivalence by equivalence, until they say the same.

Each step changes both trees, and neither step changes what a program does. So a file whose imports were sorted and one
of whose functions moved is a refactor by both reasons. A step is a reason if the trees differ in less after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from intentls.core.mutation.idle_imports import drop_idle_imports
from intentls.core.mutation.reordering import count_moved, sort_definitions, sort_imports
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.tree import Flat, Node, flatten

Step = Callable[[Node, Node], str]
"""Changes both trees, and says what it is."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """Two trees in one form, as far as that goes, and the equivalences that brought them closer."""

    old: Node
    new: Node
    one: Flat
    other: Flat
    reasons: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether they say the same now."""
        return self.one.says_the_same(self.other)

    @property
    def differs_in_names(self) -> bool:
        """Whether nothing but names is left that differs."""
        return self.one.tokens == self.other.tokens


def rewritings(old: Node, new: Node, adapter: Adapter, path: str) -> Iterator[Rewriting]:
    """The trees as they are, and after each step. Take no more than it needs: each step changes them."""
    result = Rewriting(old, new, flatten(old), flatten(new), ())
    yield result
    for step in _steps(adapter, path):
        reason = step(old, new)
        one, other = flatten(old), flatten(new)
        closer = _distance(one, other) < _distance(result.one, result.other)
        result = Rewriting(old, new, one, other, (*result.reasons, *((reason,) if closer else ())))
        yield result


def _steps(adapter: Adapter, path: str) -> Iterator[Step]:
    def imports(old: Node, new: Node) -> str:
        sort_imports(old)
        sort_imports(new)
        return "import order"

    def idle(old: Node, new: Node) -> str:
        drop_idle_imports(old, new, adapter, path)
        return "unused imports"

    def definitions(old: Node, new: Node) -> str:
        count = max(count_moved(sort_definitions(old, adapter), sort_definitions(new, adapter)), 1)
        return f"moved {count} definition{'' if count == 1 else 's'}"

    yield imports
    for reason, rewrite in adapter.rewrites:

        def rewriting(old: Node, new: Node, reason: str = reason, rewrite: Callable[[Node], None] = rewrite) -> str:
            rewrite(old)
            rewrite(new)
            return reason

        yield rewriting
    yield imports  # some are spelled in another way now
    yield idle
    yield definitions


def _distance(one: Flat, other: Flat) -> int:
    """How much lies between the first and the last difference."""
    names = 0
    for old, new in ((one.tokens, other.tokens), (one.names, other.names)):
        shorter = min(len(old), len(new))
        head = next((index for index in range(shorter) if old[index] != new[index]), shorter)
        rest = shorter - head
        tail = next((index for index in range(rest) if old[-1 - index] != new[-1 - index]), rest)
        names += len(old) + len(new) - 2 * (head + tail)
    return names

"""What the definitions of a changed file were before the change, where their lines alone do not tell it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from intentls.core.definitions.definition import Definition
from intentls.core.definitions.follow import follow
from intentls.core.definitions.lookup import name_line
from intentls.core.ledger.definition_origin import DefinitionOrigin

Side = tuple[Sequence[Definition], Sequence[bytes]]
"""The definitions of a content, with their hashes, and all its lines without their ends."""


def origins_of(before: Side, after: Side, written: Collection[int]) -> tuple[DefinitionOrigin, ...]:
    """The origin of each definition that is found again, and whose name is another or stands in a `written` line.

    One inside another that was renamed is left out if it was called the same in there.

        class Town:                      class City:
            def rain(self): ...              def rain(self): ...
            def snow(self): ...              def hail(self): ...

    says that `City` was `Town`, and `City.hail` was `Town.snow`, but nothing of `City.rain`.
    """
    old, new = before[0], after[0]
    found: list[DefinitionOrigin] = []
    for place, other in sorted(follow(old, new).items(), key=lambda pair: pair[1]):
        one, its = old[place], new[other]
        line, old_line = name_line(its, after[1]), name_line(one, before[1])
        around = next(_around(found, its), None)
        known = its.name if around is None else around.former(its.name)
        if line in written or one.name != known:
            found.append(DefinitionOrigin(its.name, line, one.name, old_line, one.start_line, one.end_line))
    return tuple(found)


def _around(found: Sequence[DefinitionOrigin], one: Definition) -> Iterator[DefinitionOrigin]:
    """Those in which the definition stands, the innermost first."""
    return (origin for origin in reversed(found) if one.name.startswith(f"{origin.symbol}."))

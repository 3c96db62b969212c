"""How definitions stand to each other: which is in which, and which stand side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intentls.core.definitions.match import LocatedDefinition


@dataclass(frozen=True, slots=True)
class Siblings:
    """`outer`: for each definition the number of the one that it stands in, -1 at the top of its file.

    `rows`: those of one file and one outer, in order.
    """

    outer: list[int]
    rows: Mapping[tuple[str, int], list[int]]

    @classmethod
    def of(cls, located: Sequence[LocatedDefinition]) -> Siblings:
        """Read from their names and lines. They are in source order, file by file."""
        outer: list[int] = []
        rows: dict[tuple[str, int], list[int]] = defaultdict(list)
        open_: list[int] = []
        for number, one in enumerate(located):
            while open_ and not _holds(located[open_[-1]], one):
                open_.pop()
            outer.append(open_[-1] if open_ else -1)
            rows[one.path, outer[-1]].append(number)
            open_.append(number)
        return cls(outer, rows)

    def gaps(self, wanted: Iterable[int], known: Mapping[int, int]) -> Iterator[tuple[int, Hashable]]:
        """For each of `wanted` its place: what it stands in, and the known neighbours before and after it.

        Definitions go by what they are known as. None where none of the three is known; at the top of a file its path
        is what they stand in.
        """
        asked = set(wanted)
        for (path, outer), row in self.rows.items():
            inside = path if outer < 0 else known.get(outer)
            after: list[int] = []
            following = -1
            for number in reversed(row):
                after.append(following)
                following = known.get(number, following)
            before = -1
            for number, next_ in zip(row, reversed(after), strict=True):
                if number in asked:
                    yield number, None if inside is None and before == next_ == -1 else (inside, before, next_)
                before = known.get(number, before)


def _holds(outer: LocatedDefinition, one: LocatedDefinition) -> bool:
    is_named = one.definition.name.startswith(f"{outer.definition.name}.")
    return outer.path == one.path and is_named and outer.definition.end_line >= one.definition.start_line

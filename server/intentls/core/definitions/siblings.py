"""Which definitions of a file are nested in which, and which stand side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from intentls.core.definitions.definition import Definition


class Siblings(Struct, frozen=True):
    """`outer` is for each definition the number of the one that it stands in, -1 at the top of the file.

    `rows` are the numbers of those with one outer, in order.
    """

    outer: list[int]
    rows: Mapping[int, list[int]]

    @classmethod
    def of(cls, definitions: Sequence[Definition]) -> Siblings:
        """Read from their names and lines. They are in source order."""
        outer: list[int] = []
        rows: dict[int, list[int]] = defaultdict(list)
        open_: list[int] = []
        for number, one in enumerate(definitions):
            while open_ and not _holds(definitions[open_[-1]], one):
                open_.pop()
            outer.append(open_[-1] if open_ else -1)
            rows[outer[-1]].append(number)
            open_.append(number)
        return cls(outer, rows)

    def gaps(self, wanted: Iterable[int], known: Mapping[int, int]) -> Iterator[tuple[int, Hashable]]:
        """For each of `wanted` its place: what it stands in, and the known neighbours before and after it.

        Definitions go by what they are known as, the file by -1. None where what it stands in is not known, and no
        neighbour is.

            class City:            known as 7
                def rain: ...      known as 8
                def snow: ...      wanted: (7, 8, -1), since nothing known comes after it
        """
        asked = set(wanted)
        for outer, row in self.rows.items():
            inside = -1 if outer < 0 else known.get(outer)
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


def _holds(outer: Definition, one: Definition) -> bool:
    return one.name.startswith(f"{outer.name}.") and outer.end_line >= one.start_line

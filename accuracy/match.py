"""Which definition of an earlier state is which of a later one.

Rules are tried from the surest to the weakest. If two candidates fit equally well, neither is chosen, because a wrong
answer is worse than none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from intentls.core.definitions.definition import Definition

_SMALL = 12  # leaves: of what is smaller, many are alike
_BODY = 20  # leaves of a definition of which the body alone is the same
_SHAPE_HERE = 20  # leaves of one whose names all may have changed, in its file ...
_SHAPE = 50  # ... and anywhere
_SAME_NAME = 0.2  # overlap of statements
_OTHER_NAME = 0.6
_BETWEEN = 0.4
_FEWEST = 3  # statements in common, where nothing but they speaks for it
_ROUNDS = 5
_COMMON = 20  # definitions that have a statement: then it says nothing


@dataclass(frozen=True, slots=True)
class LocatedDefinition:
    """A definition and the path of its file."""

    path: str
    definition: Definition

    @property
    def last_name(self) -> str:
        """The name without what it is defined in: `parse` of `City.parse`."""
        return self.definition.name.rpartition(".")[2]


def follow(old: Sequence[LocatedDefinition], new: Sequence[LocatedDefinition]) -> dict[int, int]:
    """The places in `old` of what is found again -> its place in `new`; each at most once. The rest is lost.

    Both are in source order, file by file. Takes time in proportion to the definitions and their statements.
    """
    found = _Matcher(old, new)
    for rule in (_same, _same_shape_and_place):
        found.in_order(rule)
    found.by_overlap(_SAME_NAME, 1, _place)
    for rule in (_content_and_name, _content_here, _content, _body_here, _body):
        found.alone(rule)
    for rule in (_shape_and_name, _shape_here, _shape):
        found.alone(rule)
    found.by_overlap(_OTHER_NAME, _FEWEST, _anywhere)
    found.by_context()
    found.alone(_place)
    found.by_context()
    return found.places


Rule = Callable[[LocatedDefinition], Hashable]
"""What the two must have in common; None for what the rule does not speak of."""


def _same(one: LocatedDefinition) -> Hashable:
    return one.path, one.definition.name, one.definition.normalized_hash


def _same_shape_and_place(one: LocatedDefinition) -> Hashable:
    return one.path, one.definition.name, one.definition.alpha_hash


def _place(one: LocatedDefinition) -> Hashable:
    return one.path, one.definition.name, one.definition.kind


def _name(one: LocatedDefinition) -> Hashable:
    return one.last_name, one.definition.kind


def _content_and_name(one: LocatedDefinition) -> Hashable:
    return one.definition.name, one.definition.normalized_hash


def _content_here(one: LocatedDefinition) -> Hashable:
    return (one.path, _content(one)) if one.definition.leaves >= _SMALL else None


def _content(one: LocatedDefinition) -> Hashable:
    return one.definition.normalized_hash if one.definition.leaves >= _SMALL else None


def _body_here(one: LocatedDefinition) -> Hashable:
    found = _body(one)
    return found and (one.path, found)


def _body(one: LocatedDefinition) -> Hashable:
    return one.definition.body_hash if one.definition.leaves >= _BODY else None


def _shape_and_name(one: LocatedDefinition) -> Hashable:
    return one.last_name, one.definition.alpha_hash


def _shape_here(one: LocatedDefinition) -> Hashable:
    return (one.path, one.definition.alpha_hash) if one.definition.leaves >= _SHAPE_HERE else None


def _shape(one: LocatedDefinition) -> Hashable:
    return one.definition.alpha_hash if one.definition.leaves >= _SHAPE else None


def _anywhere(one: LocatedDefinition) -> Hashable:
    return one.definition.kind in ("constant", "key")


class _Matcher:
    """What has been found so far. Each rule looks at what is left."""

    def __init__(self, old: Sequence[LocatedDefinition], new: Sequence[LocatedDefinition]) -> None:
        self._old, self._new = old, new
        self._old_left = list(range(len(old)))
        self._new_left = list(range(len(new)))
        self.places: dict[int, int] = {}

    def in_order(self, rule: Rule) -> None:
        """As many on both sides: the first is the first. Of more on one side nobody can tell which is missing."""
        self._in_order(self._groups(rule))

    def alone(self, rule: Rule) -> None:
        """One on each side."""
        self._alone(self._groups(rule))

    def by_overlap(self, least: float, fewest: int, rule: Rule) -> None:
        """Those with most statements in common, if no other has as many."""
        self._by_overlap(self._groups(rule), least, fewest)

    def _by_overlap(self, groups: Iterator[tuple[list[int], list[int]]], least: float, fewest: int) -> None:
        pairs: list[tuple[float, int, int]] = []
        for olds, news in groups:
            pairs += self._overlaps(olds, news, least, fewest)
        best_old: dict[int, list[float]] = defaultdict(list)
        best_new: dict[int, list[float]] = defaultdict(list)
        for score, one, other in pairs:
            best_old[one].append(score)
            best_new[other].append(score)
        taken: set[int] = set()
        for score, one, other in sorted(pairs, reverse=True):
            is_only = best_old[one].count(score) == 1 and best_new[other].count(score) == 1
            if is_only and one not in self.places and other not in taken:
                self.places[one] = other
                taken.add(other)
        self._clear()

    def by_context(self) -> None:
        """By what is around them and in them, until that tells no more. Each round reaches one level further."""
        old, new = Siblings.of(self._old), Siblings.of(self._new)
        for _ in range(_ROUNDS):
            before = len(self.places)
            self._by_members(old, new)
            self._in_followed(old, new)
            self._between_followed(old, new)
            if len(self.places) == before:
                return

    def _by_members(self, old: Siblings, new: Siblings) -> None:
        """What most of its members went to, if most of those come from it."""
        back = {j: i for i, j in self.places.items()}
        to = _majorities((old.outer[i], new.outer[j]) for i, j in self.places.items())
        origin = _majorities((new.outer[j], old.outer[i]) for i, j in self.places.items())
        for one, other in to.items():
            if one not in self.places and other not in back and origin.get(other) == one:
                self.places[one] = other
        self._clear()

    def _in_followed(self, old: Siblings, new: Siblings) -> None:
        """The same name in a definition that was found."""
        self._alone(
            _both(
                ((i, self._inside(self.places.get(old.outer[i], -1), self._old[i])) for i in self._old_left),
                ((j, self._inside(new.outer[j], self._new[j])) for j in self._new_left),
            )
        )

    def _between_followed(self, old: Siblings, new: Siblings) -> None:
        """The same shape in the same place between the same neighbours, however small it is, in the same order."""
        gaps = dict(old.gaps(self._old_left, self.places)), dict(new.gaps(self._new_left, _themselves(self.places)))
        self._in_order(self._in_gaps(gaps, lambda one: one.alpha_hash))
        gaps = dict(old.gaps(self._old_left, self.places)), dict(new.gaps(self._new_left, _themselves(self.places)))
        self._by_overlap(self._in_gaps(gaps, lambda one: one.kind), _BETWEEN, 2)

    def _in_gaps(
        self, gaps: tuple[dict[int, Hashable], dict[int, Hashable]], also: Callable[[Definition], str]
    ) -> Iterator[tuple[list[int], list[int]]]:
        return _both(
            ((i, gap and (gap, also(self._old[i].definition))) for i, gap in gaps[0].items()),
            ((j, gap and (gap, also(self._new[j].definition))) for j, gap in gaps[1].items()),
        )

    @staticmethod
    def _inside(outer: int, one: LocatedDefinition) -> Hashable:
        return None if outer < 0 else (outer, _name(one))

    def _groups(self, rule: Rule) -> Iterator[tuple[list[int], list[int]]]:
        return _both(
            ((i, rule(self._old[i])) for i in self._old_left), ((j, rule(self._new[j])) for j in self._new_left)
        )

    def _in_order(self, groups: Iterator[tuple[list[int], list[int]]]) -> None:
        for olds, news in groups:
            if len(olds) == len(news):
                self.places.update(zip(olds, news, strict=True))
        self._clear()

    def _alone(self, groups: Iterator[tuple[list[int], list[int]]]) -> None:
        for olds, news in groups:
            if len(olds) == len(news) == 1:
                self.places[olds[0]] = news[0]
        self._clear()

    def _overlaps(
        self, olds: list[int], news: list[int], least: float, fewest: int
    ) -> Iterator[tuple[float, int, int]]:
        having: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for j in news:
            for statement, count in Counter(self._new[j].definition.statements).items():
                having[statement].append((j, count))
        for i in olds:
            common: Counter[int] = Counter()
            own = self._old[i].definition.statements
            for statement, count in Counter(own).items():
                holders = having.get(statement, [])
                if len(holders) > _COMMON:
                    continue
                for j, there in holders:
                    common[j] += min(count, there)
            for j, shared in common.items():
                score = 2 * shared / (len(own) + len(self._new[j].definition.statements))
                if score >= least and shared >= fewest:
                    yield score, i, j

    def _clear(self) -> None:
        taken = set(self.places.values())
        self._old_left = [i for i in self._old_left if i not in self.places]
        self._new_left = [j for j in self._new_left if j not in taken]


def _themselves(places: Mapping[int, int]) -> dict[int, int]:
    return {place: place for place in places.values()}


def _majorities(votes: Iterator[tuple[int, int]]) -> dict[int, int]:
    """For each what more than half of its votes are for; -1 is nobody."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for one, other in votes:
        counts[one][other] += 1
    counts.pop(-1, None)
    winners = ((one, *counted.most_common(1)[0], counted.total()) for one, counted in counts.items())
    return {one: other for one, other, count, total in winners if other >= 0 and 2 * count > total}


def _both(
    old: Iterator[tuple[int, Hashable]], new: Iterator[tuple[int, Hashable]]
) -> Iterator[tuple[list[int], list[int]]]:
    """What the same is said of on both sides."""
    groups: dict[Hashable, tuple[list[int], list[int]]] = {}
    for i, key in old:
        if key is not None:
            groups.setdefault(key, ([], []))[0].append(i)
    for j, key in new:
        if key in groups:
            groups[key][1].append(j)
    return iter([group for group in groups.values() if group[1]])


@dataclass(frozen=True, slots=True)
class Siblings:
    """Which definitions are nested in which, and which stand side by side.

    `outer`: for each definition the number of the one that it stands in, -1 at the top of its file.

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

"""Which definition of a file's old content is which of its new one.

Rules are tried from the surest to the weakest, each on what the ones before it left over. If two candidates fit equally
well, neither is chosen, because a wrong answer is worse than none.

    def rain(city):               def rain_in(city):
        value = measure(city)         value = measure(city)
        log(value)                    log(value)
        return value                  return value

`rain` is `rain_in`: no other definition is left that has the same body.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence

from intentls.core.definitions.definition import Definition
from intentls.core.definitions.siblings import Siblings

_SMALL = 12  # leaves: of what is smaller, many are alike
_BODY = 20  # leaves of a definition of which the body or the shape alone is the same
_SAME_NAME = 0.2  # overlap of statements
_OTHER_NAME = 0.6
_BETWEEN = 0.4
_FEWEST = 3  # statements in common, where nothing but they speaks for it
_ROUNDS = 5
_COMMON = 20  # definitions that have a statement: then it says nothing


def follow(old: Sequence[Definition], new: Sequence[Definition]) -> dict[int, int]:
    """The places in `old` of what is found again -> its place in `new`; each at most once. The rest is lost.

    Both are in source order, with their hashes. Takes time in proportion to the definitions and their statements.
    """
    found = _Matcher(old, new)
    found.in_order(lambda one: (one.name, one.normalized_hash))
    found.in_order(lambda one: (one.name, one.alpha_hash))
    found.alone(lambda one: one.normalized_hash if one.leaves >= _SMALL else None)
    found.by_overlap(lambda one: (one.name, one.kind), _SAME_NAME, 1)
    found.alone(lambda one: one.body_hash if one.leaves >= _BODY else None)
    found.alone(lambda one: (_last(one), one.alpha_hash))
    found.alone(lambda one: one.alpha_hash if one.leaves >= _BODY else None)
    found.by_overlap(lambda one: one.kind in ("constant", "key"), _OTHER_NAME, _FEWEST)
    found.by_context()
    found.alone(lambda one: (one.name, one.kind))
    found.by_context()
    return found.places


Rule = Callable[[Definition], Hashable]
"""What the two must have in common; None for what the rule does not speak of."""

Groups = Iterator[tuple[list[int], list[int]]]
"""The numbers, old and new, of definitions that have the same in common."""


def _last(one: Definition) -> str:
    """The name without what it is defined in: `parse` of `City.parse`."""
    return one.name.rpartition(".")[2]


class _Matcher:
    """What has been found so far. Each rule looks at what is left."""

    def __init__(self, old: Sequence[Definition], new: Sequence[Definition]) -> None:
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

    def by_overlap(self, rule: Rule, least: float, fewest: int) -> None:
        """Those with most statements in common, if no other has as many."""
        self._by_overlap(self._groups(rule), least, fewest)

    def _by_overlap(self, groups: Groups, least: float, fewest: int) -> None:
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
        """The same shape in the same place between the same neighbours, in the same order; or statements in common.

        Many small ones have one shape: of these all but the name must be the same.
        """
        self._in_order(
            self._in_gaps(old, new, lambda one: one.alpha_hash if one.leaves >= _SMALL else one.nameless_hash)
        )
        self._by_overlap(self._in_gaps(old, new, lambda one: one.kind), _BETWEEN, _FEWEST)

    def _in_gaps(self, old: Siblings, new: Siblings, also: Callable[[Definition], str]) -> Groups:
        themselves = {place: place for place in self.places.values()}
        before, after = old.gaps(self._old_left, self.places), new.gaps(self._new_left, themselves)
        return _both(
            ((i, gap and (gap, also(self._old[i]))) for i, gap in before),
            ((j, gap and (gap, also(self._new[j]))) for j, gap in after),
        )

    @staticmethod
    def _inside(outer: int, one: Definition) -> Hashable:
        return None if outer < 0 else (outer, _last(one), one.kind)

    def _groups(self, rule: Rule) -> Groups:
        return _both(
            ((i, rule(self._old[i])) for i in self._old_left), ((j, rule(self._new[j])) for j in self._new_left)
        )

    def _in_order(self, groups: Groups) -> None:
        for olds, news in groups:
            if len(olds) == len(news):
                self.places.update(zip(olds, news, strict=True))
        self._clear()

    def _alone(self, groups: Groups) -> None:
        for olds, news in groups:
            if len(olds) == len(news) == 1:
                self.places[olds[0]] = news[0]
        self._clear()

    def _overlaps(
        self, olds: list[int], news: list[int], least: float, fewest: int
    ) -> Iterator[tuple[float, int, int]]:
        having: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for j in news:
            for statement, count in Counter(self._new[j].statements).items():
                having[statement].append((j, count))
        for i in olds:
            common: Counter[int] = Counter()
            own = self._old[i].statements
            for statement, count in Counter(own).items():
                holders = having.get(statement, [])
                if len(holders) > _COMMON:
                    continue
                for j, there in holders:
                    common[j] += min(count, there)
            for j, shared in common.items():
                score = 2 * shared / (len(own) + len(self._new[j].statements))
                if score >= least and shared >= fewest:
                    yield score, i, j

    def _clear(self) -> None:
        taken = set(self.places.values())
        self._old_left = [i for i in self._old_left if i not in self.places]
        self._new_left = [j for j in self._new_left if j not in taken]


def _majorities(votes: Iterator[tuple[int, int]]) -> dict[int, int]:
    """For each what more than half of its votes are for; -1 is nobody."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for one, other in votes:
        counts[one][other] += 1
    counts.pop(-1, None)
    winners = ((one, *counted.most_common(1)[0], counted.total()) for one, counted in counts.items())
    return {one: other for one, other, count, total in winners if other >= 0 and 2 * count > total}


def _both(old: Iterator[tuple[int, Hashable]], new: Iterator[tuple[int, Hashable]]) -> Groups:
    """What the same is said of on both sides."""
    groups: dict[Hashable, tuple[list[int], list[int]]] = {}
    for i, key in old:
        if key is not None:
            groups.setdefault(key, ([], []))[0].append(i)
    for j, key in new:
        if key in groups:
            groups[key][1].append(j)
    return iter([group for group in groups.values() if group[1]])

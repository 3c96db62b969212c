"""Which earlier work helps with an intent: two rankings made one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

_RANK_OFFSET = 60  # of reciprocal rank fusion, as published (Cormack, Clarke, Büttcher 2009): first places count alike


def fuse(rankings: Iterable[Sequence[K]]) -> list[K]:
    """Reciprocal rank fusion: each item gets 1 / (60 + place) from each ranking that has it; the largest sum first.

    Items of the same sum come in the order in which the rankings name them.

    Example: `a b c` and `c a` give a = 1/61 + 1/62, c = 1/63 + 1/61, b = 1/62: `a c b`.
    """
    scores: dict[K, float] = {}
    for ranking in rankings:
        for place, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (_RANK_OFFSET + place)
    return sorted(scores, key=lambda item: -scores[item])

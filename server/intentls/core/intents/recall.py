"""Which earlier work helps with an intent: several rankings made one, and one more by the files of the best."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

_RANK_OFFSET = 60  # of reciprocal rank fusion, as published (Cormack, Clarke, Büttcher 2009): first places count alike

_BEST = 10  # works whose files count; more or fewer change little


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


def on_same_files(ranked: Sequence[K], paths: Mapping[K, Collection[str]]) -> list[K]:
    """The items, best first by the files that they share with the first ten of `ranked`, which has each item once.

    A file counts as much as the items among those ten that touched it (as in `fuse`), times log(1 + n / t), where t of
    all n items touched it: what everybody touches says little (inverse document frequency, Spärck Jones 1972). An item
    counts as its best file; one that has none of these files is left out. This is relevance feedback (Rocchio 1971)
    with files in the place of words.

    Example: ten items by rank, the first has `a`, the other nine `b`, and an eleventh has `a` and a twelfth has `c`.
    `a` counts 1/61 * log(1 + 12/2) = 0.032, `b` (1/62 + ... + 1/70) * log(1 + 12/9) = 0.115: first the nine, then the
    first and the eleventh.
    """
    touched = Counter(path for item in ranked for path in paths[item])
    weights: dict[str, float] = {}
    for place, item in enumerate(ranked[:_BEST], start=1):
        for path in paths[item]:
            weights[path] = weights.get(path, 0.0) + 1 / (_RANK_OFFSET + place)
    weights = {path: weight * math.log1p(len(ranked) / touched[path]) for path, weight in weights.items()}
    scores = {item: max((weights.get(path, 0.0) for path in paths[item]), default=0.0) for item in ranked}
    return sorted((item for item in ranked if scores[item]), key=lambda item: -scores[item])

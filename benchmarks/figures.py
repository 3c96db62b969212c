"""From pairs to what is said of a row: medians of paired ratios, their spread, and whether the target is met."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.rows import Pair, Row


@dataclass(frozen=True)
class Figure:
    """What was found at one size. Costs in the row's unit; `low` and `high`: the middle half of the ratios."""

    size: int
    ours: float
    peer: float
    ratio: float
    low: float
    high: float
    rounds: int


def figures(row: Row, pairs: Iterable[Pair], rounds: int = 1) -> tuple[Figure, ...]:
    """One for each size, ascending. ValueError if there is nothing, a cost that is none, or too few rounds."""
    by_size: dict[int, list[Pair]] = {}
    for pair in pairs:
        if not all(math.isfinite(cost) and cost > 0 for cost in pair[:2]):
            raise ValueError(f"not a cost: {pair}")
        by_size.setdefault(pair.size, []).append(pair)
    if not by_size:
        raise ValueError("nothing was measured")
    few = [size for size in by_size if len(by_size[size]) < rounds]
    if few:
        raise ValueError(f"fewer than {rounds} rounds of size {few[0]}")
    return tuple(figure(row, size, by_size[size]) for size in sorted(by_size))


def figure(row: Row, size: int, pairs: Sequence[Pair]) -> Figure:
    """The medians over all rounds of one size."""
    ratios = [pair.ours / pair.peer if row.better == "lower" else pair.peer / pair.ours for pair in pairs]
    low, high = (min(ratios), max(ratios)) if len(ratios) < 4 else statistics.quantiles(ratios, n=4)[::2]
    ours, peer = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    return Figure(size, ours, peer, statistics.median(ratios), low, high, len(pairs))


def judged(row: Row, found: Sequence[Figure]) -> Figure:
    """The one that the target speaks of; the largest if that size was not measured (a quick run)."""
    return next((each for each in found if each.size == row.at), found[-1])


def is_met(row: Row, found: Sequence[Figure]) -> bool:
    """Whether the median is on the right side of the limit."""
    ratio = judged(row, found).ratio
    return ratio <= row.limit if row.better == "lower" else ratio >= row.limit


def amount(value: float, unit: str) -> str:
    """A cost for people, with three digits: "1.25 ms"."""
    if unit == "calls":
        return f"{value:g}"
    number, name = scaled(value, unit)
    return f"{digits(number)} {name}"


def scaled(value: float, unit: str) -> tuple[float, str]:
    """A cost in the unit that people would name it in: (1.25, "ms")."""
    if unit == "calls":
        return value, ""
    names = (
        (("s", 1.0), ("ms", 1e-3), ("\N{GREEK SMALL LETTER MU}s", 1e-6), ("ns", 1e-9))
        if unit == "s"
        else (("GB", 1e9), ("MB", 1e6), ("KB", 1e3), ("B", 1.0))
    )
    name, size = next(((name, size) for name, size in names if value >= size), names[-1])
    return value / size, name


def digits(value: float) -> str:
    """Three digits that count, no exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    places = 2 if value >= 1 else min(6, 2 - math.floor(math.log10(value)))
    text = f"{value:.{places}f}"
    return text if value < 10 else f"{value:.1f}"

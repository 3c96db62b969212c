"""Precision and recall with their uncertainty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

_Z = 1.959963984540054  # 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `of`, with Wilson's 95 % interval; without any the share is unknown."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """Between 0 and 1."""
        return self.hits / self.of if self.of else None

    def interval(self) -> tuple[float, float]:
        """The lowest and highest share that fit what was seen; (0, 1) if nothing was."""
        if not self.of:
            return 0.0, 1.0
        share, spread = self.hits / self.of, _Z * _Z / self.of
        middle = share + spread / 2
        width = _Z * sqrt(share * (1 - share) / self.of + spread / (4 * self.of))
        return max(0.0, (middle - width) / (1 + spread)), min(1.0, (middle + width) / (1 + spread))

    def as_json(self) -> dict[str, Any]:
        """As the results keep it, rounded to four places."""
        low, high = self.interval()
        value = None if self.value is None else round(self.value, 4)
        return {"hits": self.hits, "of": self.of, "share": value, "low": round(low, 4), "high": round(high, 4)}


class Confusion:
    """How often each label met each prediction."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._cells = Counter(pairs)

    @classmethod
    def of(cls, matrix: Mapping[str, Mapping[str, int]]) -> Confusion:
        """From a matrix as `matrix` gives it."""
        cells = [((label, name), number) for label, row in matrix.items() for name, number in row.items()]
        return cls(pair for pair, number in cells for _ in range(number))

    def precision(self, name: str) -> Share:
        """Of what was called `name`, what is."""
        called = sum(number for (_, predicted), number in self._cells.items() if predicted == name)
        return Share(self._cells[name, name], called)

    def recall(self, name: str) -> Share:
        """Of what is `name`, what was called so."""
        labelled = sum(number for (label, _), number in self._cells.items() if label == name)
        return Share(self._cells[name, name], labelled)

    def matrix(self) -> dict[str, dict[str, int]]:
        """How often each label got each prediction, of those that occur."""
        names = sorted({name for pair in self._cells for name in pair})
        return {
            label: {name: self._cells[label, name] for name in names if self._cells[label, name]}
            for label in names
            if self.recall(label).of
        }

    def as_json(self) -> dict[str, Any]:
        """The matrix, and both shares of each class that occurs."""
        names = sorted({name for pair in self._cells for name in pair})
        return {
            "matrix": self.matrix(),
            "precision": {name: self.precision(name).as_json() for name in names},
            "recall": {name: self.recall(name).as_json() for name in names},
        }

"""What the comparisons share: how much to compare, and what to do without the program to compare with."""

from __future__ import annotations

import os
import random
import shutil
from typing import NoReturn

import pytest

LONG = os.environ.get("INTENTLS_LONG") == "1"
"""Compare ten times as much."""


def require(program: str) -> str:
    """Where `program` is; without it the test is skipped, and fails in CI."""
    found = shutil.which(program)
    return found or unavailable(f"there is no {program} to compare with")


def unavailable(reason: str) -> NoReturn:
    """Skip with `reason`, or fail where a green run has to mean that the comparison took place."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def words(text: str) -> list[str]:
    """What stands between the white space of `text`: a table of pieces that stays readable."""
    return text.split()


class Dice:
    """A seeded source of random text: the same patterns and paths on every run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def pick(self, options: str | list[str]) -> str:
        return self._random.choice(options)

    def several(self, options: str | list[str], least: int, most: int) -> list[str]:
        """`least` to `most` of `options`, few more often than many."""
        count = min(self._random.randint(least, most) for _ in range(2))
        return [self._random.choice(options) for _ in range(count)]

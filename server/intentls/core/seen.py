"""Which records were met already, in a history that is spread over several files.

After a merge, or when a machine stopped in the middle of archiving, the same line may stand in two files. A
record is known by its writer and number, and numbers come in long rows: what is held grows with the number of
writers and of gaps, not with the number of records.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any


class Numbers:
    """A set of whole numbers, kept as rows. Adding is quickest above all others."""

    __slots__ = ("_firsts", "_lasts")

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._firsts, number) - 1
        return at >= 0 and number <= self._lasts[at]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._firsts)

    def add(self, number: int) -> bool:
        """Whether the number is new."""
        at = bisect_right(self._firsts, number)
        if at and number <= self._lasts[at - 1]:
            return False
        self._join(at, number, number)
        return True

    def update(self, other: Numbers) -> None:
        """Add all numbers of another set."""
        for first, last in zip(other._firsts, other._lasts, strict=True):
            at = bisect_right(self._firsts, first)
            if at and self._lasts[at - 1] >= first:
                at -= 1
                first = self._firsts[at]
            end = bisect_right(self._firsts, last)
            if end > at:
                last = max(last, self._lasts[end - 1])
            del self._firsts[at:end], self._lasts[at:end]
            self._join(at, first, last)

    def _join(self, at: int, first: int, last: int) -> None:
        """Put a row that meets no other before number `at`, and make one of those that touch."""
        if at < len(self._firsts) and self._firsts[at] == last + 1:
            last = self._lasts[at]
            del self._firsts[at], self._lasts[at]
        if at and self._lasts[at - 1] == first - 1:
            self._lasts[at - 1] = last
        else:
            self._firsts.insert(at, first)
            self._lasts.insert(at, last)


class Once:
    """Passes each record once, though several files hold it; what one file holds twice is its own affair.

    Ask it about the records file by file, `newest_first` or the other way round throughout. Two different records
    of the same number are the verifier's affair as well: here the first that is met stands for both.
    """

    def __init__(self, *, newest_first: bool = False) -> None:
        self._sign = -1 if newest_first else 1  # so that numbers rise, whichever way they are read
        self._earlier: dict[str, Numbers] = {}
        self._here: dict[str, Numbers] = {}

    def passes(self, record: Mapping[str, Any]) -> bool:
        """Whether no earlier file held the record. One without a place in a chain always passes."""
        chain = record.get("chain")
        if not isinstance(chain, dict):
            return True
        writer, seq = chain.get("writer"), chain.get("seq")
        if not isinstance(writer, str) or not isinstance(seq, int):
            return True
        number = seq * self._sign
        earlier = self._earlier.get(writer)
        if earlier is not None and number in earlier:
            return False
        here = self._here.get(writer)
        if here is None:
            here = self._here[writer] = Numbers()
        here.add(number)
        return True

    def next_file(self) -> None:
        """From here on the records are another file's."""
        for writer, numbers in self._here.items():
            known = self._earlier.get(writer)
            if known is None:
                self._earlier[writer] = numbers
            else:
                known.update(numbers)
        self._here = {}

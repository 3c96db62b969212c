"""Which records were met already, in a history that is spread over several files.

After a merge, or when a machine stopped in the middle of archiving, the same line may stand in two files. A
record is known by its writer and number, and numbers come in long runs: what is held grows with the number of
writers and of gaps, not with the number of records.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from intentls.core.ledger.hash_chain import ChainLink


class LineRun(Struct):
    """Lines of one writer, from number `first` to `last`, each chained to the one before.

    `line_hash` is the last one's and `line` where it stands; `moved` says that the first line is of an earlier file,
    `verified` that the last one is what stood there first.
    """

    first: int
    last: int
    line_hash: str
    line: int
    moved: bool
    verified: bool

    def __len__(self) -> int:
        return self.last - self.first + 1


class RepeatedLines:
    """What of one writer comes again in the present file. `base` is its highest number in earlier ones."""

    __slots__ = ("_base", "_run", "_seen")

    def __init__(self, base: int = 0) -> None:
        self._base = base
        self._seen: IntervalSet | None = None
        self._run: LineRun | None = None

    def is_moved(self, seq: int) -> bool:
        """Whether the number is of an earlier file, and comes in this one for the first time."""
        if seq > self._base:
            return False
        if self._seen is None:
            self._seen = IntervalSet()
        return self._seen.add(seq)

    def add(self, link: ChainLink, line_hash: str, line: int, *, moved: bool, verified: bool) -> LineRun | None:
        """Take in a line that comes again. If it begins a new run: the last one."""
        run = self._run
        if run is not None and (link.seq, link.prev) == (run.last + 1, run.line_hash) and (run.moved or not moved):
            run.last, run.line_hash, run.line, run.verified = link.seq, line_hash, line, verified
            return None
        self._run = LineRun(link.seq, link.seq, line_hash, line, moved, verified)
        return run

    def close(self) -> LineRun | None:
        """The last run, which is then forgotten."""
        run, self._run = self._run, None
        return run


class IntervalSet:
    """A set of whole numbers, kept as runs. Adding is quickest above all others."""

    __slots__ = ("_firsts", "_lasts")

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []

    def __len__(self) -> int:
        """How many runs there are."""
        return len(self._firsts)

    def add(self, number: int) -> bool:
        """Whether the number is new."""
        firsts, lasts = self._firsts, self._lasts
        index = bisect_right(firsts, number)
        if index and number <= lasts[index - 1]:
            return False
        above = index < len(firsts) and firsts[index] == number + 1
        below = index > 0 and lasts[index - 1] == number - 1
        if above and below:
            lasts[index - 1] = lasts[index]
            del firsts[index], lasts[index]
        elif above:
            firsts[index] = number
        elif below:
            lasts[index - 1] = number
        else:
            firsts.insert(index, number)
            lasts.insert(index, number)
        return True


class Deduplicator:
    """Tells for each record whether it comes for the first time, whatever file it is in.

    Ask it about the records in one order throughout, `newest_first` or the other way round. Of two different records
    that have the same number, only the first counts; the verifier reports both.
    """

    def __init__(self, *, newest_first: bool = False) -> None:
        self._sign = -1 if newest_first else 1  # so that numbers rise, whichever way they are read
        self._seen: dict[str, IntervalSet] = {}

    def is_first(self, record: Mapping[str, Any]) -> bool:
        """Whether the record is met for the first time. One without a place in a chain always passes."""
        chain = record.get("chain")
        if not isinstance(chain, dict):
            return True
        writer, seq = chain.get("writer"), chain.get("seq")
        if not isinstance(writer, str) or not isinstance(seq, int):
            return True
        seen = self._seen.get(writer)
        if seen is None:
            seen = self._seen[writer] = IntervalSet()
        return seen.add(seq * self._sign)

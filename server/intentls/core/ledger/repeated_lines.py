"""Lines that come again: of an earlier file in a later one, as merges make them, or within one file.

They come in runs. A run whose lines follow each other and whose last one is what stood there first is the same from
its first line on, since each line's hash is over the hash of the one before: so only the ends need to be compared.
"""

from __future__ import annotations

from dataclasses import dataclass

from intentls.core.ledger.deduplication import IntervalSet
from intentls.core.ledger.hash_chain import ChainLink


@dataclass(slots=True)
class LineRun:
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

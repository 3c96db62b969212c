"""How a row of `make bench` looks.

To add a row: write a function that takes a `Scale` and yields `Pair`s, and put a `Row` that names it into the `ROWS`
tuple of its module (`benchmarks/<subject>.py`), which `benchmarks/table.py` lists. Then run `python -m benchmarks KEY`.

    def appends(scale: Scale) -> Iterator[Pair]:
        node = scale.node("append.js", str(scale.folder))       # Skipped, if there is no npm
        for _ in range(scale.of(full=30, quick=3)):
            yield Pair(ours=..., peer=...)                      # measured one right after the other, on the same data

    ROWS = (Row(key="append", what="append of a record, no fsync", ours="ledger", peer="appendFileSync",
                target="<= 0.8", limit=0.8, run=appends),)

- Both figures of a pair are costs in the same unit (seconds, bytes, calls), the less the better, finite and above 0.
  The table shows the median of the pairs' ratios: ours / peer, to be at most `limit`; or with `better="higher"`
  peer / ours ("times as fast"), to be at least `limit`.
- A limit without a peer (75 ms, say): yield `peer=0.075`, call the peer "the goal", target "<= 75 ms", `limit=1`.
- A percentile: measure a block on each side, yield the two percentiles, again for the next block.
- Cost against a size: yield pairs of several sizes (`size=`), name the axis in `sizes`; `at` is the size that the
  target speaks of (else the largest that was measured).
- What must simply be true (nothing torn, the same answer) is checked in the function, which raises if it is not.
- What can't run here raises `Skipped` with a reason, which the table shows.
- A first round or two to warm up is not yielded. Quick scale: sizes and rounds for about two seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from benchmarks import node
from benchmarks.node import Skipped

__all__ = ["Pair", "Row", "Scale", "Skipped"]

T = TypeVar("T")


class Pair(NamedTuple):
    """Two costs, measured one right after the other; `size` where cost is looked at against a size."""

    ours: float
    peer: float
    size: int = 0


@dataclass(frozen=True)
class Scale:
    """How thoroughly, and where: `folder` is empty, the row's own, and deleted after it."""

    quick: bool
    folder: Path
    say: Callable[[str], None]
    """Shows what is going on (one short line, overwritten by the next)."""

    def of(self, full: T, quick: T) -> T:
        """The one of two settings that fits the scale."""
        return quick if self.quick else full

    def node(self, script: str, *arguments: str) -> list[str]:
        """The command that runs `benchmarks/peers/<script>` with its packages installed. Raises Skipped: no npm."""
        return node.command(script, *arguments)


@dataclass(frozen=True)
class Row:
    """One measured thing with its target."""

    key: str
    """What it is called on the command line: lower case, dashes."""
    what: str
    """The first column, for people."""
    ours: str
    peer: str
    target: str
    """As people read it: "<= 0.7", ">= 3x faster"."""
    limit: float
    run: Callable[[Scale], Iterator[Pair]]
    better: Literal["lower", "higher"] = "lower"
    unit: Literal["s", "B", "calls"] = "s"
    sizes: str = ""
    """The axis that the pairs' sizes are on: "globs", "records"."""
    at: int = 0
    """The size that the target speaks of; 0: the largest measured."""
    relative: bool = False
    """Whether the peer has the same size all along, so that the plot shows the ratio."""

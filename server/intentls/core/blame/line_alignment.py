"""Lines of a content that no image has, found again in images that are near: by their hashes, and by their context.

A line proves nothing by standing alone if it stands everywhere (a bracket, a blank line), or if several people wrote
the same. Such lines are theirs only inside a stretch that another line proves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from intentls.core.blame.version_graph import Cell, LineOwners, Ownership
from intentls.core.text.line_diff import ChangedLines, changed_blocks
from intentls.core.text.line_hashes import bare_lines, is_distinctive, line_hash

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class HashedText:
    """A content as hashes of its lines, and which lines say something of their own."""

    hashes: list[bytes]
    distinctive: list[bool]
    counts: Counter[bytes]

    @classmethod
    def of(cls, content: bytes) -> HashedText:
        """The lines of any bytes."""
        lines = bare_lines(content)
        hashes = [line_hash(line) for line in lines]
        return cls(hashes, [is_distinctive(line) for line in lines], Counter(hashes))

    def as_before(self, roots: Sequence[bytes | None]) -> HashedText:
        """With the hashes that lines had before they were formatted, where they are known."""
        if not any(roots):
            return self
        hashes = [root or hash_ for root, hash_ in zip(roots, self.hashes, strict=True)]
        return HashedText(hashes, self.distinctive, Counter(hashes))


def align(text: HashedText, image: LineOwners[C], owned: Ownership[C]) -> None:
    """Fill in what `image` knows of lines that have no owner yet."""
    _Alignment(text, image.cells, owned).run()


class _Alignment(Generic[C]):
    def __init__(self, text: HashedText, cells: Sequence[Cell[C]], owned: Ownership[C]) -> None:
        self._text, self._cells, self._owned = text, cells, owned
        # A line whose hash nobody recorded is like no other.
        self._hashes = [b"?%d" % at if hash_ is None else hash_ for at, (_, hash_, _) in enumerate(cells)]
        self._counts = Counter(self._hashes)
        self._by: defaultdict[bytes, set[C | None]] = defaultdict(set)
        for hash_, (owner, _, _) in zip(self._hashes, cells, strict=True):
            self._by[hash_].add(owner)
        self._here: set[int] = set()
        self._there: set[int] = set()

    def run(self) -> None:
        if not self._counts.keys() & self._text.counts.keys():
            return
        here, there = len(self._text.hashes), len(self._cells)
        blocks = changed_blocks(self._hashes, self._text.hashes)
        for before, after in pairwise([ChangedLines(0, 0, 0, 0), *blocks, ChangedLines(there, there, here, here)]):
            self._in_order(before, after)
        self._moved()

    def _in_order(self, before: ChangedLines, after: ChangedLines) -> None:
        """The lines between two blocks, which are the same on both sides."""
        offset = before.b_end - before.a_end
        stretch = range(before.b_end, after.b_start)
        self._here.update(stretch)
        self._there.update(range(before.a_end, after.a_start))
        anchors = [at for at in stretch if self._is_anchor(at)]
        for at in stretch:
            cell = self._cells[at - offset]
            if anchors:
                is_sure = (
                    anchors[0] <= at <= anchors[-1]
                    or (at < anchors[0] and self._is_sure(cell, range(before.a_start, before.a_end)))
                    or (at > anchors[-1] and self._is_sure(cell, range(after.a_start, after.a_end)))
                )
            else:
                is_sure = self._text.distinctive[at] and len(self._by[self._text.hashes[at]]) == 1
            if is_sure:
                self._give(at, cell)

    def _is_anchor(self, at: int) -> bool:
        hash_ = self._text.hashes[at]
        return self._text.distinctive[at] and self._text.counts[hash_] == 1 and self._counts[hash_] == 1

    def _is_sure(self, cell: Cell[C], gap: range) -> bool:
        """Whether no line of the gap beside the stretch could as well be the one that stayed."""
        owner, hash_, _ = cell
        return len(self._by[hash_ or b""]) == 1 or all(
            self._cells[at][1] != hash_ or self._cells[at][0] == owner for at in gap
        )

    def _give(self, at: int, cell: Cell[C]) -> None:
        if self._owned.owners[at] is None:
            self._owned.owners[at] = cell[0]
            self._owned.roots[at] = self._owned.roots[at] or cell[2]

    def _moved(self) -> None:
        """What stands elsewhere now: around a line that there is once on both sides."""
        places = {hash_: at for at, hash_ in enumerate(self._hashes) if at not in self._there}
        for at, hash_ in enumerate(self._text.hashes):
            if at in self._here or hash_ not in places or not self._is_anchor(at):
                continue
            offset = at - places[hash_]
            for step in (-1, 1):
                here = at if step < 0 else at + 1
                while self._is_same(here, here - offset):
                    self._here.add(here)
                    self._there.add(here - offset)
                    self._give(here, self._cells[here - offset])
                    here += step

    def _is_same(self, here: int, there: int) -> bool:
        return (
            0 <= here < len(self._text.hashes)
            and 0 <= there < len(self._cells)
            and here not in self._here
            and there not in self._there
            and self._text.hashes[here] == self._hashes[there]
        )

"""Finds the lines of a content again in a version that is near to it: by their hashes and by their context.

Common lines (a bracket, a blank line), and lines that several people wrote alike, are no evidence by themselves. They
get an owner only inside a stretch of equal lines that another line anchors.

    version          content             owner
    Ada  alpha()     alpha()             Ada    anchor: it says something, and is there once on both sides
    Ada  }           }                   Ada    beside an anchor, and the change below took no other `}` away
    Ben  beta()      unseen()            None   in no version
    Ben  more()      more()              Ben    anchor
    Cleo }           }                   Cleo   beside an anchor, at the end of both

Had the version been `alpha() } } beta()`, with the second bracket Ben's, either could be the one that is left above
`unseen()`: then it has no owner.

What stands in another place than in the version, or is compared with a version of another file, may be equal by chance.
Such a block needs two different telling lines, side by side in both:

    version                content                 owner
    Ada  open_the_db()     fill_the_table()        Ada    two telling lines, which stood side by side
    Ada  fill_the_table()  close_the_db()          Ada
    Ada  close_the_db()    unseen_before()         None
                           open_the_db()           None   equal, and alone: no proof
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import pairwise
from typing import Generic, TypeVar

from msgspec import Struct

from intentls.core.blame.version_graph import LineOwners, LineState, Ownership, is_moved
from intentls.core.text.line_diff import ChangedLines, changed_blocks
from intentls.core.text.line_hashes import is_distinctive, line_hash

C = TypeVar("C")


class HashedText(Struct, frozen=True):
    """A content as hashes of its lines, and which lines are evidence by themselves."""

    hashes: list[bytes]
    distinctive: list[bool]
    counts: Counter[bytes]

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> HashedText:
        """Of lines without their ends."""
        hashes = [line_hash(line) for line in lines]
        return cls(hashes, [is_distinctive(line) for line in lines], Counter(hashes))

    def as_before(self, roots: Sequence[bytes | None]) -> HashedText:
        """With the hashes that lines had before they were formatted, where they are known."""
        if not any(roots):
            return self
        hashes = [root or hash_ for root, hash_ in zip(roots, self.hashes, strict=True)]
        return HashedText(hashes, self.distinctive, Counter(hashes))


PROOF = 2
"""What the different lines of a block count together, at least: a telling line counts 1, and 2 if a record moved it."""


class Kinship(Enum):
    """What a version has to do with the content, and so what needs a proof."""

    LATEST = "a latest version of the same file: what kept its order is still there"
    EARLIER = "an earlier version of the same file: the same, if half of it is there"
    RENAMED = "a version of a file that is gone: the same, if a block of it is proven as well"
    OTHER = "a version of another file"


def align(
    text: HashedText,
    version: LineOwners[C],
    ownership: Ownership[C],
    weights: Sequence[int],
    kinship: Kinship,
) -> None:
    """Fill in the owners, by one version, of lines that have none yet.

    `weights`: what each line of the content counts in the proof that a block is from the version, see `PROOF`.
    """
    _Alignment(text, version.lines, ownership, weights).run(kinship)


class _Alignment(Generic[C]):
    """`old` are lines of the version, `new` are lines of the content; all are indexes from 0."""

    def __init__(
        self, text: HashedText, lines: Sequence[LineState[C]], ownership: Ownership[C], weights: Sequence[int]
    ) -> None:
        self._text, self._lines, self._ownership, self._weights = text, lines, ownership, weights
        # A line whose hash is not recorded equals no other line.
        self._hashes = [b"?%d" % old if hash_ is None else hash_ for old, (_, hash_, _) in enumerate(lines)]
        self._counts = Counter(self._hashes)
        self._owners_of: defaultdict[bytes, set[C | None]] = defaultdict(set)
        for hash_, (owner, _, _) in zip(self._hashes, lines, strict=True):
            self._owners_of[hash_].add(owner)
        self._anchors: list[tuple[int, int]] = []  # of the stretches: (new, old), in order
        self._paired_new: set[int] = set()
        self._paired_old: set[int] = set()

    def run(self, kinship: Kinship) -> None:
        """First the stretches that kept their order, then what moved.

        Between two stretches that are proven, each stretch counts: the file was renamed, and edited since.
        """
        if not self._counts.keys() & self._text.counts.keys():
            return
        new_count, old_count = len(self._text.hashes), len(self._lines)
        blocks = changed_blocks(self._hashes, self._text.hashes)
        # Between two changed blocks lies a stretch of equal lines; so too before the first and behind the last.
        end = ChangedLines(old_count, old_count, new_count, new_count)
        stretches = list(pairwise([ChangedLines(0, 0, 0, 0), *blocks, end]))
        ranges = [range(before.b_end, after.b_start) for before, after in stretches]
        proven = [number for number, stretch in enumerate(ranges) if self._is_proven(stretch)]
        is_kin = kinship is Kinship.LATEST or (
            (kinship is Kinship.EARLIER or (kinship is Kinship.RENAMED and bool(proven)))
            and self._is_half_of_it(ranges)
        )
        first, last = (0, len(ranges) - 1) if is_kin else (proven[0], proven[-1]) if proven else (0, -1)
        for number, (before, after) in enumerate(stretches):
            self._take_stretch(before, after, is_taken=first <= number <= last)
        self._take_moved(is_kin=is_kin)

    def _is_proven(self, block: Iterable[int]) -> bool:
        return sum({self._text.hashes[new]: self._weights[new] for new in block}.values()) >= PROOF

    def _is_half_of_it(self, stretches: Sequence[range]) -> bool:
        """Whether two or more distinctive lines, half of the version's different ones, kept their order."""
        kept = {self._text.hashes[new] for stretch in stretches for new in stretch if self._text.distinctive[new]}
        known = {hash_ for _, hash_, _ in self._lines if hash_ is not None}
        return len(kept) >= PROOF and 2 * len(kept) >= len(known)

    def _take_stretch(self, before: ChangedLines, after: ChangedLines, *, is_taken: bool) -> None:
        """The equal lines between two changed blocks: their offset is the same from end to end.

        Between the first and the last anchor every line is sure. Above the first one the stretch could be longer by
        chance: the line may really be one of those that the block before took away, and the one here is new. Such a
        line is sure only if that block holds no equal line of another owner. The same goes for those below the last.
        Without any anchor a line needs to be distinctive and of one owner only.
        """
        offset = before.b_end - before.a_end
        stretch = range(before.b_end, after.b_start)
        self._paired_new.update(stretch)
        self._paired_old.update(range(before.a_end, after.a_start))
        anchors = [new for new in stretch if self._is_anchor(new)]
        self._anchors += [(new, new - offset) for new in anchors]
        for new in stretch if is_taken else ():
            line = self._lines[new - offset]
            if anchors:
                is_sure = (
                    anchors[0] <= new <= anchors[-1]
                    or (new < anchors[0] and self._is_sure_beside(line, range(before.a_start, before.a_end)))
                    or (new > anchors[-1] and self._is_sure_beside(line, range(after.a_start, after.a_end)))
                )
            else:
                is_sure = self._text.distinctive[new] and len(self._owners_of[self._text.hashes[new]]) == 1
            if is_sure:
                self._assign(new, line)

    def _is_anchor(self, new: int) -> bool:
        hash_ = self._text.hashes[new]
        return self._text.distinctive[new] and self._text.counts[hash_] == 1 and self._counts[hash_] == 1

    def _is_sure_beside(self, line: LineState[C], removed: range) -> bool:
        """Whether none of the removed lines beside the stretch could as well be the one that stayed."""
        owner, hash_, _ = line
        return len(self._owners_of[hash_ or b""]) == 1 or all(
            self._lines[old][1] != hash_ or self._lines[old][0] == owner for old in removed
        )

    def _assign(self, new: int, line: LineState[C]) -> None:
        if self._ownership.owners[new] is None:
            self._ownership.owners[new] = line[0]
            self._ownership.roots[new] = self._ownership.roots[new] or line[2]
            self._ownership.moved[new] |= is_moved(line)

    def _take_moved(self, *, is_kin: bool) -> None:
        """What stands elsewhere now: an anchor that is in no stretch, and the equal lines above and below it.

        A comparison that pairs brackets first may leave out a line that kept its order among the anchors: it is none
        that stands elsewhere.
        """
        unpaired = {hash_: old for old, hash_ in enumerate(self._hashes) if old not in self._paired_old}
        for anchor, hash_ in enumerate(self._text.hashes):
            if anchor in self._paired_new or hash_ not in unpaired or not self._is_anchor(anchor):
                continue
            offset = anchor - unpaired[hash_]
            block: list[int] = []
            for step in (-1, 1):
                new = anchor if step < 0 else anchor + 1
                while self._is_equal(new, new - offset):
                    self._paired_new.add(new)
                    self._paired_old.add(new - offset)
                    block.append(new)
                    new += step
            is_in_order = is_kin and self._is_in_order(anchor, anchor - offset)
            for new in block if is_in_order or self._is_proven(block) else ():
                self._assign(new, self._lines[new - offset])

    def _is_in_order(self, new: int, old: int) -> bool:
        """Whether a line stands between the same two anchors of the stretches as in the version."""
        place = bisect_left(self._anchors, (new, 0))
        above = self._anchors[place - 1][1] if place else -1
        below = self._anchors[place][1] if place < len(self._anchors) else len(self._lines)
        return above < old < below

    def _is_equal(self, new: int, old: int) -> bool:
        """Whether two lines are equal, and in no pair yet."""
        return (
            0 <= new < len(self._text.hashes)
            and 0 <= old < len(self._lines)
            and new not in self._paired_new
            and old not in self._paired_old
            and self._text.hashes[new] == self._hashes[old]
        )

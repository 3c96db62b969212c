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
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from intentls.core.blame.version_graph import LineOwners, LineState, Ownership
from intentls.core.text.line_diff import ChangedLines, changed_blocks
from intentls.core.text.line_hashes import is_distinctive, line_hash

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class HashedText:
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


def align(text: HashedText, version: LineOwners[C], ownership: Ownership[C]) -> None:
    """Fill in the owners, by one version, of lines that have none yet."""
    _Alignment(text, version.lines, ownership).run()


class _Alignment(Generic[C]):
    """`old` are lines of the version, `new` are lines of the content; all are indexes from 0."""

    def __init__(self, text: HashedText, lines: Sequence[LineState[C]], ownership: Ownership[C]) -> None:
        self._text, self._lines, self._ownership = text, lines, ownership
        # A line whose hash is not recorded equals no other line.
        self._hashes = [b"?%d" % old if hash_ is None else hash_ for old, (_, hash_, _) in enumerate(lines)]
        self._counts = Counter(self._hashes)
        self._owners_of: defaultdict[bytes, set[C | None]] = defaultdict(set)
        for hash_, (owner, _, _) in zip(self._hashes, lines, strict=True):
            self._owners_of[hash_].add(owner)
        self._paired_new: set[int] = set()
        self._paired_old: set[int] = set()

    def run(self) -> None:
        """First the stretches that kept their order, then what moved."""
        if not self._counts.keys() & self._text.counts.keys():
            return
        new_count, old_count = len(self._text.hashes), len(self._lines)
        blocks = changed_blocks(self._hashes, self._text.hashes)
        # Between two changed blocks lies a stretch of equal lines; so too before the first and behind the last.
        end = ChangedLines(old_count, old_count, new_count, new_count)
        for before, after in pairwise([ChangedLines(0, 0, 0, 0), *blocks, end]):
            self._take_stretch(before, after)
        self._take_moved()

    def _take_stretch(self, before: ChangedLines, after: ChangedLines) -> None:
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
        for new in stretch:
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

    def _take_moved(self) -> None:
        """What stands elsewhere now: an anchor that is in no stretch, and the equal lines above and below it."""
        unpaired = {hash_: old for old, hash_ in enumerate(self._hashes) if old not in self._paired_old}
        for anchor, hash_ in enumerate(self._text.hashes):
            if anchor in self._paired_new or hash_ not in unpaired or not self._is_anchor(anchor):
                continue
            offset = anchor - unpaired[hash_]
            for step in (-1, 1):
                new = anchor if step < 0 else anchor + 1
                while self._is_equal(new, new - offset):
                    self._paired_new.add(new)
                    self._paired_old.add(new - offset)
                    self._assign(new, self._lines[new - offset])
                    new += step

    def _is_equal(self, new: int, old: int) -> bool:
        """Whether two lines are equal, and in no pair yet."""
        return (
            0 <= new < len(self._text.hashes)
            and 0 <= old < len(self._lines)
            and new not in self._paired_new
            and old not in self._paired_old
            and self._text.hashes[new] == self._hashes[old]
        )

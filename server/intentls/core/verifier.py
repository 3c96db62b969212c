"""Is a ledger whole? Follows every writer's chain through a file, line by line.

What it holds grows with the number of writers and of problems, never with the number of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from intentls.core.chain import Link, Newest, line_hash, parse, read_link, strip_end

MAX_PROBLEMS = 1000  # that are listed; a file that is wrong throughout must not fill the memory


class ProblemKind(StrEnum):
    """What can be wrong with a ledger."""

    TORN = "torn"  # no JSON object: a write was cut off, or somebody damaged the line
    FOREIGN = "foreign"  # a JSON object without a place in any chain: not written by this program
    EDITED = "edited"  # not the content that its successor (or the machine that wrote it) knows
    REMOVED = "removed"  # numbers are missing
    REORDERED = "reordered"  # the writer's later lines stand before it
    DUPLICATED = "duplicated"  # the same line again
    FORKED = "forked"  # the same number again with other content: two copies of a workspace wrote on
    CUT = "cut"  # the newest lines that this machine wrote are gone


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """`line` counts from 1; it is 0 if a line is missed from an empty ledger."""

    line: int
    kind: ProblemKind
    message: str


@dataclass(slots=True)
class _Chain:
    """What is known of one writer. `top` is its highest number so far."""

    top: int = 0
    top_hash: str | None = None
    top_line: int = 0
    gaps: list[tuple[int, int]] = field(default_factory=list)  # numbers not seen yet, half-open
    # Around each gap: the hash of the number before it, the hash cited by the one behind it; and their lines.
    ends: dict[int, tuple[str, int]] = field(default_factory=dict)
    wants: dict[int, tuple[str | None, int]] = field(default_factory=dict)
    again: set[str] = field(default_factory=set)  # hashes of the lines whose number had been seen before


class Verifier:
    """Feed it every line in order, then `finish`. Blank lines hurt nobody and are passed over."""

    def __init__(self) -> None:
        self.records = 0
        self._chains: dict[str, _Chain] = {}
        self._problems: list[Problem] = []
        self._last_line = 0
        # Numbers that came twice: the first line is forgotten by then, so a second reading tells what it was.
        self._twice: dict[tuple[str, int], tuple[str, int] | None] = {}

    @property
    def needs_second_look(self) -> bool:
        """Whether `look_again` must be fed all lines once more, before `finish`."""
        return bool(self._twice)

    def feed(self, number: int, raw: bytes) -> None:
        """Line `number` (from 1), with or without its end."""
        line = strip_end(raw)
        self._last_line = number
        if not line.strip():
            return
        link = read_link(line)
        if link is None:
            self._without_link(number, line)
            return
        self.records += 1
        chain = self._chains.get(link.writer)
        if chain is None:
            chain = self._chains[link.writer] = _Chain()
        hash_ = line_hash(line)
        if link.seq == chain.top + 1 and link.prev == chain.top_hash:
            chain.top, chain.top_hash, chain.top_line = link.seq, hash_, number
        elif link.seq > chain.top:
            self._ahead(chain, link, hash_, number)
        else:
            self._behind(chain, link, hash_, number)

    def look_again(self, number: int, raw: bytes) -> None:
        """The second reading: settles whether a number that came twice is a copy or another record."""
        line = strip_end(raw)
        link = read_link(line)
        if link is None or (link.writer, link.seq) not in self._twice:
            return
        key, hash_ = (link.writer, link.seq), line_hash(line)
        first = self._twice[key]
        if first is None:
            self._twice[key] = (hash_, number)
        elif first[0] == hash_:
            self._report(number, ProblemKind.DUPLICATED, f"{_name(link)} stands in line {first[1]} already.")
        else:
            self._report(
                number,
                ProblemKind.FORKED,
                f"{_name(link)} stands in line {first[1]} with other content: "
                "two copies of one workspace wrote under the same name, or one of the lines is forged.",
            )

    def finish(
        self, newest: Mapping[str, Newest], elsewhere: Callable[[str], bool] = lambda _: False
    ) -> tuple[Problem, ...]:
        """All problems by line. `newest` is what this machine knows it wrote last, by writer.

        `elsewhere` is asked, with a record's id, whether a record that is missed at a chain's end is kept in
        another place (another branch).
        """
        for writer, chain in self._chains.items():
            for first, after in chain.gaps:
                message = f"{_range(first, after)} of writer {writer} is missing before this line."
                self._report(chain.wants[after - 1][1], ProblemKind.REMOVED, message)
        for writer, known in newest.items():
            self._check_newest(writer, known, elsewhere)
        return tuple(sorted(self._problems))

    def _without_link(self, number: int, line: bytes) -> None:
        if parse(line) is None:
            message = "This is no record: it was cut off while being written, or damaged."
            self._report(number, ProblemKind.TORN, message)
        else:
            self.records += 1
            message = "This record is in no chain: something else than intentls wrote it."
            self._report(number, ProblemKind.FOREIGN, message)

    def _ahead(self, chain: _Chain, link: Link, hash_: str, number: int) -> None:
        """A number beyond the top: right behind it with another `prev`, or after a gap."""
        if link.seq == chain.top + 1:
            if link.prev not in chain.again:
                self._check_link(chain.top_hash, chain.top_line, link.prev, number)
        else:
            if chain.top_hash is not None:
                chain.ends[chain.top] = (chain.top_hash, chain.top_line)
            chain.gaps.append((chain.top + 1, link.seq))
            chain.wants[link.seq - 1] = (link.prev, number)
        chain.top, chain.top_hash, chain.top_line = link.seq, hash_, number

    def _behind(self, chain: _Chain, link: Link, hash_: str, number: int) -> None:
        """A number that should have come earlier: it fills a gap, or it came twice."""
        seq = link.seq
        gap = next(((first, after) for first, after in chain.gaps if first <= seq < after), None)
        if gap is None:
            if len(self._twice) < MAX_PROBLEMS:
                chain.again.add(hash_)
                self._twice[link.writer, seq] = None
            return
        self._report(number, ProblemKind.REORDERED, f"{_name(link)} stands behind later ones of its writer.")
        chain.gaps.remove(gap)
        chain.gaps.extend(part for part in ((gap[0], seq), (seq + 1, gap[1])) if part[0] < part[1])
        before, behind = chain.ends.pop(seq - 1, None), chain.wants.pop(seq, None)
        if before is not None:
            self._check_link(before[0], before[1], link.prev, number)
        elif seq == 1:
            self._check_link(None, number, link.prev, number)
        else:
            chain.wants[seq - 1] = (link.prev, number)
        if behind is not None:
            self._check_link(hash_, number, behind[0], behind[1])
        else:
            chain.ends[seq] = (hash_, number)

    def _check_link(self, hash_: str | None, line: int, cited: str | None, by: int) -> None:
        """`cited`, in line `by`, must be the hash of `line`; None if the chain begins there."""
        if hash_ == cited:
            return
        if hash_ is None:
            self._report(by, ProblemKind.EDITED, "This first record of a writer cites one before it.")
        else:
            self._report(line, ProblemKind.EDITED, f"This is not the content that line {by} was chained to.")

    def _check_newest(self, writer: str, known: Newest, elsewhere: Callable[[str], bool]) -> None:
        chain = self._chains.get(writer, _Chain())
        if chain.top < known.seq:
            if not elsewhere(known.record_id):
                gone = _range(chain.top + 1, known.seq + 1)
                message = f"{gone} of writer {writer}, written on this machine, is missing after this line."
                self._report(chain.top_line or self._last_line, ProblemKind.CUT, message)
        elif chain.top == known.seq and known.line_hash not in (chain.top_hash, *chain.again):
            self._report(chain.top_line, ProblemKind.EDITED, "This is not the content that was written here.")

    def _report(self, line: int, kind: ProblemKind, message: str) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(Problem(line, kind, message))


def _name(link: Link) -> str:
    return f"Record {link.seq} of writer {link.writer}"


def _range(first: int, after: int) -> str:
    return f"Record {first}" if after - first == 1 else f"Each of records {first} to {after - 1}"

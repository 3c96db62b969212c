"""Where the changed lines of a record come from: lines that it moved, or only formatted, keep whoever wrote them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from intentls.core.text.line_hashes import OMITTED, is_distinctive, line_hash
from intentls.core.text.lines import Hunk
from intentls.core.untrusted_json import text_of

_TOKEN = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[^\sA-Za-z0-9_\x80-\xff]")
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")
_MOST_PAIRS = 2**26  # of tokens in one hunk
MOST_ORIGINS = 4_000


@dataclass(frozen=True, slots=True)
class Origin:
    """Lines `start_line` to `end_line` of the new content are `old_start_line` to `old_end_line` of the old one.

    As many old as new: line by line; else each new one comes from all the old ones. `path`: the old content is that
    of another file of the same record, by its name there; None: of this file. `old_line_hashes` are those of the old
    lines where they are not the same as the new ones, UNTOLD for those that say nothing by themselves.
    """

    start_line: int
    end_line: int
    old_start_line: int
    old_end_line: int
    path: str | None = None
    old_line_hashes: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON object; `path` only where it is another file's."""
        result: dict[str, Any] = {
            "start_line": self.start_line,
            "end_line": self.end_line,
            "old_start_line": self.old_start_line,
            "old_end_line": self.old_end_line,
        }
        for key in ("path", "old_line_hashes"):
            if getattr(self, key) is not None:
                result[key] = getattr(self, key)
        return result


@dataclass(frozen=True, slots=True)
class FileLines:
    """One file of a change: its lines without their ends, and the hunks between. `path` is its name in the record."""

    path: str
    before: Sequence[bytes]
    after: Sequence[bytes]
    hunks: Sequence[Hunk]


def moved(sides: Sequence[FileLines]) -> list[list[Origin]]:
    """For each file, the added blocks that were deleted elsewhere in the same change, line for line.

    A block needs a line that says something of its own and stands once among all that was deleted, and once among
    all that was added.
    """
    pool = _RemovedLines(sides)
    return [sorted(pool.found_in(number), key=lambda origin: origin.start_line) for number in range(len(sides))]


def _deleted(side: FileLines) -> Iterator[int]:
    for hunk in side.hunks:
        if hunk.old_lines:
            yield from range(hunk.old_start - 1, hunk.old_start - 1 + hunk.old_lines)


def _added(side: FileLines) -> Iterator[range]:
    for hunk in side.hunks:
        if hunk.new_lines:
            yield range(hunk.new_start - 1, hunk.new_start - 1 + hunk.new_lines)


class _RemovedLines:
    """What was deleted and not found again yet."""

    def __init__(self, sides: Sequence[FileLines]) -> None:
        self._sides = sides
        self._places: dict[bytes, list[tuple[int, int]]] = {}
        for number, side in enumerate(sides):
            for index in _deleted(side):
                self._places.setdefault(side.before[index], []).append((number, index))
        self._left = {place for places in self._places.values() for place in places}
        self._added = Counter(side.after[index] for side in sides for block in _added(side) for index in block)

    def found_in(self, number: int) -> Iterator[Origin]:
        side = self._sides[number]
        for block in _added(side) if self._left else ():
            taken: set[int] = set()
            for index in block:
                if index in taken or not self._is_seed(side.after[index]):
                    continue
                source, old = self._places[side.after[index]][0]
                start = self._reach(side, source, index, old, block, taken, -1)
                end = self._reach(side, source, index, old, block, taken, 1)
                taken.update(range(start, end + 1))
                self._left.difference_update((source, at - index + old) for at in range(start, end + 1))
                path = None if source == number else self._sides[source].path
                yield Origin(start + 1, end + 1, start - index + old + 1, end - index + old + 1, path)

    def _is_seed(self, line: bytes) -> bool:
        return self._added[line] == 1 and len(self._places.get(line, ())) == 1 and is_distinctive(line)

    def _reach(
        self, side: FileLines, source: int, index: int, old: int, block: range, taken: set[int], step: int
    ) -> int:
        """How far the block that is the same around `index` goes in one direction."""
        at, lines = index, self._sides[source].before
        while True:
            following, place = at + step, at + step - index + old
            if following not in block or following in taken or (source, place) not in self._left:
                return at
            if side.after[following] != lines[place]:
                return at
            at = following


def formatted(side: FileLines) -> list[Origin]:
    """The changed lines that say word for word what the lines in their place said. Ask only of changes of form."""
    changed = {index + 1 for block in _added(side) for index in block}
    return [
        replace(origin, old_line_hashes=_hashes(side.before[origin.old_start_line - 1 : origin.old_end_line]))
        for hunk in _joined(side)
        for origin in _merged(each for each in _reflowed(side, hunk) if each.start_line in changed)
    ]


def _joined(side: FileLines) -> list[Hunk]:
    """The hunks; as one where a side has nothing to compare, and only lines that stand everywhere lie between."""
    found: list[Hunk] = []
    for hunk in side.hunks:
        is_lonely = found and not all((found[-1].old_lines, found[-1].new_lines, hunk.old_lines, hunk.new_lines))
        if is_lonely and not any(map(is_distinctive, side.before[_end(found[-1]) : _start(hunk)])):
            last = found.pop()
            old = last.old_lines + hunk.old_lines + _start(hunk) - _end(last)
            new = last.new_lines + hunk.new_lines + _start(hunk) - _end(last)
            hunk = Hunk(_start(last) + 1, old, last.new_start + (not last.new_lines), new)  # noqa: PLW2901
        found.append(hunk)
    return found


def _start(hunk: Hunk) -> int:
    """The index of the first old line; where there is none, of the line after."""
    return hunk.old_start - 1 if hunk.old_lines else hunk.old_start


def _end(hunk: Hunk) -> int:
    return _start(hunk) + hunk.old_lines


def _hashes(lines: Iterable[bytes]) -> str:
    return b"".join(line_hash(line) if is_distinctive(line) else OMITTED for line in lines).decode("ascii")


def _reflowed(side: FileLines, hunk: Hunk) -> Iterator[Origin]:
    """One origin a line, for lines whose words, and those of all lines that they share words with, are all there."""
    if not (hunk.old_lines and hunk.new_lines):
        return
    numbers: dict[bytes, int] = {}
    old = _tokens(side.before, hunk.old_start, hunk.old_lines, numbers)
    new = _tokens(side.after, hunk.new_start, hunk.new_lines, numbers)
    if len(old) * len(new) > _MOST_PAIRS:
        return
    words = {number for token, number in numbers.items() if _WORD.fullmatch(token)}
    is_wordy = {line for token, line in new if token in words}
    groups = _WordGroups()
    spoilt: set[tuple[bool, int]] = set()
    from_lines: dict[int, set[int]] = {}
    from rapidfuzz.distance import LCSseq  # late, as in `linediff`

    for code in LCSseq.opcodes([token for token, _ in old], [token for token, _ in new]):
        here, there = old[code.src_start : code.src_end], new[code.dest_start : code.dest_end]
        if code.tag == "equal":
            for (token, old_line), (_, new_line) in zip(here, there, strict=True):
                groups.join((False, old_line), (True, new_line))
                # A bracket may be that of another line: where there are words, they tell.
                if token in words or new_line not in is_wordy:
                    from_lines.setdefault(new_line, set()).add(old_line)
        else:
            spoilt |= {(False, line) for token, line in here if token in words}
            spoilt |= {(True, line) for token, line in there if token in words}
    bad = {groups.find(member) for member in spoilt}
    for new_line in sorted(from_lines):
        if groups.find((True, new_line)) not in bad:
            yield Origin(new_line, new_line, min(from_lines[new_line]), max(from_lines[new_line]))


def _tokens(lines: Sequence[bytes], start: int, count: int, numbers: dict[bytes, int]) -> list[tuple[int, int]]:
    return [
        (numbers.setdefault(token, len(numbers)), line)
        for line in range(start, start + count)
        for token in _TOKEN.findall(lines[line - 1].replace(b"'", b'"'))
    ]


class _WordGroups:
    """Which lines share words, be it over others."""

    def __init__(self) -> None:
        self._parents: dict[tuple[bool, int], tuple[bool, int]] = {}

    def find(self, member: tuple[bool, int]) -> tuple[bool, int]:
        while (parent := self._parents.get(member, member)) != member:
            self._parents[member] = self._parents.get(parent, parent)
            member = parent
        return member

    def join(self, one: tuple[bool, int], other: tuple[bool, int]) -> None:
        self._parents[self.find(one)] = self.find(other)


def _merged(origins: Iterable[Origin]) -> Iterator[Origin]:
    """Neighbours told as one where that says the same."""
    last: Origin | None = None
    for origin in origins:
        if last is None:
            last = origin
        elif _continues(last, origin):
            last = Origin(last.start_line, origin.end_line, last.old_start_line, origin.old_end_line)
        else:
            yield last
            last = origin
    if last is not None:
        yield last


def _continues(last: Origin, origin: Origin) -> bool:
    if origin.start_line != last.end_line + 1 or origin.old_start_line != origin.old_end_line:
        return False
    is_pairwise = last.end_line - last.start_line == last.old_end_line - last.old_start_line
    return is_pairwise and origin.old_start_line == last.old_end_line + 1


def read_origin(entry: dict[str, Any]) -> Origin | None:
    """An origin out of a ledger; None for what has another shape."""
    start, old_start = _number(entry, "start_line"), _number(entry, "old_start_line")
    end, old_end = _number(entry, "end_line"), _number(entry, "old_end_line")
    path = entry.get("path")
    if not (0 < start <= end and 0 < old_start <= old_end and (path is None or isinstance(path, str))):
        return None
    return Origin(start, end, old_start, old_end, path, text_of(entry, "old_line_hashes"))


def _number(entry: dict[str, Any], key: str) -> int:
    value = entry.get(key)
    return value if isinstance(value, int) else 0

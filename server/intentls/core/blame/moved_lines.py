"""Where the changed lines of a record come from: lines that it moved, or only formatted, keep their author.

A record moves one line of a file, and changes two:

    before            after
    1  alpha()        1  gamma( 1 )
    2  beta()         2  delta()
    3  gamma(1)       3  end()
    4  delta()        4  alpha()
    5  end()          5  BETA()

`moved` looks for the added lines 1, 4 and 5 among the removed lines 1 to 3. `alpha()` is there once on both sides, so
it is a seed, and the block around it grows as far as the lines are equal. Here that is the line alone: line 4 was
line 1.

If only the form changed, as from `gamma(1)` to `gamma( 1 )` in its place, `formatted` compares the tokens of the hunk:
they are all there in the same order, so the line is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.ledger.line_range import Origin
from intentls.core.text.line_diff import edit_script
from intentls.core.text.line_hashes import OMITTED, is_distinctive, line_hash
from intentls.core.text.lines import Hunk
from intentls.late_pattern import late_pattern

_TOKEN = late_pattern(rb"[A-Za-z0-9_\x80-\xff]+|[^\sA-Za-z0-9_\x80-\xff]")
_WORD = late_pattern(rb"[A-Za-z0-9_\x80-\xff]+")
_MAX_PAIRS = 2**26  # of tokens in one hunk

_LineId = tuple[bool, int]
"""Whether a line is a new one, and its number."""


class FileLines(Struct, frozen=True):
    """One file of a change: its lines without their ends, and the hunks between. `path` is its name in the record."""

    path: str
    before: Sequence[bytes]
    after: Sequence[bytes]
    hunks: Sequence[Hunk]

    def removed(self) -> Iterator[int]:
        """The indexes of the old lines that the hunks remove."""
        for hunk in self.hunks:
            yield from range(_start(hunk), _end(hunk))

    def added(self) -> Iterator[range]:
        """The indexes of the new lines that each hunk adds."""
        for hunk in self.hunks:
            if hunk.new_lines:
                yield range(hunk.new_start - 1, hunk.new_start - 1 + hunk.new_lines)


def moved(files: Sequence[FileLines]) -> list[list[Origin]]:
    """For each file, the added blocks that were removed elsewhere in the same change, line for line.

    A block needs a seed: a distinctive line that is once among all that was removed, and once among all that was added.
    """
    removed = _RemovedLines(files)
    return [sorted(removed.find_in(file), key=lambda origin: origin.start_line) for file in range(len(files))]


class _RemovedLines:
    """The removed lines of all files that are in no moved block yet, by file number and index."""

    def __init__(self, files: Sequence[FileLines]) -> None:
        self._files = files
        self._ids: dict[bytes, list[tuple[int, int]]] = {}
        for number, file in enumerate(files):
            for index in file.removed():
                self._ids.setdefault(file.before[index], []).append((number, index))
        self._left = {id_ for ids in self._ids.values() for id_ in ids}
        self._added = Counter(file.after[index] for file in files for block in file.added() for index in block)

    def find_in(self, number: int) -> Iterator[Origin]:
        """The moved blocks among what was added to a file."""
        file = self._files[number]
        for block in file.added() if self._left else ():
            taken: set[int] = set()
            for seed in block:
                line = file.after[seed]
                if seed in taken or not self._is_seed(line):
                    continue
                source, old_seed = self._ids[line][0]
                offset = old_seed - seed
                start, end = (self._grow(file, source, seed, offset, block, taken, step) for step in (-1, 1))
                taken.update(range(start, end + 1))
                self._left.difference_update((source, index + offset) for index in range(start, end + 1))
                path = None if source == number else self._files[source].path
                yield Origin(start + 1, end + 1, start + offset + 1, end + offset + 1, path)

    def _is_seed(self, line: bytes) -> bool:
        return self._added[line] == 1 and len(self._ids.get(line, ())) == 1 and is_distinctive(line)

    def _grow(
        self, file: FileLines, source: int, seed: int, offset: int, block: range, taken: set[int], step: int
    ) -> int:
        """The last line in one direction up to which the added lines equal removed ones that are still left."""
        index, before = seed, self._files[source].before
        while True:
            following = index + step
            if following not in block or following in taken or (source, following + offset) not in self._left:
                return index
            if file.after[following] != before[following + offset]:
                return index
            index = following


def formatted(file: FileLines) -> list[Origin]:
    """The changed lines that have the same words as the lines in their place had. Ask only if just the form changed."""
    changed = {index + 1 for block in file.added() for index in block}
    return [
        replace(origin, old_line_hashes=_hashes(file.before[origin.old_start_line - 1 : origin.old_end_line]))
        for hunk in _joined_hunks(file)
        for origin in _merged(origin for origin in _reflowed(file, hunk) if origin.start_line in changed)
    ]


def _joined_hunks(file: FileLines) -> list[Hunk]:
    """The hunks, two of them as one if one side is empty and only common lines lie between.

    A formatter that moves a bracket to another line removes a line here and adds one there: neither hunk alone has
    anything to compare.
    """
    hunks: list[Hunk] = []
    for hunk in file.hunks:
        last = hunks[-1] if hunks else None
        if (
            last is not None
            and not all((last.old_lines, last.new_lines, hunk.old_lines, hunk.new_lines))
            and not any(map(is_distinctive, file.before[_end(last) : _start(hunk)]))
        ):
            between = _start(hunk) - _end(last)
            old_lines = last.old_lines + hunk.old_lines + between
            new_lines = last.new_lines + hunk.new_lines + between
            hunks[-1] = Hunk(_start(last) + 1, old_lines, last.new_start + (not last.new_lines), new_lines)
        else:
            hunks.append(hunk)
    return hunks


def _start(hunk: Hunk) -> int:
    """The index of the first old line; if there is none, of the line after."""
    return hunk.old_start - 1 if hunk.old_lines else hunk.old_start


def _end(hunk: Hunk) -> int:
    return _start(hunk) + hunk.old_lines


def _hashes(lines: Iterable[bytes]) -> str:
    return b"".join(line_hash(line) if is_distinctive(line) else OMITTED for line in lines).decode("ascii")


def _reflowed(file: FileLines, hunk: Hunk) -> Iterator[Origin]:
    """One origin a new line, if all words of it, and of all lines that it shares words with, are there on both sides.

    The tokens of both sides are compared as sequences. Lines with a common token belong to one group; a word that is
    on one side only spoils the group of its line: there something else changed than the form.
    """
    if not (hunk.old_lines and hunk.new_lines):
        return
    numbers: dict[bytes, int] = {}
    old = _tokens(file.before, hunk.old_start, hunk.old_lines, numbers)
    new = _tokens(file.after, hunk.new_start, hunk.new_lines, numbers)
    if len(old) * len(new) > _MAX_PAIRS:
        return
    words = {number for token, number in numbers.items() if _WORD.fullmatch(token)}
    lines_with_words = {line for token, line in new if token in words}
    groups = _Groups()
    spoilt: set[_LineId] = set()
    sources: dict[int, set[int]] = {}  # by new line
    for code in edit_script([token for token, _ in old], [token for token, _ in new]):
        old_tokens, new_tokens = old[code.src_start : code.src_end], new[code.dest_start : code.dest_end]
        if code.tag == "equal":
            for (token, old_line), (_, new_line) in zip(old_tokens, new_tokens, strict=True):
                groups.join((False, old_line), (True, new_line))
                # A bracket may be that of another line: if a line has words, only they tell where it comes from.
                if token in words or new_line not in lines_with_words:
                    sources.setdefault(new_line, set()).add(old_line)
        else:
            spoilt |= {(False, line) for token, line in old_tokens if token in words}
            spoilt |= {(True, line) for token, line in new_tokens if token in words}
    spoilt_groups = {groups.find(line) for line in spoilt}
    for new_line in sorted(sources):
        if groups.find((True, new_line)) not in spoilt_groups:
            yield Origin(new_line, new_line, min(sources[new_line]), max(sources[new_line]))


def _tokens(lines: Sequence[bytes], start: int, count: int, numbers: dict[bytes, int]) -> list[tuple[int, int]]:
    """(number of the token, number of its line) for each token; both kinds of quotes are one."""
    return [
        (numbers.setdefault(token, len(numbers)), line)
        for line in range(start, start + count)
        for token in _TOKEN.findall(lines[line - 1].replace(b"'", b'"'))
    ]


class _Groups:
    """Which lines share words, also by way of other lines: a union-find forest."""

    def __init__(self) -> None:
        self._parents: dict[_LineId, _LineId] = {}

    def find(self, line: _LineId) -> _LineId:
        """The line that stands for the group."""
        while (parent := self._parents.get(line, line)) != line:
            self._parents[line] = self._parents.get(parent, parent)  # halves the way for the next time
            line = parent
        return line

    def join(self, one: _LineId, other: _LineId) -> None:
        """Make the groups of two lines one."""
        self._parents[self.find(one)] = self.find(other)


def _merged(origins: Iterable[Origin]) -> Iterator[Origin]:
    """Neighbours as one origin where that means the same."""
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

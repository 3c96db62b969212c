"""Who changed each line, when several authors edited one document between two saves.

Of `a b c d e`, Ada makes `a B c d e`, and then Ben `a B c D E e`. Compared with the last save, line 2 is Ada's, and
lines 4 to 5 are Ben's.

A person may undo and redo what others did. Ada turns `a b` into `a X b`, Ben undoes it (`a b`) and does it again
(`a X b`): X is still Ada's. A step `by_hand` gives a line the author that it had in an earlier version of the
document, if it stands there again where it stood: beside a line that it stood beside before, or as a line that would
hardly be written twice. And as an editor formats
what it saves, a line keeps its author in such a step if it says the same in another form (`core.blame.line_form`), or
if the step cut it elsewhere (`core.blame.moved_lines`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from intentls.core.blame.line_form import SameLines, form, same_lines
from intentls.core.blame.moved_lines import FileLines, moved
from intentls.core.ledger.line_range import LineRange, changed_ranges, range_of
from intentls.core.text.line_hashes import bare_lines, is_unlikely_twice
from intentls.core.text.lines import Hunk, carry, diff, diff_lines, split_lines

A = TypeVar("A")

_MAX_VERSIONS = 32  # of a document that are remembered from save to save
_MAX_BYTES = 4 * 1024 * 1024  # of all their texts


class AuthoredText(Struct, Generic[A], frozen=True):
    """`author` turned what was there into `after`.

    `by_hand`: a person did, who may have undone, redone or formatted what others wrote.
    """

    author: A
    after: bytes
    by_hand: bool = False


class AuthoredVersion(Struct, Generic[A], frozen=True):
    """What a document once was. `authors`: a tuple of one for each line, None where it is not known."""

    text: bytes
    authors: tuple[tuple[A] | None, ...]


class Attribution(Struct, Generic[A], frozen=True):
    """The changed lines by author, in order of first appearance, and the newest versions of the document.

    An author without a line of their own has no ranges if they removed lines that are gone, and is left out if nothing
    is left of what they did.
    """

    ranges: dict[A, tuple[LineRange, ...]]
    versions: tuple[AuthoredVersion[A], ...]


def attribute(
    before: bytes,
    steps: Sequence[AuthoredText[A]],
    past: Sequence[AuthoredVersion[A]] = (),
    *,
    is_indented: bool = False,
) -> Attribution[A]:
    """Who changed which line of `before` on the way to the last step's text.

    `past`: the document's earlier versions. `is_indented`: in its language indentation counts.
    """
    count = len(split_lines(before))
    known = past[-1].authors if past and past[-1].text == before else (None,) * count
    authors: list[tuple[A] | None] = list(known)
    sources = list(range(count))  # the line of `before` that each line is, -1 for none
    removers: dict[int, A] = {}
    versions = [*past, AuthoredVersion(before, known)]
    text = before
    for step in steps:
        hunks = diff(text, step.after)
        for hunk in hunks:
            removers.update((line, step.author) for line in sources[_old_lines(hunk)])
        earlier = authors
        authors, sources = carry(authors, hunks, (step.author,)), carry(sources, hunks, -1)
        if step.by_hand and any(earlier):
            for line, owner in _carried(text, step.after, hunks, earlier, is_indented):
                authors[line] = owner
        if step.by_hand:
            for line, known_owner in _restored(versions[:-1], step.after, hunks):
                authors[line] = known_owner
        text = step.after
        versions.append(AuthoredVersion(text, tuple(authors)))
    last = steps[-1].author
    new = [None if source >= 0 else owner for source, owner in zip(sources, authors, strict=True)]
    result = {author: _ranges(text, numbers) for author, numbers in _owned_lines(before, text, new, last).items()}
    for hunk in diff(before, text):
        if hunk.new_lines < hunk.old_lines:
            for line in range(*_old_lines(hunk).indices(count)):
                result.setdefault(removers.get(line, last), ())
    return Attribution(result, _newest(versions))


def _old_lines(hunk: Hunk) -> slice:
    start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
    return slice(start, start + hunk.old_lines)


def _carried(
    before: bytes, after: bytes, hunks: Sequence[Hunk], authors: Sequence[tuple[A] | None], is_indented: bool
) -> Iterator[tuple[int, tuple[A]]]:
    """(line from 0, author) of the new lines that were cut elsewhere or have another form.

    `authors`: those of the lines before.
    """
    old, new = bare_lines(before), bare_lines(after)
    forms = [[form(line, is_indented=is_indented) for line in lines] for lines in (old, new)]
    same = [
        SameLines(part.start_line - 1, part.end_line, part.old_start_line - 1, part.old_end_line)
        for part in moved([FileLines("", forms[0], forms[1], hunks)])[0]
    ]
    for hunk in hunks:
        removed, first = _old_lines(hunk), hunk.new_start - 1
        lines = new[first : first + hunk.new_lines]
        for part in same_lines(old[removed], lines, is_indented=is_indented) if lines and hunk.old_lines else ():
            start, end, old_start, old_end = part
            same.append(SameLines(first + start, first + end, removed.start + old_start, removed.start + old_end))
    for start, end, old_start, old_end in same:
        owners = authors[old_start:old_end]
        one_to_one = end - start == old_end - old_start
        for line in range(start, end):
            owner = owners[line - start if one_to_one else 0]
            if owner is not None and (one_to_one or all(other == owner for other in owners)):
                yield line, owner


def _restored(
    versions: Sequence[AuthoredVersion[A]], now: bytes, hunks: Iterable[Hunk]
) -> Iterator[tuple[int, tuple[A] | None]]:
    """(line from 0, author) of the new lines that stand where they stood in one of the versions, the newest first."""
    lines = _bare_of_space(now) if versions else []
    counts = Counter(lines)
    left = [line for hunk in hunks for line in range(hunk.new_start - 1, hunk.new_start - 1 + hunk.new_lines)]
    for version in reversed(versions):
        if not left:
            return
        size = len(version.authors)
        origins = [*carry(range(size), diff_lines(_bare_of_space(version.text), lines), -1), size]
        back = {
            line
            for run in _runs(left, origins)
            if _is_beside_kept_line(run, origins)
            or any(counts[lines[line]] == 1 and is_unlikely_twice(lines[line]) for line in run)
            for line in run
        }
        yield from ((line, version.authors[origins[line]]) for line in back)
        left = [line for line in left if line not in back]


def _bare_of_space(text: bytes) -> list[bytes]:
    """The lines without white space: what was undone may have been formatted meanwhile."""
    return [line.translate(None, b" \t") for line in bare_lines(text)]


def _runs(lines: Iterable[int], origins: Sequence[int]) -> list[list[int]]:
    """Those of the lines (from 0, ascending) that an older version had, as runs that stood together there too.

    `origins`: the older version's line for each line, -1 for none, and at last the number of its lines.
    """
    runs: list[list[int]] = []
    for line in lines:
        if origins[line] < 0:
            continue
        if runs and runs[-1][-1] == line - 1 and origins[line - 1] == origins[line] - 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _is_beside_kept_line(run: Sequence[int], origins: Sequence[int]) -> bool:
    """Whether the run begins or ends, in both versions, at the same other line, or at the same end of the file."""
    first, last = run[0], run[-1]
    begins = origins[first - 1] >= 0 and origins[first - 1] == origins[first] - 1 if first else origins[first] == 0
    return begins or origins[last + 1] == origins[last] + 1


def _owned_lines(before: bytes, after: bytes, authors: Sequence[tuple[A] | None], last: A) -> dict[A, list[int]]:
    # A line that was changed and changed back is no changed line, so it has no author.
    owned: dict[A, list[int]] = {}
    for stretch in changed_ranges(before, after):
        for line in range(stretch.start_line, stretch.end_line + 1):
            author = authors[line - 1]
            owned.setdefault(last if author is None else author[0], []).append(line)
    return owned


def _ranges(text: bytes, numbers: Sequence[int]) -> tuple[LineRange, ...]:
    lines = split_lines(text)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return tuple(range_of(lines, first, last) for first, last in runs)


def _newest(versions: Sequence[AuthoredVersion[A]]) -> tuple[AuthoredVersion[A], ...]:
    """As many of the newest versions as are remembered."""
    kept: list[AuthoredVersion[A]] = []
    size = 0
    for version in reversed(versions[-_MAX_VERSIONS:]):
        size += len(version.text)
        if size > _MAX_BYTES:
            break
        kept.append(version)
    return tuple(reversed(kept))

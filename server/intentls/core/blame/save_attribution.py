"""Who changed each line, when several authors edited one document between two saves.

Of `a b c d e`, Ada makes `a B c d e`, and then Ben `a B c D E e`. Compared with the last save, line 2 is Ada's, and
lines 4 to 5 are Ben's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from intentls.core.ledger.line_range import LineRange, changed_ranges, range_of
from intentls.core.text.lines import carry, diff, split_lines

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class AuthoredText(Generic[A]):
    """`author` turned what was there into `after`."""

    author: A
    after: bytes


def attribute(before: bytes, steps: Sequence[AuthoredText[A]]) -> dict[A, tuple[LineRange, ...]]:
    """The changed lines of the last step's text, by author, in order of first appearance.

    An author without a line of their own has no ranges if they removed lines, and is left out if all that they wrote
    was overwritten.
    """
    labels: list[A | None] = [None] * len(split_lines(before))
    text = before
    deleters: list[A] = []
    for step in steps:
        hunks = diff(text, step.after)
        labels = carry(labels, hunks, step.author)
        if any(hunk.new_lines < hunk.old_lines for hunk in hunks):
            deleters.append(step.author)
        text = step.after
    owned = _owned_lines(before, text, labels, steps[-1].author)
    result = {author: _ranges(text, lines) for author, lines in owned.items()}
    for author in deleters:
        result.setdefault(author, ())
    return result


def _owned_lines(before: bytes, after: bytes, labels: Sequence[A | None], last: A) -> dict[A, list[int]]:
    # A line that was changed and changed back is no changed line, so it has no author.
    owned: dict[A, list[int]] = {}
    for stretch in changed_ranges(before, after):
        for line in range(stretch.start_line, stretch.end_line + 1):
            label = labels[line - 1]
            owned.setdefault(last if label is None else label, []).append(line)
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

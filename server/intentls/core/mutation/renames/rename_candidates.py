"""Which names a change set may have renamed everywhere: a guess from its lines, which `tree_renames` has to prove.

    -    cwd = find(cwd_of(x))            both lines have seven words and signs, and differ in one pair:
    +    base = find(cwd_of(x))           cwd -> base

Each changed block votes for the pairs in which it differs. A pair is a candidate if most votes for either of its
words are for both of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from intentls.core.text.line_diff import changed_blocks

MAX_CANDIDATES = 100
_MAX_BLOCK = 4_000  # words and signs of a block that are compared
_SIGNS = re.compile(r"\w+|[^\w\s]")
_NAME = re.compile(r"[^\W\d]\w+\Z")


def candidates(contents: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The pairs that the contents before and after suggest: each old name and each new name stands in one of them."""
    votes = Counter(pair for before, after in contents for pair in _differing(before, after))
    for_old: Counter[str] = Counter()
    for_new: Counter[str] = Counter()
    for (old, new), count in votes.items():
        for_old[old] += count
        for_new[new] += count
    pairs = [pair for pair, count in votes.most_common() if 2 * count > max(for_old[pair[0]], for_new[pair[1]])]
    return dict(pairs[:MAX_CANDIDATES])


def _differing(before: bytes, after: bytes) -> Iterator[tuple[str, str]]:
    old_lines, new_lines = before.split(b"\n"), after.split(b"\n")
    for block in changed_blocks(old_lines, new_lines):
        old, new = old_lines[block.a_start : block.a_end], new_lines[block.b_start : block.b_end]
        pairs = list(_pairs(b"\n".join(old), b"\n".join(new)))
        if not pairs and len(old) == len(new):
            pairs = [pair for lines in zip(old, new, strict=True) for pair in _pairs(*lines)]
        yield from pairs


def _pairs(before: bytes, after: bytes) -> Iterator[tuple[str, str]]:
    """The names that differ, if there are as many words and signs on both sides."""
    old, new = (_SIGNS.findall(text.decode("utf-8", "replace")) for text in (before, after))
    if len(old) == len(new) <= _MAX_BLOCK:
        for one, other in zip(old, new, strict=True):
            if one != other and _NAME.match(one) and _NAME.match(other):
                yield one, other

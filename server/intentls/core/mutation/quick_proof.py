"""A quick proof that a change does something else, by counting what no equivalence adds or takes away.

    total += price          and        total += price * 2

differ in how often the integer 2 stands in them, so no reordering, renaming or formatting makes one of the other. Most
changes of behaviour are proven so, in a fraction of the time that comparing canonical trees takes. Where the counts
are the same nothing is proven: only the trees can tell then.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from msgspec import Struct

from intentls.core.syntax.canonicalize import syntax_tree
from intentls.core.syntax.languages.adapter import Adapter, Counting
from intentls.core.syntax.node_query import nodes_of

_KEPT = 4  # contents whose counts are kept: the old content of an edit is mostly the new one of the edit before


def does_something_else(before: bytes, after: bytes, adapter: Adapter) -> bool:
    """Whether the counts alone prove it. False says nothing, as for a language of which nothing is counted.

    Example: `f(x)` that became `f(x, g())` has one call more. `f(x)` that became `f(y)` has as many.
    """
    if adapter.counting is None or any(adapter.counting.fails_beside.search(content) for content in (before, after)):
        return False
    grammar = (adapter.module, adapter.function)
    old, new = (_counts(content, grammar, adapter.counting) for content in (before, after))
    if old is None or new is None or old.kinds == new.kinds or _may_be_exchanged(old, new):
        return False
    return not _may_be_shared(before, after)


class _Counts(Struct, frozen=True):
    """How often each kind stands in a content, one that is spelled with each of its texts.

    `exchanged` has of each such pair how often either stands there.
    """

    kinds: Counter[tuple[str, bytes]]
    exchanged: tuple[tuple[int, int], ...]


def _may_be_exchanged(old: _Counts, new: _Counts) -> bool:
    """Whether one has more of the first of a pair and less of the second: some of these may be the same thing."""
    pairs = zip(old.exchanged, new.exchanged, strict=True)
    return any((one[0] - other[0]) * (one[1] - other[1]) < 0 for one, other in pairs)


def _may_be_shared(before: bytes, after: bytes) -> bool:
    """Whether both sides have some line, one of them more often: all ways through a branch may end with it."""
    lines = ([line.strip() for line in content.split(b"\n")] for content in (before, after))
    old, new = (Counter(line for line in each if _SAYS.search(line) and line[-1:] != b":") for each in lines)
    return any(old[line] != new[line] for line in old.keys() & new.keys())


_SAYS = re.compile(rb"\w")


@lru_cache(maxsize=_KEPT)
def _counts(content: bytes, grammar: tuple[str, str], counting: Counting) -> _Counts | None:
    """The counts of a content.

    None for what does not parse, as a part of it may be read in another way after a change beside it.
    """
    tree = syntax_tree(content, *grammar)
    if tree is None or tree.root_node.has_error:
        return None
    counts: Counter[tuple[str, bytes]] = Counter()
    exchanged = frozenset(kind for pair in counting.exchanged for kinds in pair for kind in kinds)
    found = nodes_of(tree, counting.kinds | counting.spelled | exchanged)
    pairs = tuple(
        (sum(len(found.get(kind, ())) for kind in first), sum(len(found.get(kind, ())) for kind in second))
        for first, second in counting.exchanged
    )
    for kind, nodes in found.items():
        if kind in counting.spelled:
            counts.update((kind, (node.text or b"").lower()) for node in nodes)
        elif kind in counting.kinds:
            counts[kind, b""] = sum(not counting.is_left_out(node) for node in nodes)
    return _Counts(counts, pairs)

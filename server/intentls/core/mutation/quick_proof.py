"""A quick proof that a change does something else, by counting what no equivalence adds or takes away.

    total += price          and        total += price * 2

differ in how often the integer 2 stands in them, so no reordering, renaming or formatting makes one of the other. Most
changes of behaviour are proven so, in a fraction of the time that comparing canonical trees takes. Where the counts
are the same nothing is proven: only the trees can tell then.
"""

from __future__ import annotations

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
    return old is not None and new is not None and old.kinds != new.kinds and not _may_be_joined(old, new)


class _Counts(Struct, frozen=True):
    """How often each kind stands in a content, one that is spelled with each of its texts.

    `branches` may do the same as another one, which `joins` of conditions can say, too.
    """

    kinds: Counter[tuple[str, bytes]]
    branches: int
    joins: int


def _may_be_joined(old: _Counts, new: _Counts) -> bool:
    """Whether one has more branches and fewer joined conditions: some of the branches may be the same one."""
    return (old.branches - new.branches) * (old.joins - new.joins) < 0


@lru_cache(maxsize=_KEPT)
def _counts(content: bytes, grammar: tuple[str, str], counting: Counting) -> _Counts | None:
    """The counts of a content.

    None for what does not parse, as a part of it may be read in another way after a change beside it.
    """
    tree = syntax_tree(content, *grammar)
    if tree is None or tree.root_node.has_error:
        return None
    counts: Counter[tuple[str, bytes]] = Counter()
    found = nodes_of(tree, counting.kinds | counting.spelled | counting.branches | counting.joins)
    branches, joins = (sum(len(found.pop(kind, ())) for kind in kinds) for kinds in (counting.branches, counting.joins))
    for kind, nodes in found.items():
        if kind in counting.spelled:
            counts.update((kind, (node.text or b"").lower()) for node in nodes)
        else:
            counts[kind, b""] = sum(not counting.is_left_out(node) for node in nodes)
    return _Counts(counts, branches, joins)

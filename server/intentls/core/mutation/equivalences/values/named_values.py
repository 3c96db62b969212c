"""Local names for values that are used several times, or later: without the name a program does the same.

    n := a*2 + 1                  send(a*2 + 1)
    send(n)             and       return a*2 + 1
    return n

Only names that one version has and the other one has not, or not in that place. The value does nothing but look up
what nothing changes until the last use of the name (`kept_values.py`), and has the very type of the name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from intentls.core.mutation.equivalences.values.go_values import GoValues, go_functions, named_in_go
from intentls.core.mutation.equivalences.values.java_values import JavaValues, java_functions, named_in_java
from intentls.core.mutation.equivalences.values.kept_values import (
    Functions,
    KeptValue,
    NameIn,
    Reader,
    ValueReader,
    uses_in,
)
from intentls.core.mutation.equivalences.values.ordered_conditions import order_conditions
from intentls.core.syntax.languages.inlining import REASON
from intentls.core.syntax.tree import Node, Role, copy_with, every_node, flatten, inner_nodes

__all__ = ["REASON", "VALUED", "order_in", "put_in_values"]

MAX_WORDS = 8  # of a statement that tell it from others
MAX_COPIED = 600  # nodes in the place of one name
HOLDERS = frozenset(
    {
        *("block", "constructor_body", "switch_block_statement_group", "expression_case", "default_case", "type_case"),
        "communication_case",
    }
)
_UNREAD = re.compile(r"held_statement|.*(?:_declaration|_statement|_body)\Z")  # a leaf of this kind was not walked
Dialect = tuple[Functions, NameIn, Reader]
_Place = tuple[str, str, tuple[str, ...], tuple[str, ...]]
_DIALECTS: dict[str, Dialect] = {
    "Go": (go_functions, named_in_go, GoValues),
    "Java": (java_functions, named_in_java, JavaValues),
}
VALUED = frozenset(_DIALECTS)


def put_in_values(old: Node, new: Node, language: str, *, are_sure: bool) -> None:
    """Put the values in the place of such names; `are_sure`: only those that can't fail and look nothing up."""
    functions, name_in, reader = _DIALECTS[language]
    sides = [
        [(function, list(_places(key, function, name_in))) for key, function in functions(root)] for root in (old, new)
    ]
    bound = [
        Counter(pair for key, function in functions(root) for pair in _bound(key, function)) for root in (old, new)
    ]
    names = set((bound[0] - bound[1]) + (bound[1] - bound[0]))
    names |= _moved(*({place for _, places in side for place in places} for side in sides))
    for root, side in zip((old, new), sides, strict=True):
        for function, places in side:
            here = {name for key, name, *_ in places if (key, name) in names}
            if here and not any(leaf.text is not None and _UNREAD.match(leaf.kind) for leaf in every_node(function)):
                _put_in(function, here, name_in, partial(reader, function, root), are_sure)


def order_in(old: Node, new: Node, language: str) -> None:
    """Bring conditions into one order."""
    functions, _, reader = _DIALECTS[language]
    order_conditions(old, new, functions, reader)


def _bound(key: str, function: Node) -> Iterator[tuple[str, str]]:
    """All names that a function declares."""
    for node in inner_nodes(function):
        yield from ((key, leaf.text or "") for leaf in node.children if leaf.binds and leaf.role is Role.NAME)


def _moved(old: set[_Place], new: set[_Place]) -> set[tuple[str, str]]:
    """The names that both versions declare just so, and one of them in another place."""
    same = {place[:3] for place in old} & {place[:3] for place in new}
    return {place[:2] for place in old ^ new if place[:3] in same}


def _places(key: str, function: Node, name_in: NameIn) -> Iterator[_Place]:
    """The names of a function, with what declares them and the statement after that."""
    for holder in inner_nodes(function):
        for index, statement in enumerate(holder.children if holder.kind in HOLDERS else ()):
            if name := name_in(statement):
                flat = flatten(statement)
                after = (word for child in holder.children[index + 1 : index + 2] for word in _words(child))
                yield key, name, (*flat.tokens, *flat.names), tuple(islice(after, MAX_WORDS))


def _words(node: Node) -> Iterator[str]:
    """The words of a node, one after the other."""
    stack = [node]
    while stack:
        part = stack.pop()
        if part.text is not None:
            yield part.text
        stack.extend(reversed(part.children))


def _put_in(
    function: Node, names: set[str], name_in: NameIn, reader: Callable[[], ValueReader], are_sure: bool
) -> None:
    known: ValueReader | None = None
    for holder in inner_nodes(function):
        for statement in list(holder.children if holder.kind in HOLDERS else ()):
            if name_in(statement) not in names:
                continue
            known = reader() if known is None else known
            kept = known.value_of(statement)
            is_wanted = kept is not None and not (are_sure and (kept.reads or kept.fails))
            if kept is not None and is_wanted and _takes(function, holder, statement, kept, known):
                known = None  # there are other names now


def _takes(function: Node, holder: Node, statement: Node, kept: KeptValue, reader: ValueReader) -> bool:
    """Whether the statement is gone, and the value stands in the place of its name."""
    at = next(number for number, child in enumerate(holder.children) if child is statement)
    following = holder.children[at + 1 :]
    uses = list(uses_in(following, kept.name))
    said = sum(leaf.text == kept.name and _may_mean(leaf) for leaf in every_node(function))
    size = sum(1 for _ in every_node(kept.value)) * len(uses)
    if not uses or said != len(uses) + 1 or size > MAX_COPIED:
        return False
    if not kept.is_kept(following) or not reader.may_stand(kept, uses, following):
        return False
    for *above, use in uses:
        copy = copy_with(kept.value, {})
        copy.field = use.field
        parent = above[-1]
        where = next(number for number, child in enumerate(parent.children) if child is use)
        parent.children[where] = copy
    del holder.children[at]
    return True


def _may_mean(leaf: Node) -> bool:
    """Whether it may be the variable: `a` of `a::run` is, and of `this.a` is not."""
    return leaf.role is Role.NAME or (leaf.kind == "identifier" and leaf.field != "field")

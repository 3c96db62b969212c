"""Local names for values that are the same wherever they are computed: the value stands in the place of each use.

    const is_new = old === null;                 if (old === null) create();
    if (is_new) create();                 and    log(1);
    log(1);                                      return old === null;
    return is_new;

Such a value is made of constants, and of names that never get another value, by what calls nothing and can't fail. So
it may be computed at another time, and more than once. Another name that nothing asks for is none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from functools import cache

from msgspec import Struct

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.inlining import counted_words, named_value
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_MAX_WORDS = 400  # that a value and its copies may have
_BLOCKS = frozenset({"block", "statement_block", "class_body"})
# A function that may be called before what stands above it, and a text that shows the name (`f"{a=}"`).
_CLOSED = frozenset({"function_declaration", "generator_function_declaration", "interpolation_named"})


class PlainValues(Struct, frozen=True):
    """What a language needs. `is_plain`: whether a value calls nothing and can't fail if its names are known.

    `functions` and `parameters` are kinds of nodes, `holding` those of what else gives a name its value for good.
    `dynamic` names may reach any name; `changed` tells which names of a file are given another value by what does not
    declare them.
    """

    functions: Collection[str]
    parameters: Collection[str]
    holding: Collection[str]
    dynamic: Collection[str]
    is_plain: Callable[[Node], bool]
    changed: Callable[[Node], Collection[str]]

    def put_in(self, root: Node, _facts: Surroundings) -> None:
        """An `InformedRewrite`: such values in the places of their names, after what makes one value of several."""
        changed = cache(lambda: self.changed(root))
        for function in self.outermost(root):
            named = [
                (holder, statement, *pair)
                for holder in inner_nodes(function)
                for statement in (holder.children if holder.kind in _BLOCKS else ())
                if (pair := named_value(statement)) is not None and self.is_plain(pair[1])
            ]
            if named:
                NamesInFunction(self, function, changed()).put_in(named)

    def outermost(self, root: Node) -> Iterator[Node]:
        """The functions of a file that stand in no other one."""
        stack = [root]
        while stack:
            node = stack.pop()
            if node.kind in self.functions:
                yield node
            else:
                stack.extend(child for child in node.children if child.children)


class NamesInFunction:
    """The names of one function, with all that stands in it. `is_dark`: something may reach any of them."""

    def __init__(self, language: PlainValues, function: Node, changed: Collection[str]) -> None:
        self._language, self._function, self._changed = language, function, changed
        self._parents: dict[int, Node] = {}
        self._binding: dict[str, list[Node]] = {}
        self._words = counted_words(function)
        self.is_dark = not self._words.keys().isdisjoint(language.dynamic)
        for node in every_node(function):
            self.is_dark |= node.kind == "held_statement"  # which says no more what it sets
            self._parents.update((id(child), node) for child in node.children)
            if node.binds and node.role is Role.NAME:
                self._binding.setdefault(node.text or "", []).append(node)

    def put_in(self, named: list[tuple[Node, Node, str, Node]]) -> None:
        """Each of these values where its name stands, if it has one meaning all along."""
        for holder, statement, name, value in named:
            at = _index(holder, statement)
            later = (leaf for sibling in holder.children[at + 1 :] for leaf in every_node(sibling))
            uses = [leaf for leaf in later if leaf.text == name and leaf.role is Role.NAME]
            size = sum(1 for _ in every_node(value)) * len(uses)
            if (
                not self.is_dark
                and size <= _MAX_WORDS
                and (uses or value.role is Role.NAME)  # what is another value of something unused is another program
                and len(uses) == self._words[name] - 1
                and self._is_kept(name)
                and self.are_known(value, statement)
                and not any(node.kind in _CLOSED for leaf in uses for node in self._up_to(leaf, holder))
            ):
                for leaf in uses:
                    self._replace(leaf, deepcopy(value))
                del holder.children[at]
                self._words.subtract(counted_words(statement))

    def are_known(self, value: Node, statement: Node) -> bool:
        """Whether each name in a plain value has its only value when the statement is reached."""
        said = {leaf.text or "" for leaf in every_node(value) if leaf.role is Role.NAME}
        return all(self._is_known(name, statement) for name in said)

    def _is_kept(self, name: str) -> bool:
        """Whether a name has one value while the function runs."""
        return name not in self._changed and len(self._binding.get(name, ())) == 1

    def _is_known(self, name: str, statement: Node) -> bool:
        """Whether a name of the function has its only value when the statement is reached."""
        if not self._is_kept(name):
            return False
        path = [self._binding[name][0]]
        above = {id(node): node for node in self._above(statement)}
        while id(path[-1]) not in above:
            path.append(self._parents[id(path[-1])])
        shared, holding = path[-1], path[-2]
        before = next(node for node in self._up_to(statement, shared) if self._parents[id(node)] is shared)
        is_parameter = holding.kind in self._language.parameters
        is_held = holding.kind in self._language.holding or shared.kind in self._language.holding
        is_direct = not any(node.kind in _BLOCKS or node.kind in self._language.functions for node in path[:-1])
        is_before = _index(shared, holding) < _index(shared, before)
        return is_before and is_direct and (is_parameter or is_held)

    def _above(self, node: Node) -> Iterator[Node]:
        while id(node) in self._parents:
            node = self._parents[id(node)]
            yield node

    def _up_to(self, node: Node, last: Node) -> Iterator[Node]:
        """A node and what it stands in, below the last one."""
        while node is not last:
            yield node
            node = self._parents[id(node)]

    def _replace(self, leaf: Node, value: Node) -> None:
        parent = self._parents[id(leaf)]
        value.field = leaf.field
        parent.children[_index(parent, leaf)] = value
        self._parents[id(value)] = parent
        self._parents.update((id(child), node) for node in every_node(value) for child in node.children)
        self._words.update(counted_words(value))
        self._words.subtract(counted_words(leaf))


def _index(parent: Node, child: Node) -> int:
    return next(number for number, other in enumerate(parent.children) if other is child)

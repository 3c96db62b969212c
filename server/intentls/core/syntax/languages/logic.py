"""Conditions: the opposite of one, and several of them as one, in the words of a language.

!(a == b || !c)          a != b && c
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node

MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""What a comparison says when its sides change places: `b > a` for `a < b`."""

Condition = Callable[[Node], Node | None]
"""What is so if a condition is not; None where it says what is so."""


def denied(positive: Condition, field: str) -> Callable[[Node], Node]:
    """What makes the opposite of a condition where `!` says so; `field` is what the grammar calls what stands after it.

    Example: `!(a < b)` of `a < b`, and `a` of `!a`, as `positive` knows.
    """

    def negative(condition: Node) -> Node:
        plain = positive(condition)
        if plain is not None:
            return plain
        word = Node("!", "operator", condition.row, "!")
        negation = Node("unary_expression", condition.field, condition.row, children=[word, condition])
        condition.field = field
        return negation

    return negative


class Logic(Struct, frozen=True):
    """The words of a language: what joins conditions, what says that both or that either is so, and opposites.

    Example: `Logic("binary_expression", "&&", "||", affirmed, denied(affirmed, "operand"))` of Go.
    """

    kind: str
    both_sign: str
    either_sign: str
    positive: Condition
    negative: Callable[[Node], Node]
    has_one_unequal: bool = True  # `a != b` is what is so if `a == b` is not

    def opposite(self, condition: Node) -> Node:
        """What is so if a condition is not, with denials only of what is asked: `!a || b` for `a && !b`."""
        return self._told(condition, 0, is_so=False)

    def plain(self, condition: Node) -> Node:
        """What is so if a condition is, with denials only of what is asked: `!a || b` for `!(a && !b)`."""
        return self._told(condition, 0, is_so=True)

    def is_denied(self, condition: Node) -> bool:
        """Whether what a plain condition asks first is denied: of it and its opposite, one is."""
        node = condition
        while len(node.children) > 1 and node.children[1].kind in (self.both_sign, self.either_sign):
            node = node.children[0]
        return self.positive(node) is not None

    def _told(self, condition: Node, depth: int, *, is_so: bool) -> Node:
        word = condition.children[1].kind if condition.kind == self.kind and len(condition.children) > 1 else ""
        if word in (self.both_sign, self.either_sign) and depth < _MAX_DEPTH:
            parts = [self._told(part, depth + 1, is_so=is_so) for part in _operands(condition, word)]
            return self.both(*parts) if (word == self.both_sign) == is_so else self._joined(self.either_sign, parts)
        if len(condition.children) == 2 and condition.children[0].kind in _DENIALS and depth < _MAX_DEPTH:
            return self._told(in_place_of(condition, condition.children[1]), depth + 1, is_so=not is_so)
        if is_so:
            return condition
        return (_unequal(condition) if self.has_one_unequal else None) or self.negative(condition)

    def both(self, *conditions: Node) -> Node:
        """One condition, which is so if all of these are."""
        return self._joined(self.both_sign, map(self.either, conditions))

    def either(self, *conditions: Node) -> Node:
        """One condition, which is so if one of these is."""
        return self._joined(self.either_sign, conditions)

    def in_one_chain(self, condition: Node) -> None:
        """Write `(a && b) && c` as `a && b && c`."""
        if condition.children[1].kind in (self.both_sign, self.either_sign):
            condition.children = self._joined(condition.children[1].kind, [condition]).children

    def _joined(self, word: str, conditions: Iterable[Node]) -> Node:
        parts = [part for condition in conditions for part in _operands(condition, word)]
        if len(parts) == 1:
            return parts[0]
        joined = Node(self.kind, "condition", parts[0].row)
        for part in parts:
            part.field = None
            joined.children += [Node(word, None, part.row, word), part] if joined.children else [part]
        return joined


def _operands(condition: Node, word: str) -> list[Node]:
    """What a chain of `and`, or of `or`, is made of, however it is nested."""
    operands: list[Node] = []
    stack = [condition]
    while stack:
        node = stack.pop()
        if len(node.children) > 1 and node.children[1].kind == word:
            stack.extend(part for part in reversed(node.children) if part.kind != word)
        else:
            operands.append(node)
    return operands


def _unequal(condition: Node) -> Node | None:
    """`a != b` for `a == b`; None for what is no such comparison."""
    sign = condition.children[1].kind if len(condition.children) == 3 else ""
    if sign not in _UNEQUAL:
        return None
    left, _, right = condition.children
    word = Node(_UNEQUAL[sign], "operator", condition.row, _UNEQUAL[sign])
    return Node(condition.kind, condition.field, condition.row, children=[left, word, right])


_UNEQUAL = {"==": "!=", "===": "!=="}
_DENIALS = ("!", "not")
_MAX_DEPTH = 40  # conditions in conditions


def affirmed(condition: Node) -> Node | None:
    """What is so if a condition is not, in Go and Java; None where it says what is so."""
    children = condition.children
    if condition.kind == "unary_expression" and children[0].kind == "!":
        return in_place_of(condition, children[1])
    if condition.kind == "binary_expression" and children[1].kind == "!=":
        word = Node("==", "operator", condition.row, "==")
        return Node(condition.kind, condition.field, condition.row, children=[children[0], word, children[2]])
    return None

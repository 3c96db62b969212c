"""Nodes that a rewrite makes, takes the place of, or asks for: one piece for all languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node

_BRACKETS = ("(", ")", ",")


def word_at(place: Node, word: str, field: str | None = None) -> Node:
    """A word or a sign of the language, whose kind is its text, in the line of `place`."""
    return Node(word, field, place.row, word)


def become(node: Node, other: Node) -> None:
    """Make a node what another one is, in its own place. Example: `a` of `!!a`."""
    other = in_place_of(node, other)
    node.kind, node.text, node.role, node.children = other.kind, other.text, other.role, other.children


def denied_once(condition: Node) -> Node:
    """`a` for `!a`, and `!a` for any other condition, in its place."""
    if condition.kind == "unary_expression" and condition.children[0].text == "!":
        return in_place_of(condition, condition.children[1])
    field, condition.field = condition.field, "operand"
    return Node("unary_expression", field, condition.row, children=[word_at(condition, "!", "operator"), condition])


def given_to(call: Node) -> list[Node]:
    """What a call is given in its brackets, which stand last."""
    return [child for child in call.children[-1].children if child.kind not in _BRACKETS]


def joined_by(word: str, parts: Iterable[Node], field: str | None = None) -> list[Node]:
    """The parts with the word between them. Example: `a`, `,`, `b`."""

    def each() -> Iterator[Node]:
        for number, part in enumerate(parts):
            if number:
                yield word_at(part, word, field)
            yield part

    return list(each())

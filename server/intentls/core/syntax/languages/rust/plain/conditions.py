"""Comparisons of plain values in Rust that are written the other way round, and conditions in another order.

    if 1 == a || b > c || 1 == a { d(); }           if a >= b { c(); } else { d(); }
    if c < b || a == 1 { d(); }                     if a < b { d(); } else { c(); }

To ask does nothing, so that it may be asked in any order, and once is enough. Floating point numbers may be neither
less nor equal nor greater. What is not so of two conditions is said of each of them, whatever they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from intentls.core.syntax.languages.made_nodes import become, joined_by, word_at
from intentls.core.syntax.languages.rust.forms.branches import LOGIC
from intentls.core.syntax.languages.rust.plain.types import ORDERED, PlainTypes, declared_in, functions_in
from intentls.core.syntax.tree import Node, flatten, inner_nodes

_TURNED = {">": "<", "<": ">", "==": "==", "!=": "!="}
_DENIED = {">=": "<", "<=": ">"}
_EQUAL = frozenset({"==", "!="})
_LOGIC = frozenset({"&&", "||"})


def compared_alike(root: Node) -> None:
    """A `Rewrite`: `a < b` for `b > a`, and `!(a < b)` for `a >= b`, so that branches know which is the opposite."""
    if any(node.children[1].kind in _TURNED or node.children[1].kind in _DENIED for node in _operations(root)):
        for function, types in functions_in(root, declared_in(root)):
            for node in reversed(list(_operations(function))):
                _compare(node, types)
    for node in reversed(list(inner_nodes(root))):  # what is within comes first
        if node.kind == "unary_expression" and node.children[0].kind == "!" and _sign(node.children[1]) in _LOGIC:
            become(node, LOGIC.opposite(node.children[1]))


def asked_in_order(root: Node) -> None:
    """A `Rewrite`: what is asked of plain values in one order, and each only once."""
    if any(node.children[1].kind in _LOGIC for node in _operations(root)):
        for function, types in functions_in(root, declared_in(root)):
            for node in reversed(list(_operations(function))):
                if _sign(node) in _LOGIC:
                    _sort(node, types)


def _operations(root: Node) -> Iterator[Node]:
    return (node for node in inner_nodes(root) if node.kind == "binary_expression")


def _sign(node: Node) -> str:
    return node.children[1].kind if node.kind == "binary_expression" else ""


def _compare(node: Node, types: PlainTypes) -> None:
    """One comparison, of two values of which no more than one may panic."""
    left, sign, right = node.children[:3]
    kind = types.mixed(left, right)
    is_free = bool(kind) and bool(types.of(left) or types.of(right))
    is_total = kind in ORDERED or kind.removeprefix("&") in ORDERED
    if sign.kind in _DENIED and is_total:
        asked = Node(
            node.kind, "argument", node.row, children=[left, word_at(sign, _DENIED[sign.kind], "operator"), right]
        )
        node.kind, node.children = "unary_expression", [word_at(node, "!"), asked]
        node, (left, sign, right) = asked, asked.children
    turned = {**_TURNED, ">=": "<="}.get(sign.kind, "")
    is_last = sign.kind in (">", ">=") or (sign.kind in _EQUAL and _place(right) < _place(left))
    if turned and is_free and is_last:
        left.field, right.field = right.field, left.field
        node.children = [right, word_at(sign, turned, "operator"), left]


def _place(value: Node) -> tuple[bool, list[str], list[str]]:
    """Where a value stands in the one order: what is a name before what is a number."""
    flat = flatten(value)
    return value.kind.endswith("_literal"), flat.tokens[1:] or [value.kind], [*flat.names, value.text or ""]


def _sort(node: Node, types: PlainTypes) -> None:
    sign = _sign(node)
    parts = [
        part for child in node.children[::2] for part in (child.children[::2] if _sign(child) == sign else [child])
    ]
    ordered: list[Node] = []
    for is_plain, group in groupby(parts, key=lambda part: types.of(part) == "bool"):
        run = list(group)
        if is_plain:
            said = {repr(flatten(part)): part for part in reversed(run)}
            run = [said[key] for key in sorted(said)]
        ordered += run
    for part in ordered:
        part.field = None
    if len(ordered) == 1:
        become(node, ordered[0])
    else:
        node.children = joined_by(sign, ordered)

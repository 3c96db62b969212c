"""Conditions in one order, where it makes no difference which of them is asked first: `a == 1 || b == 2`, `b > a`.

    if (2 == b || a > 1 || 2 == b)          if (b == 2 || 1 < a)

To ask each of them can't fail and changes nothing. What is beside them, like a call, stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable

from intentls.core.mutation.equivalences.values.kept_values import Functions, Reader, ValueReader
from intentls.core.syntax.languages.logic import MIRRORED
from intentls.core.syntax.tree import Node, flatten, inner_nodes

REASON = "conditions in another order"
_LOGIC = frozenset({"&&", "||"})
_LATER = frozenset({">", ">="})


def order_conditions(old: Node, new: Node, functions: Functions, reader: Reader) -> None:
    """Bring the conditions of each function that is not the same in both versions into one order."""
    sides = [[(key, function, flatten(function)) for key, function in functions(root)] for root in (old, new)]
    known = [{key: said for key, _, said in side} for side in sides]
    for root, side, theirs in zip((old, new), sides, known[::-1], strict=True):
        for key, function, said in side:
            if theirs.get(key) != said:
                _order(function, root, reader)


def _order(function: Node, root: Node, reader: Reader) -> None:
    known: ValueReader | None = None
    for node in reversed(list(inner_nodes(function))):  # what is within comes first
        signs = {child.text or "" for child in node.children[1::2]} if node.kind == "binary_expression" else set()
        if signs <= _LOGIC | MIRRORED.keys() and len(signs) == 1:
            known = reader(function, root) if known is None else known
            if signs <= _LOGIC:
                node.children = _sorted(node.children, known.is_total)
            else:
                _compare(node, known.is_total)


def _sorted(chain: list[Node], is_total: Callable[[Node], bool]) -> list[Node]:
    """The chain, in which what may be asked in any order stands in one, and once."""
    sign = chain[1]
    parts: list[Node] = []
    free: dict[tuple[str, ...], Node] = {}
    for part in chain[::2]:
        if is_total(part):
            free.setdefault(_said(part), part)
        else:
            parts += [*_in_order(free), part]
            free = {}
    parts += _in_order(free)
    joined = parts[:1]
    for part in parts[1:]:
        joined += [Node(sign.kind, sign.field, part.row, sign.text), part]
    return joined


def _in_order(free: dict[tuple[str, ...], Node]) -> list[Node]:
    parts = [free[said] for said in sorted(free)]
    for part in parts:
        part.field = None
    return parts


def _compare(node: Node, is_total: Callable[[Node], bool]) -> None:
    """`a == 1` for `1 == a`, `a < b` for `b > a`."""
    left, sign, right = node.children
    is_free = _is_literal(left) or _is_literal(right) or (is_total(left) and is_total(right))
    if not is_free:
        return
    is_equal = sign.text in ("==", "!=")
    is_later = (
        (_is_literal(left), _said(left)) > (_is_literal(right), _said(right)) if is_equal else sign.text in _LATER
    )
    if is_later:
        word = MIRRORED[sign.text or ""]
        left.field, right.field = right.field, left.field
        node.children = [right, Node(word, sign.field, sign.row, word), left]


def _is_literal(node: Node) -> bool:
    return node.text is not None and node.kind.endswith("_literal")


def _said(node: Node) -> tuple[str, ...]:
    flat = flatten(node)
    return (*flat.tokens, "", *flat.names)

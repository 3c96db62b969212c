"""Comparisons of Rust that one call says: `(1..5).contains(&a)` for `a >= 1 && a < 5`, and `a.starts_with('b')`."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.languages.rust.forms.methods import call_of, method_of
from intentls.core.syntax.languages.rust.forms.places import is_place
from intentls.core.syntax.tree import Node, copy_with, spelling

_BOUND = re.compile(r"-?\d\w*\Z|-?\d[\d_.]*\Z|b?'.*'\Z|(\w+::)*[A-Z][A-Z0-9_]*\Z", re.DOTALL)
_WHOLE = re.compile(r"-?\d[\d_]*([iu]\w+)?\Z|b?'.*'\Z", re.DOTALL)  # of which none is unlike all others, as NaN is
_DENIED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def of_range(node: Node) -> None:
    """`a >= 1 && a < 5` for `(1..5).contains(&a)`."""
    owner, name = method_of(node)
    given = given_to(node)
    if owner is None or name != "contains" or owner.kind != "range_expression" or len(owner.children) != 3:
        return
    low, sign, high = owner.children
    is_asked = len(given) == 1 and given[0].kind == "reference_expression" and is_place(given[0].children[-1])
    if is_asked and all(_BOUND.match(spelling(bound)) for bound in (low, high)):
        place = given[0].children[-1]
        last = "<" if sign.kind == ".." else "<="
        become(node, _both("&&", _compare(place, ">=", low), _compare(_again(place), last, high)))


def not_in_range(node: Node) -> None:
    """`a < 1 || a >= 5` for `!(a >= 1 && a < 5)`, of what is a whole number or a sign."""
    inner = node.children[1]
    pair = _bounds(inner) if inner.kind == "binary_expression" and inner.children[1].kind == "&&" else None
    if pair is not None and any(_WHOLE.match(spelling(bound)) for _, _, bound in pair):
        one, other = (_compare(place, _DENIED[sign], bound) for place, sign, bound in pair)
        become(node, _both("||", one, other))


def in_order(node: Node) -> None:
    """`a >= 1 && a < 5` for `1 <= a && a < 5`, and for `a < 5 && a >= 1`."""
    pair = _bounds(node) if node.children[1].kind in ("&&", "||") else None
    if pair is not None:
        become(node, _both(node.children[1].kind, *(_compare(*part) for part in pair)))


Compared = tuple[Node, str, Node]
"""A place, how it is compared, and the literal or constant that it is compared with."""


def _bounds(node: Node) -> tuple[Compared, Compared] | None:
    """How one place is compared with what lies below and above it, if that is what is asked."""
    one, other = _compared(node.children[0]), _compared(node.children[2])
    if one is None or other is None or spelling(one[0]) != spelling(other[0]):
        return None
    low, high = (one, other) if (one[1][0] == ">") == (node.children[1].kind == "&&") else (other, one)
    return low, high


def _compared(node: Node) -> Compared | None:
    if node.kind != "binary_expression" or node.children[1].kind not in _TURNED:
        return None
    left, sign, right = node.children
    if is_place(left) and not _BOUND.match(spelling(left)) and _BOUND.match(spelling(right)):
        return left, sign.kind, right
    if is_place(right) and not _BOUND.match(spelling(right)) and _BOUND.match(spelling(left)):
        return right, _TURNED[sign.kind], left
    return None


def _again(place: Node) -> Node:
    """The same place once more."""
    return copy_with(place, {})


def _compare(place: Node, sign: str, bound: Node) -> Node:
    place.field, bound.field = "left", "right"
    return Node("binary_expression", None, place.row, children=[place, word_at(place, sign, "operator"), bound])


def _both(sign: str, one: Node, other: Node) -> Node:
    one.field, other.field = "left", "right"
    return Node("binary_expression", None, one.row, children=[one, word_at(one, sign, "operator"), other])


def first_sign(node: Node) -> None:
    """`a.starts_with('b')` for `a.chars().next() == Some('b')`."""
    left, sign, right = node.children
    inner, name = method_of(left)
    owner, before = method_of(inner) if inner is not None and name == "next" else (None, "")
    is_some = right.kind == "call_expression" and right.children[0].text == "Some"
    given = given_to(right) if is_some else []
    if (
        owner is None
        or before != "chars"
        or sign.kind not in ("==", "!=")
        or [one.kind for one in given] != ["char_literal"]
    ):
        return
    call = call_of(owner, "starts_with", given, node)
    if sign.kind == "!=":
        call.field = None
        call = Node("unary_expression", None, node.row, children=[word_at(node, "!"), call])
    become(node, call)

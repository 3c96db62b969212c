"""Rust that takes values one by one: two names at once, and what stands at each place of a list.

    let (a, b) = (1, c());             for i in 0..list.len() {
                                           send(&list[i]);
    let a = 1;                         }
    let b = c();
                                       for i in list { send(i); }

A slice that a function is given as a `&` has all its places until the end, so that none is asked for that it has not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from intentls.core.syntax.languages.made_nodes import become, word_at
from intentls.core.syntax.languages.rust.forms.places import is_literal, is_settled
from intentls.core.syntax.languages.rust.plain.types import PlainTypes, declared_in, functions_in
from intentls.core.syntax.tree import Node, all_said, inner_nodes, spelling

_WORD = re.compile(r"\w+")
_SLICE = re.compile(r"&(?:\[.*\]|Vec<.*>)\Z", re.DOTALL)
_COUNTED = re.compile(r"0\.\.(\w+)\.len\(\)\Z")
_SIGNS = frozenset({"(", ")", ","})


def one_by_one(root: Node) -> None:
    """A `Rewrite`: each name in a statement of its own, and loops over what a list has."""
    loops = False
    for node in inner_nodes(root):
        loops = loops or node.kind == "for_expression"
        if node.kind == "block" and any(child.kind == "let_declaration" for child in node.children):
            node.children = [part for at in range(len(node.children)) for part in _single(node.children, at)]
            for at in range(len(node.children) - 2, 0, -1):
                _begin(node, at)
    if loops:
        for function, types in functions_in(root, declared_in(root)):
            for node in inner_nodes(function):
                if node.kind == "for_expression":
                    _take_each(node, types)


def _single(statements: list[Node], at: int) -> list[Node]:
    """`let a = b; let c = d;` for `let (a, c) = (b, d);`, where `d` says nothing of `a`."""
    let = statements[at]
    kinds = [child.kind for child in let.children]
    is_pair = kinds == ["let", "tuple_pattern", "=", "tuple_expression", ";"]
    if not is_pair or statements[at - 1].kind == "attribute_item":
        return [let]
    names, values = ([part for part in let.children[at].children if part.kind not in _SIGNS] for at in (1, 3))
    said = [set(_WORD.findall(all_said(value))) for value in values]
    is_free = all(
        (name.children or [name])[-1].text not in words for at, name in enumerate(names) for words in said[at + 1 :]
    )
    bound = [name.children if name.kind == "mut_pattern" else [name] for name in names]
    is_plain = {words[-1].kind for words in bound} == {"identifier"} and all(map(is_settled, values))
    if len(names) != len(values) or not is_free or not is_plain:
        return [let]
    return [_let(let, words, value) for words, value in zip(bound, values, strict=True)]


def _let(let: Node, words: Sequence[Node], value: Node) -> Node:
    words[-1].field, value.field = "pattern", "value"
    parts = [word_at(let, "let"), *words, word_at(let, "="), value, word_at(let, ";")]
    return Node(let.kind, None, let.row, children=parts)


def _begin(block: Node, index: int) -> None:
    """`let a = b;` for `let a;` and `a = b;`, which is the first that is said of it, where nothing is dropped between.

    What is lent would live longer.
    """
    let = block.children[index]
    pattern, first = let.child("pattern"), let.child("value")
    kinds = [child.kind for child in let.children]
    if let.kind != "let_declaration" or pattern is None or pattern.kind != "identifier" or "else" in kinds:
        return
    name = pattern.text or ""
    said = (at for at in range(index + 1, len(block.children)) if name in _WORD.findall(all_said(block.children[at])))
    at = next(said, 0)
    between = block.children[index + 1 : at]
    inner = block.children[at].children[0] if at and block.children[at].kind == "expression_statement" else let
    is_near = all(node.kind != "let_declaration" for node in between)
    is_marked = any(node.kind == "attribute_item" for node in block.children[index - 1 : at + 1])
    is_free = is_near if first is None else is_literal(first)
    if inner.kind != "assignment_expression" or not is_free or is_marked:
        return
    target, sign, value = inner.children
    is_lent = any(node.kind == "reference_expression" for node in inner_nodes(value))
    if target.text == name and name not in _WORD.findall(all_said(value)) and (not is_lent or is_settled(value)):
        bare = [child for child in let.children if child is not first and child.kind != "="]
        value.field = "value"
        block.children[at] = Node(let.kind, None, inner.row, children=[*bare[:-1], sign, value, bare[-1]])
        del block.children[index]


def _take_each(loop: Node, types: PlainTypes) -> None:
    """`for i in list` for a loop that uses the number of a place only to look at what is there."""
    pattern, value, body = (loop.child(field) for field in ("pattern", "value", "body"))
    counted = _COUNTED.match(spelling(value)) if value is not None else None
    name = counted[1] if counted is not None else ""
    if pattern is None or value is None or body is None or pattern.kind != "identifier" or name not in types.fixed:
        return
    places = [place for node in inner_nodes(body) for place in _places(node, f"{name}[{pattern.text}]")]
    is_all = _WORD.findall(all_said(body)).count(pattern.text or "") == len(places)
    if places and is_all and _SLICE.match(types.names[name]):
        become(value, Node("identifier", None, value.row, name))
        for place in places:
            become(place, Node("identifier", None, place.row, pattern.text))


def _places(node: Node, place: str) -> list[Node]:
    """The parts of a node that lend what is at the place, or ask for a field of it."""
    found = []
    for child in node.children:
        is_lent = child.kind == "reference_expression" and len(child.children) == 2
        inner = child.children[1] if is_lent else child
        is_asked = node.kind == "field_expression" and node.field != "function" and child is node.children[0]
        if (is_lent or is_asked) and inner.kind == "index_expression" and spelling(inner) == place:
            found.append(child)
    return found

"""Rust: a local name for a value that is moved once, by the next statement, with and without the name.

    let size = list.len();               send(list.len());
    send(size);

The value is made before all else that the next statement does but for what it can't change, and leaves nothing behind
that would be dropped at another time. What only looks at the name would drop it earlier, but for truths and numbers.
"""

from __future__ import annotations

import re
from collections import Counter

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.rust.forms.places import is_settled
from intentls.core.syntax.tree import Node, all_said, every_node, inner_nodes

_WORD = re.compile(r"\w+")
_NAMED = ["let", "identifier", "=", ";"]
_MAX_DEPTH = 40
# What is computed part by part, in the order of the source, and moves what it is made of.
_IN_ORDER = frozenset(
    {
        *("arguments", "tuple_expression", "array_expression", "struct_expression", "field_initializer_list"),
        *("field_initializer", "return_expression", "try_expression", "expression_statement", "break_expression"),
        *("call_expression", "binary_expression", "unary_expression", "parenthesized_expression"),
    }
)
_ORDERS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_LOGIC = frozenset({"&&", "||"})
_ACTS = frozenset({"call_expression", "macro_invocation"})
_COMPUTES = _ACTS | {"binary_expression"}


def inlined(root: Node) -> None:
    """A `Rewrite`: put such values in the place of their names."""
    for function in (node for node in inner_nodes(root) if node.kind == "function_item"):
        words: Counter[str] = Counter()
        for block in [node for node in inner_nodes(function) if node.kind == "block"]:
            for index in range(len(block.children) - 1, 1, -1):  # the last first: a value may take another one's
                place = _place(block, index)
                if place is None:
                    continue
                words = words or Counter(_WORD.findall(all_said(function)))
                statement, (parent, at) = block.children[index - 1], place
                if words[statement.children[1].text or ""] == 2:
                    parent.children[at] = in_place_of(parent.children[at], statement.children[3])
                    del block.children[index - 1]


def _place(block: Node, index: int) -> tuple[Node, int] | None:
    """Where a statement moves what the one before it gives a name to."""
    statement, following = block.children[index - 1 : index + 1]
    kinds = [child.kind for child in statement.children]
    if statement.kind != "let_declaration" or [*kinds[:3], *kinds[4:]] != _NAMED:
        return None
    is_marked = block.children[index - 2].kind == "attribute_item"
    name, value = statement.children[1].text or "", statement.children[3]
    place = None if is_marked or not is_settled(value) else first_place(following, name, value)
    return place if place is not None and _is_moved(*place) else None


def first_place(statement: Node, name: str, value: Node) -> tuple[Node, int] | None:
    """Where a statement has the name first, before all else is computed that the value might change."""
    said = set(_WORD.findall(all_said(value)))
    acts = any(node.kind in _ACTS for node in every_node(value))
    node = statement
    for _ in range(_MAX_DEPTH):
        at = _next(node, name, said if acts else set())
        if at < 0:
            return None
        part = node.children[at]
        if part.text == name and part.kind == "identifier":
            return node, at
        node = part
    return None


def _next(node: Node, name: str, said: set[str]) -> int:
    """The part with the name, if nothing before it reads what the value says; -1 if not."""
    if node.kind in ("let_declaration", "if_expression", "for_expression", "assignment_expression"):
        field = {"if_expression": "condition", "assignment_expression": "right"}.get(node.kind, "value")
        is_let = node.kind == "let_declaration" and node.child("alternative") is not None
        at = next((index for index, child in enumerate(node.children) if child.field == field), -1)
        return -1 if is_let or (at >= 0 and node.children[at].kind.startswith("let_")) else at
    if node.kind not in _IN_ORDER:
        return -1
    for index, child in enumerate(node.children):
        if any(leaf.text == name for leaf in every_node(child)):
            return -1 if any(part.text in _LOGIC for part in node.children[:index]) else index
        if not _is_still(child, said):
            return -1
    return -1


def _is_still(part: Node, said: set[str]) -> bool:
    """Whether it computes nothing, which may panic, and reads nothing of what is `said`."""
    if part.text is not None:
        return part.text not in said or part.field in ("function", "name", "field")
    read = part.children[0] if part.kind == "field_expression" and part.field == "function" else part
    acts = any(node.kind in _COMPUTES for node in every_node(read))
    return is_settled(read) and not acts and said.isdisjoint(_WORD.findall(all_said(read)))


def _is_moved(parent: Node, at: int) -> bool:
    """Whether the name is moved where it stands, or only asked for what is a truth or a number."""
    if parent.kind == "binary_expression":
        sign, other = parent.children[1].text, parent.children[2 - at]
        return sign not in _ORDERS or other.kind == "integer_literal"
    is_read = parent.kind == "unary_expression" and parent.children[0].text == "*"
    return not is_read and parent.children[at].field != "function"

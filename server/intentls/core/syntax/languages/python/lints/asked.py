"""Conditions of Python, and values that a condition chooses, that are asked for in another way.

True if a is b else False      False if a else True      b if not a else a      if bool(a):
a is b                         not a                     a or b                 if a:
"""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.languages.python.forms import affirmed
from intentls.core.syntax.tree import Node, Role

# Where a condition stands of which only the truth matters.
_ASKED = {
    **dict.fromkeys(("if_statement", "elif_clause", "while_statement", "if_clause", "not_operator"), 1),
    "conditional_expression": 2,
}


def ask_plainly(node: Node) -> None:
    """`if a` for `if bool(a)` and `if not not a`, where it is only asked whether it is so."""
    at = _ASKED.get(node.kind)
    if at is not None and len(node.children) > at:
        node.children[at] = asked_plainly(node.children[at])


def asked_plainly(condition: Node) -> Node:
    """What is asked of a condition. Example: `a` for `not not a`, and for `True if a else False`."""
    if condition.kind == "boolean_operator":
        for index, part in enumerate(condition.children):
            condition.children[index] = asked_plainly(part)
    inner = condition.children[-1] if condition.kind == "not_operator" else condition
    if inner is not condition and inner.kind == "not_operator":
        return asked_plainly(in_place_of(condition, inner.children[-1]))
    is_truth = condition.kind == "conditional_expression" and len(condition.children) == 5
    if is_truth and (condition.children[0].kind, condition.children[4].kind) == ("true", "false"):
        return asked_plainly(in_place_of(condition, condition.children[2]))
    return condition


def chosen(node: Node) -> Node:
    """`a` for `True if a else False`, where it can be nothing else, `not a` the other way round, and `a or b`.

    A condition says what is so: `b if a is None else c` for `c if a is not None else b`.
    """
    first, _, condition, _, second = node.children
    if first.role is condition.role is Role.NAME and first.text == condition.text:
        parts = [condition, word_at(node, "or", "operator"), second]
        return Node("boolean_operator", node.field, node.row, children=parts)
    if (first.kind, second.kind) == ("true", "false") and _is_truth(condition):
        return in_place_of(node, condition)
    if (first.kind, second.kind) == ("false", "true"):
        condition.field = "argument"
        return Node("not_operator", node.field, node.row, children=[word_at(node, "not"), condition])
    if (plain := affirmed(condition)) is not None:
        plain.field = None
        node.children = [second, node.children[1], plain, node.children[3], first]
        return chosen(node)
    return node


def _is_truth(condition: Node) -> bool:
    is_comparison = condition.kind == "comparison_operator" and len(condition.children) == 3
    sign = condition.children[1].kind if is_comparison else ""
    return condition.kind == "not_operator" or sign in ("in", "not in", "is", "is not")

"""Go: `if` and `else if` for a `switch`, whose cases are asked one by one.

switch a {                     if a == 1 || a == 2 {
case 1, 2:                         f()
    f()                        } else {
default:                           g()
    g()                        }
}
"""

from __future__ import annotations

from intentls.core.syntax.languages.go.local_names import is_literal, is_pure
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, copy_with

_CASES = frozenset({"expression_case", "default_case"})
_BREAKABLE = frozenset({"for_statement", "expression_switch_statement", "type_switch_statement", "select_statement"})


def as_branches(switch: Node) -> None:
    """`if` for a `switch` that declares nothing itself, and that nothing leaves or goes on in another case."""
    asked = switch.child("value")
    cases = [child for child in switch.children if child.kind in _CASES]
    others = [case for case in cases if case.kind == "default_case"]
    chosen = [case for case in cases if case.kind == "expression_case"]
    is_plain = switch.child("initializer") is None and (asked is None or is_pure(asked)) and bool(chosen)
    if not is_plain or any(map(_leaves, cases)) or not all(_is_asked(case, asked) for case in chosen):
        return
    following = _block(others[0], "alternative") if others else None
    for case in reversed(chosen):
        condition = _condition(case, asked)
        condition.field = "condition"
        children = [word_at(case, "if"), condition, _block(case, "consequence")]
        children += [word_at(case, "else"), following] if following is not None else []
        following = Node("if_statement", "alternative", case.row, children=children)
    assert following is not None  # there is a case
    switch.kind, switch.children = following.kind, following.children


def _leaves(case: Node) -> bool:
    """Whether something in a case goes on in the next one, or leaves the `switch`."""
    stack = list(case.children)
    while stack:
        node = stack.pop()
        if node.kind == "fallthrough_statement" or (node.kind == "break_statement" and len(node.children) < 2):
            return True
        if node.kind not in _BREAKABLE and node.kind != "func_literal":
            stack.extend(node.children)
    return False


def _is_asked(case: Node, asked: Node | None) -> bool:
    """Whether to ask for its values changes nothing that is asked for."""
    values = case.child("value")
    is_marked = any(child.kind.endswith("comment") for child in case.children)  # one that counts belongs to its place
    if values is None or values.kind != "expression_list" or is_marked:
        return False
    return asked is None or all(is_pure(one) or is_literal(one) for one in _values(values))


def _values(listed: Node) -> list[Node]:
    return [child for child in listed.children if child.kind != ","]


def _condition(case: Node, asked: Node | None) -> Node:
    """`a == 1 || a == 2` for `case 1, 2` of `a`."""
    listed = case.child("value")
    assert listed is not None  # `_is_asked` has seen it
    found = [value if asked is None else _is_equal(asked, value) for value in _values(listed)]
    result = found[0]
    for value in found[1:]:
        result.field, value.field = "left", "right"
        sign = word_at(value, "||", "operator")
        result = Node("binary_expression", None, value.row, children=[result, sign, value])
    return result


def _is_equal(asked: Node, value: Node) -> Node:
    left = copy_with(asked, {})
    left.field, value.field = "left", "right"
    return Node("binary_expression", None, value.row, children=[left, word_at(value, "==", "operator"), value])


def _block(case: Node, field: str) -> Node:
    """What a case does, in braces of its own."""
    colon = next(index for index, child in enumerate(case.children) if child.kind == ":")
    return Node(
        "block", field, case.row, children=[word_at(case, "{"), *case.children[colon + 1 :], word_at(case, "}")]
    )

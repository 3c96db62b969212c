"""Go: a loop variable that each round copies to one of the same name, where nobody could keep the one or the other."""

from __future__ import annotations

from intentls.core.syntax.tree import Node, every_node, inner_nodes

_BY_VALUE = frozenset({"binary_expression", "unary_expression", "index_expression", "if_statement"})
_KEEPS = frozenset({"func_literal", "slice_expression"})


def without_copies(loop: Node) -> None:
    """Take `a := a` away from the start of a loop's block: `range` gives `a` a new value in each round anyway.

    That is so if no function, address, slice or method takes the variable itself, which the rounds shared before Go
    1.22.
    """
    clause = next((child for child in loop.children if child.kind == "range_clause"), None)
    names = clause.child("left") if clause is not None else None
    body = loop.child("body")
    if names is None or body is None:
        return
    own = {leaf.text for leaf in names.children if leaf.binds and leaf.text not in (",", "_")}
    while len(body.children) > 1 and (name := _copied(body.children[1])) in own and not _is_kept(body, name):
        del body.children[1]


def _copied(statement: Node) -> str | None:
    """The name of a variable that a statement declares as a copy of one of that name."""
    if statement.kind != "short_var_declaration" or [part.text for part in statement.children[1:2]] != [":="]:
        return None
    left, right = statement.children[0].children, statement.children[2].children
    is_same = len(left) == len(right) == 1 and left[0].text == right[0].text is not None
    return left[0].text if is_same else None


def _is_kept(body: Node, name: str | None) -> bool:
    """Whether something in a block may take the variable itself, and not only its value."""
    for node in inner_nodes(body):
        takes = node.kind in _KEEPS or (node.kind == "unary_expression" and node.children[0].kind == "&")
        if takes and any(leaf.text == name for leaf in every_node(node)):
            return True
        is_assigned = node.kind == "expression_list" and node.field == "left"
        if node.kind not in _BY_VALUE and not is_assigned and any(_is_part(child, name) for child in node.children):
            return True
    return False


def _is_part(node: Node, name: str | None) -> bool:
    """Whether it is `a.b`, which may be a method of `a`, or lies in such a one."""
    is_member = False
    while node.kind in ("selector_expression", "index_expression"):
        is_member = is_member or node.kind == "selector_expression"
        node = node.children[0]
    return is_member and node.text == name

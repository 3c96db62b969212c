"""A value that gets a name only to be returned: `x = f(); return x` is `return f()`."""

from __future__ import annotations

from collections.abc import Collection

from intentls.core.mutation.adapters.base import Rewrite
from intentls.core.mutation.node import Node, Role, flatten, inner_nodes

REASON = "a value is returned without a name of its own"
# A function takes its name from what it is given to.
_NAMED_BY_IT = frozenset({"arrow_function", "function_expression", "generator_function", "class"})


def returned_at_once(around: Collection[str], dynamic: Collection[str]) -> Rewrite:
    """A rewrite that takes the name away, if it occurs nowhere else in the innermost node of a kind in `around`.

    Names in `dynamic` may reach any name: nothing is done beside them.
    """

    def rewrite(root: Node) -> None:
        for holder in inner_nodes(root):
            if holder.kind in around:
                names = flatten(holder).names
                if not any(name in dynamic for name in names):
                    _shorten(holder, names)

    return rewrite


def _shorten(holder: Node, names: list[str]) -> None:
    for node in inner_nodes(holder):
        for at in range(len(node.kids) - 1, 0, -1):
            value = _value_of(node.kids[at - 1], node.kids[at])
            if value is not None and names.count(node.kids[at].kids[1].text or "") == 2:
                node.kids[at].kids[1] = value
                del node.kids[at - 1]


def _value_of(statement: Node, following: Node) -> Node | None:
    """The value that the one names and the other returns."""
    if following.kind != "return_statement" or len(following.kids) != 2 or len(statement.kids) not in (1, 2):
        return None
    assignment, name = statement.kids[-1], following.kids[1]
    is_local = statement.kind == "expression_statement" and assignment.kind == "assignment"
    is_constant = statement.kind == "lexical_declaration" and assignment.kind == "variable_declarator"
    if not (is_local or is_constant) or len(assignment.kids) != 3 or name.role is not Role.NAME:
        return None
    target, _, value = assignment.kids
    is_same = target.role is Role.NAME and target.text == name.text
    return value if is_same and value.kind not in _NAMED_BY_IT else None

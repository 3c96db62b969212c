"""A value that gets a name only to be returned: `x = f(); return x` is `return f()`."""

from __future__ import annotations

from collections.abc import Collection

from intentls.core.syntax.languages.adapter import Rewrite
from intentls.core.syntax.tree import Node, Role, flatten

REASON = "a value is returned without a name of its own"
_MOST = 20  # in one file: each takes a look at all of a function
# A function takes its name from what it is given to.
_NAMED_BY_IT = frozenset({"arrow_function", "function_expression", "generator_function", "class"})


def returned_at_once(around: Collection[str], dynamic: Collection[str]) -> Rewrite:
    """A rewrite that takes the name away, if it occurs nowhere else in the innermost node of a kind in `around`.

    Names in `dynamic` may reach any name: nothing is done beside them.
    """

    def rewrite(root: Node) -> None:
        for node, at, holder in _candidates(root, around)[:_MOST]:
            names = flatten(holder).names
            following = node.kids[at]
            if names.count(following.kids[1].text or "") == 2 and not any(name in dynamic for name in names):
                following.kids[1] = node.kids[at - 1].kids[-1].kids[2]
                del node.kids[at - 1]

    return rewrite


def _candidates(root: Node, around: Collection[str]) -> list[tuple[Node, int, Node]]:
    """Where the pairs of statements end: in which node, at which place, in which function; the last of a node first."""
    found: list[tuple[Node, int, Node]] = []
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, holder = stack.pop()
        holder = node if node.kind in around else holder
        if holder is not None:
            places = range(len(node.kids) - 1, 0, -1)
            found.extend((node, at, holder) for at in places if _is_pair(node.kids[at - 1], node.kids[at]))
        stack.extend((kid, holder) for kid in node.kids)
    return found


def _is_pair(statement: Node, following: Node) -> bool:
    """Whether the one names a value and the other returns it."""
    if following.kind != "return_statement" or len(following.kids) != 2 or len(statement.kids) not in (1, 2):
        return False
    assignment, name = statement.kids[-1], following.kids[1]
    is_local = statement.kind == "expression_statement" and assignment.kind == "assignment"
    is_constant = statement.kind == "lexical_declaration" and assignment.kind == "variable_declarator"
    if not (is_local or is_constant) or len(assignment.kids) != 3 or name.role is not Role.NAME:
        return False
    target, _, value = assignment.kids
    is_same = target.role is Role.NAME and target.text == name.text
    return is_same and value.kind not in _NAMED_BY_IT

"""A value that gets a name only to be returned: `x = f(); return x` is `return f()`."""

from __future__ import annotations

from collections.abc import Collection

from intentls.core.syntax.languages.adapter import Rewrite
from intentls.core.syntax.tree import Node, Role, flatten

REASON = "a value is returned without a name of its own"
MAX_REWRITES = 20  # in one file: each takes a look at all of a function
# A function takes its name from what it is given to.
_NAMED_BY_IT = frozenset({"arrow_function", "function_expression", "generator_function", "class"})


def returned_at_once(function_kinds: Collection[str], dynamic: Collection[str]) -> Rewrite:
    """A rewrite that takes the name away, if the innermost node of one of `function_kinds` has it nowhere else.

    Names in `dynamic` may reach any name: nothing is done beside them.
    """

    def rewrite(root: Node) -> None:
        for node, index, function in _candidates(root, function_kinds)[:MAX_REWRITES]:
            names = flatten(function).names
            following = node.children[index]
            if names.count(following.children[1].text or "") == 2 and not any(name in dynamic for name in names):
                following.children[1] = node.children[index - 1].children[-1].children[2]
                del node.children[index - 1]

    return rewrite


def _candidates(root: Node, function_kinds: Collection[str]) -> list[tuple[Node, int, Node]]:
    """Where the pairs of statements end: in which node, at which index, in which function; the last of a node first."""
    candidates: list[tuple[Node, int, Node]] = []
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, function = stack.pop()
        function = node if node.kind in function_kinds else function
        if function is not None:
            last_first = range(len(node.children) - 1, 0, -1)
            candidates.extend(
                (node, index, function)
                for index in last_first
                if _is_pair(node.children[index - 1], node.children[index])
            )
        stack.extend((child, function) for child in node.children)
    return candidates


def _is_pair(statement: Node, following: Node) -> bool:
    """Whether the one names a value and the other returns it."""
    if following.kind != "return_statement" or len(following.children) != 2 or len(statement.children) not in (1, 2):
        return False
    assignment, name = statement.children[-1], following.children[1]
    is_local = statement.kind == "expression_statement" and assignment.kind == "assignment"
    is_constant = statement.kind == "lexical_declaration" and assignment.kind == "variable_declarator"
    if not (is_local or is_constant) or len(assignment.children) != 3 or name.role is not Role.NAME:
        return False
    target, _, value = assignment.children
    is_same = target.role is Role.NAME and target.text == name.text
    return is_same and value.kind not in _NAMED_BY_IT

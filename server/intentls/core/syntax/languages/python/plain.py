"""Values of Python that are the same wherever they are computed: what `is` says of parameters.

    a is None and b is not None

And a name for a parameter that is never given another value. All else may call something: `a == b`, `not a`, `a.b`.
"""

from __future__ import annotations

from collections.abc import Collection

from intentls.core.syntax.languages.plain_values import PlainValues
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_CONSTANTS = frozenset({"integer", "float", "true", "false", "none"})
_SAME = frozenset({"is", "is not"})


def is_plain(value: Node) -> bool:
    """Whether a value is a constant, a name, or a truth that calls nothing."""
    if value.role is Role.NAME:
        return True
    if value.kind == "string":
        return all(part.kind == "content" for part in value.children)
    if value.kind == "unary_operator" and value.children[0].kind == "-":
        return value.children[1].kind in ("integer", "float")
    return value.kind in _CONSTANTS or _is_truth(value)


def _is_truth(value: Node) -> bool:
    stack = [value]
    while stack:
        node = stack.pop()
        parts = node.children
        if node.kind == "boolean_operator":
            stack += [part for part in parts if part.kind not in ("and", "or")]
        elif node.kind == "not_operator":
            stack.append(parts[-1])
        elif not _is_sameness(node):
            return False
    return True


def _is_sameness(node: Node) -> bool:
    """Whether it asks if two names, or a name and a constant, are the same object."""
    parts = node.children
    is_asked = node.kind == "comparison_operator" and len(parts) == 3 and parts[1].kind in _SAME
    return is_asked and all(part.kind in _CONSTANTS or part.role is Role.NAME for part in (parts[0], parts[2]))


def _set_again(root: Node) -> Collection[str]:
    """The names that something else than an assignment, a loop or the like sets or takes away."""
    names: set[str] = set()
    for node in inner_nodes(root):
        if node.kind in _SETTING:
            names.update(leaf.text or "" for leaf in every_node(node))
        elif node.kind in ("case_clause", "augmented_assignment", "named_expression"):
            names.update(leaf.text or "" for part in node.children[:-1] for leaf in every_node(part))
    return names


_SETTING = frozenset({"delete_statement", "global_statement", "nonlocal_statement"})

PLAIN_VALUES = PlainValues(
    functions=frozenset({"function_definition"}),
    parameters=frozenset({"parameters"}),
    holding=frozenset(),
    dynamic=frozenset({"eval", "exec", "locals", "vars", "_getframe", "currentframe"}),
    is_plain=is_plain,
    changed=_set_again,
)

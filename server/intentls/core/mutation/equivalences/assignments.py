"""What gives names of a function a value, in Python, JavaScript, TypeScript and Java.

for row in rows: ..      gives `row` a value of its own in each round
total += 1               gives `total` another value
rows[0] = 1              gives `rows` none: what it holds is another thing now
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intentls.core.mutation.equivalences.helpers import FUNCTIONS, words_in
from intentls.core.syntax.tree import Node, Role, every_node, spelling

_ASSIGNING = frozenset({"augmented_assignment", "augmented_assignment_expression", "assignment_expression"})
_CHANGING = frozenset({"update_expression", "delete_statement"})
_OWNED = frozenset(
    {"attribute", "subscript", "member_expression", "subscript_expression", "field_access", "array_access"}
)
_OWN_NAMES = frozenset({"list_comprehension", "set_comprehension", "dictionary_comprehension", "lambda"})


def changes(root: Node, names: set[str]) -> bool:
    """Whether something in it gives one of the names another value after it was declared."""
    return any(leaf.text in names for node in every_node(root) for leaf in _targets(node))


def _targets(node: Node) -> Iterator[Node]:
    """The names that an assignment gives another value."""
    targets = node.children[:1] if node.kind in _ASSIGNING else []
    targets = node.children if node.kind in _CHANGING else targets
    targets = [child for child in node.children if child.field == "left"] if node.kind == "for_in_outer" else targets
    stack = list(targets)
    while stack:
        part = stack.pop()
        if part.kind not in _OWNED:
            stack.extend(part.children)
            if part.role is Role.NAME:
                yield part


def is_assigned_in_another(caller: Node, name: str) -> bool:
    """Whether a function inside may give the name another value while a body runs."""
    inner = (node for node in every_node(caller) if node is not caller and node.kind in FUNCTIONS)
    return any(changes(node, {name}) for node in inner)


def deletes(node: Node, name: str) -> bool:
    return node.kind in ("delete_statement", "global_statement", "nonlocal_statement") and bool(words_in(node)[name])


def parameter_names(function: Node) -> set[str]:
    listed = [
        node for node in function.children if node.kind in ("parameters", "formal_parameters", "lambda_parameters")
    ]
    return {leaf.text or "" for node in listed for leaf in every_node(node) if leaf.binds and leaf.role is Role.NAME}


def bound_in(root: Node | None) -> set[str | None]:
    return {leaf.text for leaf in every_node(root) if leaf.binds} if root is not None else set()


def sets(statement: Node, name: str) -> bool:
    """Whether a statement gives the name a value, whatever happens in it."""
    if statement.kind in ("lexical_declaration", "expression_statement"):
        for part in statement.children:
            is_set = part.kind in ("assignment", "variable_declarator") and [
                sign.text for sign in part.children[-2:-1]
            ] == ["="]
            if is_set and part.children[0].text == name and part.children[0].binds:
                return True
    return False


def is_set_first(body: Sequence[Node], name: str) -> bool:
    """Whether a name of the body has a value of this call before it is used, each time."""
    mentions = [part for part in body if words_in(part)[name]]
    first = mentions[0]
    if sets(first, name):
        value = first.children[0].children[-1]
        return not words_in(value)[name]
    if len(mentions) == 1 and first.kind == "for_statement":
        left, right = first.child("left"), first.child("right")
        is_in_loop = left is not None and any(leaf.binds and leaf.text == name for leaf in every_node(left))
        body_alone = first.child("alternative") is None and right is not None and not words_in(right)[name]
        return (is_in_loop and body_alone) or (not is_in_loop and _is_set_inside(first, name))
    return (
        all(part.kind == "except_clause" for part in mentions) and all(_is_caught_as(part, name) for part in mentions)
    ) or (len(mentions) == 1 and _is_set_inside(first, name))


def _is_set_inside(statement: Node, name: str) -> bool:
    """Whether all that says the name stands in one block of a statement, or in ways out of it that catch it so."""
    parts = [child for child in statement.children if words_in(child)[name]]
    is_block = len(parts) == 1 and parts[0].kind in ("block", "else_clause", "finally_clause")
    if is_block or (bool(parts) and all(part.kind == "except_clause" for part in parts)):
        return is_set_first(parts[0].children if is_block else parts, name)
    return False


def _is_caught_as(clause: Node, name: str) -> bool:
    """Whether an `except` gives its error the name: `except A as name`."""
    caught = clause.children[1] if len(clause.children) > 1 else clause
    return (
        caught.kind == "as_pattern"
        and caught.children[-1].kind == "as_pattern_target"
        and (spelling(caught.children[-1]) == name and not words_in(caught.children[0])[name])
    )


def is_own_to_parts(root: Node, name: str) -> bool:
    """Whether all that says the name stands in a comprehension or a lambda that declares it."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.text == name:
            return False
        if node.kind not in _OWN_NAMES or not any(leaf.binds and leaf.text == name for leaf in every_node(node)):
            stack.extend(node.children)
    return True

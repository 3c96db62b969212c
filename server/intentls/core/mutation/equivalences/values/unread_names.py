"""Java: local variables that are only given values, and that nothing reads: without them a program does the same.

    String last = null;
    for (String row : rows) {          for (String row : rows) {
        last = row;              and       send(row);
        send(row);                     }
    }

To compute each of the values does nothing. An `if` that does no more goes, too, if to ask its condition does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.mutation.equivalences.values.java_values import JavaValues, java_functions
from intentls.core.syntax.languages.unused_locals import REASON
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

__all__ = ["REASON", "drop_unread"]

_HOLDERS = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_GIVING = frozenset({"=", "+=", "-=", "*=", "&=", "|=", "^="})
_NUMBERS = frozenset({"integral_type", "floating_point_type", "boolean_type"})
_BRACES = frozenset({"{", "}"})


def drop_unread(old: Node, new: Node) -> None:
    """Take such variables away that one version alone declares in a method."""
    sides = [[(key, method, _declared(method)) for key, method in java_functions(root)] for root in (old, new)]
    known = [{(key, name) for key, _, declared in side for name in declared} for side in sides]
    for root, side, others in zip((old, new), sides, known[::-1], strict=True):
        for key, method, declared in side:
            names = {name for name in declared if (key, name) not in others}
            if names:
                _drop(method, root, {name: declared[name] for name in names})


def _declared(method: Node) -> dict[str, Node]:
    """The statements that declare one variable each, by its name."""
    found: dict[str, Node] = {}
    for holder in inner_nodes(method):
        for statement in holder.children if holder.kind in _HOLDERS else ():
            if statement.kind == "local_variable_declaration" and len(statement.children) == 2:
                found[statement.children[1].children[0].text or ""] = statement
    return found


def _drop(method: Node, root: Node, declared: dict[str, Node]) -> None:
    for name, declaration in declared.items():
        statements = [declaration, *_giving(method, name)]
        values = JavaValues(method, root)
        if sum(_says(part, name) for part in statements) != _says(method, name) or not values.is_own(name):
            continue
        is_number = declaration.children[0].kind in _NUMBERS
        given = [_given(part) for part in statements]
        is_idle = all(value is None or values.does_nothing(value, is_number) for value in given)
        if is_idle and (is_number or all(map(_is_plain, statements))):
            _take_away(method, root, {id(part) for part in statements})


def _given(statement: Node) -> Node | None:
    """What a statement gives a variable; None if that is a number that it counts."""
    return statement.children[-1].child("value") or statement.children[-1].child("right")


def _giving(method: Node, name: str) -> Iterator[Node]:
    """The statements that do no more than give the name a value: `a = b`, `a += b`, `a++`."""
    for holder in inner_nodes(method):
        for statement in holder.children if holder.kind in _HOLDERS else ():
            inner = statement.children[0] if statement.kind == "expression_statement" and statement.children else None
            if inner is None or not inner.children:
                continue
            is_given = inner.kind == "assignment_expression" and inner.children[1].text in _GIVING
            target = (
                inner.children[0]
                if is_given
                else next((part for part in inner.children if part.role is Role.NAME), inner)
            )
            if (is_given or inner.kind == "update_expression") and target.text == name and target.role is Role.NAME:
                yield statement


def _is_plain(statement: Node) -> bool:
    """Whether a statement gives a variable a value without asking what is in it."""
    holder = statement.children[-1]
    return holder.kind == "variable_declarator" or (len(holder.children) == 3 and holder.children[1].text == "=")


def _says(root: Node, name: str) -> int:
    return sum(leaf.text == name and leaf.kind == "identifier" and leaf.field != "field" for leaf in every_node(root))


def _take_away(method: Node, root: Node, gone: set[int]) -> None:
    """Without these statements, and without each `if` in which nothing else stands."""
    for holder in reversed(list(inner_nodes(method))):  # what is within comes first
        if holder.kind in _HOLDERS and any(id(child) in gone for child in holder.children):
            holder.children = [child for child in holder.children if id(child) not in gone]
            if all(child.text in _BRACES for child in holder.children):
                gone |= {id(branch) for branch in _asking(method, root, holder)}


def _asking(method: Node, root: Node, block: Node) -> Iterator[Node]:
    """The `if` that has nothing but this block, and a condition that does nothing."""
    for node in inner_nodes(method):
        if node.kind == "if_statement" and node.child("consequence") is block and node.child("alternative") is None:
            condition = node.child("condition")
            if condition is not None and JavaValues(method, root).does_nothing(condition, is_number=True):
                yield node

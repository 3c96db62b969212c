"""Which values of Rust leave nothing behind that is dropped later."""

from __future__ import annotations

import re
from collections.abc import Collection

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node

_PLACES = frozenset({"identifier", "self", "field_expression", "scoped_identifier", "metavariable"})
_CONSTANTS = re.compile(r"\w+_literal\Z")
_LITERAL = re.compile(r"(integer|float|string|char|boolean)_literal\Z")
_MOVED = frozenset({"tuple_expression", "unit_expression", "arguments", "struct_expression", "field_initializer_list"})
_ENDING = frozenset({"println", "eprintln", "print", "eprint", "panic", "unreachable", "todo", "unimplemented"})
_BY_VALUE = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})  # what compares borrows


def is_settled(value: Node) -> bool:
    """Whether all that it makes on its way is moved, or is a place: else something would be dropped at another time."""
    stack = [value]
    while stack:
        node = stack.pop()
        if node.kind == "call_expression":
            called, arguments = node.children
            is_plain = called.kind in ("identifier", "scoped_identifier", "generic_function") or is_place(called)
            if not is_plain:
                return False
            stack.append(arguments)
        elif node.kind == "reference_expression":
            if not is_place(node.children[-1]):
                return False
        elif node.kind == "binary_expression":
            if node.children[1].text not in _BY_VALUE and not all(map(_is_left, node.children[::2])):
                return False
            stack += node.children[::2]
        elif node.kind in _MOVED:
            stack.extend(child for child in node.children if child.kind not in ("(", ")", "{", "}", ","))
        elif node.kind in ("field_initializer", "shorthand_field_initializer"):
            stack.append(node.children[-1])
        elif not (is_place(node) or _CONSTANTS.match(node.kind) or node.field == "name"):
            return False
    return True


def _is_left(value: Node) -> bool:
    """Whether what compares borrows nothing that it has made: a place, or a literal."""
    return is_place(value) or _CONSTANTS.match(value.kind) is not None


def without_sign(statement: Node) -> Node:
    """`a()` for `a();` at the end of a branch that has no value, if nothing is dropped later for it."""
    is_ended = statement.kind == "expression_statement" and len(statement.children) == 2
    is_same = is_ended and is_done(statement.children[0])
    return in_place_of(statement, statement.children[0]) if is_same else statement


def is_done(value: Node) -> bool:
    """Whether nothing is left to be dropped after it: nothing in it is, or it is a macro that ends what it does."""
    if value.kind in ("assignment_expression", "compound_assignment_expr"):
        return all(is_settled(part) for part in value.children[::2])
    return is_settled(value) or (value.kind == "macro_invocation" and value.children[0].text in _ENDING)


def bare(statement: Node, kinds: Collection[str]) -> Node:
    """A value at the end of a block, which a `match` or an `if` is as a statement, if it is of one of these kinds."""
    is_value = statement.kind == "expression_statement" and len(statement.children) == 1
    is_it = is_value and statement.children[0].kind in kinds
    return in_place_of(statement, statement.children[0]) if is_it else statement


def is_literal(value: Node) -> bool:
    """Whether it is a number, a truth, a character or a text that is written out. Example: `-1`."""
    inner = value.children[1] if value.kind == "unary_expression" and value.children[0].kind == "-" else value
    return _LITERAL.match(inner.kind) is not None


def is_place(node: Node) -> bool:
    while node.kind == "field_expression":
        node = node.children[0]
    return node.kind in _PLACES

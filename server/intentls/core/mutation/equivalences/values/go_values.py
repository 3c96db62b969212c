"""Go: values that have a name of their own, of which all is told by the function that they stand in.

    first := items[0]
    if first == "" || first == "x" {      items[0] is what it was, and found at once

What is computed is typed by a variable in it: a constant would have the type of what stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from intentls.core.mutation.equivalences.values.kept_values import KeptValue
from intentls.core.syntax.languages.go.inlining import first_use
from intentls.core.syntax.languages.go.local_names import LocalNames, assigned_in, is_literal, local_names
from intentls.core.syntax.tree import Node, Role, every_node, spelling

_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_COMPUTING = frozenset({"+", "-", "*", "&", "|", "^", "&^"})
_SIGNS = frozenset({"+", "-", "^", "!", "*"})  # of one operand
_DIVIDING = frozenset({"/", "%"})
_ORDERS = frozenset({"<", "<=", ">", ">="})
_EQUAL = frozenset({"==", "!="})
_LOGIC = frozenset({"&&", "||"})
_OWNED = frozenset({"selector_expression", "index_expression"})
_PARTS = frozenset({*_OWNED, "slice_expression", "type_assertion_expression"})
_BUILT_IN = frozenset({"len", "true", "false", "nil"})
_NOT_ZERO = re.compile(r"[1-9]\d*\Z")
_VARIABLES = frozenset({"parameter_declaration", "var_spec", "short_var_declaration", "range_clause"})
_PLAIN = re.compile(r"bool|string|u?int(?:8|16|32|64)?|byte|rune|uintptr|float(?:32|64)")


def go_functions(root: Node) -> Iterator[tuple[str, Node]]:
    """The functions of a file, by their receivers and names."""
    for node in root.children:
        if node.kind in _FUNCTIONS and node.children:
            parts = [part for part in (node.child("receiver"), node.child("name")) if part is not None]
            yield ".".join("" if part.field == "receiver" and part.text else spelling(part) for part in parts), node


def named_in_go(statement: Node) -> str:
    """The name that `name := value` declares."""
    if statement.kind != "short_var_declaration" or any(len(statement.children[at].children) != 1 for at in (0, 2)):
        return ""
    return statement.children[0].children[0].text or ""


class GoValues:
    """The values of one function."""

    def __init__(self, function: Node, root: Node) -> None:
        self._local: LocalNames = local_names(function)
        self._assigned = set(assigned_in(function))
        self._types: dict[str, str] = {}
        nodes = list(every_node(function))
        for node in nodes:
            if node.kind in _VARIABLES:
                self._note(node)
        for result in (node for node in nodes if node.field == "result"):
            for leaf in every_node(result):
                self._types.pop(leaf.text or "", None)  # a `return` gives it a value
        self._reached = {name for node in nodes for name in _reached(node)}
        self._repeated = {name for node in nodes if node.kind == "range_clause" for name in _bound_by(node)}
        self._has_jumps = any(node.kind in ("labeled_statement", "goto_statement") for node in nodes)
        self._has_own_words = any(leaf.binds and leaf.text in _BUILT_IN for leaf in every_node(root))

    def _note(self, node: Node) -> None:
        kind = node.child("type")
        written = spelling(kind) if kind is not None else ""
        self._types.update((name, written) for name in _bound_by(node))

    def value_of(self, statement: Node) -> KeptValue | None:
        """What `name := value` gives the name, if to compute it changes nothing."""
        name, value = named_in_go(statement), statement.children[2].children[0]
        if (
            self._has_jumps
            or self._has_own_words
            or name == "_"
            or name in self._assigned
            or not self._local.is_own(name)
        ):
            return None
        nodes = _all_but_lengths(value)
        operands = {leaf.text or "" for leaf in nodes if leaf.role is Role.NAME}
        if not operands or not all(map(self._is_variable, operands)) or not all(map(self._is_quiet, nodes)):
            return None
        looks_up = any(node.kind in _OWNED or _is_dereference(node) for node in nodes)
        fails = looks_up or any(map(self._fails, nodes))
        is_part = value.text is not None or fails  # of a struct that is copied a part may get another value
        reads = any((is_part or name in self._reached) and not self._is_plain(name) for name in operands) or looks_up
        is_fixed = operands.isdisjoint(self._assigned | self._repeated)
        return KeptValue(name, value, operands, reads, fails, is_fixed, is_ordered=False)

    def may_stand(self, kept: KeptValue, uses: Sequence[tuple[Node, ...]], following: Sequence[Node]) -> bool:
        """Whether no use needs a variable, and a value that may fail is computed at once."""
        if not all(map(_may_be_value, uses)):
            return False
        return not kept.fails or self._is_at_once(following[0], kept.name)

    def is_total(self, value: Node) -> bool:
        """Whether to compute a value of variables and constants can't fail and changes nothing."""
        nodes = _all_but_lengths(value)
        is_quiet = not self._has_own_words and all(map(self._is_quiet, nodes))
        names = (leaf.text or "" for leaf in nodes if leaf.role is Role.NAME)
        looks_up = any(node.kind in _OWNED or _is_dereference(node) for node in nodes)
        return (
            is_quiet
            and not looks_up
            and all(name in self._types for name in names)
            and not any(map(self._fails, nodes))
        )

    def _is_at_once(self, statement: Node, name: str) -> bool:
        loop = next((child for child in statement.children if child.kind == "range_clause"), statement)
        is_later = statement.child("initializer") is not None
        return not is_later and first_use(loop, name, self._local, set(), acts=False) is not None

    def _is_variable(self, name: str) -> bool:
        return name in self._types and self._local.is_own(name)

    def _is_plain(self, name: str | None) -> bool:
        return _PLAIN.fullmatch(self._types.get(name or "", "")) is not None

    def _is_quiet(self, node: Node) -> bool:
        """Whether to compute this node, beside its parts, changes nothing and is typed by them."""
        if node.kind == "call_expression":
            return self._is_length(node)
        if node.kind == "binary_expression":
            signs = {child.text for child in node.children[1::2]}  # a chain has several
            return signs <= _COMPUTING | _DIVIDING | _ORDERS | _EQUAL | _LOGIC
        if node.kind == "unary_expression":
            return node.children[0].text in _SIGNS
        return node.kind in _OWNED or node.text is not None

    def _is_length(self, call: Node) -> bool:
        """Whether it asks for the length of a list or a text, which nothing but an assignment to it changes."""
        arguments = call.children[1].children
        is_len = call.children[0].text == "len" and len(arguments) == 3
        return is_len and (self._local.is_list(arguments[1]) or self._types.get(arguments[1].text or "") == "string")

    def _fails(self, node: Node) -> bool:
        """Whether to divide by zero, or to compare what can't be, may stop it."""
        if node.kind != "binary_expression" or len(node.children) != 3:
            return False
        left, sign, right = node.children
        if sign.text in _DIVIDING:
            return _NOT_ZERO.match(right.text or "") is None
        is_plain = is_literal(left) or is_literal(right) or (self._is_basic(left) and self._is_basic(right))
        return sign.text in _EQUAL and not is_plain

    def _is_basic(self, node: Node) -> bool:
        """Whether it is no interface for sure."""
        return self._is_plain(node.text) or node.kind in ("call_expression", "binary_expression")


def _bound_by(node: Node) -> list[str]:
    """The names that a node declares itself."""
    parts = [part for child in node.children for part in (child, *child.children)]
    return [leaf.text or "" for leaf in parts if leaf.binds and leaf.role is Role.NAME]


def _all_but_lengths(value: Node) -> list[Node]:
    """All nodes but the word `len`, and the signs around what it is asked of."""
    nodes: list[Node] = []
    stack = [value]
    while stack:
        node = stack.pop()
        nodes.append(node)
        is_call = node.kind == "call_expression"
        stack.extend(node.children[1].children if is_call and len(node.children) == 2 else node.children)
    return nodes


def _is_dereference(node: Node) -> bool:
    return node.kind == "unary_expression" and node.children[0].text == "*"


def _reached(node: Node) -> Iterator[str]:
    """The variable that a method may change of which it is called, or a list that is cut out of it."""
    if node.kind == "slice_expression" or (node.kind == "selector_expression" and node.field == "function"):
        root = node
        while root.children:
            root = root.children[0]
        yield root.text or ""


def _may_be_value(above: tuple[Node, ...]) -> bool:
    """Whether at a use a value does what a variable does."""
    if any(node.kind == "literal_key" for node in above):
        return False  # a field may have this name
    at = len(above) - 1
    while at > 0 and above[at - 1].kind in _PARTS and above[at - 1].children[0] is above[at]:
        at -= 1
        if above[at].kind == "slice_expression":
            return False
    top = above[at]
    if top is above[-1]:
        return True
    parent = above[at - 1] if at else top
    is_target = any(node.field == "left" and node.kind == "expression_list" for node in above)
    is_method = top.field == "function" or (top.kind == "selector_expression" and parent.kind != "binary_expression")
    return not is_method and not is_target and parent.kind not in ("inc_statement", "dec_statement")

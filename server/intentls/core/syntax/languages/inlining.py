"""A local name for a value that is used once, in the next statement: with and without the name a program does the same.

    key = name_of(city)          and          store.save(name_of(city))
    store.save(key)

The value is computed before all else that the next statement does but for what only looks a name up, and always.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from itertools import pairwise

from intentls.core.syntax.languages.adapter import NAMED_BY_IT, InformedRewrite
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, Role, all_said, every_node, inner_nodes

REASON = "a value has a name of its own"

_WORD = re.compile(r"[\w$]+")
_MAX_DEPTH = 60  # of what is between a statement and the use in it
# Statements whose first part is computed first and once: this field, or the statement itself.
_HEADS: dict[str, str] = {
    "expression_statement": "",
    "return_statement": "",
    "raise_statement": "",
    "throw_statement": "",
    "lexical_declaration": "",
    "if_statement": "condition",
    "for_statement": "right",
    "switch_statement": "value",
}
_ASSIGNMENTS = frozenset({"assignment", "assignment_expression", "variable_declarator"})
# What may not be computed at all, not first, or more than once.
_CLOSED = frozenset(
    {
        *("lambda", "conditional_expression", "ternary_expression", "list_comprehension", "set_comprehension"),
        *("dictionary_comprehension", "generator_expression", "interpolation_named", "named_expression"),
        *("arrow_function", "function_expression", "generator_function", "class", "template_string", "block"),
        *("statement_block", "function_definition", "class_definition", "method_definition", "case_clause"),
        *("augmented_assignment", "augmented_assignment_expression", "update_expression", "else_clause", "elif_clause"),
    }
)
_SHORT_CIRCUITS = frozenset({"and", "or", "&&", "||", "??"})
_MEMBERS = frozenset({"attribute", "member_expression"})
_CALLS = frozenset({"call", "call_expression"})
_CONSTANTS = frozenset({"string", "integer", "float", "number", "none", "true", "false", "null", "undefined", "bytes"})


def _is_open(_root: Node) -> bool:
    return False


def inlined(
    function_kinds: Collection[str],
    dynamic: Collection[str],
    moving: Callable[[Node], Collection[str]],
    is_closed: Callable[[Node], bool] = _is_open,
) -> InformedRewrite:
    """A rewrite of local names in functions of these kinds; `dynamic` names may reach any name.

    `moving` says which names of a tree another function may give another value meanwhile, `is_closed` whether no other
    file sees the names of this one.
    """

    def rewrite(root: Node, _facts: Surroundings) -> None:
        if not any(map(named_value, inner_nodes(root))):
            return  # before all words are counted
        moved = moving(root)
        stack: list[tuple[Node, Collection[str] | None]] = [(root, None)]
        while stack:
            node, names = stack.pop()
            if node.kind in function_kinds:
                counts = Counter(leaf.text for leaf in every_node(node) if leaf.text is not None)
                names = () if any(name in counts for name in dynamic) else _used_at_once(node, counts, moved)
            elif node is root and is_closed(root):  # what did not change is not read
                counts = counted_words(node)
                names = () if any(name in counts for name in dynamic) else _used_at_once(node, counts, moved)
            if names:
                _inline_in(node, names, moved)
            stack.extend((child, names) for child in node.children if child.children)

    return rewrite


def counted_words(root: Node) -> Counter[str]:
    """How often each word stands in a tree, in names, signs and texts: `$a` is one, `a-b` are two."""
    return Counter(_WORD.findall(all_said(root)))


def _used_at_once(function: Node, counts: Counter[str], moved: Collection[str]) -> set[str]:
    """The names of a function that are given a value only to be used once, in the next statement, each time."""
    times: Counter[str] = Counter()
    for node in inner_nodes(function):
        for statement, following in pairwise(node.children):
            pair = named_value(statement)
            if pair is not None and counts[pair[0]] % 2 == 0:
                is_used = counts[pair[0]] == 2 or _is_once(following, pair[0], moved)
                times[pair[0]] += is_used
    return {name for name, count in times.items() if 2 * count == counts[name]}


def _is_once(statement: Node, name: str, moved: Collection[str]) -> bool:
    """Whether a statement has the name once, where it may be the value itself."""
    is_single = sum(leaf.text == name for leaf in every_node(statement)) == 1
    return is_single and first_use(statement, name, moved) is not None


def _inline_in(node: Node, names: Collection[str], moved: Collection[str]) -> None:
    for index in range(len(node.children) - 1, 0, -1):  # the last first: a value may take another one's
        statement = node.children[index - 1]
        pair = named_value(statement)
        if pair is None or pair[0] not in names:
            continue
        place = first_use(node.children[index], pair[0], moved)
        if place is not None:
            parent, position = place
            value = pair[1]
            value.field = parent.children[position].field
            parent.children[position] = value
            del node.children[index - 1]


def named_value(statement: Node) -> tuple[str, Node] | None:
    """The name and the value of a statement `name = value` or `const name = value`; None for any other one.

    Not of a value that is told its name (a function), or that gives names itself.
    """
    is_local = statement.kind == "expression_statement" and len(statement.children) == 1
    is_constant = statement.kind == "lexical_declaration" and len(statement.children) == 2
    if not (is_local or is_constant):
        return None
    assignment = statement.children[-1]
    if assignment.kind not in ("assignment", "variable_declarator") or len(assignment.children) != 3:
        return None
    target, _, value = assignment.children
    if target.role is not Role.NAME or not target.binds or value.kind in NAMED_BY_IT or value.kind == "yield":
        return None
    binds = any(leaf.binds or leaf.kind == "named_expression" for leaf in every_node(value))
    return None if binds else (target.text or "", value)


def first_use(statement: Node, name: str, moved: Collection[str]) -> tuple[Node, int] | None:
    """Where the name is used in a statement, if it is computed there before all else, and always."""
    head = _HEADS.get(statement.kind)
    if head is None:
        return None
    node = statement
    if head:
        index, node = next((pair for pair in enumerate(statement.children) if pair[1].field == head), (0, statement))
        if _is_use(node, name):
            return statement, index
        if node is statement or node.text is not None:
            return None
    for _ in range(_MAX_DEPTH):
        parts = (part for part in _in_order(node) if _holds(part, name) or not _is_still(part, node, moved))
        part = next(parts, None)
        if part is None or _is_use(part, name):
            return None if part is None else (node, next(i for i, child in enumerate(node.children) if child is part))
        node = part
    return None


def _in_order(node: Node) -> list[Node]:
    """The parts of a node that are always computed, in that order."""
    sign = node.children[1].kind if len(node.children) > 1 else ""
    if node.kind in _CLOSED:
        return []
    if sign in _SHORT_CIRCUITS:
        return node.children[:1]
    if node.kind in _ASSIGNMENTS:
        return node.children[-1:]
    return node.children[:3] if node.kind == "comparison_operator" else node.children


def _holds(part: Node, name: str) -> bool:
    return any(_is_use(leaf, name) for leaf in every_node(part))


def _is_use(leaf: Node, name: str) -> bool:
    return leaf.text == name and leaf.role is Role.NAME and not leaf.binds


def _is_still(part: Node, parent: Node, moved: Collection[str]) -> bool:
    """Whether it computes nothing: a sign, a name, a constant, or the method of a name that is about to be called."""
    if part.text is not None:
        return part.role is not Role.NAME or part.text not in moved
    if part.kind in _CONSTANTS:
        return all(node.kind in ("string", "bytes", "content") for node in every_node(part))
    is_method = parent.kind in _CALLS and part.field == "function" and part.kind in _MEMBERS
    owner = part.children[0] if part.children else part  # an empty pattern has none
    return is_method and owner.role is Role.NAME and owner.text not in moved

"""Variables that have no value where they are declared: what another version gives them there is never read.

    long size;                          long size = 0;
    if (isFile) { size = length(); }    if (isFile) { size = length(); }
    else { size = 0; }                  else { size = 0; }

On the left each way through the function gives `size` a value before anything reads it, or leaves. So where the rest is
the same, the `0` on the right is nothing that anything sees.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from intentls.core.mutation.equivalences.helpers import words_in
from intentls.core.syntax.tree import Node

REASON = "first values that nothing reads"
_LISTS = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_DECLARING = {"local_variable_declaration": "variable_declarator", "let_declaration": "let_declaration"}
_FUNCTIONS = frozenset({"method_declaration", "constructor_declaration", "lambda_expression", "function_item"})
_LEAVING = re.compile(r"(return|throw|break|continue)_(statement|expression)\Z")
_CONSTANT = re.compile(r"(literal|true|false)\Z")


class _Variable:
    """A variable that a function declares: the node that does, and the statements that follow in its block."""

    def __init__(self, function: str, node: Node, following: Sequence[Node]) -> None:
        named = node.child("pattern") or node.child("name")
        self.name = (named.text or "") if named is not None else ""
        self.key = (function, self.name)
        self._node, self._following = node, following

    @property
    def has_value(self) -> bool:
        """Whether it has a value where it is declared."""
        return self._node.child("value") is not None

    def is_given_one(self) -> bool:
        """Whether it is given one later, before anything reads it."""
        return bool(self.name) and _first_gives(self._following, self.name)

    def drop_value(self) -> None:
        """Without the value, if that is a constant."""
        value = self._node.child("value")
        if value is not None and _CONSTANT.search(value.kind):
            self._node.children = [child for child in self._node.children if child is not value and child.kind != "="]


def drop_first_values(old: Node, new: Node) -> None:
    """Take the first value from each variable that has none in the other tree."""
    sides = [list(_variables(root)) for root in (old, new)]
    if all(variable.has_value for side in sides for variable in side):
        return  # most are like that
    for one, other in (sides, sides[::-1]):
        counts, others = (Counter(variable.key for variable in side) for side in (one, other))
        bare = {variable.key for variable in other if not variable.has_value and others[variable.key] == 1}
        wanted = [variable for variable in one if variable.has_value and variable.key in bare]
        given = {variable.key for variable in other if wanted and variable.key in bare and variable.is_given_one()}
        for variable in wanted:
            if counts[variable.key] == 1 and variable.key in given and variable.is_given_one():
                variable.drop_value()  # else the rest is not the same, and another step may need the value


def _variables(root: Node) -> Iterator[_Variable]:
    stack = [(root, "")]
    while stack:
        node, function = stack.pop()
        if node.kind in _FUNCTIONS:
            name = node.child("name")
            function = f"{function}.{name.text if name is not None else ''}"
        for index, child in enumerate(node.children if node.kind in _LISTS and function else ()):
            kind = _DECLARING.get(child.kind, "")
            for part in [child, *child.children] if kind else ():
                if part.kind == kind:
                    yield _Variable(function, part, node.children[index + 1 :])
        stack.extend((child, function) for child in node.children if child.children)


def _first_gives(statements: Sequence[Node], name: str) -> bool:
    """Whether the first of the statements that says the name, or leaves, gives it a value or leaves."""
    first = (node for node in statements if words_in(node)[name] or _leaves(node))
    return any(_gives(node, name) for node in [*first][:1])


def _leaves(node: Node) -> bool:
    inner = node.children[0] if node.kind == "expression_statement" else node
    return _LEAVING.search(inner.kind) is not None


def _gives(node: Node, name: str) -> bool:
    """Whether a statement gives a variable a value before it reads it, or leaves, whatever happens in it."""
    inner = node.children[0] if node.kind == "expression_statement" and node.children else node
    if not words_in(inner)[name]:
        return _leaves(inner) or (inner.kind in _LISTS and any(map(_leaves, inner.children)))
    if inner.kind == "assignment_expression":
        target, sign, value = inner.children
        return target.text == name and sign.kind == "=" and not words_in(value)[name]
    if inner.kind in _LISTS:
        return _first_gives(inner.children, name)
    if inner.kind in ("if_statement", "if_expression"):
        asked, *branches = (inner.child(field) for field in ("condition", "consequence", "alternative"))
        if asked is None or words_in(asked)[name]:
            return False
        return all(branch is not None and _gives(branch, name) for branch in branches)
    if inner.kind == "else_clause":
        return _gives(inner.children[-1], name)
    if inner.kind == "match_expression":
        value, *_, body = inner.children[1:]
        arms = [child for child in body.children if child.kind == "match_arm"]
        return not words_in(value)[name] and all(_gives(arm.children[-1], name) for arm in arms)
    return False

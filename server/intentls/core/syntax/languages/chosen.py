"""A name that branches give one of several values: one form for all ways to write that.

int r = 2;                 int r;                        int r = 2;
if (a) {                   if (a) {                      if (a) {
    r = 1;                     r = 1;                        r = 1;
}                          } else {                      }
send(r);                       r = 2;                    return r;
                           }
                           send(r);                      if (a) { return 1; } return 2;

What is returned then is returned in each branch, and where a loop is left by `break`. The name stands nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy

from msgspec import Struct

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, every_node

_FAR = 40  # statements, among which the first use of a name is looked for
_LEAVES = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})
_CONSTANTS = frozenset(
    {
        *("decimal_integer_literal", "string_literal", "true", "false", "null_literal", "character_literal"),
        *("int_literal", "interpreted_string_literal", "nil", "number", "null"),
    }
)


class ChosenName(Struct, frozen=True):
    """A variable that a statement declares. `is_returned`: its type is the one that the function returns.

    `plain` is the declaration without the value, `first` the value that it has until it is given one, if that is a
    constant.
    """

    leaf: Node
    plain: Node
    first: Node | None
    is_returned: bool


class Choices(Struct, frozen=True):
    """The words of a language: what declares a variable, what gives it a value, what returns one, and the loops."""

    declared: Callable[[Node], ChosenName | None]
    given: Callable[[Node], tuple[str, Node] | None]
    giving: Callable[[Node, Node], Node]
    returned: Callable[[Node], Node | None]
    returning: Callable[[Node], Node]
    loops: frozenset[str]

    def settled(self, statements: list[Node]) -> list[Node]:
        """The statements of a block, whose branches have one form."""
        result = list(statements)
        for index in range(len(statements) - 2, -1, -1):
            declared = self.declared(result[index])
            if declared is not None:
                self._settle(result, index, declared)
        return result

    def _settle(self, statements: list[Node], index: int, declared: ChosenName) -> None:
        name = declared.leaf.text or ""
        if any(_count(statement, name) for statement in statements[:index]):
            return  # a function of JavaScript may ask for it
        at = next(
            (n for n in range(index + 1, min(index + _FAR, len(statements))) if _count(statements[n], name)), index
        )
        user = statements[at]
        following = statements[at + 1] if at + 1 < len(statements) else user
        last = self.returned(following) if following is not user else None
        is_last = last is not None and last.role is Role.NAME and last.text == name and declared.is_returned
        if user.kind == "if_statement":
            given = self._given_in(user, name, declared)
            if given is None:
                return
            if is_last and not any(_count(statement, name) for statement in statements[at + 2 :]):
                for block in given:
                    value = self.given(block.children[-1])
                    assert value is not None  # it has been found there
                    block.children[-1] = self.returning(value[1])
                del statements[at + 1]
                del statements[index]
            else:
                statements[index] = declared.plain
        elif user.kind in self.loops and is_last and declared.first is not None:
            pairs = list(self._left_with(user, name))
            if pairs and _count(user, name) == len(pairs):
                for block, leaving in pairs:
                    block.children[-2:] = [self.returning(leaving)]
                statements[at + 1] = self.returning(declared.first)
                del statements[index]

    def _given_in(self, branch: Node, name: str, declared: ChosenName) -> list[Node] | None:
        """The blocks that end with a value for the name, which all do that are not left; None if that is not so."""
        given: list[Node] = []
        missing: list[Node] = []
        stack = [branch]
        while stack:
            node = stack.pop()
            if len(node.children) == 2:
                node.children.append(Node(node.children[1].kind, None, node.row))
            for block in node.children[1:]:
                last = block.children[-1] if block.children else block
                value = self.given(last)
                if value is not None and value[0] == name:
                    given.append(block)
                elif last.kind == "if_statement" and len(last.children) > 1:
                    stack.append(last)
                elif last.kind not in _LEAVES:
                    missing.append(block)
        is_whole = len(given) == _count(branch, name)
        if not given or not is_whole or (missing and declared.first is None):
            return None
        for block in missing:
            assert declared.first is not None
            block.children.append(self.giving(declared.leaf, deepcopy(declared.first)))
        return given + missing

    def _left_with(self, loop: Node, name: str) -> Iterator[tuple[Node, Node]]:
        """The blocks of a loop that give the name a value and leave the loop, and the values."""
        body = loop.child("body")
        stack = [body] if body is not None else []
        while stack:
            block = stack.pop()
            for child in block.children:
                if child.kind == "if_statement":
                    stack.extend(child.children[1:])
            ends = block.children[-2:]
            is_left = len(ends) == 2 and ends[1].kind == "break_statement" and len(ends[1].children) == 1
            value = self.given(ends[0]) if is_left else None
            if value is not None and value[0] == name:
                yield block, value[1]


def is_constant(value: Node) -> bool:
    """Whether it is a number, a text or a word for a value, or a number with a sign."""
    inner = value.children[1] if value.kind == "unary_expression" and value.children[0].kind == "-" else value
    return inner.kind in _CONSTANTS and not inner.children


def returned(statement: Node) -> Node | None:
    """What a `return` returns."""
    return statement.children[1] if statement.kind == "return_statement" and len(statement.children) == 2 else None


def returning(value: Node) -> Node:
    """A `return` of a value."""
    value.field = None
    return Node("return_statement", None, value.row, children=[word_at(value, "return"), value])


def _count(node: Node, name: str) -> int:
    return sum(leaf.text == name for leaf in every_node(node))

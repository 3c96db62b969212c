"""Functions that were taken out of others, or put back: the body in the place of each call does the same.

    def load(text):                       def load(text):
        if not text:                          _check(text)
            raise ValueError(text)            return parse(text)
        return parse(text)
                                          def _check(text):
                                              if not text:
                                                  raise ValueError(text)

What a call hands over are names of the caller that keep their values meanwhile, and constants. No name of the body
means anything else at the call, what the body declares is no name there, and each way out of it is one of the caller.
A variable that the body returns may be the one that the call gives its value to: `a = _go(b)` for what makes `a`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from intentls.core.mutation.equivalences.assignments import (
    changes,
    is_own_to_parts,
    is_set_first,
)
from intentls.core.mutation.equivalences.helpers import FUNCTIONS, TYPED, Helper, Site, helpers, words_in
from intentls.core.mutation.equivalences.reuse.called_functions import called_functions
from intentls.core.mutation.equivalences.reuse.chosen_values import chosen_value
from intentls.core.mutation.equivalences.reuse.handed_over import (
    BLOCKS,
    LATER,
    Handed,
    HandedOver,
    declares,
    type_of,
)
from intentls.core.mutation.equivalences.reuse.taking_in import place_all, take_in_each
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.inlining import first_use
from intentls.core.syntax.languages.javascript.forms import assigned
from intentls.core.syntax.languages.python.forms import rebound
from intentls.core.syntax.tree import Node, Role, copy_with, every_node

_LEAVING = ("return_statement", "raise_statement", "throw_statement")
_CONDITIONS = frozenset({"if_statement", "while_statement"})
_CALL = "\0call"
_TRYING = frozenset({"try_statement", "try_with_resources_statement", "with_statement"})
_GIVING = {
    "assignment": "expression_statement",
    "assignment_expression": "expression_statement",
    "variable_declarator": "declaration",
}


def take_in(old: Node, new: Node, adapter: Adapter, facts: Surroundings) -> str:
    """Put the body of each function that one side alone has, or calls more, in the place of its calls."""

    def private(root: Node, other: Node) -> Iterator[Helper]:
        return helpers(root, other, adapter, facts)

    def shared(root: Node, other: Node) -> Iterator[Helper]:
        return called_functions(root, other, adapter, facts)

    def take(helper: Helper, _root: Node) -> bool:
        bodies = [(site, _TakenCall(helper, site, adapter).replacement()) for site in helper.sites]
        return place_all(helper, bodies, _place, helper.holder)

    return take_in_each(old, new, private, shared, take)


class _TakenBody(Struct, frozen=True):
    """What stands in the place of a call: statements before the one that it is in, and a value.

    Without a value the statements stand in the place of the call's own.
    """

    statements: list[Node]
    value: Node | None


def _place(site: Site, body: _TakenBody) -> None:
    index = next(number for number in range(len(site.above) - 1, -1, -1) if _is_listed(site, number))
    block, statement = site.above[index - 1], site.above[index]
    at = next(number for number, child in enumerate(block.children) if child is statement)
    if body.value is None:
        block.children[at : at + 1] = body.statements
        return
    parent = site.above[-1]
    where = next(number for number, child in enumerate(parent.children) if child is site.call)
    body.value.field = site.call.field
    parent.children[where] = body.value
    block.children[at:at] = body.statements


def _is_listed(site: Site, number: int) -> bool:
    """Whether the node around the call is a statement of a block; else of the function, if there is no block."""
    return number == 0 or site.above[number - 1].kind in BLOCKS or site.above[number].kind in FUNCTIONS


class _TakenCall:
    """One call of a function, and whether the body may stand there."""

    def __init__(self, helper: Helper, site: Site, adapter: Adapter) -> None:
        self._helper, self._site = helper, site
        self._language, self._is_java, self._is_python = adapter.name, adapter.name == "Java", adapter.name == "Python"
        self._is_typed = adapter.name in TYPED
        self._caller, root = site.outermost, site.above[0]
        self._moved = assigned(root) | rebound(root)  # of one of them there is nothing in another language
        self._declared = {leaf.text for leaf in every_node(self._caller) if leaf.binds and leaf.role is Role.NAME}
        self._parameters = {name.text or "" for name in helper.parameters}
        leaves = [leaf for part in helper.body for leaf in every_node(part) if leaf.role is Role.NAME]
        self._own = {leaf.text or "" for leaf in leaves if leaf.binds}
        self._free = {leaf.text or "" for leaf in leaves} - self._own - self._parameters - {helper.receiver}
        self._returned, self._given = self._handed_on()

    def replacement(self) -> _TakenBody | None:
        """What may stand in the place of the call; None if nothing is sure to do the same."""
        over = HandedOver(self._helper, self._site, self._moved, self._language)
        handed = over.handed()
        if handed is None or not self._names_mean_the_same(handed) or not self._keeps_types():
            return None
        declared = over.declarations(handed.computed)
        statements = [*declared, *(copy_with(part, handed.values) for part in self._helper.body)]
        if self._returned:
            return _TakenBody([rename_in(part, self._returned, self._given) for part in statements[:-1]], None)
        last = statements[-1]
        is_valued = last.kind == "return_statement" and len(last.children) == 2
        statement = self._site.above[-1]
        is_in_block = len(self._site.above) > 1 and self._site.above[-2].kind in BLOCKS
        returns = sum(_returns(part) for part in statements)
        if statement.kind == "expression_statement" and is_in_block and returns == 0:
            return _TakenBody(statements, None)
        if is_valued and returns == 1 and self._may_come_before(len(statements) > 1):
            return _TakenBody(statements[:-1], last.children[1])
        is_last = statement.kind == "return_statement" and is_in_block and self._same_result()
        if is_last:
            return _TakenBody(statements, None) if _leaves(statements) else None
        return None if self._is_java or statement.kind == "expression_statement" else self._chosen(statements)

    def _chosen(self, statements: list[Node]) -> _TakenBody | None:
        """The body where it ends with branches that do nothing but choose a value."""
        first = next((index for index, part in enumerate(statements) if _returns(part)), 0)
        value = chosen_value(statements[first:], self._language)
        return _TakenBody(statements[:first], value) if value is not None and self._may_come_before(first > 0) else None

    def _handed_on(self) -> tuple[str, str]:
        """The variable that the body returns, and the new one of the caller that it is from then on; else nothing."""
        *before, last = self._helper.body
        above = self._site.above
        is_returned = last.kind == "return_statement" and len(last.children) == 2 and sum(map(_returns, before)) == 0
        name = last.children[1].text if is_returned and last.children[1].role is Role.NAME else None
        is_given = len(above) > 3 and above[-2].kind.endswith(_GIVING.get(above[-1].kind, "\0"))
        if name is None or name not in self._own or not is_given or above[-3].kind not in BLOCKS:
            return "", ""
        target, sign = above[-1].children[0], above[-1].children[-2]
        is_new = target.role is Role.NAME and target.binds and sign.text == "=" and self._is_said_first(target)
        is_alone = sum(child.kind == "variable_declarator" for child in above[-2].children) < 2
        is_tried = any(node.kind in _TRYING for node in above)  # what is made by half may be seen there
        if not (is_new and is_alone) or is_tried or not self._is_of_one_type(name):
            return "", ""
        return name, target.text or ""

    def _is_said_first(self, target: Node) -> bool:
        """Whether the caller does not say the name before, and the body says it for nothing else."""
        words = {leaf.text for part in self._helper.body for leaf in every_node(part)}
        is_other = target.text not in words or target.text == self._helper.body[-1].children[1].text
        return is_other and is_said_first(target, self._caller)

    def _is_of_one_type(self, name: str) -> bool:
        """Whether Java says the same type of the variable here, there, and of what the function gives."""
        if not self._is_java:
            return True
        nodes = (node for part in self._helper.body for node in every_node(part))
        named = Node("identifier", None, 0, name)
        kinds = {type_of(node) for node in nodes if any(declares(child, named) for child in node.children)} - {""}
        return kinds == {type_of(self._helper.node)} == {type_of(self._site.above[-2])}

    def _names_mean_the_same(self, handed: Handed) -> bool:
        """Whether no name of the body is one of the caller, and the other way round."""
        if self._free & (self._declared - {self._given}) or handed.said & (self._own | {self._given}):
            return False
        if any(changes(part, {*handed.values}) for part in self._helper.body) or self._parameters & self._own:
            return False
        said = words_in(self._caller)
        if any(said[name] for name in self._own - {self._returned}):
            return False
        if not self._is_python:
            return True  # what a block declares is its own, each time anew
        body = self._helper.body
        shared = {name for name in self._own if not all(is_own_to_parts(part, name) for part in body)}
        kept = shared | handed.computed.keys()
        later = (inner for part in body for inner in every_node(part) if inner.kind in LATER)
        is_later = any(leaf.text in kept for inner in later for leaf in every_node(inner))
        return not is_later and all(is_set_first(body, name) for name in shared)

    def _keeps_types(self) -> bool:
        """Whether no one is told another type: of what an exported function gives back, without a type of its own."""
        if self._is_java:
            return all(child.kind != "type_parameters" for child in self._caller.children)
        if not self._is_typed or self._site.above[-1].kind == "expression_statement":
            return True
        is_test = self._site.above[1].kind == "expression_statement"
        return is_test or self._caller.child("return_type") is not None

    def _may_come_before(self, has_statements: bool) -> bool:
        """Whether the value may stand where the call does, and what it takes before the statement."""
        if self._is_java:
            return self._may_be_there_in_java(has_statements)
        if not has_statements:
            return True
        index = next((n for n in range(len(self._site.above) - 1, 0, -1) if self._site.above[n - 1].kind in BLOCKS), 0)
        statement, call = self._site.above[index], self._site.call
        kept = (call.kind, call.text, call.role, call.children)
        call.kind, call.text, call.role, call.children = "identifier", _CALL, Role.NAME, []
        place = first_use(statement, _CALL, self._moved) if index else None
        call.kind, call.text, call.role, call.children = kept
        return place is not None

    def _may_be_there_in_java(self, has_statements: bool) -> bool:
        kind, above = type_of(self._helper.node), self._site.above
        parent, statement = above[-1], above[-2]
        if parent.kind == "return_statement":
            return statement.kind in BLOCKS and self._same_result()
        if parent.kind == "variable_declarator" and statement.kind == "local_variable_declaration":
            is_single = [child.kind for child in statement.children].count("variable_declarator") == 1
            return is_single and type_of(statement) == kind and above[-3].kind in BLOCKS
        is_condition = parent.kind in _CONDITIONS and self._site.call.field == "condition"
        sign = parent.children[1].text if len(parent.children) > 1 else ""
        is_part = (parent.kind == "unary_expression" and parent.children[0].text == "!") or sign in ("&&", "||")
        return kind == "boolean" and (is_condition or is_part) and not has_statements

    def _same_result(self) -> bool:
        """Whether the caller returns what the function does, without a conversion."""
        return not self._is_java or type_of(self._helper.node) == type_of(self._site.function)


def is_said_first(target: Node, root: Node) -> bool:
    """Whether nothing in the source before a name, which stands in the tree, has the same text."""
    stack = [root]
    while (node := stack.pop()) is not target:
        if node.text == target.text:
            return False
        stack.extend(reversed(node.children))
    return True


def rename_in(part: Node, name: str | None, other: str | None) -> Node:
    """A part of a copy, where a variable has another name from now on."""
    for leaf in every_node(part):
        if leaf.text == name and leaf.role is Role.NAME:
            leaf.text = other
    return part


def _returns(root: Node) -> int:
    """How many returns of the function itself are in it."""
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += node.kind == "return_statement"
        stack.extend(child for child in node.children if child.kind not in FUNCTIONS)
    return count


def _leaves(statements: Sequence[Node]) -> bool:
    """Whether the last of the statements leaves the function, whatever happens."""
    last = statements[-1] if statements else None
    return last is not None and last.kind in _LEAVING

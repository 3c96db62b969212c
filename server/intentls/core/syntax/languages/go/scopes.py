"""Go: which names `:=` declares, and what an `if` does first as a statement before it.

    if v, ok := m[k]; ok {           v, ok := m[k]
        f(v)                         if ok {
    }                                    f(v)
                                     }

Of several names before `:=`, those that the block has declared before are only given a value. Elsewhere they would be
new ones, so that they are told apart here, before anything is moved into another block.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.go.forms import BRANCHES, mark_results
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_CASES = frozenset({"expression_case", "default_case", "type_case", "communication_case"})
_FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})
_SPECS = frozenset({"var_spec", "const_spec", "type_spec", "receive_statement"})


def branched(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: all branches in one form, after what they do first, where no other name is meant then."""
    for node in inner_nodes(root):
        if node.kind in _FUNCTIONS:
            mark_results(node)
            _tell_apart(node.child("body") or node, _parameters(node))
        elif node.kind == "type_switch_statement":
            alias = {leaf.text for child in node.children if child.field == "alias" for leaf in every_node(child)}
            for case in node.children:
                _tell_apart(case, alias)
        elif node.kind == "block" or node.kind in _CASES:
            _tell_apart(node, set())
    is_known = cache(facts.is_predeclared)
    for node in reversed(list(inner_nodes(root))):
        if node.kind == "if_statement":
            _in_block_of_its_own(node)
        elif node.kind == "expression_statement":
            _note_panic(node, is_known)
        elif node.kind == "block" or node.kind in _CASES:
            node.children = _with_first_steps(node.children)
    BRANCHES.rewrite(root, facts)


def _note_panic(statement: Node, is_known: Callable[[str], bool]) -> None:
    """Nothing goes on after `panic(a)`, as after what other languages throw."""
    call = statement.children[0]
    if call.kind == "call_expression" and call.children[0].text == "panic" and is_known("panic"):
        statement.kind = "throw_statement"


def _parameters(function: Node) -> set[str | None]:
    lists = (child for child in function.children if child.kind == "parameter_list")
    return {leaf.text for listed in lists for leaf in every_node(listed) if leaf.binds or leaf.field == "name"}


def _tell_apart(block: Node, known: set[str | None]) -> None:
    """Mark the names before `:=` that the block, or what has it for its body, has declared before."""
    known = set(known)
    for child in block.children:
        statement = child
        while statement.kind == "labeled_statement":
            statement = statement.children[-1]
        if statement.kind == "short_var_declaration":
            for leaf in statement.children[0].children:
                if leaf.text in known:
                    leaf.kind, leaf.binds = "known_identifier", False
                known.add(leaf.text)
        elif statement.kind in ("var_declaration", "const_declaration", "type_declaration", "receive_statement"):
            known |= _declared(statement)


def _declared(statement: Node) -> set[str | None]:
    """What a declaration declares, and not what the functions in it do."""
    names: set[str | None] = set()
    stack = [statement]
    while stack:
        node = stack.pop()
        if node.field in ("name", "left"):
            names.update(leaf.text for leaf in every_node(node) if leaf.role is Role.NAME)
        elif node is statement or node.kind in _SPECS or node.kind.endswith("_list"):
            stack.extend(node.children)
    return names


def _in_block_of_its_own(branch: Node) -> None:
    """`else { a := f(); if a { .. } }` for `else if a := f(); a { .. }`."""
    other = branch.child("alternative")
    if other is None or other.kind != "if_statement" or other.child("initializer") is None:
        return
    signs = [Node(sign, None, other.row, sign) for sign in "{}"]
    block = Node("block", other.field, other.row, children=[signs[0], *_with_first_steps([other]), signs[1]])
    branch.children = [block if child is other else child for child in branch.children]


def _with_first_steps(statements: list[Node]) -> list[Node]:
    """The statements, with what an `if` does first before it, if what follows has no name that is declared there."""
    if not any(child.kind == "if_statement" and child.child("initializer") is not None for child in statements):
        return statements
    kept: list[Node] = []  # the last one first
    said: set[str | None] = set()
    for statement in reversed(statements):
        first = statement.child("initializer") if statement.kind == "if_statement" else None
        kept.append(statement)
        if first is not None and (first.kind != "short_var_declaration" or said.isdisjoint(_declared(first))):
            index = next(number for number, child in enumerate(statement.children) if child is first)
            del statement.children[index : index + 2]  # with the semicolon
            first.field = None
            kept.append(first)
            said.update(leaf.text for leaf in every_node(first))
        said.update(leaf.text for leaf in every_node(statement))
    return kept[::-1]

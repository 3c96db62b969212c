"""A local name of a lambda that is only called: it may as well be a function of that name.

    double = lambda n: n * 2           def double(n):
    send(double(a))                        return n * 2
                                       send(double(a))

Only its own name tells one from the other (`__name__`), and nothing gets hold of it.
"""

from __future__ import annotations

from collections.abc import Collection

from intentls.core.syntax.languages.inlining import counted_words
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_ACTING = frozenset({"await", "yield", "named_expression"})


def define_lambdas(root: Node, dynamic: Collection[str]) -> None:
    """Make functions of such lambdas; `dynamic` names may reach any name."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind == "function_definition":
            _define(node, dynamic)
        else:
            stack.extend(node.children)


def _define(function: Node, dynamic: Collection[str]) -> None:
    """The lambdas of a function, and of those within it."""
    named = [child for node in inner_nodes(function) if node.kind == "block" for child in node.children]
    named = [child for child in named if _lambda_of(child) is not None]
    if not named or not counted_words(function).keys().isdisjoint(dynamic):
        return
    classes = (node for node in inner_nodes(function) if node.kind == "class_definition")
    fixed = {id(child) for node in classes for part in node.children for child in part.children}  # members of theirs
    called = {id(node.children[0]) for node in inner_nodes(function) if node.kind == "call"}
    for statement in named:
        name = statement.children[0].children[0]
        others = [leaf for leaf in every_node(function) if leaf.text == name.text and leaf.role is Role.NAME]
        uses = [leaf for leaf in others if leaf is not name]
        if id(statement) not in fixed and uses and all(id(leaf) in called for leaf in uses):
            _as_function(statement)


def _lambda_of(statement: Node) -> Node | None:
    """The lambda that a statement gives a name to, if it neither waits nor yields, and gives no name a value."""
    given = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    if given.kind != "assignment" or len(given.children) != 3 or given.children[0].role is not Role.NAME:
        return None
    value = given.children[2]
    is_quiet = value.kind == "lambda" and not any(node.kind in _ACTING for node in every_node(value))
    return value if is_quiet else None


def _as_function(statement: Node) -> None:
    name, _, value = statement.children[0].children
    body, taken = value.children[-1], value.children[1].children if len(value.children) == 4 else []
    name.field, body.field = "name", None
    parameters = Node("parameters", "parameters", statement.row)
    parameters.children = [word_at(value, "("), *taken, word_at(value, ")")]
    result = Node("return_statement", None, body.row, children=[word_at(body, "return"), body])
    block = Node("block", "body", body.row, children=[result])
    statement.kind = "function_definition"
    statement.children = [word_at(statement, "def"), name, parameters, word_at(statement, ":"), block]

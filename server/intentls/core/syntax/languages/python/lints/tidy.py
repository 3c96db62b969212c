"""Statements of Python without what does nothing, as linters leave them.

    for a in b:               try:                      assert a and b            global limit
        f(a)                      f()                   assert a                  f(limit)
    else:                     except ValueError:        assert b                  f(limit)
        g()                       raise
    g()                       f()

An `else` of a loop that no `break` leaves is done after it. What is only raised again was not caught. A name that a
function only asks for is the one of the file anyway, if no function around it has the name.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Set

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, every_node, inner_nodes

ERRORS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
"""The names of the language's own errors."""

_LOOPS = ("for_statement", "while_statement")
_INNER = frozenset({"function_definition", "class_definition", "lambda"})
_SETTING = frozenset(
    {
        *("augmented_assignment", "named_expression", "case_clause", "delete_statement"),
        "type_alias_statement",
    }
)


def tidied(statement: Node, bound: Set[str | None]) -> list[Node]:
    """What stands for a statement: more than one where it is written as several."""
    if statement.kind in _LOOPS:
        return _without_else(statement)
    if statement.kind == "try_statement":
        return _without_catches(statement, bound)
    if statement.kind == "assert_statement" and len(statement.children) == 2:
        return [_asserting(statement, part) for part in _each_condition(statement.children[1])]
    return [statement]


def _without_else(loop: Node) -> list[Node]:
    last = loop.children[-1] if loop.children else loop
    if last.kind != "else_clause" or any(map(_may_break, loop.children[:-1])):
        return [loop]
    loop.children.pop()
    return [loop, *last.children[-1].children]


def _may_break(body: Node) -> bool:
    """Whether something in a body may leave its loop: the `else` of a loop in it belongs to it, too."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind in ("break_statement", "held_statement"):
            return True
        if node.kind in _LOOPS:
            stack.extend(child for child in node.children if child.kind == "else_clause")
        elif node.kind not in _INNER:
            stack.extend(node.children)
    return False


def _without_catches(statement: Node, bound: Set[str | None]) -> list[Node]:
    """What is tried, if each error that is caught is only raised again."""
    catches = [child for child in statement.children if child.kind == "except_clause"]
    others = [child for child in statement.children[3:] if child.kind != "except_clause"]
    if not catches or not all(_only_raises(catch, bound) for catch in catches):
        return [statement]
    body = statement.children[2]
    ends = [child for child in others if child.kind != "else_clause"]
    for other in others:
        body.children += other.children[-1].children if other.kind == "else_clause" else []
    if not ends:
        return body.children
    statement.children = [*statement.children[:3], *ends]
    return [statement]


def _only_raises(catch: Node, bound: Set[str | None]) -> bool:
    *asked, _, body = catch.children[1:]
    names = {leaf.text for part in asked for leaf in every_node(part) if leaf.text not in ("(", ")", ",", None)}
    is_raised = [child.kind for child in body.children] == ["raise_statement"] and len(body.children[0].children) == 1
    return is_raised and names <= ERRORS and names.isdisjoint(bound)


def _each_condition(condition: Node) -> Iterator[Node]:
    """What is asked one by one: `a` and `b` of `a and b`."""
    stack = [condition]
    while stack:
        node = stack.pop()
        if node.kind == "boolean_operator" and node.children[1].kind == "and":
            stack.extend(part for part in reversed(node.children) if part.kind != "and")
        else:
            yield node


def _asserting(statement: Node, condition: Node) -> Node:
    condition.field = statement.children[1].field
    return Node(
        statement.kind, None, statement.row, end=statement.end, children=[word_at(statement, "assert"), condition]
    )


def without_idle_globals(root: Node) -> None:
    """A `Rewrite`: take names out of `global` that a function only asks for, if nothing of the outermost one has them.

    Example: `global limit` in a function that returns `limit`. It comes last: others ask what `global` says.
    """
    kinds = {node.kind for node in inner_nodes(root)}
    stack = list(root.children) if "global_statement" in kinds else []
    # An import may have stood in a function, where it gives the name a value.
    imported = {node.children[-1].text for node in inner_nodes(root) if stack and node.kind == "import_item"}
    while stack:
        node = stack.pop()
        if node.kind != "function_definition":
            stack.extend(node.children)
            continue
        nodes = list(every_node(node))
        said = imported | {leaf.text for one in nodes if one.kind in _SETTING for leaf in every_node(one)}
        said |= {one.text for one in nodes if one.binds}
        said |= {one.children[0].text for one in nodes if one.kind == "assignment"}
        for block in nodes:
            if any(child.kind == "global_statement" for child in block.children):
                block.children = [part for child in block.children for part in _idle_names_out(child, said)]


def _idle_names_out(statement: Node, said: Set[str | None]) -> list[Node]:
    if statement.kind != "global_statement":
        return [statement]
    names = [child for child in statement.children[1:] if child.kind != "," and child.text in said]
    if not names:
        return []
    parts = [part for name in names for part in (word_at(name, ","), name)]
    statement.children = [statement.children[0], *parts[1:]]
    return [statement]

"""Local names of JavaScript that nothing asks for: what gives them a value is done all the same, if it does anything.

    const stop = listen(port)      and      listen(port)

A name of `let` or `const` is known in its block alone, and one of `var` in its function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.tree import Node, Role, every_node

REASON = "unused variables"

_DOES = frozenset({"call_expression", "new_expression", "await_expression"})
_NOTHING = frozenset({"string", "number", "true", "false", "null", "undefined", "string_fragment", "escape_sequence"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_DECLARED = frozenset({"function_declaration", "generator_function_declaration"})


def without_idle_locals(root: Node) -> None:
    """A `Rewrite`: take away names that stand in no other place of what knows them. Not beside `eval`."""
    blocks = [(block, is_whole) for block, is_whole in _blocks(root) if any(map(_name, block.children))]
    if not blocks or any(leaf.text == "eval" for leaf in every_node(root)):
        return
    for block, is_whole in blocks:
        # A function that a block in a function declares may be known around the block.
        idle = {
            id(child): _left(child)
            for child in block.children
            if (is_whole or child.kind not in _DECLARED)
            and _is_candidate(child, block is root)
            and not _is_said(_name(child) or "", child, block)
        }
        if idle:
            block.children = [part for child in block.children for part in idle.get(id(child), [child])]


def _blocks(root: Node) -> Iterator[tuple[Node, bool]]:
    """The blocks in functions, the inner ones first, and the file if no other file sees its names.

    With each stands whether it is all that a function, or the file, does.
    """
    found: list[tuple[Node, bool]] = [(root, True)] if is_module(root) else []
    stack = [(root, False, False)]
    while stack:
        node, is_inside, is_body = stack.pop()
        if is_inside and node.kind == "statement_block":
            found.append((node, is_body))
        is_function = node.kind in OWN_SCOPE
        stack.extend(
            (child, is_inside or is_function, is_function and child.field == "body") for child in node.children
        )
    return reversed(found)


def _name(statement: Node) -> str | None:
    """The one name that a statement declares, and that nothing but its block knows."""
    if statement.kind in _DECLARED and statement.children:
        name = statement.child("name")
        return name.text if name is not None else None
    if statement.kind != "lexical_declaration" or len(statement.children) != 2:
        return None
    parts = statement.children[1].children
    return parts[0].text if len(parts) == 3 and parts[0].role is Role.NAME else None


def _is_candidate(statement: Node, is_of_file: bool) -> bool:
    """Whether a statement gives a name to what does nothing, or may do it without."""
    if _name(statement) is None:
        return False
    if statement.kind in _DECLARED:
        return not is_of_file  # those are definitions of the file
    value = statement.children[1].children[2]
    does_nothing = value.kind in _FUNCTIONS or all(node.kind in _NOTHING for node in every_node(value))
    return value.kind in _DOES or (does_nothing and not is_of_file)


def _is_said(name: str, statement: Node, block: Node) -> bool:
    """Whether something else in the block says the name, or a value does that it is given to."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    at = next(number for number, child in enumerate(block.children) if child is statement)
    inside = [] if statement.kind in _DECLARED else statement.children[1].children[2:]
    others = (*block.children[at + 1 :], *inside, *block.children[:at])  # what comes next mostly does
    leaves = (leaf.text for other in others for leaf in every_node(other) if leaf.text is not None)
    return any(name in text and word.search(text) is not None for text in leaves)


def _left(statement: Node) -> list[Node]:
    """What is done without the name."""
    value = statement.children[1].children[2] if statement.kind not in _DECLARED else statement
    if value.kind not in _DOES:
        return []
    value.field = None
    return [Node("expression_statement", statement.field, statement.row, end=statement.end, children=[value])]

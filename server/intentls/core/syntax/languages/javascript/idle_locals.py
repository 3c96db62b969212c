"""Local names of JavaScript that nothing asks for: what gives them a value is done all the same, if it does anything.

    const stop = listen(port)      and      listen(port)

A name of `let` or `const` is known in its block alone, and one of `var` in its function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.javascript.name_uses import counted_words
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
        words = counted_words(block)
        # A function that a block in a function declares may be known around the block.
        block.children = [
            part
            for child in block.children
            for part in (_left(child, words, block is root) if is_whole or child.kind not in _DECLARED else [child])
        ]


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


def _left(statement: Node, words: Counter[str], is_of_file: bool) -> list[Node]:
    name = _name(statement)
    if name is None or (is_of_file and statement.kind in _DECLARED):  # those are definitions of the file
        return [statement]
    inside = counted_words(statement)[name] if statement.kind in _DECLARED else 1
    if words[name] != inside:
        return [statement]
    if statement.kind in _DECLARED:
        return []
    value = statement.children[1].children[2]
    if not is_of_file and (value.kind in _FUNCTIONS or all(node.kind in _NOTHING for node in every_node(value))):
        return []
    if value.kind not in _DOES:
        return [statement]
    value.field = None
    return [Node("expression_statement", statement.field, statement.row, end=statement.end, children=[value])]

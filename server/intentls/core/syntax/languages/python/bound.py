"""The names that a file of Python gives a meaning of its own: what the language means by them is not meant there."""

from __future__ import annotations

import builtins

from intentls.core.syntax.tree import Node, every_node

_BUILTINS = frozenset(vars(builtins))


def bound_in(root: Node) -> set[str | None]:
    """The names that something in the file binds, but for modules that are imported by their own name.

    `from a import *` may bind any name. Example: `list` beside `def list(): ..`, and beside `case list:`.
    """
    bound: set[str | None] = set()
    for node in every_node(root):
        if node.binds:
            if node.origin != node.text or node.text in _BUILTINS:  # `os` is `import os`
                bound.add(node.text)
        elif node.kind == "named_expression":
            bound.add(node.children[0].text)
        elif node.kind == "case_clause":
            bound.update(leaf.text for part in node.children[:-1] for leaf in every_node(part))
        elif node.kind == "import_item" and node.children[-1].text == "*":
            bound |= _BUILTINS
    return bound

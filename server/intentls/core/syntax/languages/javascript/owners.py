"""Names of JavaScript for `this`, which an arrow function asks for itself: `this` in the place of each.

    const self = this                     this.list.forEach(a => this.add(a))
    self.list.forEach(a => self.add(a))

So it is in the function that gives the name its value, and in arrow functions in it, after the name has it. What has a
`this` of its own keeps asking by the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, assigned
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_HAVE_THIS = OWN_SCOPE - {"arrow_function"}


def without_names_of_this(root: Node) -> None:
    """A `Rewrite`: `this.a` for `self.a`, and no `const self = this` that nothing else asks for."""
    changed: set[str] | None = None
    functions = [node for node in inner_nodes(root) if node.kind in _HAVE_THIS]
    bodies = [(function, child) for function in functions for child in function.children if child.field == "body"]
    for function, body, statement in [(*both, statement) for both in bodies for statement in both[1].children]:
        name = _name_of_this(statement)
        if name is None:
            continue
        changed = assigned(root) if changed is None else changed
        if name not in changed and _is_bound_once(function, name):
            _ask_this(function, statement, name)
            if not _is_said(function, statement, name):
                body.children = [child for child in body.children if child is not statement]


def _name_of_this(statement: Node) -> str | None:
    """The name that a statement gives to `this`, if that is all it does."""
    if statement.kind not in ("lexical_declaration", "variable_declaration") or len(statement.children) != 2:
        return None
    parts = statement.children[1].children
    is_this = len(parts) == 3 and parts[0].role is Role.NAME and parts[2].kind == "this"
    return parts[0].text if is_this else None


def _is_bound_once(function: Node, name: str) -> bool:
    """Whether nothing else in the function is called so, nor may be told by a text."""
    nodes = [*every_node(function)]
    binds = sum(node.binds and node.text == name for node in nodes)
    return binds == 1 and all(node.text != "eval" and node.kind != "with_statement" for node in nodes)


def _ask_this(function: Node, statement: Node, name: str) -> None:
    is_after = False
    for node in _in_order(function):
        is_after = is_after or node is statement
        if is_after and node.text == name and node.role is Role.NAME and not node.binds:
            node.kind, node.text, node.role = "this", "this", Role.TOKEN


def _in_order(function: Node) -> Iterator[Node]:
    """What a function consists of as it stands there, but for what has a `this` of its own."""
    stack = [*reversed(function.children)]
    while stack:
        node = stack.pop()
        yield node
        if node.kind not in _HAVE_THIS:
            stack.extend(reversed(node.children))


def _is_said(function: Node, statement: Node, name: str) -> bool:
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    declared = statement.children[1].children[0]
    leaves = (node for node in every_node(function) if node is not declared and node.role is not Role.MEMBER)
    return any(name in (leaf.text or "") and word.search(leaf.text or "") is not None for leaf in leaves)

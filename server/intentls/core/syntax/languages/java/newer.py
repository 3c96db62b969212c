"""Java in newer words: patterns that name what they find, and builders that are called in a row.

if (a instanceof B) {          StringBuffer a = new StringBuffer();
    B b = (B) a;               a.append("b");
    ..                         a.append("c");
}
if (a instanceof B b) {        StringBuilder a = new StringBuilder();
    ..                         a.append("b").append("c");
}
"""

from __future__ import annotations

from collections import Counter

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, copy_with, every_node, inner_nodes, spelling

_METHODS = frozenset({"method_declaration", "constructor_declaration"})
_INNER = frozenset({"lambda_expression", "class_body"})
_BUILDERS = frozenset({"StringBuilder", "StringBuffer"})
_GIVES_ITSELF = frozenset({"append", "insert", "delete", "deleteCharAt", "replace", "reverse"})
_GIVES_ANOTHER = frozenset(
    {"toString", "length", "charAt", "indexOf", "lastIndexOf", "substring", "capacity", "isEmpty", "setLength"}
)


def newer(root: Node) -> None:
    """A `Rewrite`: casts for patterns, and one row of calls of a builder."""
    if not any(node.kind == "instanceof_expression" or node.text in _BUILDERS for node in every_node(root)):
        return  # most have neither
    declared = {leaf.text for node in inner_nodes(root) for leaf in node.children if leaf.field == "name"}
    declared |= {leaf.text for item in root.children if item.kind == "import_item" for leaf in item.children}
    for method in (node for node in inner_nodes(root) if node.kind in _METHODS):
        local = Counter(leaf.text for leaf in every_node(method) if leaf.binds)
        said = Counter(leaf.text for leaf in every_node(method) if leaf.role is Role.NAME)
        for node in list(inner_nodes(method)):
            if node.kind == "if_statement":
                _with_cast(node, local, said)
        if declared.isdisjoint(_BUILDERS):
            _build(method, local)


def _with_cast(branch: Node, local: Counter[str | None], said: Counter[str | None]) -> None:
    """`B b = (B) a;` where `a instanceof B b` has found it."""
    asked, block = branch.child("condition"), branch.child("consequence")
    if asked is None or block is None or asked.kind != "instanceof_expression" or len(asked.children) != 4:
        return
    value, _, kind, name = asked.children
    inside = sum(leaf.text == name.text for leaf in every_node(block))
    if name.field != "name" or local[value.text] != 1 or said[name.text] != inside + 1:
        return
    if block.kind != "block":
        block.field = None
        block = Node("block", "consequence", block.row, children=[word_at(block, "{"), block, word_at(block, "}")])
        at = next(index for index, child in enumerate(branch.children) if child is block.children[1])
        branch.children[at] = block
    asked.children.pop()
    types = [copy_with(kind, {}) for _ in range(2)]
    given = copy_with(value, {})
    types[0].field = types[1].field = "type"
    given.field = "value"
    signs = [word_at(name, "("), types[1], word_at(name, ")"), given]
    cast = Node("cast_expression", "value", name.row, children=signs)
    bound = Node("identifier", "name", name.row, name.text, Role.NAME, binds=True)
    declarator = Node("variable_declarator", "declarator", name.row, children=[bound, word_at(name, "="), cast])
    block.children.insert(1, Node("local_variable_declaration", None, name.row, children=[types[0], declarator]))


def _build(method: Node, local: Counter[str | None]) -> None:
    """`StringBuilder` for a `StringBuffer` that nothing else sees, and one row of calls of either."""
    for declaration in [node for node in inner_nodes(method) if node.kind == "local_variable_declaration"]:
        kind, declarator = declaration.children[0], declaration.children[-1]
        name = declarator.children[0] if declarator.children else declarator
        if kind.text in _BUILDERS and len(declaration.children) == 2 and local[name.text] == 1:
            made = declarator.child("value")
            is_made = made is not None and made.kind == "object_creation_expression"
            if made is not None and is_made and kind.text == "StringBuffer" and _is_alone(method, name.text or ""):
                for leaf in (kind, *(child for child in made.children if child.field == "type")):
                    leaf.text = "StringBuilder" if leaf.text == "StringBuffer" else leaf.text
            for block in [node for node in inner_nodes(method) if node.kind == "block"]:
                _in_a_row(block, name.text or "")


def _is_alone(method: Node, name: str) -> bool:
    """Whether nothing but its own calls, in this very function, sees what a variable is."""
    stack: list[tuple[Node, tuple[Node, ...]]] = [(method, ())]
    while stack:
        node, above = stack.pop()
        if node.text == name and node.role is Role.NAME and not node.binds and not _is_called(node, above):
            return False
        stack.extend((child, (*above, node)) for child in node.children)
    return True


def _is_called(leaf: Node, above: tuple[Node, ...]) -> bool:
    """Whether a name stands before calls alone, of which the last gives something else, or is a statement."""
    if any(outer.kind in _INNER for outer in above):
        return False
    below, index = leaf, len(above) - 1
    while above[index].kind == "method_invocation" and above[index].child("object") is below:
        said = spelling(above[index].child("name") or below)
        if said not in _GIVES_ITSELF:
            return said in _GIVES_ANOTHER
        below, index = above[index], index - 1
    return above[index].kind == "expression_statement" and below is not leaf


def _in_a_row(block: Node, name: str) -> None:
    """`a.append(b).append(c);` for `a.append(b); a.append(c);`."""
    kept: list[Node] = []
    for statement in block.children:
        first = _first_call(statement, name)
        last = kept[-1] if kept else block
        if first is not None and _first_call(last, name) is not None:
            owner = first.children[0]
            first.children[0] = in_place_of(owner, last.children[0])
            kept.pop()
        kept.append(statement)
    block.children = kept


def _first_call(statement: Node, name: str) -> Node | None:
    """The call that stands first in a row of those that give the builder itself, if a statement is one of that name."""
    node = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    first: Node | None = None
    while node.kind == "method_invocation" and len(node.children) == 4:
        owner, _, method, _ = node.children
        if method.text not in _GIVES_ITSELF:
            return None
        first, node = node, owner
    return first if node.text == name else None

"""Types of TypeScript that are written in another way and are the same for all who are told them.

    function first<T>(of: Array<T>): T     and     function first<Item>(of: Item[]): Item

The names of a declaration's own types mean nothing around it.
"""

from __future__ import annotations

from intentls.core.syntax.tree import Node, every_node, inner_nodes

_LISTS = frozenset({"Array", "ReadonlyArray"})


def same_types(root: Node) -> None:
    """A `Rewrite`: `A[]` for `Array<A>`, `readonly A[]` for `ReadonlyArray<A>`, and own types without their names."""
    if not any(node.text in _LISTS and (node.binds or node.field == "name") for node in _declared(root)):
        for node in list(inner_nodes(root)):
            if node.kind == "generic_type":
                _as_list(node)
    _name_own_types(root)


def _declared(root: Node) -> list[Node]:
    """The names that the file declares, or imports."""
    return [
        child
        for node in inner_nodes(root)
        if node.kind != "generic_type"
        for child in node.children
        if child.binds or child.field in ("name", "alias")
    ]


def _as_list(node: Node) -> None:
    name, given = node.children[0], node.children[-1]
    if name.text not in _LISTS or len(given.children) != 3:
        return
    item = given.children[1]
    item.field = None
    parts = [item, Node("[", None, node.row, "["), Node("]", None, node.row, "]")]
    if name.text == "Array":
        node.kind, node.children = "array_type", parts
    else:
        word = Node("readonly", None, node.row, "readonly")
        node.kind, node.children = "readonly_type", [word, Node("array_type", None, node.row, children=parts)]


def _name_own_types(root: Node) -> None:
    """Call the types that a declaration has for itself by their place: the inner ones first, which may hide others."""
    found: list[tuple[Node, Node, int]] = []
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        listed = next((child for child in node.children if child.kind == "type_parameters"), None)
        if listed is not None:
            depth += 1
            found.append((node, listed, depth))
        stack.extend((child, depth) for child in node.children)
    for node, listed, depth in sorted(found, key=lambda entry: -entry[2]):
        names = [child.children[0].text or "" for child in listed.children if child.kind == "type_parameter"]
        places = {name: f"\0{depth}.{index}" for index, name in enumerate(names)}
        if len(places) == len(names):
            for leaf in every_node(node):
                if leaf.kind == "type_identifier" and leaf.text in places:
                    leaf.text = places[leaf.text]

"""Where a definition of Rust says what its types can do: `<T: A>` for `<T> .. where T: A`."""

from __future__ import annotations

from collections.abc import Set

from intentls.core.syntax.tree import Node


def with_inner_bounds(node: Node, _own: Set[str]) -> None:
    """`<T: A>` for `<T> .. where T: A`."""
    listed = node.child("type_parameters")
    clause = next((child for child in node.children if child.kind == "where_clause"), None)
    if listed is None or clause is None:
        return
    free: dict[str | None, Node] = {}
    for parameter in listed.children:
        if parameter.kind == "type_parameter" and len(parameter.children) == 1:
            free[parameter.children[0].text] = parameter
    kept: list[Node] = []
    for predicate in clause.children[1:]:
        names = [child for child in predicate.children if child.field == "left"]
        name = names[0].text if len(names) == 1 and len(predicate.children) == 2 else None
        if name in free:
            free.pop(name).children.append(predicate.children[1])
        elif predicate.kind != ",":
            kept.append(predicate)
    clause.children[1:] = [part for predicate in kept for part in (Node(",", None, predicate.row, ","), predicate)][1:]
    if not kept:
        node.children = [child for child in node.children if child is not clause]

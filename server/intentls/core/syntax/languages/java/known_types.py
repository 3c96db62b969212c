"""What the variables of a file of Java are, as far as all of its declarations of their names say the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Set

from msgspec import Struct

from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_DECLARED = re.compile(r"\b(\w+)(?:\s*<[^;(){}=]*>)?(\s*\[\s*\])?\s+(\w+)\s*(\[)?(?=[\];=,):])")
_SPACE = re.compile(r"\s")


class Known(Struct, frozen=True):
    """The types of the file's variables by their names, and the names of classes that are not Java's own.

    `imports`: where each name that the file imports is from.
    """

    types: Mapping[str, Set[str]]
    foreign: Set[str]
    imports: Mapping[str, str]

    def type_of(self, node: Node) -> str:
        """What a variable is, without what its type is given; empty if that can't be told."""
        found = self.types.get(node.text or "", frozenset()) if node.role is Role.NAME else frozenset[str]()
        return next(iter(found)) if len(found) == 1 and not found & self.foreign else ""


def known_types(root: Node) -> Known:
    """The types of a file's variables, and its own classes."""
    items = [child for child in root.children if child.kind == "import_item"]
    imports = {item.children[-1].text or "": item.children[0].text or "" for item in items}
    foreign = {name for name, module in imports.items() if "java." not in module}
    return Known(_types(root), _declared(root) | foreign, imports)


def _types(root: Node) -> dict[str, set[str]]:
    types: defaultdict[str, set[str]] = defaultdict(set)
    for node in inner_nodes(root):
        kind = node.child("type")
        said = spelling(kind).partition("<")[0] if kind is not None else ""
        holders = [child for child in node.children if child.kind == "variable_declarator"]
        names = [holder.children[0] for holder in holders] if node.kind != "variable_declarator" else []
        for child in node.children if node.kind != "variable_declarator" else ():
            if child.binds and child.role is Role.NAME:
                types[child.text or ""].add(said)
        for name, holder in zip(names, holders, strict=True):
            is_plain = all(part.kind != "dimensions" for part in holder.children)
            types[name.text or ""].add(said if is_plain else "")
    for leaf in every_node(root):  # what did not change is one leaf
        said = leaf.text or ""
        for kind, size, name, own_size in _DECLARED.findall(said) if _SPACE.search(said) else ():
            types[name].add("" if size or own_size else kind)
    return types


def _declared(root: Node) -> set[str]:
    return {
        name.text or ""
        for node in inner_nodes(root)
        if node.kind.endswith("_declaration") and (name := node.child("name")) is not None and name.role is Role.NAME
    }

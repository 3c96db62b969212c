"""Members that a static import of Java brings, with their class's name and without it.

    import a.B;                                import static a.B.c;
    class T { { d(B.c); } }                    class T { { d(c); } }

Nothing in the file is called `c`, no class around the use inherits what could be, and `B` is the class of the import.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy

from intentls.core.mutation.names.class_bases import JDK, JDK_MEMBERS, without_type_arguments
from intentls.core.mutation.names.java_packages import items_of
from intentls.core.syntax.tree import Node, Role, inner_nodes, spelling

REASON = "static imports"

_STATIC = "import static "
_CLASS = re.compile(r"\b[A-Z]\w*")
_ARGUMENTS = re.compile(r"<.*>", re.DOTALL)
_TYPES = frozenset({"class_declaration", "enum_declaration", "interface_declaration", "record_declaration"})
_MARKERS = frozenset({"Serializable"})


def name_members(old: Node, new: Node) -> None:
    """Write what either version imports by its own name without its class, in both."""
    items = {_spelled(item): item for root in (old, new) for item in _single_statics(root)}
    for item in items.values():
        package, _, owner = (item.children[0].text or "").removeprefix(_STATIC).rpartition(".")
        name = item.children[-1].text or ""
        if all(_may_stand_alone(root, item, name, owner) for root in (old, new)):
            for root in (old, new):
                is_known = _is_bound(root, owner, package)
                count = sum([_bare(node, owner, name) for node in open_nodes(root, name)]) if is_known else 0
                if count and not any(_spelled(other) == _spelled(item) for other in items_of(root)):
                    root.children.insert(place_of_imports(root), deepcopy(item))


def _single_statics(root: Node) -> Iterator[Node]:
    for item in items_of(root):
        if len(item.children) == 3 and (item.children[0].text or "").startswith(_STATIC):
            yield item


def _spelled(item: Node) -> str:
    return f"{item.children[0].text} {item.children[-1].text}"


def place_of_imports(root: Node) -> int:
    """Before the first import; where there is none, behind the package, if the file says one."""
    kinds = [child.kind for child in root.children]
    at = (
        kinds.index(kind) + (kind != "import_item") for kind in ("import_item", "package_declaration") if kind in kinds
    )
    return next(at, 0)


def _may_stand_alone(root: Node, item: Node, name: str, owner: str) -> bool:
    """Whether the name alone is nothing else in the file, nor the class's name."""
    if any(other.children[-1].text == name and _spelled(other) != _spelled(item) for other in items_of(root)):
        return False
    rest = (leaf for child in root.children if child.kind != "import_item" for leaf in inner_nodes(child))
    for node in rest:
        for leaf in node.children:
            is_declared = leaf.binds or (leaf.field == "name" and node.kind != "method_invocation")
            is_declared = is_declared or node.kind.endswith(("pattern", "component"))
            if is_declared and leaf.text in (name, owner):
                return False
    return True


def _is_bound(root: Node, owner: str, package: str) -> bool:
    """Whether the class's name is that of the import: by an import of its own, or in its own package."""
    named = [(item.children[0].text or "") for item in items_of(root) if item.children[-1].text == owner]
    if named:
        return named == [f"import {package}"]
    declared = next((child for child in root.children if child.kind == "package_declaration"), None)
    return declared is not None and "".join(spelling(declared).split()) == f"package{package};"


def open_nodes(root: Node, name: str, is_harmless: Callable[[str], bool] = lambda _base: False) -> Iterator[Node]:
    """The nodes in classes that inherit nothing that could have the name; `is_harmless(base)`: that has none itself."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind in _TYPES and not _inherits_nothing(node, name, is_harmless):
            continue
        yield node
        stack.extend(child for child in node.children if not _is_own_body(child, node))


def _is_own_body(child: Node, node: Node) -> bool:
    return child.kind == "class_body" and node.kind == "object_creation_expression"


def _inherits_nothing(declaration: Node, name: str, is_harmless: Callable[[str], bool]) -> bool:
    parts = [
        part
        for part in declaration.children
        if part.field in ("superclass", "interfaces") or part.kind == "extends_interfaces"
    ]
    leaves = [leaf for part in parts for leaf in without_type_arguments(part)]
    bases = {leaf.text or "" for leaf in leaves if leaf.kind == "type_identifier"}
    # What stands in both versions word for word is one leaf.
    bases |= {word for part in parts for word in _CLASS.findall(_ARGUMENTS.sub("", part.text or ""))}
    return all(map(is_harmless, bases - JDK - _MARKERS)) and name not in JDK_MEMBERS


def _bare(node: Node, owner: str, name: str) -> bool:
    """Take the class's name away before the member's; whether it was there."""
    parts = [child.text for child in node.children[:3]]
    if parts != [owner, ".", name] or node.children[0].role is not Role.NAME:
        return False
    if node.kind == "method_invocation":
        del node.children[:2]
        return True
    if node.kind == "field_access" and len(node.children) == 3:
        node.kind, node.text, node.role, node.children = "identifier", name, Role.NAME, []
        return True
    return False

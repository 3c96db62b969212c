"""Imports of Rust stand first: wherever one stands in a module or a block, its name is known in all of it.

use std::io::{self, Read};           use std::io;
                                     use std::io::Read;
"""

from __future__ import annotations

import re

from intentls.core.syntax.tree import Node, every_node, flatten, inner_nodes

REASON = "import order"
MODULES = "modules imported by self"

_HOLDERS = frozenset({"source_file", "declaration_list", "block"})
_LIBRARY = frozenset({"std", "core", "alloc"})
_ROOTS = frozenset({"crate", "super", "self", ""})
_SCOPED = frozenset({"scoped_identifier", "scoped_type_identifier"})
_ALONE = re.compile(r"(?<![\w.])\w+(?!\s*::|\w)")
_IMPORTS = ("import_item", "use_declaration")


def with_modules(root: Node) -> None:
    """A `Rewrite`: `use std::io;` for `use std::io::{self};`, where the name says nothing but a module.

    By the one a function or a macro of that name comes, too: the library has none beside a module, but for macros that
    every file has.
    """
    items = [node for node in every_node(root) if node.kind == "import_item" and node.children[1].text == "self"]
    said = _said_alone(root, {_bound(item) for item in items}) if items else set()
    modules = [node.child("name") for node in inner_nodes(root) if node.kind == "mod_item"] if items else []
    own = {module.text for module in modules if module is not None}
    for item in items:
        visible, _, path = (item.children[0].text or "").rpartition(" ")
        before, separator, name = path.removesuffix("::").rpartition("::")
        is_known = before.removeprefix("::").partition("::")[0] in _LIBRARY - own
        bound = _bound(item)
        if not visible and name not in _ROOTS and (is_known or bound not in said):
            item.children[0].text, item.children[1].text = f"{visible} {before}{separator}", name
            item.children[2] = Node("identifier", "alias", item.row, bound, binds=True)


def _bound(item: Node) -> str:
    """The name that an import of `self` gives to a module."""
    alias = item.children[2]
    path = (item.children[0].text or "").rpartition(" ")[2].removesuffix("::")
    return path.rpartition("::")[2] if alias.kind == "path" else alias.text or ""


def _said_alone(root: Node, names: set[str]) -> set[str]:
    """The names that stand for something that is not the beginning of a path."""
    found: set[str] = set()
    stack: list[tuple[Node, Node]] = [(root, root)]
    while stack:
        node, parent = stack.pop()
        if node.kind == "import_item":
            continue
        is_first = parent.kind in _SCOPED and parent.children[0] is node
        if not is_first and not node.kind.endswith("literal"):
            found |= names.intersection(_ALONE.findall(node.text or ""))
        stack.extend((child, node) for child in node.children)
    return found


def gathered(root: Node) -> None:
    """A `Rewrite`: the imports of a module or a block before all else in it, those with attributes last of these."""
    for holder in inner_nodes(root):
        if holder.kind in _HOLDERS and any(child.kind in _IMPORTS for child in holder.children):
            first = 0 if holder.kind == "source_file" else 1
            plain, marked, others = _parted(holder.children[first:])
            marked.sort(key=lambda run: [flatten(node).tokens for node in run])
            runs = (holder.children[:first], plain, *marked, others)
            holder.children = [node for run in runs for node in run]


def _parted(children: list[Node]) -> tuple[list[Node], list[list[Node]], list[Node]]:
    """The imports, those that have attributes, with these, and what else there is."""
    plain: list[Node] = []
    marked: list[list[Node]] = []
    others: list[Node] = []
    run: list[Node] = []
    for child in children:
        run.append(child)
        if child.kind == "attribute_item":
            continue
        if child.kind not in _IMPORTS:
            others += run
        elif len(run) > 1:
            marked.append(run)
        else:
            plain.append(child)
        run = []
    return plain, marked, others + run

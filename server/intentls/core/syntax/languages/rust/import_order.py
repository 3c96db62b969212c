"""Imports of Rust stand first: wherever one stands in a module or a block, its name is known in all of it."""

from __future__ import annotations

from intentls.core.syntax.tree import Node, flatten, inner_nodes

REASON = "import order"

_HOLDERS = frozenset({"source_file", "declaration_list", "block"})
_IMPORTS = ("import_item", "use_declaration")


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

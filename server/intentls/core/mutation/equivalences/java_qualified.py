"""Classes of Java by their whole names, and imported by them: which of the two makes no difference.

    class T { java.util.List<String> a; }          import java.util.List;
                                                   class T { List<String> a; }

Nothing else in the file is called `List`, no class around the use inherits what could be, and no variable is `java`. A
class of the repository, with no base from elsewhere, has no class of that name if no file declares one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy

from intentls.core.mutation.equivalences.java_statics import open_nodes, place_of_imports
from intentls.core.mutation.names.java_packages import items_of
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, Role, all_said, every_node, spelling

REASON = "classes by their whole names"

_WORD = re.compile(r"[\w$]+")
_KINDS = {"scoped_type_identifier": "type_identifier", "field_access": "identifier"}


def name_classes(old: Node, new: Node, facts: Surroundings) -> None:
    """Write what either version imports by its own name without its package, in both."""
    items = {_path(item): item for root in (old, new) for item in items_of(root) if _is_single(item)}
    spelled = {spelling(node) for root in (old, new) for node in every_node(root) if node.kind in _KINDS}
    for path, item in items.items():
        if path not in spelled:
            continue  # most are not
        name = path.rsplit(".", 1)[1]
        found = [list(_qualified(root, path, name, facts)) for root in (old, new)]
        if any(found) and all(_may_be_imported(*pair, path, name) for pair in zip((old, new), found, strict=True)):
            for root, nodes in zip((old, new), found, strict=True):
                for node in nodes:
                    node.kind, node.text, node.role, node.children = _KINDS[node.kind], name, Role.NAME, []
                if nodes and not _imports(root, path):
                    root.children.insert(place_of_imports(root), deepcopy(item))


def _is_single(item: Node) -> bool:
    module = item.children[0].text or ""
    return len(item.children) == 3 and not module.startswith("import static ") and item.children[-1].role is Role.NAME


def _path(item: Node) -> str:
    return f"{(item.children[0].text or '').removeprefix('import ')}.{item.children[-1].text}"


def _imports(root: Node, path: str) -> bool:
    return any(_is_single(item) and _path(item) == path for item in items_of(root))


def _qualified(root: Node, path: str, name: str, facts: Surroundings) -> Iterator[Node]:
    """The nodes that are a class's whole name."""

    def is_harmless(base: str) -> bool:
        return facts.is_plain_class(base) and facts.is_no_class(name)

    for node in open_nodes(root, name, is_harmless):
        if node.kind in _KINDS and spelling(node) == path and node.field != "name":
            yield node


def _may_be_imported(root: Node, nodes: list[Node], path: str, name: str) -> bool:
    """Whether the name alone is nothing else in the file, nor may be, and the whole one begins with a package."""
    leaves = [leaf for child in root.children if child.kind != "import_item" for leaf in every_node(child)]
    if any(leaf.binds and leaf.text in (name, path.split(".")[0]) for leaf in leaves):
        return False
    others = [item for item in items_of(root) if item.children[-1].text == name and _path(item) != path]
    is_alone = _imports(root, path) or _WORD.findall(all_said(root)).count(name) == len(nodes)
    return not others and is_alone

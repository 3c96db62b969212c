"""Names that are imported by another path than before, and are the same.

    use super::plan::Size;            from .compat import urljoin              import type { Size } from './plan/index'
    use crate::plan::Size;            from urllib.parse import urljoin         import type { Size } from './plan/size'

What a path leads to is told by the files on its way (`names/import_homes.py`). In Python both ways have to load the
same modules: a file that is no more asked for a name is loaded by another import.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from intentls.core.syntax.languages.facts import ImportedName, Surroundings
from intentls.core.syntax.tree import Node

REASON = "names imported by another path"

Item = tuple[tuple[str, ...], Node]
"""The modules of the file that an import stands in, from the outside in, and the import."""


def name_alike(old: Node, new: Node, language: str, facts: Surroundings) -> None:
    """Spell such imports of the new tree as those of the old one."""
    had, has = list(_items(old)), list(_items(new))
    counts = [Counter(_spelled(item) for item in items) for items in (had, has)]
    if counts[0] == counts[1]:
        return
    gone = [item for item in had if _spelled(item) not in counts[1]]
    came = [item for item in has if _spelled(item) not in counts[0]]
    bound = [Counter(_bound(item) for item in items) for items in (gone, came)]
    for item in gone:
        others = [other for other in came if _bound(other) == _bound(item)]
        if len(others) != 1 or bound[0][_bound(item)] != 1:
            continue
        one, other = _named(item), _named(others[0])
        is_loaded = language != "Python" or _load_alike(old, new, one, other, facts)
        if is_loaded and facts.is_same_import(one, other):
            kept, source = others[0][1].children, item[1].children
            kept[0].text, kept[1].text, kept[1].origin = source[0].text, source[1].text, source[1].origin
            kept[-1].origin = source[-1].origin


def _items(root: Node) -> Iterator[Item]:
    stack: list[tuple[Node, tuple[str, ...]]] = [(root, ())]
    while stack:
        holder, modules = stack.pop()
        for child in holder.children:
            if child.kind == "import_item" and any(
                part.kind == "imported" and part.text != "*" for part in child.children
            ):
                yield modules, child
            elif child.kind == "mod_item" and child.children:
                name = child.child("name")
                stack += [(child.children[-1], (*modules, name.text or ""))] if name is not None else []


def _spelled(item: Item) -> str:
    return " ".join((*item[0], *(child.text or "" for child in item[1].children)))


def _bound(item: Item) -> tuple[str, ...]:
    """What it gives a name to, for whom, and how: all but the path."""
    modules, node = item
    visible = (node.children[0].text or "").rpartition(" ")[0]
    return (*modules, visible, *(child.kind for child in node.children), node.children[-1].text or "")


def _named(item: Item) -> ImportedName:
    modules, node = item
    name = next(child.text or "" for child in node.children if child.kind == "imported")
    is_type = any(child.kind == "type" for child in node.children)
    return ImportedName((node.children[0].text or "").rpartition(" ")[2], name, modules, is_type)


def _load_alike(old: Node, new: Node, one: ImportedName, other: ImportedName, facts: Surroundings) -> bool:
    """Whether the module that either version takes the name from is loaded by the other version, too."""
    if facts.is_same_module(one.module, other.module):
        return True
    sides = ((one, _modules(new), False), (other, _modules(old), True))
    return all(
        named.module.partition(".")[0] in sys.stdlib_module_names
        or named.module in modules
        or facts.is_loaded(named.module, named.name, modules, is_before=is_before)
        for named, modules, is_before in sides
    )


def _modules(root: Node) -> set[str]:
    return {child.children[0].text or "" for child in root.children if child.kind == "import_item"}

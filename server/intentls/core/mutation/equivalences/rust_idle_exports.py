"""Imports of Rust that hand a name on, and that no one takes it from.

    mod lib {                                        mod lib {
        pub use std::ops::{Range, RangeFull};   and      pub use std::ops::Range;
    }                                                }

Nothing outside of the crate sees them: they stand in a private module, or say so (`pub(crate)`). No file of the
repository that has the name can have it from there: it neither takes it by a path that ends in the module's name,
`super` or the like, nor all names of one. Only where no import came, since a trait brings methods.
"""

from __future__ import annotations

from collections import Counter
from posixpath import basename, dirname, splitext

from intentls.core.mutation.equivalences.helpers import words_in
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, inner_nodes

_ROOTS = frozenset({"lib", "main", "build"})

_Exports = dict[str, tuple[Node, Node, str]]
"""By what they say: what an import stands in, the import, and the name of the module."""


def drop_idle_exports(old: Node, new: Node, path: str, facts: Surroundings) -> None:
    """Take them out of the tree that alone has them."""
    had, has = _exports(old, path), _exports(new, path)
    if had.keys() != has.keys():  # before all words of a file are counted
        _drop(old, new, [one for said, one in had.items() if said not in has], facts)
        _drop(new, old, [one for said, one in has.items() if said not in had], facts)


def _drop(root: Node, other: Node, gone: list[tuple[Node, Node, str]], facts: Surroundings) -> None:
    if not gone or _imports(other) - _imports(root):
        return
    words, told = words_in(root), Counter[str]()
    for _, item, _ in gone:
        told += words_in(item)
    for holder, item, module in gone:
        name = item.children[-1].text or ""
        is_hidden = not _is_open(item) or facts.is_private_module(module)
        if words[name] == told[name] and is_hidden and facts.is_taken_nowhere(module, name):
            holder.children = [child for child in holder.children if child is not item]


def _exports(root: Node, path: str) -> _Exports:
    """What a file hands on, name by name."""
    found: _Exports = {}
    stack = [(root, _name_of(path))]
    while stack:
        holder, module = stack.pop()
        for child in holder.children:
            if child.kind == "import_item" and child.children[-1].kind == "identifier" and _hands_on(child):
                found[f"{module} {_spelled(child)}"] = (holder, child, module)
            body, name = child.child("body"), child.child("name")
            if child.kind == "mod_item" and body is not None and name is not None:
                stack.append((body, name.text or ""))
    return found


def _name_of(path: str) -> str:
    """How the module of a file is called."""
    stem = splitext(basename(path))[0]
    return "crate" if stem in _ROOTS else basename(dirname(path)) if stem == "mod" else stem


def _hands_on(item: Node) -> bool:
    return (item.children[0].text or "").startswith("pub")


def _is_open(item: Node) -> bool:
    """Whether it is for all who see the module."""
    return not (item.children[0].text or "").startswith("pub(")


def _imports(root: Node) -> set[str]:
    return {_spelled(node) for node in inner_nodes(root) if node.kind == "import_item"}


def _spelled(item: Node) -> str:
    return " ".join(child.text or "" for child in item.children)

"""Who sees what a file of Rust declares: where no other crate does, a program does the same with `pub` or without it.

A test, an example and `main.rs` are crates that no other one imports, so that `pub` says no more than `pub(crate)`. In
a library that is so in a module that is not `pub`, of what nothing exports again. And either says no more than nothing
does of an item whose name only its own module gives.
"""

from __future__ import annotations

from collections import Counter

from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, inner_nodes, spelling

REASON = "seen by no other crate"

_ITEMS = kinds("function_item struct_item enum_item union_item trait_item type_item const_item static_item mod_item")
_MEMBERS = kinds("impl_item trait_item function_item struct_item enum_item union_item")
# What a name would mean that is no more seen, or was not.
_PRELUDE = kinds(
    "drop Some None Ok Err Option Result Vec String Box Clone Copy Send Sync Sized Drop Fn FnMut FnOnce From Into"
)


def seen_alike(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: no visibility where it means nothing."""
    is_alone = facts.is_crate_alone()
    holders = Counter(name for holder in inner_nodes(root) for name in {*map(_name_of, holder.children)})
    stack = [(root, True)]
    while stack:
        node, is_free = stack.pop()
        for child in list(node.children):
            if child.kind != "visibility_modifier":
                continue
            name = _name_of(node)
            is_item = is_free and node.kind in _ITEMS
            if spelling(child) == "pub" and not is_alone and not (is_item and facts.is_hidden(name)):
                continue
            child.text, child.children = "pub(crate)", []
            # Within the crate another item of the name could take the place of one that is seen by fewer.
            if name and holders[name] == 1 and name not in _PRELUDE and facts.is_declared_here(name):
                node.children.remove(child)
        is_free = is_free and node.kind not in _MEMBERS
        stack.extend((child, is_free) for child in node.children)


def _name_of(node: Node) -> str:
    """The name of an item, also of one that is a leaf since it did not change."""
    name = node.child("name") if node.kind in _ITEMS else None
    return (name.text or "") if name is not None else node.origin if node.kind in _ITEMS else ""

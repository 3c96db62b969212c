"""Rust that is spelled in another way: attributes for the compiler alone, `extern`, brackets of macros, modules.

#[inline]                             fn f() {}
fn f() {}
extern { fn g(); }                    extern "C" { fn g(); }
vec!(1, 2)                            vec![1, 2]
mod b;                                mod a;
mod a;                                mod b;
use std::usize;                       fn f() -> usize { usize::MAX }
fn f() -> usize { usize::MAX }
"""

from __future__ import annotations

import re

from intentls.core.syntax.tree import Node, all_said, flatten, inner_nodes, spelling

FOR_COMPILERS = "attributes for the compiler alone"
SPELLED = "the same spelled in another way"
MODULE_ORDER = "modules in another order"
_NUMBERS = frozenset(
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"]
)

# Whether it warns, and how it makes its code: never what this does.
_SILENT = re.compile(r"#\[(inline|cold|must_use|deprecated)\b[^\[\]]*\]\Z")


def without_silent_attributes(root: Node) -> None:
    """A `Rewrite`: no `#[inline]`, `#[must_use]` and the like."""
    for holder in inner_nodes(root):
        if any(child.kind == "attribute_item" for child in holder.children):
            holder.children = [
                child
                for child in holder.children
                if child.kind != "attribute_item" or not _SILENT.match("".join(spelling(child).split()))
            ]


def spelled_alike(root: Node) -> None:
    """A `Rewrite`: `extern "C"` for `extern`, and round brackets of macros for square ones."""
    for node in inner_nodes(root):
        if node.kind == "extern_modifier" and len(node.children) == 1:
            node.children.append(Node("string_literal", None, node.row, '"C"'))
        elif node.kind == "macro_invocation":
            given = node.children[-1]
            if given.kind == "token_tree" and given.children and given.children[0].text == "[":
                for bracket, sign in ((given.children[0], "("), (given.children[-1], ")")):
                    bracket.kind = bracket.text = sign


def without_number_modules(root: Node) -> None:
    """A `Rewrite`: no `use std::usize;`, since the type has all but `consts` with the same value."""
    found = [(holder, item) for holder in inner_nodes(root) for item in holder.children if _is_of_numbers(item)]
    if not found or "consts" in all_said(root) or any(map(_is_own_library, inner_nodes(root))):
        return
    for holder, item in found:
        holder.children = [child for child in holder.children if child is not item]


def _is_own_library(node: Node) -> bool:
    """Whether it gives the name of the library to something else."""
    name = node.child("alias") or node.child("name")
    return node.kind in ("mod_item", "import_item") and name is not None and name.text in ("std", "core")


def _is_of_numbers(item: Node) -> bool:
    if item.kind != "import_item":
        return False
    module, name, alias = (child.text or "" for child in item.children)
    return module.strip() in ("std::", "core::") and name in _NUMBERS and name == alias


def with_modules_in_order(root: Node) -> None:
    """A `Rewrite`: modules of other files that stand side by side, with no attribute before them, in one order."""
    for holder in inner_nodes(root):
        kept: list[Node] = []
        run: list[Node] = []
        for child in holder.children:
            is_marked = bool(kept) and not run and kept[-1].kind == "attribute_item"
            if child.kind == "mod_item" and spelling(child).endswith(";") and not is_marked:
                run.append(child)
                continue
            kept += [*sorted(run, key=lambda node: flatten(node).tokens), child]
            run = []
        holder.children = [*kept, *sorted(run, key=lambda node: flatten(node).tokens)]

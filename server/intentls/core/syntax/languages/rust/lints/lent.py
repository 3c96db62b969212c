"""Arguments of Rust that are lent anyway: `f(a)` for `f(&a)`, where each function that may be meant takes a `&T`.

    show(&self.app)          Usage::new(&*text)          self.write(&mut out)
    show(self.app)           Usage::new(&text)           self.write(out)

If both compile, `a` is a reference itself or leads to one. A compiler then follows it until it is at a `T`, which it
reaches on one way alone: so `T` has to be a type that is the same whatever is given, and no trait. Which functions are
meant, and what they take, the repository tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.made_nodes import given_to
from intentls.core.syntax.languages.rust.forms.methods import method_of
from intentls.core.syntax.languages.rust.forms.places import is_place
from intentls.core.syntax.tree import Node, spelling

REASON = "references that are followed anyway"

Lends = Callable[[str, int, bool], bool]
"""Whether all functions of this path (`a::b`, `Type::b`) take a reference to one type at this place, or a `&mut` one.

A method that is called of `self` is `Type.b`; `self` is none of its places.
"""

_PATHS = frozenset({"identifier", "scoped_identifier", "path"})
_SIGNS = frozenset({"&", "*"})
# Methods that give what the place where they stand wants.
_AS_ASKED = frozenset(
    {
        *("into", "try_into", "as_ref", "as_mut", "borrow", "borrow_mut", "parse", "collect", "sum", "product", "get"),
        *("extract", "load", "read", "decode", "deserialize", "convert", "cast"),
    }
)


def lent_alike(old: Node, new: Node, lends: Lends) -> None:
    """No `&` and `*` before what is lent in a call that one of two trees has more often."""
    calls = [list(_calls(root)) for root in (old, new)]
    counts = [Counter(spelling(call) for call, _ in one) for one in calls]
    for this, other in ((0, 1), (1, 0)):
        more = counts[this] - counts[other]
        for call, path in calls[this]:
            if spelling(call) in more:
                _lend(call, path, lends)


def _calls(root: Node) -> Iterator[tuple[Node, str]]:
    """The calls that are given something with a sign before it, and which function each one calls; outer ones first."""
    stack = [(root, "", True)]
    while stack:
        node, owner, is_known = stack.pop()
        if node.kind in ("impl_item", "trait_item"):
            owner = _name_of(node)
        elif node.kind == "mod_item":
            is_known = is_known and _has_all_around(node)
        if node.kind == "call_expression" and any(map(_is_marked, given_to(node))):
            path = _path(node.children[0], owner)
            if path and (is_known or "." in path):
                yield node, path
        stack.extend((child, owner, is_known) for child in node.children if child.children)


def _has_all_around(module: Node) -> bool:
    """Whether a module in the file takes all names from around it, and from nowhere else."""
    body = module.child("body")
    items = [child.children for child in body.children if child.kind == "import_item"] if body is not None else []
    return [(parts[0].text or "").strip() for parts in items if parts[1].text == "*"] == ["super::"]


def _name_of(node: Node) -> str:
    """The name of the type that has it, or of the trait."""
    kind = node.child("type") or node.child("name")
    head = kind.children[0] if kind is not None and kind.kind == "generic_type" else kind
    return (head.text or "") if head is not None else ""


def _path(called: Node, owner: str) -> str:
    said = spelling(called).removeprefix("here::")  # as a path is written out that begins in the file
    if called.kind in _PATHS:
        return said if not said.startswith("Self::") else f"{owner}{said[4:]}" if owner else ""
    is_own = called.kind == "field_expression" and called.children[0].kind == "self"
    return f"{owner}.{said.removeprefix('self.')}" if is_own and owner else ""


def _is_marked(value: Node) -> bool:
    return value.kind in ("reference_expression", "unary_expression") and value.children[0].kind in _SIGNS


def _lend(call: Node, path: str, lends: Lends) -> None:
    listed = call.children[-1]
    for place, value in enumerate(given_to(call)):
        bare = _bare(value)
        if bare is not value and _is_of_one_type(bare) and _is_lent(value, path, place, lends):
            at = next(index for index, child in enumerate(listed.children) if child is value)
            listed.children[at], bare.field = bare, None


def _bare(value: Node) -> Node:
    while _is_marked(value):
        value = value.children[-1]
    return value


def _is_of_one_type(value: Node) -> bool:
    """Whether it has its type by itself: a place, or what a method tells of one. `a.into()` is what is asked for."""
    owner, name = method_of(value)
    if owner is not None:
        return not given_to(value) and name not in _AS_ASKED and _is_of_one_type(owner)
    return is_place(value) or (value.kind == "index_expression" and is_place(value.children[0]))


def _is_lent(value: Node, path: str, place: int, lends: Lends) -> bool:
    is_changed = any(child.kind == "mutable_specifier" for child in value.children)
    is_read = value.kind == "unary_expression"
    return lends(path, place, is_changed) or (is_read and lends(path, place, True))

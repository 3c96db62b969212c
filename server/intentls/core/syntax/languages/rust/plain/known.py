"""What is shorter in Rust for a value of a known type.

    fn f(a: i32, mut b: i32, c: &str, d: Vec<u8>) {
        g(a.clone(), a as i32); b = b + a;        g(a, a); b += a;
        if c == "" { h(d.iter().count()); }       if c.is_empty() { h(d.len()); }

A number is copied by `clone`, and is what it is cast to. Of other types any of these may do something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.languages.rust.forms.methods import call_of, method_of
from intentls.core.syntax.languages.rust.plain.types import WHOLE, PlainTypes, declared_in, functions_in
from intentls.core.syntax.tree import Node, inner_nodes, spelling

_COPIED = WHOLE - {"{integer}"} | {"f32", "f64", "bool", "char"}
_STEPS = frozenset({"+", "-", "*", "/", "%", "&", "|", "^"})
_LIST = re.compile(r"(?:&\[.*\]|&?Vec<.*>)\Z", re.DOTALL)
_TEXT = re.compile(r"&?(?:str|String)\Z")
_OF_LISTS = {"last": "last", "count": "len", "next": "first"}
_NAMES = frozenset({"clone", *_OF_LISTS})


def known_alike(root: Node) -> None:
    """A `Rewrite`: all of these."""
    if any(map(_may_be_shorter, inner_nodes(root))):
        declared = declared_in(root)
        for function, types in functions_in(root, declared) if declared.isdisjoint(_NAMES) else ():
            for node in reversed(list(inner_nodes(function))):  # what is within comes first
                for child in node.children:
                    shape = _SHAPES.get(child.kind)
                    if shape is not None:
                        shape(node, child, types)


def _may_be_shorter(node: Node) -> bool:
    if node.kind == "binary_expression":
        return node.children[2].text == '""'
    if node.kind == "assignment_expression":
        return _is_step(node)
    return node.kind == "type_cast_expression" or method_of(node)[1] in _NAMES


def _is_step(node: Node) -> bool:
    """Whether a name is given what is made of it. Example: `a = a + b`."""
    target, _, value = node.children
    is_made = value.kind == "binary_expression" and value.children[1].kind in _STEPS
    return is_made and target.kind == "identifier" and target.text == value.children[0].text


def _call(parent: Node, node: Node, types: PlainTypes) -> None:
    owner, name = method_of(node)
    if owner is None or name not in _NAMES or given_to(node):
        return
    kind = types.names.get(owner.text or "", "") if owner.kind == "identifier" else ""
    source, before = method_of(owner)
    if name == "clone" and not _is_place(parent):
        if kind in _COPIED:
            become(node, owner)
        elif kind[:1] == "&" and kind[1:] in _COPIED:
            owner.field = "argument"
            node.kind, node.children = "unary_expression", [word_at(node, "*"), owner]
    elif source is not None and before == "iter" and name in _OF_LISTS and not given_to(owner):
        listed = types.names.get(source.text or "", "") if source.kind == "identifier" else ""
        if _LIST.match(listed):
            become(node, call_of(source, _OF_LISTS[name], [], node))


def _is_place(parent: Node) -> bool:
    """Whether something may be done to what stands there: a copy is another place."""
    return parent.kind in ("reference_expression", "field_expression")


def _cast(parent: Node, node: Node, types: PlainTypes) -> None:
    """`a` for `a as i32` of an `i32`."""
    value, kind = node.children[0], spelling(node.children[-1])
    if kind in _COPIED and not _is_place(parent) and types.of(value, may_panic=True) == kind:
        become(node, value)


def _assignment(_parent: Node, node: Node, types: PlainTypes) -> None:
    """`a += b` for `a = a + b`."""
    target, _, value = node.children
    if _is_step(node):
        kind = types.mixed(value.children[0], value.children[2])
        if kind in _COPIED or kind in ("{integer}", "{float}"):
            sign = word_at(node, f"{value.children[1].kind}=", "operator")
            node.kind, node.children = "compound_assignment_expr", [target, sign, value.children[2]]


def _compared(_parent: Node, node: Node, types: PlainTypes) -> None:
    """`a.is_empty()` for `a == ""`."""
    left, sign, right = node.children
    is_text = left.kind == "identifier" and _TEXT.match(types.names.get(left.text or "", "")) is not None
    if right.text == '""' and sign.kind in ("==", "!=") and is_text:
        asked = call_of(left, "is_empty", [], node)
        if sign.kind == "==":
            become(node, asked)
        else:
            asked.field = "argument"
            node.kind, node.children = "unary_expression", [word_at(node, "!"), asked]


_SHAPES: dict[str, Callable[[Node, Node, PlainTypes], None]] = {
    "call_expression": _call,
    "type_cast_expression": _cast,
    "assignment_expression": _assignment,
    "binary_expression": _compared,
}

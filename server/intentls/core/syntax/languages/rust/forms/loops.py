"""Loops of Rust that ask in another place, or of another one.

while a() { b(); }            while let Some(a) = b.next() { c(a); }     fn f(a: &[u8]) { for b in a { c(b); } }
loop {                        for a in b.by_ref() { c(a); }              fn f(a: &[u8]) { for b in &a { c(b); } }
    if !a() { break; }
    b();
}
"""

from __future__ import annotations

from collections.abc import Set

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.made_nodes import given_to, word_at
from intentls.core.syntax.languages.rust.forms.borrowed import references_of
from intentls.core.syntax.languages.rust.forms.methods import method_of
from intentls.core.syntax.languages.rust.forms.places import is_place
from intentls.core.syntax.tree import Node, every_node, inner_nodes

_LOOPED = {"iter": "&", "iter_mut": "&mut", "by_ref": "&mut", "into_iter": ""}
_LETS = frozenset({"let_condition", "let_chain"})


def as_loop(loop: Node) -> None:
    """A `loop` that leaves first for `while`, but for one that asks whether something matches."""
    asked, body = loop.children[-2:]
    if any(part.kind in _LETS for part in every_node(asked)):
        return
    asked.field = None
    denied = Node("unary_expression", "condition", asked.row, children=[word_at(asked, "!"), asked])
    leaving = Node("break_expression", None, asked.row, children=[word_at(asked, "break")])
    left = Node("expression_statement", None, asked.row, children=[leaving, word_at(asked, ";")])
    block = Node("block", "consequence", asked.row, children=[word_at(asked, "{"), left, word_at(asked, "}")])
    branch = Node("if_expression", None, asked.row, children=[word_at(asked, "if"), denied, block])
    body.children.insert(1, Node("expression_statement", None, asked.row, children=[branch]))
    loop.kind, loop.children[-3:-1] = "loop_expression", [word_at(loop, "loop")]


def as_for(loop: Node, own: Set[str]) -> None:
    """`for a in &mut b` for `while let Some(a) = b.next()`."""
    _, pattern, _, value = loop.children[-2].children
    owner, name = method_of(value)
    found = of_some(pattern)
    if owner is None or name != "next" or given_to(value) or not is_place(owner) or found is None or "Some" in own:
        return
    found.field = "pattern"
    loop.kind = "for_expression"
    loop.children[-3:-1] = [word_at(loop, "for"), found, word_at(loop, "in"), _borrowed("&mut", owner)]


def let_some(asked: Node, value: Node) -> Node:
    """`let Some(_) = a` for `a.is_some()`, where nothing is done in between: what `a` gives is dropped as soon."""
    kind = Node("identifier", "type", asked.row, "Some")
    words = [kind, word_at(asked, "("), word_at(asked, "_"), word_at(asked, ")")]
    pattern = Node("tuple_struct_pattern", "pattern", asked.row, children=words)
    value.field = "value"
    parts = [word_at(asked, "let"), pattern, word_at(asked, "="), value]
    return Node("let_condition", asked.field, asked.row, children=parts)


def of_some(pattern: Node) -> Node | None:
    """The pattern in `Some(..)`."""
    is_tuple = pattern.kind == "tuple_struct_pattern" and len(pattern.children) == 4
    return pattern.children[2] if is_tuple and pattern.children[0].text == "Some" else None


def _borrowed(sign: str, value: Node) -> Node:
    words = [word_at(value, "&")]
    words += [Node("mutable_specifier", None, value.row, "mut")] if sign == "&mut" else []
    value.field = "value"
    return Node("reference_expression", "value", value.row, children=[*words, value])


def of_reference(loop: Node, own: Set[str]) -> None:
    """`for a in &b` for `for a in b.iter()`, where the file has no `iter` of its own."""
    index = next(number for number, child in enumerate(loop.children) if child.field == "value")
    value = loop.children[index]
    owner, name = method_of(value)
    if owner is None or name not in _LOOPED or name in own or given_to(value) or not is_place(owner):
        return
    sign = _LOOPED[name]
    loop.children[index] = _borrowed(sign, owner) if sign else in_place_of(value, owner)


def with_borrowed_loops(root: Node) -> None:
    """`for a in &b` for `for a in b`, where the function is given `b` as a reference; `of_reference` comes before."""
    for function in (node for node in inner_nodes(root) if node.kind == "function_item"):
        loops = [node for node in inner_nodes(function) if node.kind == "for_expression"]
        references = dict(references_of(function)) if loops else {}
        for loop in loops:
            index = next(number for number, child in enumerate(loop.children) if child.field == "value")
            value = loop.children[index]
            if value.text in references and value.kind == "identifier":
                loop.children[index] = _borrowed("&mut" if references[value.text] else "&", value)

"""Calls of methods in Rust, taken apart and made."""

from __future__ import annotations

import re
from collections.abc import Sequence

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.made_nodes import joined_by, word_at
from intentls.core.syntax.tree import Node

_CHARACTER = re.compile(r'"(?:[^\\"\']|\\[nrt0\\])"\Z')


def method_of(node: Node) -> tuple[Node | None, str]:
    """What a method is called of, and how it is called. Example: `a.b` and `len` for `a.b.len()`."""
    called = node.children[0] if node.kind == "call_expression" else node
    is_method = called is not node and called.kind == "field_expression" and len(called.children) == 3
    return (called.children[0], called.children[2].text or "") if is_method else (None, "")


def call_of(owner: Node, name: str, given: Sequence[Node], node: Node) -> Node:
    """A call of a method, in the place of a node."""
    owner.field = "value"
    for value in given:
        value.field = None
    field = Node("field_identifier", "field", node.row, name)
    called = Node("field_expression", "function", node.row, children=[owner, word_at(node, "."), field])
    listed = joined_by(",", given)
    arguments = Node("arguments", "arguments", node.row, children=[word_at(node, "("), *listed, word_at(node, ")")])
    return Node("call_expression", node.field, node.row, children=[called, arguments])


def make_new(node: Node, kind: str) -> None:
    """`Vec::new()` in the place of a node."""
    path, name = Node("identifier", "path", node.row, kind), Node("identifier", "name", node.row, "new")
    called = Node("scoped_identifier", "function", node.row, children=[path, word_at(node, "::"), name])
    listed = Node("arguments", "arguments", node.row, children=[word_at(node, "("), word_at(node, ")")])
    node.kind, node.children = "call_expression", [called, listed]


def closure(names: Sequence[str], body: Node) -> Node:
    """`|a| b`, or `|| b`."""
    listed = joined_by(",", [Node("identifier", None, body.row, name) for name in names])
    bars = [word_at(body, "|"), *listed, word_at(body, "|")]
    body.field = "body"
    parameters = Node("closure_parameters", "parameters", body.row, children=bars)
    return Node("closure_expression", None, body.row, children=[parameters, body])


def as_character(value: Node) -> Node:
    """`'a'` for `"a"`, where either is looked for."""
    if value.kind == "string_literal" and _CHARACTER.match(value.text or ""):
        return leaf_like(value, "char_literal", f"'{(value.text or '')[1:-1]}'")
    return value

"""Empty statements of JavaScript: where prettier writes no semicolons, it puts one before a line with a bracket."""

from __future__ import annotations

from itertools import zip_longest

from intentls.core.syntax.languages.adapter import Context
from intentls.core.syntax.tree import Node


def without_empty(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    """Without empty ones. One before a text at the beginning keeps it from being a directive."""
    kept: list[Node] = []
    for kid, following in zip_longest(node.kids, node.kids[1:]):
        if kid.kind != "empty_statement" or (_is_text(following) and all(map(_is_text, _without_brace(kept)))):
            kept.append(kid)
    node.kids = kept
    return [node]


def _is_text(node: Node | None) -> bool:
    if node is None or node.kind != "expression_statement":
        return False
    return node.text[:1] in ("'", '"') if node.text else node.kids[0].kind == "string"


def _without_brace(kids: list[Node]) -> list[Node]:
    return kids[1:] if kids and kids[0].kind == "{" else kids

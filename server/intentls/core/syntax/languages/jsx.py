"""JSX: white space between elements, as React reads it."""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import Context, leaf_like
from intentls.core.syntax.tree import Node


def markup(node: Node, around: Context) -> list[Node]:  # noqa: ARG001  a Finish
    """A text without the white space that only lays it out."""
    lines = (node.text or "").split("\n")
    if len(lines) == 1:
        return [node]
    kept = [lines[0].rstrip(), *(line.strip() for line in lines[1:-1]), lines[-1].lstrip()]
    text = " ".join(line for line in kept if line)
    return [leaf_like(node, node.kind, text)] if text else []


def children(node: Node, around: Context) -> list[Node]:  # noqa: ARG001  a Finish
    """`{" "}` is the space that it stands for, part of the text beside it."""
    kids: list[Node] = []
    for kid in node.kids:
        is_space = kid.kind == "jsx_expression" and [part.text for part in kid.kids] == ["{", " ", "}"]
        made = leaf_like(kid, "jsx_text", " ") if is_space else kid
        if made.kind == "jsx_text" and kids and kids[-1].kind == "jsx_text":
            last = kids.pop()
            made = leaf_like(last, "jsx_text", f"{last.text}{made.text}")
        kids.append(made)
    node.kids = kids
    return [node]

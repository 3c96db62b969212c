"""Python's annotations, for which its grammar has nodes of their own, and a context's name, which it hangs too low."""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import Context, flattened
from intentls.core.syntax.tree import Node

_NEAR = 50  # ancestors that are looked at: a source may nest as deep as it likes
_RIGHT_OPEN = ("conditional_expression", "lambda")


def with_item(node: Node, around: Context) -> list[Node]:  # noqa: ARG001  a Finish
    """The grammar takes `a if b else c as d` for `a if b else (c as d)`, which can't be written."""
    value = holder = node.kids[0]
    while holder.kids and holder.kids[-1].kind in _RIGHT_OPEN:
        holder = holder.kids[-1]
    if holder.kids and value.kind in _RIGHT_OPEN and holder.kids[-1].kind == "as_pattern":
        target = holder.kids.pop()
        holder.kids.append(target.kids[0])
        target.kids[0] = value
        node.kids[0] = target
    return [node]


def annotation(node: Node, around: Context) -> list[Node]:  # noqa: ARG001  a Finish
    """What stands for a type is written as what it is elsewhere: an expression."""
    if node.kind == "type":
        node.kids[0].field = node.field
        return node.kids
    node.kind = "subscript"
    node.kids[1:] = node.kids[1].kids
    return [node]


def union(node: Node, around: Context) -> list[Node]:
    """A chain of `|` in an annotation means the same however it is nested; what a call makes may think otherwise."""
    if node.kids[1].kind != "|":
        return [node]
    near = around.ancestors[-_NEAR:]
    is_type = node.kind == "union_type" or any(above.kind == "type" for above in near)
    is_value = any(
        above.kind in ("call", "lambda") or (above.kids and above.kids[0].text == "Annotated") for above in near
    )
    if is_value or not is_type:
        return [node]
    node.kind = "union_type"
    return [flattened(node, "|")]

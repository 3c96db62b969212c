"""CSS: what prettier changes: quotes, the case of colours, the spelling of numbers, spaces in queries."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import Adapter, Context, finishes, kinds, leaf_like
from intentls.core.syntax.tree import Node

_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d+))?(\D*)\Z")
_STEP = re.compile(r"[+-]?\d*n\s*[+-]\s*\d+\Z")
_SPACE = re.compile(r"\s+")
_INNER_SPACE = re.compile(r"(\()\s+|\s*([:,])\s*|\s+(\))")


def _block(node: Node, context: Context) -> list[Node]:
    last = node.children[-2]
    if last.kind == "declaration" and last.children[-1].kind == ";":
        last.children.pop()
    return [node]


def _is_read(context: Context) -> bool:
    """Whether scripts may read it as it is spelled: it is in a custom property."""
    return any(above.children and (above.children[0].text or "").startswith("--") for above in context.ancestors)


def _number(node: Node, context: Context) -> list[Node]:
    number = _NUMBER.match(node.text or "")
    if number is None or _is_read(context):
        return [node]
    sign, whole, part, unit = number.groups(default="")
    part = part.rstrip("0")
    return [leaf_like(node, "number_value", f"{sign}{whole or '0'}{'.' if part else ''}{part}{unit}")]


def _color(node: Node, context: Context) -> list[Node]:
    return [node] if _is_read(context) else [leaf_like(node, node.kind, (node.text or "").lower())]


def _string(node: Node, context: Context) -> list[Node]:
    inner = (node.text or "")[1:-1]
    is_fixed = context.parent == "charset_statement"  # which is only known in double quotes
    return [node] if is_fixed or "'" in inner or '"' in inner else [leaf_like(node, node.kind, f'"{inner}"')]


def _plain(node: Node, context: Context) -> list[Node]:
    text = node.text or ""
    if context.parent == "attribute_selector":
        return [leaf_like(node, "string_value", f'"{text}"')]
    return [leaf_like(node, node.kind, _SPACE.sub("", text) if _STEP.match(text) else text)]


def _spaces(node: Node, context: Context) -> list[Node]:
    text = node.text or ""
    if "'" in text or '"' in text:
        return [node]
    return [leaf_like(node, node.kind, _SPACE.sub(" ", _INNER_SPACE.sub(r"\1\2\3", text)))]


CSS = Adapter(
    "CSS",
    "tree_sitter_css",
    exact=re.compile(r"string|value$|feature_query"),
    comments=kinds("comment js_comment"),
    finish=finishes(
        (_block, "block"),
        (_number, "integer_value float_value"),
        (_color, "color_value"),
        (_string, "string_value"),
        (_plain, "plain_value"),
        (_spaces, "feature_query parenthesized_value"),
    ),
)

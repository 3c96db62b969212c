"""CSS: what prettier changes: quotes, the case of colours, the spelling of numbers, spaces in queries."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import Adapter, Context, leaf_like
from intentls.core.syntax.tree import Node

_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d+))?(\D*)\Z")
_STEP = re.compile(r"[+-]?\d*n\s*[+-]\s*\d+\Z")
_SPACE = re.compile(r"\s+")
_INNER_SPACE = re.compile(r"(\()\s+|\s*([:,])\s*|\s+(\))")


def _block(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    last = node.kids[-2]
    if last.kind == "declaration" and last.kids[-1].kind == ";":
        last.kids.pop()
    return [node]


def _is_read(around: Context) -> bool:
    """Whether scripts may read it as it is spelled: it is in a custom property."""
    return any(above.kids and (above.kids[0].text or "").startswith("--") for above in around.ancestors)


def _number(node: Node, around: Context) -> list[Node]:
    found = _NUMBER.match(node.text or "")
    if found is None or _is_read(around):
        return [node]
    sign, whole, part, unit = found.groups(default="")
    part = part.rstrip("0")
    return [leaf_like(node, "number_value", f"{sign}{whole or '0'}{'.' if part else ''}{part}{unit}")]


def _color(node: Node, around: Context) -> list[Node]:
    return [node] if _is_read(around) else [leaf_like(node, node.kind, (node.text or "").lower())]


def _string(node: Node, around: Context) -> list[Node]:
    inner = (node.text or "")[1:-1]
    is_fixed = around.parent == "charset_statement"  # which is only known in double quotes
    return [node] if is_fixed or "'" in inner or '"' in inner else [leaf_like(node, node.kind, f'"{inner}"')]


def _plain(node: Node, around: Context) -> list[Node]:
    text = node.text or ""
    if around.parent == "attribute_selector":
        return [leaf_like(node, "string_value", f'"{text}"')]
    return [leaf_like(node, node.kind, _SPACE.sub("", text) if _STEP.match(text) else text)]


def _spaces(node: Node, around: Context) -> list[Node]:  # noqa: ARG001
    text = node.text or ""
    if "'" in text or '"' in text:
        return [node]
    return [leaf_like(node, node.kind, _SPACE.sub(" ", _INNER_SPACE.sub(r"\1\2\3", text)))]


CSS = Adapter(
    "CSS",
    "tree_sitter_css",
    exact=re.compile(r"string|value$|feature_query"),
    comments=frozenset({"comment", "js_comment"}),
    finish={
        "block": _block,
        "integer_value": _number,
        "float_value": _number,
        "color_value": _color,
        "string_value": _string,
        "plain_value": _plain,
        "feature_query": _spaces,
        "parenthesized_value": _spaces,
    },
)

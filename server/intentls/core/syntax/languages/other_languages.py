"""Languages whose names are not followed: formatting and comments are told from the rest, nothing else is."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.adapter import Adapter, Context, finishes, kinds, leaf_like
from intentls.core.syntax.languages.c.adapter import EXACT, PRAGMA
from intentls.core.syntax.tree import Node

_SLASHES = kinds("comment line_comment block_comment multiline_comment")


CSHARP = Adapter("C#", "tree_sitter_c_sharp", pragma=PRAGMA, exact=EXACT)
KOTLIN = Adapter("Kotlin", "tree_sitter_kotlin", comments=_SLASHES, exact=EXACT)
SWIFT = Adapter(
    "Swift",
    "tree_sitter_swift",
    comments=_SLASHES,
    pragma=re.compile(r"#!|//\s*swift-tools-version", re.IGNORECASE),
    exact=EXACT,
)
RUBY = Adapter(
    "Ruby",
    "tree_sitter_ruby",
    pragma=re.compile(r"#!|#.*(coding[:=]|frozen_string_literal|warn_indent|shareable_constant|typed:)"),
    exact=re.compile(r"string|heredoc|regex|char|symbol|subshell|uninterpreted"),
)
PHP = Adapter(
    "PHP",
    "tree_sitter_php",
    "language_php",
    # Annotations in comments configure frameworks.
    pragma=re.compile(r".*@(?!(param|return|var|throws|see|since|author|deprecated|link|license)\b)\w", re.DOTALL),
    exact=re.compile(r"string|heredoc|nowdoc|text|shell"),
)
BASH = Adapter(
    "Bash",
    "tree_sitter_bash",
    pragma=re.compile(r"#!"),
    exact=re.compile(r"string|heredoc|expansion|regex|arithmetic|test"),
)
JSON = Adapter("JSON", "tree_sitter_json", exact=EXACT)
YAML = Adapter("YAML", "tree_sitter_yaml", pragma=re.compile(r"#!|#cloud-config"), exact=re.compile(r"scalar"))
TOML = Adapter("TOML", "tree_sitter_toml", exact=re.compile(r"string"))
HTML = Adapter(
    "HTML",
    "tree_sitter_html",
    pragma=re.compile(r"<!--\s*(\[|#|/?ko\b|<!)"),
    exact=re.compile(r"text"),
    all_spaced=True,
)


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

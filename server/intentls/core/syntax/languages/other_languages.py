"""Languages whose names are not followed: formatting and comments are told from the rest, nothing else is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from intentls.core.syntax.languages.adapter import Adapter, Context, Finish, finishes, kinds, leaf_like
from intentls.core.syntax.lexemes import lexemes_of_c
from intentls.core.syntax.tree import Node

_C = re.compile(r".*(\\\r?\n|@(?!param|return|brief|note|see|since|author|throws|deprecated)\w)", re.DOTALL)
_EXACT = re.compile(r"(?<!concatenated_)string|heredoc|regex|char|text|scalar|literal$|preproc_arg")
_CONTINUATION = re.compile(r"\\\r?\n")
_CONTINUED = re.compile(r"(\s|\\\r?\n)+")
_CUT_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]*|[0-7]{1,2})\Z")
_PLAIN_TEXT = re.compile(r"""\"(?:[^"\\]|\\.)*+\"\Z""", re.DOTALL)
_LITERAL = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")
_SLASHES = kinds("comment line_comment block_comment multiline_comment")


def _joined(node: Node, context: Context) -> list[Node]:
    """Texts side by side are one, unless an escape would swallow what follows."""
    texts = [child.text or "" for child in node.children]
    if any(not _PLAIN_TEXT.match(text) or _CUT_ESCAPE.search(text[:-1]) for text in texts):
        return [node]
    return [leaf_like(node, "string_literal", f'"{"".join(text[1:-1] for text in texts)}"')]


def _macro(node: Node, context: Context) -> list[Node]:
    """White space between the words of a macro is as good as one blank, even where a text is made of them."""
    text = node.text or ""
    if context.parent not in ("preproc_def", "preproc_function_def") or re.search(r"//|/\*", text):
        return [node]
    parts = _LITERAL.split(_CONTINUATION.sub(" ", text))
    parts[::2] = [re.sub(r"\s+", " ", part) for part in parts[::2]]
    return [leaf_like(node, node.kind, "".join(parts).strip())]


def _directive(node: Node, context: Context) -> list[Node]:
    return [leaf_like(node, node.kind, node.kind)]  # `#  define` is written in two words


_MACROS: Mapping[str, Finish] = MappingProxyType(
    finishes(
        (_joined, "concatenated_string"),
        (_macro, "preproc_arg"),
        (_directive, "#include #define #if #ifdef #ifndef #elif #else #endif"),
    )
)
C = Adapter(
    "C",
    "tree_sitter_c",
    pragma=_C,
    exact=_EXACT,
    blank=_CONTINUED,
    lexemes=lexemes_of_c,
    has_macros=True,
    finish=_MACROS,
)
CPP = replace(C, name="C++", module="tree_sitter_cpp")
CSHARP = Adapter("C#", "tree_sitter_c_sharp", pragma=_C, exact=_EXACT)
KOTLIN = Adapter("Kotlin", "tree_sitter_kotlin", comments=_SLASHES, exact=_EXACT)
SWIFT = Adapter(
    "Swift",
    "tree_sitter_swift",
    comments=_SLASHES,
    pragma=re.compile(r"#!|//\s*swift-tools-version", re.IGNORECASE),
    exact=_EXACT,
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
JSON = Adapter("JSON", "tree_sitter_json", exact=_EXACT)
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

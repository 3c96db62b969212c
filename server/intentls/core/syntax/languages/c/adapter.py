"""C and C++: names are not followed in their trees; formatting and comments are told from the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from intentls.core.syntax.languages.adapter import Adapter, Context, Finish, finishes, leaf_like
from intentls.core.syntax.lexemes import lexemes_of_c
from intentls.core.syntax.tree import Node

PRAGMA = re.compile(r".*(\\\r?\n|@(?!param|return|brief|note|see|since|author|throws|deprecated)\w)", re.DOTALL)
EXACT = re.compile(r"(?<!concatenated_)string|heredoc|regex|char|text|scalar|literal$|preproc_arg")
_CONTINUATION = re.compile(r"\\\r?\n")
_CONTINUED = re.compile(r"(\s|\\\r?\n)+")
_CUT_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]*|[0-7]{1,2})\Z")
_PLAIN_TEXT = re.compile(r"""\"(?:[^"\\]|\\.)*+\"\Z""", re.DOTALL)
_LITERAL = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")


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
    pragma=PRAGMA,
    exact=EXACT,
    blank=_CONTINUED,
    lexemes=lexemes_of_c,
    has_macros=True,
    finish=_MACROS,
)
CPP = replace(C, name="C++", module="tree_sitter_cpp")

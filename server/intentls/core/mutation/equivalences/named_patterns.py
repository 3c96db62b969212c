r"""Patterns that are made once and have a name: who asks one by its name asks the same that is made where it is asked.

    _WORD = re.compile(r"\w+")        const WORD = /\w+/i           static final Pattern WORD = Pattern.compile("\\w+");
    _WORD.match(text)                 WORD.test(text)               WORD.matcher(text).find()

A pattern that is asked keeps nothing, but for one of JavaScript that goes on where it was (`g`, `y`). It is only asked
here: nothing else gets it, which could tell one from another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from intentls.core.syntax.languages.made_nodes import given_to
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_MAKERS = {"Python": "re.compile", "Java": "Pattern.compile", "Go": "regexp.MustCompile"}
_LIBRARIES = {"Python": ("re",), "Java": ("Pattern",), "Go": ("regexp",)}
_FLAG = re.compile(r"(re|Pattern)\.[A-Z]\w*\Z")
_TEXTS = frozenset({"string", "string_literal", "interpreted_string_literal", "raw_string_literal"})
_STATELESS = re.compile(r"/[a-fh-xz]*\Z", re.DOTALL)
_TAKES_PATTERN = frozenset({"match", "replace", "search", "split"})  # of a text of JavaScript
_ASKED_IN_SCRIPTS = frozenset({"test", "exec"})
_MEMBERS = frozenset({"attribute", "member_expression", "selector_expression", "method_invocation"})


def is_pattern(value: Node, language: str) -> bool:
    """Whether a value is a pattern that is made of a text alone."""
    if value.kind == "regex":
        return _STATELESS.search(value.text or "") is not None
    is_made = value.kind in ("call", "method_invocation", "call_expression") and len(value.children) > 1
    if not is_made or spelling(value).partition("(")[0] != _MAKERS.get(language):
        return False
    text, *flags = given_to(value) or [value]
    is_plain = text.kind in _TEXTS and all(node.kind in (*_TEXTS, "content") for node in every_node(text))
    return is_plain and len(flags) < 2 and all(_FLAG.match(spelling(flag)) for flag in flags)


def is_library(root: Node, language: str) -> bool:
    """Whether the name by which a file makes patterns is that of the library: it is imported, and nothing else."""
    names = _LIBRARIES.get(language, ())
    items = [child for child in root.children if child.kind == "import_item" and child.children[-1].text in names]
    is_known = all(_SOURCES.match("".join(child.text or "" for child in item.children[:-1])) for item in items)
    others = (node for node in inner_nodes(root) if node.kind != "import_item")
    is_bound = any(leaf.binds and leaf.text in names for node in others for leaf in node.children)
    return not names or (bool(items) and is_known and not is_bound)


_SOURCES = re.compile(r"(re|regexp|import java\.util\.regexPattern)\Z")


def pattern_uses(nodes: Iterable[Node], name: str) -> Iterator[Node]:
    """Where a pattern is asked by its name in one of these, or a text is asked for what it finds."""
    for node in nodes:
        if node.kind in _MEMBERS:
            yield from (child for child in node.children[:1] if _is_asked(child, node, name))
        elif node.kind == "call_expression" and node.children[0].kind == "member_expression":
            is_of_text = node.children[0].children[-1].text in _TAKES_PATTERN
            yield from (child for child in given_to(node)[:1] if is_of_text and child.text == name)


def _is_asked(leaf: Node, member: Node, name: str) -> bool:
    is_script = member.kind == "member_expression"
    is_method = not is_script or member.children[-1].text in _ASKED_IN_SCRIPTS
    return leaf.text == name and leaf.field in ("object", "operand") and is_method

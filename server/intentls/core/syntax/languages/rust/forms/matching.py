"""Rust that asks whether a value matches a pattern: `matches!`, for a match that gives a truth, and for `if let`.

    match a {                          if let A::B = *c { d(); }
        A::B | A::C => true,           if matches!(*c, A::B) { d(); }
        _ => false,
    }
    matches!(a, A::B | A::C)

What `if let` asks may be dropped only after its block, so that it has to be a place there.
"""

from __future__ import annotations

import re

from intentls.core.syntax.languages.made_nodes import become, word_at
from intentls.core.syntax.languages.rust.forms.options import arms_of, only_value
from intentls.core.syntax.languages.rust.forms.places import bare, is_place, is_settled
from intentls.core.syntax.tree import Node, all_said, inner_nodes, spelling

_WORD = re.compile(r"(?<![\w:'])[a-z_]\w*(?![\w]*::)")  # what may be a name that a pattern gives
_BARE = re.compile(r"(?<![\w:'\"])[A-Z]\w*(?![\w:({])")
_ANY = re.compile(r"\w+")
_PLACE = re.compile(r"[*&]+[\w.:]+\Z")
_PLAIN = frozenset({"_", "true", "false"})
_TEXT = re.compile(r"""b?"(?:[^"\\]|\\.)*"|b?'(?:[^'\\]|\\.)'""")
_TRUTHS = ["true", "false"]
_ASKS = frozenset({"matches", "unary_expression", "call_expression"})


def asked_of_patterns(root: Node) -> None:
    """A `Rewrite`: what is asked, and the pattern, for all three."""
    nodes = list(inner_nodes(root))
    macros = (node.child("name") for node in nodes if node.kind == "macro_definition")
    if any(name is not None and name.text == "matches" for name in macros):
        return
    for node in reversed(nodes):  # what is within comes first
        if node.kind == "macro_invocation" and node.children[0].text == "matches":
            _asked_by_macro(node)
        elif node.kind == "match_expression":
            _asked_by_match(node)
        elif node.kind == "if_expression" and node.children[1].kind == "let_condition":
            _asked_by_condition(node)
        elif node.kind == "if_expression" and len(node.children) == 4 and _given(node) == _TRUTHS:
            _only_ask(node)
        node.children = [bare(child, _ASKS) for child in node.children]


def _only_ask(node: Node) -> None:
    """`a` for `if a { true } else { false }`, if nothing of it is dropped earlier for that."""
    if is_settled(node.children[1]):
        become(node, node.children[1])


def _asked_by_macro(node: Node) -> None:
    parts = node.children[-1].children[1:-1]
    at = next((index for index, part in enumerate(parts) if part.kind == ","), len(parts))
    pattern = parts[at + 1 :]
    if pattern:
        _ask(node, _spelled(parts[:at]), _spelled(pattern))


def _asked_by_match(node: Node) -> None:
    """What a match asks that only tells if a value is so."""
    arms, value = arms_of(node), node.child("value")
    if value is not None and list(arms)[1:] == ["_"]:
        _tell(node, [spelling(only_value(arm)) for arm in arms.values()], spelling(value), next(iter(arms)))


def _asked_by_condition(node: Node) -> None:
    """What an `if let` asks that names nothing, or only tells if a value is so."""
    asked = node.children[1]
    _, pattern, _, value = asked.children
    said = spelling(pattern)
    if not is_place(value.children[-1] if value.kind == "unary_expression" else value):
        return
    if len(node.children) == 4 and _tell(node, _given(node), spelling(value), said):
        return
    # What begins with a capital names a constant or a variant; if it were a variable, the block would have it.
    used = set(_ANY.findall(all_said(node.children[2])))
    if not _names(said) and used.isdisjoint(_BARE.findall(said)):
        _ask(asked, spelling(value), said)


def _given(node: Node) -> list[str]:
    """What each of two branches gives."""
    return [spelling(only_value(block)) for block in (node.children[2], node.children[3].children[-1])]


def _names(pattern: str) -> bool:
    """Whether a pattern may give a name to something."""
    plain = _TEXT.sub("0", pattern)
    return any(word not in _PLAIN for word in _WORD.findall(plain))


def _tell(node: Node, given: list[str], value: str, pattern: str) -> bool:
    if given not in (_TRUTHS, _TRUTHS[::-1]):
        return False
    if given == _TRUTHS:
        _ask(node, value, pattern)
    else:
        inner = Node("matches", "argument", node.row)
        _ask(inner, value, pattern)
        node.kind, node.text, node.children = "unary_expression", None, [word_at(node, "!", "operator"), inner]
    return True


def _ask(node: Node, value: str, pattern: str) -> None:
    if _PLACE.match(value) and not _names(pattern) and "&" not in pattern and not _BARE.search(pattern):
        value = value.lstrip("*&")  # what a reference leads to is asked for either way
    parts = [Node("asked", None, node.row, value), Node("pattern", None, node.row, pattern.removeprefix("|"))]
    node.kind, node.text, node.children = "matches", None, parts


def _spelled(parts: list[Node]) -> str:
    return "".join(map(spelling, parts))

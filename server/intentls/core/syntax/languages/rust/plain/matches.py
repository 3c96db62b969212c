"""Rust that matches a plain value with literals, as branches that compare it with each.

    match a {                          if a == 1 || a == 2 {
        1 | 2 => b(),                      b();
        _ => c(),                      } else {
    }                                      c();
                                       }

`if let 1 = a` and `matches!(a, 1 | 2)` ask the same. What a pattern of a number, a character or a text matches is what
is equal to it; of floating point numbers there are none.
"""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.syntax.languages.made_nodes import become, word_at
from intentls.core.syntax.languages.rust.forms.options import as_block
from intentls.core.syntax.languages.rust.plain.types import WHOLE, PlainTypes, declared_in, functions_in
from intentls.core.syntax.tree import Node, copy_with, inner_nodes, spelling

_MATCHED = WHOLE | {"char", "&str"}
_ASKING = frozenset({"match_expression", "let_condition", "macro_invocation"})
_NEGATIVE = ["-", "integer_literal"]


def compared_with_literals(root: Node) -> None:
    """A `Rewrite`: all of these as comparisons."""
    if not any(node.kind in _ASKING for node in inner_nodes(root)):
        return
    own = declared_in(root)
    for function, types in functions_in(root, own):
        for node in reversed(list(inner_nodes(function))):  # what is within comes first
            if node.kind == "match_expression":
                _match(node, types)
            elif node.kind == "let_condition":
                _let(node, types)
            elif node.kind == "macro_invocation" and node.children[0].text == "matches" and "matches" not in own:
                _macro(node, types)


def _match(node: Node, types: PlainTypes) -> None:
    value = node.children[1]
    arms = [child for child in node.children[-1].children if child.text is None]
    if types.of(value) not in _MATCHED or len(arms) < 2 or spelling(arms[-1].children[0]) != "_":
        return
    asked = [_asked(value, arm.children[0].children) for arm in arms[:-1] if arm.kind == "match_arm"]
    if len(asked) != len(arms) - 1 or not all(asked) or any(len(arm.children) != 3 for arm in arms):
        return
    last = arms[-1].children[2]
    other = None if spelling(last) in ("()", "{}") else as_block(last, None)
    for condition, arm in zip(reversed(asked), arms[-2::-1], strict=True):
        block = as_block(arm.children[2], "consequence")
        branch = Node("if_expression", None, arm.row, children=[word_at(arm, "if"), *condition, block])
        if other is not None:
            branch.children.append(
                Node("else_clause", "alternative", other.row, children=[word_at(other, "else"), other])
            )
        other = branch
    node.kind, node.children = branch.kind, branch.children


def _let(node: Node, types: PlainTypes) -> None:
    _, *patterns, _, value = node.children  # `let 1 | 2 = a` has several
    asked = _asked(value, patterns) if types.of(value) in _MATCHED else []
    for condition in asked:
        become(node, condition)


def _macro(node: Node, types: PlainTypes) -> None:
    value, *parts = node.children[-1].children[1:-1] or [node]
    if types.of(value) in _MATCHED and parts and parts[0].kind == ",":
        asked = _asked(value, parts[1:])
        for condition in asked:
            become(node, condition)


def _asked(value: Node, pattern: Sequence[Node]) -> list[Node]:
    """The one condition that tells whether a value matches a pattern; none where that is no literal."""
    parts = [part for child in pattern for part in (child.children if child.kind == "or_pattern" else [child])]
    literals = [_literal(part) for part in parts if part.kind != "|"]
    condition: Node | None = None
    for literal in literals:
        if literal is None:
            return []
        row = [copy_with(value, {}), word_at(value, "==", "operator"), literal]
        row[0].field, literal.field = "left", "right"
        compared = Node("binary_expression", "condition", value.row, children=row)
        if condition is not None:
            compared.field, condition.field = "right", "left"
            both = [condition, word_at(value, "||", "operator"), compared]
            compared = Node("binary_expression", "condition", value.row, children=both)
        condition = compared
    return [] if condition is None or len(parts) != 2 * len(literals) - 1 else [condition]


def _literal(part: Node) -> Node | None:
    """What a pattern says that is one literal."""
    if [child.kind for child in part.children] == _NEGATIVE:
        return Node("unary_expression", None, part.row, children=part.children)
    is_literal = part.kind in ("integer_literal", "char_literal") or (part.text or "")[:1] in ('"', "r")
    return copy_with(part, {}) if is_literal and part.kind.endswith("_literal") else None

"""What a body returns by its branches, as one value, in Python, JavaScript and TypeScript.

if not text:                      None if not text else parse(text)
    return None
return parse(text)
"""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node


def chosen_value(statements: Sequence[Node], language: str) -> Node | None:
    """The value of statements that do nothing but choose it; None where they do more."""
    made = _returned(statements[-1], language)
    for statement in reversed(statements[:-1]):
        condition, consequence = statement.child("condition"), statement.child("consequence")
        is_plain = statement.kind == "if_statement" and statement.child("alternative") is None
        if made is None or condition is None or consequence is None or not is_plain:
            return None
        block = [child for child in consequence.children if child.text not in ("{", "}")]
        value = _returned(block[0] if len(block) == 1 else consequence, language)
        made = None if value is None else _choice(condition, value, made, language)
    return made


def _returned(statement: Node, language: str) -> Node | None:
    if statement.kind != "return_statement" or len(statement.children) > 2:
        return None
    if len(statement.children) == 2:
        return statement.children[1]
    return Node("none", None, statement.row, "None") if language == "Python" else None


def _choice(condition: Node, one: Node, other: Node, language: str) -> Node:
    if language == "Python":
        condition.field = one.field = other.field = None
        parts = [one, word_at(one, "if"), condition, word_at(one, "else"), other]
        return Node("conditional_expression", None, one.row, children=parts)
    condition.field, one.field, other.field = "condition", "consequence", "alternative"
    parts = [condition, word_at(one, "?"), one, word_at(one, ":"), other]
    return Node("ternary_expression", None, one.row, children=parts)

"""What Rust asks of an `Option`: the arms of a match, what they give, and `let .. else` for one of them that leaves.

let a = match b {                     let Some(a) = b else {
    Some(a) => a,                         return c
    None => return c,                 };
};
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, spelling

LEAVING = frozenset(
    {"return_expression", "try_expression", "break_expression", "continue_expression", "await_expression"}
)
"""What leaves the place where it stands."""
_WITHOUT = {"Some": ("None", "_"), "Ok": ("Err(_)", "_")}


def arms_of(match: Node) -> dict[str, Node]:
    """The values of a match without conditions, by the spelling of their patterns."""
    body = match.child("body")
    arms = [] if body is None else [child for child in body.children if child.kind == "match_arm"]
    is_plain = len(arms) == 2 and all(len(arm.children) == 3 and len(arm.children[0].children) == 1 for arm in arms)
    return {spelling(arm.children[0]): arm.children[2] for arm in arms} if is_plain else {}


def only_value(value: Node) -> Node:
    """What a block of one expression gives."""
    return value.children[1] if value.kind == "block" and len(value.children) == 3 else value


def named_in(patterns: Iterable[str], kind: str) -> str:
    """The name that a pattern of this kind gives to what is in it."""
    found = (re.fullmatch(rf"{kind}\(([a-z]\w*)\)", pattern) for pattern in patterns)
    return next((match[1] for match in found if match is not None), "")


def as_block(value: Node, field: str | None) -> Node:
    """A block of one value, or the block that it is."""
    if value.kind == "block":
        value.field = field
        return value
    value.field = None
    return Node("block", field, value.row, children=[word_at(value, "{"), value, word_at(value, "}")])


def _let(node: Node, own: Set[str]) -> None:
    """`let Some(a) = b else { c };` for `let a = match b { Some(a) => a, None => c };`, and so with `Ok`."""
    value, pattern = node.child("value"), node.child("pattern")
    if value is None or pattern is None or len(node.children) != 5 or not own.isdisjoint(("Some", "None", "Ok", "Err")):
        return
    asked, variant, name_in_it, taken, other = _asked(value)
    if asked is None or taken is None or other is None or pattern.text is None or spelling(taken) != name_in_it:
        return
    leaving = other.children[0] if other.kind == "expression_statement" else other
    if leaving.kind not in LEAVING:
        return
    asked.field = "value"
    kind, name = Node("identifier", "type", node.row, variant), Node("identifier", None, node.row, pattern.text)
    parts = [kind, word_at(node, "("), name, word_at(node, ")")]
    found = Node("tuple_struct_pattern", "pattern", node.row, children=parts)
    block = as_block(leaving, "alternative")
    node.children = [node.children[0], found, node.children[2], asked, word_at(node, "else"), block, node.children[4]]


def _asked(value: Node) -> tuple[Node | None, str, str, Node | None, Node | None]:
    """What a match or an `if let` asks for, the variant and the name in it, and what it gives with it and without."""
    if value.kind == "match_expression":
        arms = arms_of(value)
        for variant, others in _WITHOUT.items():
            name, other = named_in(arms, variant), next((arms[one] for one in others if one in arms), None)
            if name and other is not None:
                return value.child("value"), variant, name, only_value(arms[f"{variant}({name})"]), only_value(other)
    elif value.kind == "if_expression" and len(value.children) == 4 and value.children[1].kind == "let_condition":
        pattern = spelling(value.children[1].children[1])
        blocks = value.children[2], value.children[3].children[-1]
        for variant in _WITHOUT:
            if name := named_in((pattern,), variant):
                return value.children[1].children[3], variant, name, only_value(blocks[0]), only_value(blocks[1])
    return None, "", "", None, None


def _let_else(node: Node) -> None:
    """Without `;` after what leaves in the block of `let .. else`."""
    block = node.child("alternative")
    if block is not None and len(block.children) == 3 and block.children[1].kind == "expression_statement":
        block.children[1] = block.children[1].children[0]


def with_else(node: Node, own: Set[str]) -> None:
    """`let Some(a) = b else { c };` for `let a = match b { Some(a) => a, None => c };`, with no `;` within."""
    _let(node, own)
    _let_else(node)

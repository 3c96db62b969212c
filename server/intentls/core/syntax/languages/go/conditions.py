"""Go: conditions in fewer words. `!a` for `a == false`, `len(a) == 0` for `a == nil || len(a) == 0`, and the like."""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.go.local_names import LocalNames, is_literal, is_pure
from intentls.core.syntax.languages.go.shorthands import KnownNames
from intentls.core.syntax.tree import Node, Role, spelling

_OPPOSITE = {"==": "!=", "!=": "=="}
_EMPTY = {(">", "0"): "!=", ("<=", "0"): "==", ("<", "1"): "==", (">=", "1"): "!="}
_TRUTH = {("==", "true"): False, ("!=", "false"): False, ("==", "false"): True, ("!=", "true"): True}
_CONDITIONS = frozenset({"binary_expression", "unary_expression"})


def shorten_branch(node: Node, names: KnownNames) -> None:
    """The condition of an `if`, and of an `else if` that repeats what is known by then."""
    node.children = [_condition(child, names) if child.field == "condition" else child for child in node.children]
    condition, other = node.child("condition"), node.child("alternative")
    if condition is None or other is None or other.kind != "if_statement" or other.child("initializer") is not None:
        return
    asked = other.child("condition")
    if asked is None or not _is_pure_comparison(condition):
        return
    first, holder = asked, other
    while first.kind == "binary_expression" and first.children[1].text == "&&":
        first, holder = first.children[0], first
    if _is_opposite(first, condition) and holder is not other:
        in_place_of(holder, holder.children[2])
        rest = holder.children[2]
        holder.kind, holder.text, holder.role, holder.children = rest.kind, rest.text, rest.role, rest.children


def _is_pure_comparison(condition: Node) -> bool:
    """Whether it is `a == b` or `a != b` of names and constants."""
    sides = condition.children if condition.kind == "binary_expression" else []
    return len(sides) == 3 and sides[1].text in _OPPOSITE and is_pure(sides[0]) and is_pure(sides[2])


def _is_opposite(one: Node, other: Node) -> bool:
    if not _is_pure_comparison(one):
        return False
    words = [spelling(part) for part in other.children]
    return [spelling(part) for part in one.children] == [words[0], _OPPOSITE[words[1]], words[2]]


def shorten_loop(node: Node, names: KnownNames) -> None:
    """The condition of a loop."""
    is_plain = node.kind == "for_statement"
    node.children = [
        _condition(child, names) if child.field == "condition" or (is_plain and child.kind in _CONDITIONS) else child
        for child in node.children
    ]


def _condition(node: Node, names: KnownNames) -> Node:
    """`!a` for `a == false`, where nothing but its truth counts."""
    sign = node.children[1].text if node.kind == "binary_expression" else ""
    if sign in ("&&", "||") or (node.kind == "unary_expression" and node.children[0].text == "!"):
        node.children = [_condition(child, names) for child in node.children]
        return node
    is_denied = _TRUTH.get((sign or "", node.children[2].kind)) if node.kind == "binary_expression" else None
    if is_denied is None or not names.is_free(node.children[2].text):
        return node
    value = in_place_of(node, node.children[0])
    if not is_denied:
        return value
    word = Node("!", "operator", node.row, "!")
    negation = Node("unary_expression", value.field, node.row, children=[word, value])
    value.field = "operand"
    return negation


def shorten_comparison(node: Node, names: KnownNames) -> None:
    """`len(a) == 0` for `len(a) < 1` and `a == ""`, and `len(a) != 0` for `len(a) > 0`."""
    left, sign, right = node.children
    if right.kind == "interpreted_string_literal" and right.text == '""' and sign.text in _OPPOSITE:
        if is_literal(left):
            return
        called = Node("identifier", "function", node.row, "len", Role.NAME)
        left.field, field = None, left.field
        signs = [Node(word, None, node.row, word) for word in ("(", ")")]
        given = Node("argument_list", "arguments", node.row, children=[signs[0], left, signs[1]])
        zero = Node("int_literal", "right", node.row, "0")
        if names.is_free("len"):
            node.children = [Node("call_expression", field, node.row, children=[called, given]), sign, zero]
        return
    word = _EMPTY.get((sign.text or "", right.text or ""))
    is_length = left.kind == "call_expression" and left.children[0].text == "len" and names.is_free("len")
    if word is not None and is_length:
        node.children[1] = Node(word, sign.field, sign.row, word)
        node.children[2] = Node("int_literal", right.field, right.row, "0")


def drop_nil(node: Node, local: LocalNames, names: KnownNames) -> None:
    """`len(a) == 0` for `a == nil || len(a) == 0` of a list or map, and the same with `!=`."""
    left, sign, right = node.children
    wanted = {"||": "==", "&&": "!="}.get(sign.text or "")
    if wanted is None or right.kind != "binary_expression" or right.children[2].text != "0":
        return
    chain = left.kind == "binary_expression" and left.children[1].text == sign.text
    asked = left.children[2] if chain else left
    call = right.children[0]
    name = (
        call.children[1].children[1] if call.kind == "call_expression" and len(call.children[1].children) == 3 else call
    )
    is_length = spelling(right) == f"len({name.text}){wanted}0" and names.is_free("len") and names.is_free("nil")
    if not is_length or not local.is_collection(name) or not compares_nil(asked, wanted, name.text):
        return
    if chain:
        node.children[0] = in_place_of(left, left.children[0])
    else:
        node.kind, node.children = right.kind, right.children


def compares_nil(condition: Node, sign: str, name: str | None) -> bool:
    """Whether it is `name == nil`, with this sign, in either order."""
    parts = condition.children if condition.kind == "binary_expression" else []
    words = [part.text for part in parts]
    return words in ([name, sign, "nil"], ["nil", sign, name])

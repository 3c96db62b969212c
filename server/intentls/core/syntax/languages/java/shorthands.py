"""Java that has a shorter form: words that a compiler takes for granted, and values that it computes itself."""

from __future__ import annotations

import re
from collections.abc import Callable

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node, Role, inner_nodes, spelling

# What is so anyway, by where it stands and what it is.
_TAKEN_FOR_GRANTED = {
    ("interface_body", "class_declaration"): frozenset({"public", "static"}),
    ("interface_body", "interface_declaration"): frozenset({"public", "static", "abstract"}),
    ("interface_body", "enum_declaration"): frozenset({"public", "static"}),
    ("annotation_type_body", "annotation_type_element_declaration"): frozenset({"public", "abstract"}),
    ("annotation_type_body", "constant_declaration"): frozenset({"public", "static", "final"}),
    ("enum_body_declarations", "constructor_declaration"): frozenset({"private"}),
    ("class_body", "interface_declaration"): frozenset({"abstract"}),
    ("program", "interface_declaration"): frozenset({"abstract"}),
}
_SEEN_FROM_ELSEWHERE = frozenset({"public", "protected"})
_TESTS = frozenset(
    {
        *("@Test", "@ParameterizedTest", "@RepeatedTest", "@Before", "@After", "@BeforeEach", "@AfterEach"),
        *("@BeforeAll", "@AfterAll", "@BeforeClass", "@AfterClass"),
    }
)
_WITH_BODIES = frozenset({"class_body", "enum_body_declarations"})
_NUMBERS = re.compile(r"(decimal|hex|octal|binary)_(integer|floating_point)_literal\Z")
_LITERALS = {
    ("int", "decimal_integer_literal"),
    ("String", "string_literal"),
    ("boolean", "true"),
    ("boolean", "false"),
    ("char", "character_literal"),
}
_OPPOSITE = {"==": "!=", "!=": "=="}
_OVERRIDE = re.compile(r"\bOverride\b")
_OCTAL = re.compile(r"\\[0-7]")


def shortened(root: Node) -> None:
    """A `Rewrite`: without `@Override`, `throws` and words that are so anyway; `a += 1`, `!a`, `var`, texts in one.

    `throws` tells callers what they have to catch, those who override a method what they may throw, and a proxy of an
    interface the same: it goes only with a body, where no other package sees it, or of a test.
    """
    says_override = not _has_another_override(root)
    for node in reversed(list(inner_nodes(root))):  # what is within comes first
        for child in node.children:
            modifiers = next((part for part in child.children if part.kind == "modifiers"), None)
            if modifiers is not None and modifiers.text is None:
                granted = _TAKEN_FOR_GRANTED.get((node.kind, child.kind), frozenset[str]())
                _drop(child, modifiers, granted, says_override=says_override)
            has_body = node.kind in _WITH_BODIES and child.child("body") is not None
            if has_body and not _is_seen_from_elsewhere(modifiers):
                child.children = [part for part in child.children if part.kind != "throws"]
            if _NUMBERS.match(child.kind):
                child.text = (child.text or "").lower().replace("_", "")
        if (shape := _SHAPES.get(node.kind)) is not None:
            shape(node)


def _is_seen_from_elsewhere(modifiers: Node | None) -> bool:
    """Whether another package may call the method, or override it: it is `public` or `protected`, and no test."""
    words = {spelling(part) for part in modifiers.children} if modifiers is not None else set[str]()
    return not words.isdisjoint(_SEEN_FROM_ELSEWHERE) and words.isdisjoint(_TESTS)


def _has_another_override(root: Node) -> bool:
    """Whether the file may have an `Override` that is not the language's own: the word stands in no annotation."""
    nodes = (node for node in inner_nodes(root) if node.kind != "marker_annotation")
    return any(_OVERRIDE.search(leaf.text or "") for node in nodes for leaf in node.children)


def _drop(declaration: Node, modifiers: Node, words: frozenset[str], *, says_override: bool) -> None:
    modifiers.children = [
        child
        for child in modifiers.children
        if child.text not in words
        and not (says_override and child.kind == "marker_annotation" and spelling(child) == "@Override")
    ]
    if not modifiers.children:
        declaration.children = [child for child in declaration.children if child is not modifiers]


def _statement(node: Node) -> None:
    """`a += 1` for a statement `a++`."""
    inner = node.children[0] if node.children else node
    if inner.kind == "update_expression":
        sign = next(child for child in inner.children if child.text in ("++", "--"))
        target = next(child for child in inner.children if child is not sign)
        one = Node("decimal_integer_literal", "right", inner.row, "1")
        target.field = "left"
        inner.kind = "assignment_expression"
        inner.children = [target, Node(sign.kind[0] + "=", "operator", inner.row, f"{(sign.text or '')[0]}="), one]


def _assignment(node: Node) -> None:
    """`a += b` for `a = a + b`."""
    target, sign, value = node.children
    if sign.text != "=" or value.kind != "binary_expression" or target.role is not Role.NAME:
        return
    first, operator, second = value.children
    if first.role is Role.NAME and first.text == target.text and operator.text in _ARITHMETIC:
        word = f"{operator.text}="
        second.field = "right"
        node.children = [target, Node(word, "operator", sign.row, word), second]


_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"})


def _binary(node: Node) -> None:
    """`!a` for `false == a`, `a instanceof B` for `a != null && a instanceof B`, and one text for `"a" + "b"`."""
    left, sign, right = node.children
    if sign.text == "&&" and right.kind == "instanceof_expression":
        before = left.children[2] if left.kind == "binary_expression" and left.children[1].text == "&&" else left
        if right.children[0].role is Role.NAME and spelling(before) == f"{right.children[0].text}!=null":
            if before is left:
                right.field = node.field
                node.kind, node.children = right.kind, right.children
            else:
                node.children[0] = left.children[0]
                node.children[0].field = "left"
        return
    if sign.text == "==" and "false" in (left.kind, right.kind):
        operand = right if left.kind == "false" else left
        operand.field = "operand"
        node.kind, node.children = "unary_expression", [Node("!", "operator", sign.row, "!"), operand]
    elif sign.text == "+" and right.kind == "string_literal":
        before = left.children[2] if left.kind == "binary_expression" and left.children[1].text == "+" else left
        joined = _joined(before, right)
        if joined is not None:
            right.text = joined
            if before is left:
                node.kind, node.text, node.role, node.children = right.kind, joined, right.role, []
            else:
                node.children = [left.children[0], left.children[1], right]


def _joined(before: Node, after: Node) -> str | None:
    """Both texts as one; None where they are no plain ones, or an escape might go on."""
    one, other = before.text or "", after.text or ""
    is_plain = before.kind == "string_literal" and not any(text.startswith('"""') for text in (one, other))
    return one[:-1] + other[1:] if is_plain and not _OCTAL.search(one) else None


def _unary(node: Node) -> None:
    """`a != b` for `!(a == b)`."""
    sign, operand = node.children
    word = operand.children[1].text if sign.text == "!" and operand.kind == "binary_expression" else None
    if word in _OPPOSITE:
        inner = in_place_of(node, operand)
        inner.children[1] = Node(_OPPOSITE[word], "operator", sign.row, _OPPOSITE[word])
        node.kind, node.children = inner.kind, inner.children


def _local(node: Node) -> None:
    """`var a = new A()` for `A a = new A()`: a type without arguments, which the value spells itself."""
    declarators = [child for child in node.children if child.kind == "variable_declarator"]
    written, value = node.child("type"), declarators[0].child("value") if len(declarators) == 1 else None
    if written is None or value is None or len(declarators[0].children) != 3:
        return
    kind = spelling(written)
    is_made = value.kind == "object_creation_expression" and len(value.children) == 3
    if "<" not in kind and (
        (is_made and spelling(value.children[1]) == kind)
        or (value.kind == "cast_expression" and spelling(value.children[1]) == kind)
        or ((kind, value.kind) in _LITERALS and not (value.text or "").endswith(("L", "l")))
    ):
        index = next(number for number, child in enumerate(node.children) if child is written)
        node.children[index] = Node("type_identifier", "type", written.row, "var", Role.NAME)


def _updates(node: Node) -> None:
    """What a loop does after each round is done as statements are."""
    for child in node.children:
        if child.field == "update":
            _statement(Node("expression_statement", None, child.row, children=[child]))


_SHAPES: dict[str, Callable[[Node], None]] = {
    "expression_statement": _statement,
    "for_statement": _updates,
    "assignment_expression": _assignment,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "local_variable_declaration": _local,
}

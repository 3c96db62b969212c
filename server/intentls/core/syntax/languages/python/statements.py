"""Statements and expressions of Python that are written in another way and do the same, one form for each.

raise ValueError()      with a as b:           0 < a < 9           "a" + "b"      a in [b, c]
                            with c:
raise ValueError        with a as b, c:        0 < a and a < 9     "ab"           a in (b, c)
"""

from __future__ import annotations

import builtins
from collections.abc import Collection
from copy import deepcopy

from intentls.core.syntax.languages.adapter import flattened, in_place_of
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_ERRORS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
# To raise one of these takes arguments.
_NOT_PLAIN = frozenset({"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError"})
_IDLE = frozenset({"string", "integer", "float", "none", "true", "false", "ellipsis"})
_TEXTS = ("string", "bytes")
_CONSTANTS = _IDLE | {"bytes"}
_ANSWERING = frozenset({"true", "false", "float"})


def restated(root: Node, bound: Collection[str | None]) -> None:
    """Bring the statements and operators of a tree into one form, from the inside out."""
    named = [node.origin for node in every_node(root) if node.binds and node.text == "pytest"]
    has_pytest = bool(named) and set(named) == {"pytest"}
    caches = _caches(root)
    for node in reversed(list(inner_nodes(root))):
        if node.kind in ("block", "module"):
            kept = (child for child in node.children if not _is_idle(child, at_top=node is root))
            node.children = [part for child in kept for part in _one_name_each(child)]
        elif node.kind == "raise_statement":
            _raise_class(node, bound)
        elif node.kind == "return_statement" and len(node.children) == 2 and node.children[1].kind == "none":
            node.children.pop()
        elif node.kind == "with_statement":
            _take_in(node)
        elif node.kind == "decorator":
            if has_pytest:
                _without_call(node)
            if caches:
                _without_size(node, caches)
        node.children = [_other_form(child, node) for child in node.children]


def _is_idle(statement: Node, *, at_top: bool) -> bool:
    """Whether a statement is nothing but a constant. Texts elsewhere may be read by tools that document."""
    inner = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    if inner is statement or len(statement.children) != 1 or inner.kind not in _IDLE:
        return False
    return inner.kind != "string" or (at_top and all(part.kind == "content" for part in inner.children))


def _one_name_each(statement: Node) -> list[Node]:
    """`a = 0` and `b = 0` for `a = b = 0`: Python gives the value to the first name first."""
    given = statement.children[0] if len(statement.children) == 1 else statement
    targets: list[Node] = []
    while given.kind == "assignment" and len(given.children) == 3 and given.children[0].role is Role.NAME:
        targets.append(given.children[0])
        sign, given = given.children[1:]
    if len(targets) < 2 or given.kind not in _IDLE or any(part.kind != "content" for part in given.children):
        return [statement]
    return [
        Node(
            "expression_statement",
            statement.field,
            statement.row,
            children=[Node("assignment", None, statement.row, children=[target, sign, deepcopy(given)])],
        )
        for target in targets
    ]


def _raise_class(node: Node, bound: Collection[str | None]) -> None:
    """`raise ValueError()` is `raise ValueError`: it is made without arguments either way."""
    value = node.children[1] if len(node.children) > 1 else node
    name = value.children[0].text if value.kind == "call" else None
    is_plain = name in _ERRORS - _NOT_PLAIN and name not in bound
    if is_plain and [part.text for part in value.children[1].children] == ["(", ")"]:
        node.children[1] = in_place_of(value, value.children[0])


def _take_in(node: Node) -> None:
    """`with a: with b: ..` is `with a, b: ..`"""
    body = node.child("body")
    inner = body.children[0] if body is not None and len(body.children) == 1 else None
    words = [child.kind for child in node.children]
    if inner is not None and inner.kind == "with_statement" and [child.kind for child in inner.children] == words:
        clause, own = words.index("with_clause"), node.children
        comma = Node(",", None, inner.row, ",")
        own[clause].children = [*own[clause].children, comma, *inner.children[clause].children]
        node.children = [*own[:-1], inner.children[-1]]


def _without_call(node: Node) -> None:
    """`@pytest.fixture()` is `@pytest.fixture`, and so are marks."""
    call = node.children[-1]
    if call.kind == "call" and [part.text for part in call.children[1].children] == ["(", ")"]:
        name = spelling(call.children[0])
        if name == "pytest.fixture" or name.startswith("pytest.mark."):
            node.children[-1] = in_place_of(call, call.children[0])


def _caches(root: Node) -> set[str | None]:
    """The names that a file has of `lru_cache`, `cache` and `functools`; none if one may mean something else."""
    named = [node for node in every_node(root) if node.binds and node.text in _CACHES]
    items = [node.children for node in every_node(root) if node.kind == "import_item"] if named else []
    is_else = any(node.origin != "functools" for node in named) or any(
        item[-1].text == "*" or (item[-1].text in _CACHES and item[-1].text != item[-2].text) for item in items
    )
    return set() if is_else else {node.text for node in named}


def _without_size(node: Node, caches: set[str | None]) -> None:
    """`@lru_cache()` is `@lru_cache`, and `@lru_cache(maxsize=None)` is `@cache`."""
    said = spelling(node.children[-1])
    name, _, _ = said.partition("(")
    kept = _KEPT.get(said.removeprefix("functools."))
    if kept is not None and name.partition(".")[0] in caches:
        node.children[-1] = Node("cache", None, node.row, kept)


_CACHES = frozenset({"functools", "lru_cache", "cache"})
_KEPT = {
    **dict.fromkeys(("lru_cache", "lru_cache()", "lru_cache(128)", "lru_cache(maxsize=128)"), "kept"),
    **dict.fromkeys(("cache", "lru_cache(None)", "lru_cache(maxsize=None)"), "kept for good"),
}


def _other_form(node: Node, parent: Node) -> Node:
    if node.kind == "comparison_operator" and len(node.children) > 3:
        node = _apart(node)
    for part in (node, *(node.children if node.kind == "boolean_operator" else ())):
        if part.kind == "comparison_operator" and len(part.children) == 3:
            _ask_of_constant(part)
    if node.kind == "boolean_operator":
        return flattened(node, node.children[1].kind)
    if node.kind == "binary_operator" and node.children[1].kind == "+":
        return _joined(node)
    is_looked_in = parent.kind == "comparison_operator" and node is parent.children[-1] and len(parent.children) == 3
    if node.kind == "list" and (
        (is_looked_in and parent.children[1].kind in ("in", "not in"))
        or (node.field == "right" and parent.kind in ("for_statement", "for_in_clause"))
    ):
        inside = node.children[1:-1]
        comma = [Node(",", None, node.row, ",")] if len(inside) == 1 else []
        return Node("tuple", node.field, node.row, children=[*inside, *comma])
    return node


def _apart(node: Node) -> Node:
    """`a < b < c` is `a < b and b < c`, if `b` is the same when it is asked for again."""
    operands, signs = node.children[::2], node.children[1::2]
    if any(operand.role is not Role.NAME for operand in operands[1:-1]):
        return node
    result = Node("boolean_operator", node.field, node.row)
    for index, sign in enumerate(signs):
        left, right = operands[index], operands[index + 1]
        again = Node(left.kind, left.field, left.row, left.text, left.role, origin=left.origin)
        part = Node("comparison_operator", None, node.row, children=[again if index else left, sign, right])
        result.children += [Node("and", "operator", node.row, "and"), part] if result.children else [part]
    return result


def _ask_of_constant(comparison: Node) -> None:
    """`a == "b"` is `"b" == a`: a constant has no `==` of its own for anything, and what stands beside it is asked.

    Not of true, false and floating point numbers, which answer for what is made of whole numbers (`class A(int)`).
    """
    left, sign, right = comparison.children
    is_mirrored = sign.kind in ("is", "is not") or (sign.kind in ("==", "!=") and left.kind not in _ANSWERING)
    if is_mirrored and _is_constant(left) and not _is_constant(right):
        comparison.children = [right, sign, left]


def _is_constant(value: Node) -> bool:
    if value.kind == "unary_operator":
        return value.children[0].kind == "-" and value.children[1].kind == "integer"
    is_complex = value.kind == "integer" and (value.text or "")[-1:] in "jJ"  # which answers as other fractions do
    return value.kind in _CONSTANTS and not is_complex and all(part.kind == "content" for part in value.children)


def _joined(node: Node) -> Node:
    """`"a" + "b"` is `"ab"`."""
    left, _, right = node.children
    if left.kind != right.kind or left.kind not in _TEXTS or not left.children or not right.children:
        return node
    last, first = left.children[-1], right.children[0]
    if last.kind == first.kind == "content":
        if (last.text or "")[-4:].count("\\"):
            return node  # an escape that may go on
        last.text = f"{last.text}{first.text}"
        right.children = right.children[1:]
    return Node(left.kind, node.field, node.row, children=[*left.children, *right.children])

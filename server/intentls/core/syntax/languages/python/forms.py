"""Python that is written in another way and does the same: one form for each of these."""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.branches import Branches
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

REASON = "the same written in another way"

_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)\}|[{}]")
_EMPTY = {"list": "list", "dict": "dictionary"}
_OPPOSITES = {"not in": "in", "is not": "is"}
_NEGATIONS = {word: opposite for opposite, word in _OPPOSITES.items()}


def modernized(root: Node) -> None:
    """A `Rewrite`: `class A(object)`, `super(A, self)`, `not a in b`, `set([a])`, `dict()`, `"{}".format(a)`."""
    bound = {node.text for node in every_node(root) if node.binds}
    for node in inner_nodes(root):
        node.children = [child for child in node.children if not _is_object_base(child, node, bound)]
    if "super" not in bound:
        _shorten_super(root)
    for node in reversed(list(inner_nodes(root))):
        node.children = [_other_form(child, bound) for child in node.children]


def _is_object_base(child: Node, parent: Node, bound: set[str | None]) -> bool:
    is_bases = parent.kind == "class_definition" and child.field == "superclasses"
    return is_bases and [part.text for part in child.children] == ["(", "object", ")"] and "object" not in bound


def _other_form(node: Node, bound: set[str | None]) -> Node:
    if node.kind in _OPPOSITES:
        return Node(node.kind, node.field, node.row, node.kind)
    if node.kind == "not_operator":
        return together(node) or node
    if node.kind == "call" and len(node.children) == 2:
        return _of_call(node, bound)
    return node


def _of_call(node: Node, bound: set[str | None]) -> Node:
    called, arguments = node.children
    parts = arguments.children[1:-1]
    name = called.text or ""
    result: Node | None = None
    if called.kind == "attribute" and called.children[-1].text == "format" and called.children[0].kind == "string":
        result = _formatted(called.children[0], parts)
    elif name in bound or called.kind != "identifier":
        return node
    elif name in _EMPTY and not parts and arguments.kind == "argument_list":
        brackets = "[]" if name == "list" else "{}"
        result = Node(_EMPTY[name], None, node.row, children=[Node(sign, None, node.row, sign) for sign in brackets])
    elif name == "set" and len(parts) == 1 and parts[0].kind in ("list", "tuple") and len(parts[0].children) > 2:
        inside = parts[0].children[1:-1] if parts[0].kind == "list" else parts[0].children
        signs = [Node(sign, None, node.row, sign) for sign in "{}"]
        result = Node("set", None, node.row, children=[signs[0], *inside, signs[1]])
    return node if result is None else in_place_of(node, result)


def _formatted(text: Node, arguments: list[Node]) -> Node | None:
    """`"{} {a}".format(x, a=y)` as f"{x} {y}", if each value is used once, in the order in which they are computed."""
    if [part.kind for part in text.children] != ["content"]:
        return None
    given: list[tuple[str, Node]] = []
    for part in (part for part in arguments if part.kind != ","):
        if part.kind == "keyword_argument":
            given.append((part.children[0].text or "", part.children[2]))
        elif part.kind in ("list_splat", "dictionary_splat"):
            return None
        else:
            given.append((str(len(given)), part))
    return _filled(text, given)


def _filled(text: Node, given: list[tuple[str, Node]]) -> Node | None:
    result = Node("string", None, text.row)
    content = text.children[0].text or ""
    end, used, plain = 0, 0, ""
    for field in _FIELD.finditer(content):
        plain += content[end : field.start()]
        end = field.end()
        if field[0] in ("{{", "}}"):
            plain += field[0][0]
            continue
        if len(field[0]) == 1 or used == len(given) or field[1] not in ("", given[used][0]):
            return None
        result.children += [Node("content", None, text.row, plain)] if plain else []
        value = given[used][1]
        value.field = "expression"
        signs = [Node(sign, None, text.row, sign) for sign in "{}"]
        result.children.append(Node("interpolation", None, text.row, children=[signs[0], value, signs[1]]))
        plain, used = "", used + 1
    plain += content[end:]
    result.children += [Node("content", None, text.row, plain)] if plain else []
    return result if used == len(given) and used else None


def _shorten_super(root: Node) -> None:
    """In a method of a class at the top, `super(A, self)` is `super()`."""
    for class_node in (child for child in root.children if child.kind == "class_definition" and child.children):
        name, body = class_node.child("name"), class_node.child("body")
        for method in body.children if body is not None else ():
            receiver = _receiver(method)
            if receiver is None or name is None:
                continue
            for node in _outside_of_functions(method):
                called = node.children[0] if node.kind == "call" else None
                if called is not None and called.text == "super" and spelling(node) == f"super({name.text},{receiver})":
                    del node.children[1].children[1:-1]


def _receiver(method: Node) -> str | None:
    """What a method calls its object; None if it is no plain method."""
    parameters = method.child("parameters") if method.kind == "function_definition" else None
    if parameters is None or len(parameters.children) < 3 or parameters.children[1].role is not Role.NAME:
        return None
    name = parameters.children[1].text
    is_given = sum(node.binds and node.text == name for node in every_node(method)) > 1
    return None if is_given else name


def _outside_of_functions(method: Node) -> Iterator[Node]:
    """The nodes of a function but for those of functions, classes and comprehensions in it."""
    stack = list(method.children)
    while stack:
        node = stack.pop()
        yield node
        if not node.kind.endswith(("definition", "comprehension", "generator_expression", "lambda")):
            stack.extend(node.children)


def rebound(root: Node) -> set[str]:
    """The names of a file that one function may give another value while another one runs."""
    shared = (node for node in every_node(root) if node.kind in ("global_statement", "nonlocal_statement"))
    return {leaf.text or "" for node in shared for leaf in every_node(node)}


def together(condition: Node) -> Node | None:
    """`a not in b` for `not a in b`; None for what is no such comparison."""
    inner = condition.children[-1]
    sign = inner.children[1] if inner.kind == "comparison_operator" and len(inner.children) == 3 else None
    if sign is None or sign.kind not in _NEGATIONS:
        return None
    return in_place_of(condition, _with_sign(inner, _NEGATIONS[sign.kind]))


def affirmed(condition: Node) -> Node | None:
    """What is so if a condition is not; None where it says what is so."""
    children = condition.children
    if condition.kind == "not_operator" and len(children) == 2:
        return in_place_of(condition, children[1])
    if condition.kind == "comparison_operator" and len(children) == 3 and children[1].kind in _OPPOSITES:
        return _with_sign(condition, _OPPOSITES[children[1].kind])
    return None


def _with_sign(comparison: Node, sign: str) -> Node:
    left, old, right = comparison.children
    word = Node(sign, old.field, old.row, sign)
    return Node(comparison.kind, comparison.field, comparison.row, children=[left, word, right])


def denied(condition: Node) -> Node:
    """The opposite of a condition."""
    plain = affirmed(condition)
    if plain is not None:
        return plain
    negation = Node("not_operator", condition.field, condition.row)
    condition.field = "argument"
    negation.children = [Node("not", None, condition.row, "not"), condition]
    return together(negation) or negation


BRANCHES = Branches(
    "block",
    frozenset({"function_definition"}),
    frozenset({"for_statement", "while_statement"}),
    ("boolean_operator", "and"),
    affirmed,
    denied,
    choice=("conditional_expression", 2, 0, 4),
)

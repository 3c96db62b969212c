"""JavaScript that says the same in more or fewer words: one form for each of these, mostly what linters write."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from copy import copy

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.javascript.forms import is_truth
from intentls.core.syntax.languages.logic import MIRRORED
from intentls.core.syntax.languages.made_nodes import become, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_LISTS = frozenset({"program", "statement_block", "switch_case", "switch_default"})
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_CONDITIONED = frozenset({"if_statement", "while_statement", "do_statement", "ternary_expression"})
_ERRORS = frozenset({"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError"})
_MIRRORED = {**MIRRORED, "===": "===", "!==": "!=="}
_EQUAL = {"!==": "===", "!=": "=="}
_OPPOSITE = {**_EQUAL, **{equal: unequal for unequal, equal in _EQUAL.items()}}
_SIGNS = frozenset({"+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"})
_LITERALS = frozenset({"string", "number", "true", "false", "null", "undefined"})
# What two kinds of quotes read in two ways, and a text that may be a directive.
_READ = re.compile(r"[\\\n\r]|\Ause ")

Bound = Container[str | None]
"""The names that a file declares: what the language means by them is not what they are there."""


def shortened(root: Node) -> None:
    """A `Rewrite`: one variable in each declaration, `!!a`, `a += b`, `[]` for `new Array()`, `a === 1` for `1 === a`.

    Example: `const a = b ? c : d` for `const a = !b ? d : c`.
    """
    bound = {leaf.text for leaf in every_node(root) if leaf.binds}
    for node in reversed(list(inner_nodes(root))):
        if node.kind in _LISTS:
            node.children = [
                part for child in node.children for one in each_variable(child) for part in _each_assignment(one)
            ]
        condition = node.child("condition")
        if node.kind in _CONDITIONED and condition is not None:
            node.children = [_asked(child) if child is condition else child for child in node.children]
        shape = _SHAPES.get(node.kind)
        if shape is not None:
            shape(node, bound)


def shortened_untyped(root: Node) -> None:
    """A `Rewrite`: one text for `"a" + "b"`, `return` for `return undefined`, and `() => {}` for `() => undefined`.

    Not for TypeScript, where a caller may be told another type: `string` or `"ab"`, `undefined` or `void`.
    """
    bound = {leaf.text for leaf in every_node(root) if leaf.binds}
    for node in reversed(list(inner_nodes(root))):
        if node.kind == "binary_expression":
            _join(node)
        elif node.kind == "return_statement":
            _return(node, bound)
        elif node.kind == "arrow_function" and node.children[-1].kind == "undefined" and "undefined" not in bound:
            braces = [word_at(node, sign) for sign in "{}"]
            node.children[-1] = Node("statement_block", "body", node.row, children=braces)


def each_variable(declaration: Node) -> list[Node]:
    """The declarations of a variable each: `var a = 1; var b;` for `var a = 1, b;`."""
    if declaration.kind not in _DECLARATIONS or not declaration.children:
        return [declaration]
    word, *rest = declaration.children
    each = [child for child in rest if child.kind == "variable_declarator"]
    if len(each) < 2 or any(child.kind not in ("variable_declarator", ",") for child in rest):
        return [declaration]
    return [Node(declaration.kind, declaration.field, one.row, end=one.end, children=[word, one]) for one in each]


def _each_assignment(statement: Node) -> list[Node]:
    """`a = 0; b = 0` for `a = b = 0`: to give a name a value does no more than that."""
    given = statement.children[0] if len(statement.children) == 1 else statement
    targets: list[Node] = []
    while given.kind == "assignment_expression" and given.children[0].role is Role.NAME:
        targets.append(given.children[0])
        sign, given = given.children[1:]
    if len(targets) < 2 or given.kind not in _LITERALS or given.children:
        return [statement]
    return [
        Node(
            statement.kind,
            statement.field,
            statement.row,
            end=statement.end,
            children=[Node("assignment_expression", None, statement.row, children=[target, sign, copy(given)])],
        )
        for target in targets
    ]


def _asked(condition: Node) -> Node:
    """`a` for `!!a`, where it is only asked whether it is so."""
    inner = _denied(_denied(condition))
    return condition if inner is None else in_place_of(condition, inner)


def _denied(node: Node | None) -> Node | None:
    """What stands after `!`."""
    is_denial = node is not None and node.kind == "unary_expression" and node.children[0].kind == "!"
    return node.children[1] if is_denial and node is not None else None


def _declarator(node: Node, bound: Bound) -> None:
    """`const { a: b } = require("c")` for `const b = require("c").a`."""
    value = node.children[-1]
    is_plain = len(node.children) == 3 and node.children[0].role is Role.NAME
    if not is_plain or value.kind != "member_expression":
        return
    owner, dot, key = value.children
    called = owner.children[0] if owner.kind == "call_expression" else owner
    is_module = called.text == "require" and "require" not in bound and owner.children[1].children[1].kind == "string"
    if not is_module or dot.text != "." or key.kind != "property_identifier":
        return
    name = node.children[0]
    key.field, name.field, owner.field = "key", "value", "value"
    pair = Node("pair_pattern", None, node.row, children=[key, word_at(node, ":"), name])
    pattern = Node("object_pattern", "name", node.row, children=[word_at(node, "{"), pair, word_at(node, "}")])
    node.children = [pattern, node.children[1], owner]


def _declaration(node: Node, _bound: Bound) -> None:
    """`let a` for `let a = undefined`."""
    declarator = node.children[-1]
    kinds = [child.kind for child in declarator.children]
    if node.children[0].text == "let" and kinds == ["identifier", "=", "undefined"]:
        del declarator.children[1:]


def _template(node: Node, _bound: Bound) -> None:
    """`"a"` for a text in back quotes with nothing to fill in, and nothing that either kind of quotes reads."""
    parts = node.children[1:-1]
    text = "".join(part.text or "" for part in parts)
    if all(part.kind == "string_fragment" for part in parts) and not _READ.search(text):
        node.kind, node.text, node.children = "string", text, []


def _binary(node: Node, _bound: Bound) -> None:
    """`a === 1` for `1 === a`."""
    if len(node.children) != 3:
        return
    left, sign, right = node.children
    if sign.kind in _MIRRORED and left.kind in _LITERALS and right.kind not in _LITERALS:
        word = _MIRRORED[sign.kind]
        left.field, right.field = "right", "left"
        node.children = [right, word_at(sign, word, "operator"), left]


def _join(node: Node) -> None:
    left, sign, right = node.children[:3]
    is_plain = len(node.children) == 3 and left.kind == right.kind == "string" and sign.kind == "+"
    if is_plain and not _READ.search(f"{left.text}{right.text}"):
        node.kind, node.text, node.children = "string", f"{left.text}{right.text}", []


def _unary(node: Node, bound: Bound) -> None:
    """`undefined` for `void 0`, `a !== b` for `!(a === b)`."""
    inner = _denied(node)
    if inner is not None and inner.kind == "binary_expression" and len(inner.children) == 3:
        left, sign, right = inner.children
        if sign.kind in _OPPOSITE:
            node.kind, node.children = inner.kind, [left, word_at(sign, _OPPOSITE[sign.kind], "operator"), right]
            return
    if spelling(node) == "void0" and "undefined" not in bound:
        node.kind, node.text, node.children = "undefined", "undefined", []


def _new(node: Node, bound: Bound) -> None:
    """`[]` for `new Array()`, `{}` for `new Object()`, and `Error(a)` for `new Error(a)`."""
    made, given = node.children[1:3]
    if given.kind != "arguments" or made.text in bound:
        return
    signs = {"Array": ("array", "[", "]"), "Object": ("object", "{", "}")}.get(made.text or "")
    if signs is not None and len(given.children) == 2:
        kind, first, last = signs
        node.kind, node.children = kind, [word_at(node, first), word_at(node, last)]
    elif made.text in _ERRORS:
        made.field = "function"
        node.kind, node.children = "call_expression", [made, given]


def _call(node: Node, bound: Bound) -> None:
    """`!!a` for `Boolean(a)`."""
    called, given = node.children[0], node.children[-1]
    if called.text == "Boolean" and "Boolean" not in bound and len(given.children) == 3:
        _make_truth(node, given.children[1])


def _make_truth(node: Node, value: Node) -> None:
    value.field = "argument"
    inner = Node("unary_expression", "argument", node.row, children=[word_at(node, "!", "operator"), value])
    node.kind, node.children = "unary_expression", [word_at(node, "!", "operator"), inner]


def _ternary(node: Node, _bound: Bound) -> None:
    """`a ? b : c` for `!a ? c : b` and for `a !== d`, and `!!a` for `a ? true : false`, or `a` if it is a truth."""
    condition, mark, first, colon, second = node.children
    sign = condition.children[1] if condition.kind == "binary_expression" and len(condition.children) == 3 else mark
    inner = _denied(condition)
    if inner is not None:
        condition, first, second = in_place_of(condition, inner), second, first
    elif sign.kind in _EQUAL:
        condition.children[1] = word_at(sign, _EQUAL[sign.kind], "operator")
        first, second = second, first
    first.field, second.field = "consequence", "alternative"
    node.children = [condition, mark, first, colon, second]
    if (first.kind, second.kind) != ("true", "false"):
        return
    if is_truth(condition):
        become(node, condition)
    else:
        _make_truth(node, condition)


def _assignment(node: Node, _bound: Bound) -> None:
    """`a += b` for `a = a + b`."""
    target, value = node.children[0], node.children[-1]
    if target.role is not Role.NAME or value.kind != "binary_expression" or len(value.children) != 3:
        return
    first, sign, second = value.children
    if node.children[1].kind == "=" and first.text == target.text and first.role is Role.NAME and sign.kind in _SIGNS:
        second.field = "right"
        node.kind = "augmented_assignment_expression"
        node.children = [target, word_at(sign, f"{sign.kind}=", "operator"), second]


def _statement(node: Node, _bound: Bound) -> None:
    _written_first(node.children[0])


def _written_first(update: Node) -> None:
    """`++a` for `a++`, where nothing gets the value."""
    if update.kind == "update_expression" and update.children[0].kind not in ("++", "--"):
        update.children.reverse()


def _for(node: Node, _bound: Bound) -> None:
    increment = node.child("increment")
    if increment is not None:
        _written_first(increment)


def _while(node: Node, _bound: Bound) -> None:
    """`for (;;)` for `while (true)`."""
    if node.children[1].kind == "true":
        start, condition = (
            Node("empty_statement", field, node.row, children=[word_at(node, ";")])
            for field in ("initializer", "condition")
        )
        head = [word_at(node, "for"), word_at(node, "("), start, condition, word_at(node, ")")]
        node.kind, node.children = "for_statement", [*head, node.children[-1]]


def _switch(node: Node, _bound: Bound) -> None:
    """The last case ends anyway, and a last `default` that does nothing is none."""
    cases = [child for child in node.children if child.kind in ("switch_case", "switch_default")]
    while cases:
        last = cases.pop()
        if spelling(last.children[-1]) == "break":
            last.children.pop()
        if spelling(last) != "default:":
            return
        node.children = [child for child in node.children if child is not last]


def _return(node: Node, bound: Bound) -> None:
    """`return` for `return undefined`."""
    if len(node.children) == 2 and node.children[1].kind == "undefined" and "undefined" not in bound:
        node.children.pop()


def _class(node: Node, _bound: Bound) -> None:
    """Without a constructor that does nothing, in a class without a base."""
    body = node.child("body")
    if body is not None and all(child.kind != "class_heritage" for child in node.children):
        body.children = [child for child in body.children if spelling(child) != "constructor(){}"]


_SHAPES: dict[str, Callable[[Node, Bound], None]] = {
    "variable_declarator": _declarator,
    "lexical_declaration": _declaration,
    "template_string": _template,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "new_expression": _new,
    "call_expression": _call,
    "ternary_expression": _ternary,
    "assignment_expression": _assignment,
    "expression_statement": _statement,
    "for_statement": _for,
    "while_statement": _while,
    "switch_body": _switch,
    "class_declaration": _class,
}

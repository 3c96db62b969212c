"""Conditions of Java in one form: what is denied, what is compared with a truth, and what `Objects` asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_DECLARATIONS = frozenset({"formal_parameter", "local_variable_declaration", "enhanced_for_statement"})
_NUMBERS = frozenset({"integral_type", "floating_point_type", "boolean_type"})
_FUNCTIONS = frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"})
_OPPOSITE = {"==": "!=", "!=": "=="}
_DUAL = {"&&": "||", "||": "&&"}
_CONDITIONS = frozenset({"if_statement", "while_statement", "do_statement", "for_statement", "ternary_expression"})


def asked_plainly(root: Node) -> None:
    """A `Rewrite`: `!a || !b` for `!(a && b)`, `a ? c : b` for `!a ? b : c`, `a` for a condition `a == true`.

    And what `Objects` does in so many words, for variables of the method: `Objects.equals(a, b)`,
    `Objects.toString(a, "")`, and `Objects.requireNonNull(a);` as a statement.
    """
    names = [node.child("name") for node in inner_nodes(root) if node.kind.endswith("_declaration")]
    is_ours = any(name is not None and name.text == "Objects" for name in names)
    if not is_ours and any(_brings_objects(item) for item in root.children):
        _without_objects(root)
    for node in reversed(list(inner_nodes(root))):  # what is within comes first
        if node.kind in _CONDITIONS:
            _plain(node, "condition")
        if node.kind == "unary_expression":
            _denied(node)
        elif node.kind == "ternary_expression":
            _turned(node)
        elif node.kind == "binary_expression" and len(node.children) == 3:
            _compared(node)


def in_one_chain(root: Node) -> None:
    """A `Rewrite`: `a && b && c` however it is nested, and `!a || !b` for what branches made of a condition."""
    for node in reversed(list(inner_nodes(root))):
        if node.kind == "unary_expression":
            _denied(node)
        word = _sign_of(node)
        if word in _DUAL:
            parts = [inner for part in node.children[::2] for inner in _operands(part, word)]
            node.children = parts[:1]
            parts[0].field = None
            for part in parts[1:]:
                part.field = None
                node.children += [Node(word, "operator", node.row, word), part]


def _operands(part: Node, word: str) -> list[Node]:
    return part.children[::2] if _sign_of(part) == word else [part]


def _compared(node: Node) -> None:
    """`!a` for `a != true`, and `a && b` for `a == true && b`."""
    left, sign, right = node.children
    if sign.text in _DUAL:
        _plain(node, "left")
        _plain(node, "right")
    elif sign.text == "!=" and "true" in (left.kind, right.kind):
        operand = right if left.kind == "true" else left
        _become(node, _not(operand))


def _plain(node: Node, field: str) -> None:
    """Where a truth is asked for, `a` for `a == true` and `a != false`."""
    for index, part in enumerate(node.children):
        if part.field == field and part.kind == "binary_expression" and len(part.children) == 3:
            left, sign, right = part.children
            truth = {"==": "true", "!=": "false"}.get(sign.text or "")
            if truth in (left.kind, right.kind):
                node.children[index] = in_place_of(part, right if left.kind == truth else left)


def _denied(node: Node) -> None:
    """`!a || !b` for `!(a && b)`, however deep."""
    operand = node.children[-1]
    if not _is_denied(node) or _sign_of(operand) not in _DUAL:
        return
    _become(node, operand)
    chains = [node]
    while chains:
        chain = chains.pop()
        word = _DUAL[_sign_of(chain)]
        for index, part in enumerate(chain.children):
            if index % 2:
                chain.children[index] = Node(word, "operator", chain.row, word)
            elif _sign_of(part) in _DUAL:
                chains.append(part)
            else:
                chain.children[index] = _opposite(part)


def _sign_of(node: Node) -> str:
    """The sign between the parts of an operation; empty if it is none, or a comment that counts stands in it."""
    signs = {child.text or "" for child in node.children[1::2]} if node.kind == "binary_expression" else set[str]()
    return signs.pop() if len(signs) == 1 and len(node.children) % 2 else ""


def _opposite(node: Node) -> Node:
    """What is so where a condition is not."""
    if _is_denied(node):
        return in_place_of(node, node.children[1])
    word = _OPPOSITE.get(_sign_of(node))
    if word is None:
        return in_place_of(node, _not(node))
    node.children[1] = Node(word, "operator", node.row, word)
    return node


def _is_denied(node: Node) -> bool:
    return node.kind == "unary_expression" and len(node.children) == 2 and node.children[0].text == "!"


def _not(operand: Node) -> Node:
    negation = Node("unary_expression", operand.field, operand.row)
    operand.field = "operand"
    negation.children = [Node("!", "operator", operand.row, "!"), operand]
    return negation


def _turned(node: Node) -> None:
    """`a ? c : b` for `!a ? b : c`: of both values one type is made, whichever comes first."""
    condition = node.children[0]
    if _sign_of(condition) == "!=" or _is_denied(condition):
        node.children[0] = _opposite(condition)
        first, second = node.children[2], node.children[4]
        node.children[2], node.children[4] = in_place_of(first, second), first
        first.field = "alternative"
        second.field = "consequence"


def _become(node: Node, other: Node) -> None:
    node.kind, node.text, node.role, node.children = other.kind, other.text, other.role, other.children


def _brings_objects(item: Node) -> bool:
    is_import = item.kind == "import_item" and item.children[0].text == "import java.util"
    return is_import and item.children[-1].text == "Objects"


def _without_objects(root: Node) -> None:
    for method in (node for node in inner_nodes(root) if node.kind in _FUNCTIONS):
        own: set[str] | None = None
        for holder in inner_nodes(method):
            for index, node in enumerate(holder.children):
                call = node.children[0] if node.kind == "expression_statement" and node.children else node
                arguments = list(_arguments_of(call))
                if not arguments:
                    continue
                own = _objects_of(method) if own is None else own
                form = _FORMS.get((call.children[2].text, len(arguments), call is not node))
                if form is not None and (put := form(arguments, own)) is not None:
                    holder.children[index] = in_place_of(node, put)


def _objects_of(method: Node) -> set[str]:
    """The variables of a method that are objects by the word of each of their declarations, and no numbers."""
    bound = Counter(leaf.text or "" for leaf in every_node(method) if leaf.binds)
    objects: Counter[str] = Counter()
    for node in inner_nodes(method):
        kind = node.child("type") if node.kind in _DECLARATIONS else None
        if kind is not None and kind.kind not in _NUMBERS and kind.text != "var":
            parts = [child.children[0] if child.kind == "variable_declarator" else child for child in node.children]
            objects.update(part.text or "" for part in parts if part.binds)
    return {name for name, count in objects.items() if count == bound[name]}


def _arguments_of(call: Node) -> Iterator[Node]:
    """The arguments of a call of `Objects`."""
    if call.kind == "method_invocation" and len(call.children) == 4 and call.children[0].text == "Objects":
        yield from (part for part in call.children[3].children if part.text not in ("(", ",", ")"))


def _is_own(node: Node, own: set[str]) -> bool:
    """Whether it is a variable of the method: to ask twice for it is to ask once."""
    return node.role is Role.NAME and node.text in own


def _equals(arguments: list[Node], own: set[str]) -> Node | None:
    one, other = arguments
    if not _is_own(one, own) or not _is_own(other, own):
        return None
    same = _pair(_name(one), "==", _name(other))
    asked = _pair(_pair(_name(one), "!=", _null(one)), "&&", _call(one, "equals", [_name(other)]))
    return _pair(same, "||", asked)


def _to_string(arguments: list[Node], own: set[str]) -> Node | None:
    one, other = arguments
    is_still = _is_own(other, own) or other.kind in ("null_literal", "string_literal")
    if not _is_own(one, own) or not is_still:
        return None
    condition = _pair(_name(one), "==", _null(one), "condition")
    value = _call(one, "toString", [])
    value.field, other.field = "alternative", "consequence"
    signs = [Node(sign, None, one.row, sign) for sign in "?:"]
    return Node("ternary_expression", None, one.row, children=[condition, signs[0], other, signs[1], value])


def _require(arguments: list[Node], own: set[str]) -> Node | None:
    one = arguments[0]
    if not _is_own(one, own) or any(part.kind != "string_literal" for part in arguments[1:]):
        return None
    row = one.row
    condition = _pair(_name(one), "==", _null(one), "condition")
    created = [Node("new", None, row, "new"), Node("type_identifier", "type", row, "NullPointerException", Role.NAME)]
    error = Node("object_creation_expression", None, row, children=[*created, _listed(row, arguments[1:])])
    throw = Node("throw_statement", "consequence", row, children=[Node("throw", None, row, "throw"), error])
    return Node("if_statement", None, row, children=[Node("if", None, row, "if"), condition, throw])


_FORMS: dict[tuple[str | None, int, bool], Callable[[list[Node], set[str]], Node | None]] = {
    ("equals", 2, False): _equals,
    ("toString", 2, False): _to_string,
    ("requireNonNull", 1, True): _require,
    ("requireNonNull", 2, True): _require,
}


def _pair(left: Node, word: str, right: Node, field: str | None = None) -> Node:
    left.field, right.field = "left", "right"
    sign = Node(word, "operator", left.row, word)
    return Node("binary_expression", field, left.row, children=[left, sign, right])


def _name(leaf: Node) -> Node:
    return Node(leaf.kind, None, leaf.row, leaf.text, leaf.role)


def _null(leaf: Node) -> Node:
    return Node("null_literal", None, leaf.row, "null")


def _call(owner: Node, method: str, arguments: list[Node]) -> Node:
    row, name = owner.row, _name(owner)
    name.field = "object"
    called = Node("method_identifier", "name", row, method, Role.MEMBER)
    parts = [name, Node(".", None, row, "."), called, _listed(row, arguments)]
    parts[3].field = "arguments"
    return Node("method_invocation", None, row, children=parts)


def _listed(row: int, arguments: list[Node]) -> Node:
    signs = [Node(sign, None, row, sign) for sign in "()"]
    commas = [part for argument in arguments for part in (Node(",", None, row, ","), argument)][1:]
    return Node("argument_list", "arguments", row, children=[signs[0], *commas, signs[1]])

"""Values of JavaScript that are written in another way, and statements that compute one.

this.count = this.count + a     for (let i = 0; i < a; i++)        new Array(a)      <A b={true}></A>
this.count += a                 for (let i = 0; i < a; i += 1)     Array(a)          <A b />
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator

from intentls.core.syntax.languages.javascript.branching import in_sight
from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE
from intentls.core.syntax.languages.javascript.modules import is_module
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_SIGNS = frozenset({"+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"})
_NUMBERS = {"NaN": "NaN", "POSITIVE_INFINITY": "Infinity"}
_PLAIN = re.compile(r"[^\\&\"'\n\r]*\Z")

Bound = Container[str | None]


def revalued(root: Node) -> None:
    """A `Rewrite`: `a.b += c` for `a.b = a.b + c`, `i += 1` for `++i` of a number, `Array(a)` for `new Array(a)`."""
    nodes = list(inner_nodes(root))
    kinds = {node.kind for node in nodes}
    if "with_statement" not in kinds:
        if any(_adds_to_itself(node) for node in nodes):
            _add_to_members(root)
        if "update_expression" in kinds:
            _count(root, nodes)
    shaped = [node for node in reversed(nodes) if node.kind in _SHAPES and (node.kind not in _NAMED or _has_name(node))]
    bound = {leaf.text for leaf in every_node(root) if leaf.binds} if shaped else set()
    for node in shaped:
        _SHAPES[node.kind](node, bound)


def _adds_to_itself(node: Node) -> bool:
    """Whether it is `a.b = a.b + c`, for any owner."""
    if node.kind != "assignment_expression" or node.children[0].kind != "member_expression":
        return False
    parts = node.children[-1].children if node.children[-1].kind == "binary_expression" else []
    is_sum = len(parts) == 3 and parts[1].kind in _SIGNS and parts[0].kind == "member_expression"
    return is_sum and spelling(parts[0]) == spelling(node.children[0])


def _has_name(node: Node) -> bool:
    """Whether a call, a new object or a member begins with a name of the language that is looked for."""
    return node.children[1 if node.kind == "new_expression" else 0].text == _NAMED[node.kind]


def _add_to_members(root: Node) -> None:
    """`a.b += c` for `a.b = a.b + c`: a variable is the same when it is asked for again at once."""
    for node, known in list(in_sight(root, ("assignment_expression",))):
        target, value = node.children[0], node.children[-1]
        if _adds_to_itself(node) and _is_plain_member(target, known):
            _, sign, added = value.children
            added.field = "right"
            node.kind = "augmented_assignment_expression"
            node.children = [target, word_at(node, f"{sign.kind}=", "operator"), added]


def _is_plain_member(target: Node, known: Bound) -> bool:
    """Whether it is `a.b` of a variable, or `this.b`."""
    owner = target.children[0]
    is_known = owner.kind == "this" or (owner.role is Role.NAME and owner.text in known)
    return is_known and [child.text for child in target.children[1:-1]] == ["."]


def _count(root: Node, nodes: list[Node]) -> None:
    """`i += 1` for `++i`, where nothing gets the value, of a variable that is a number whenever it has a value."""
    alone = {
        id(child)
        for node in nodes
        for child in (node.children if node.kind in ("expression_statement", "for_statement") else ())
        if child.kind == "update_expression" and (node.kind == "expression_statement" or child.field == "increment")
    }
    counters = _counters(root, nodes) if alone else set()
    for node, known in list(in_sight(root, ("update_expression",))) if counters else ():
        sign, name = node.children
        if id(node) in alone and name.text in counters and name.text in known:
            name.field = "left"
            node.kind = "augmented_assignment_expression"
            one = Node("number", "right", node.row, "1.0")
            node.children = [name, word_at(node, f"{sign.kind[0]}=", "operator"), one]


def _counters(root: Node, nodes: list[Node]) -> set[str]:
    """Names that a file declares, in functions or in a module, only to give them numbers."""
    if any(leaf.text == "eval" for leaf in every_node(root)):
        return set()
    binds = Counter(leaf.text for leaf in every_node(root) if leaf.binds)
    others = {leaf.text for node in nodes if node.kind in _ASSIGNING for leaf in _given_otherwise(node)}
    declared = Counter(_declared_numbers(root))
    return {name for name, count in declared.items() if binds[name] == count and name not in others}


def _declared_numbers(root: Node) -> Iterator[str]:
    stack = [(root, is_module(root))]  # another script may set what a script declares at its top
    while stack:
        node, is_inside = stack.pop()
        if is_inside and node.kind == "variable_declarator" and _is_number(node.children[-1]):
            yield node.children[0].text or ""
        is_inside = is_inside or node.kind in OWN_SCOPE
        stack.extend((child, is_inside) for child in node.children if child.children)


def _given_otherwise(node: Node) -> Iterator[Node]:
    """What an assignment gives something that need be no number."""
    is_plain = node.kind != "for_in_outer" and node.children[1].kind in _KEEPING and _is_number(node.children[-1])
    left = None if is_plain else node.child("left")
    return every_node(left) if left is not None else iter(())


def _is_number(value: Node) -> bool:
    return value.kind == "number" and not (value.text or "").endswith("n")


_KEEPING = frozenset({"=", "+=", "-=", "*="})
_ASSIGNING = frozenset({"assignment_expression", "augmented_assignment_expression", "for_in_outer"})


def _new(node: Node, bound: Bound) -> None:
    """`Array(a)` for `new Array(a)`."""
    made, given = node.children[1:3]
    if given.kind == "arguments" and "Array" not in bound:
        made.field = "function"
        node.kind, node.children = "call_expression", [made, given]


def _call(node: Node, bound: Bound) -> None:
    """`[]` for `Array()`."""
    given = node.children[-1]
    if "Array" not in bound and given.kind == "arguments" and len(given.children) == 2:
        node.kind, node.children = "array", [word_at(node, sign) for sign in "[]"]


def _member(node: Node, bound: Bound) -> None:
    """`NaN` for `Number.NaN`, and `Infinity` for `Number.POSITIVE_INFINITY`."""
    name = _NUMBERS.get(node.children[-1].text or "")
    if "Number" not in bound and name is not None and name not in bound:
        node.kind, node.text, node.role, node.children = "identifier", name, Role.NAME, []


def _attribute(node: Node, _bound: Bound) -> None:
    """`<A b />` for `<A b={true} />`, and `<A b="c" />` for `<A b={"c"} />`."""
    value = node.children[-1]
    inside = value.children[1:-1] if value.kind == "jsx_expression" else []
    if [child.kind for child in inside] == ["true"]:
        del node.children[1:]
    elif [child.kind for child in inside] == ["string"] and _PLAIN.match(inside[0].text or "\\"):
        node.children[-1] = inside[0]


def _element(node: Node, _bound: Bound) -> None:
    """`<A />` for `<A></A>`."""
    if [child.kind for child in node.children] == ["jsx_opening_element", "jsx_closing_element"]:
        opening = node.children[0]
        last = Node("/>", None, opening.row, "/>")
        if any(child.role is Role.NAME or child.children for child in opening.children):  # `<></>` has no other form
            node.kind, node.children = "jsx_self_closing_element", [*opening.children[:-1], last]


_NAMED = {"new_expression": "Array", "call_expression": "Array", "member_expression": "Number"}
_SHAPES: dict[str, Callable[[Node, Bound], None]] = {
    "new_expression": _new,
    "call_expression": _call,
    "member_expression": _member,
    "jsx_attribute": _attribute,
    "jsx_element": _element,
}

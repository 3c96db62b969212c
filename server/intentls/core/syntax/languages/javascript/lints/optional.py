"""Members of what may be nothing: `?.` for a question that comes first.

    if (a != null && a.b)                                 if (a?.b)
    if (a === null || a === undefined || !a.b)            if (!a?.b)
    const c = a == null ? undefined : a.b(d)              const c = a?.b(d)

What is not there gives `undefined`, which is as false as the answer was. What is asked twice has to be a variable.
"""

from __future__ import annotations

from intentls.core.syntax.languages.javascript.branching import in_sight
from intentls.core.syntax.languages.made_nodes import become, joined_by
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes

_ASKING = frozenset({"if_statement", "while_statement", "do_statement", "ternary_expression"})
_OWNERS = {"member_expression": "object", "subscript_expression": "object", "call_expression": "function"}
_NOTHING = frozenset({"null", "undefined"})
_SIGNS = {"&&": ("!=", "!=="), "||": ("==", "===")}

_NONE = Node("none", None, 0)  # no chain

Known = frozenset[str | None]


def asked_at_once(root: Node) -> None:
    """A `Rewrite`: `a?.b` for `a != null && a.b` in a condition, and for `a == null ? undefined : a.b`."""
    nodes = list(inner_nodes(root))
    if not any(_compared(node)[2] in _NOTHING for node in nodes) or any(
        node.kind == "with_statement" for node in nodes
    ):
        return
    if any(leaf.binds and leaf.text == "undefined" for leaf in every_node(root)):
        return
    for node, known in list(in_sight(root, _ASKING)):
        _ask(node.child("condition") or node, known)
        if node.kind == "ternary_expression":
            _choose(node, known)


def _ask(condition: Node, known: Known) -> None:
    """Bring each part of a condition of which only the truth matters into the shorter form, from the outside in."""
    stack = [condition]
    while stack:
        node = stack.pop()
        if node.kind == "unary_expression" and node.children[0].kind == "!":
            stack.append(node.children[1])
        elif (sign := _joint(node)) in _SIGNS:
            parts = _shorter(node.children[::2], sign, known)
            if len(parts) == 1:
                become(node, parts[0])
                stack.append(node)
            else:
                node.children = joined_by(sign, parts, "operator")
                stack += parts


def _joint(node: Node) -> str:
    """The sign that joins the parts of a condition, if one does."""
    return node.children[1].kind if node.kind == "binary_expression" and len(node.children) > 2 else ""


def _shorter(parts: list[Node], sign: str, known: Known) -> list[Node]:
    kept: list[Node] = []
    index = 0
    while index < len(parts):
        name, count = _asked_for(parts[index:], sign)
        following = parts[index + count : index + count + 1]
        if name in known and following and _make_optional(_chain(following[0], sign), name):
            index += count
        kept.append(parts[index])
        index += 1
    return kept


def _chain(part: Node, sign: str) -> Node:
    """What has to be so beside what is something: `a.b`, and of what is nothing or else, `!a.b`."""
    if sign == "&&":
        return part
    return part.children[1] if part.kind == "unary_expression" and part.children[0].kind == "!" else _NONE


def _asked_for(parts: list[Node], sign: str) -> tuple[str | None, int]:
    """The name of which the first parts ask whether it is something (`||`: nothing), and how many parts that takes."""
    loose, strict = _SIGNS[sign]
    asked = [_compared(part) for part in parts[:2]]
    name, first, against = asked[0]
    if first == loose and against in _NOTHING:
        return name, 1
    if (
        len(asked) == 2
        and first == asked[1][1] == strict
        and name == asked[1][0]
        and {against, asked[1][2]} == _NOTHING
    ):
        return name, 2
    return None, 0


def _compared(part: Node) -> tuple[str | None, str, str]:
    """The name, the sign and the constant of `a != null`."""
    if part.kind != "binary_expression" or len(part.children) != 3 or part.children[0].role is not Role.NAME:
        return None, "", ""
    name, sign, against = part.children
    return name.text, sign.kind, against.kind


def _make_optional(chain: Node, name: str | None) -> bool:
    """Make `a?.b.c` of a chain of members and calls that begins with the name; whether it is one."""
    node = chain
    while node.kind in _OWNERS and node.children:
        owner = node.children[0]
        if owner.role is Role.NAME and owner.text == name:
            if node.kind != "member_expression" or node.children[1].text != ".":
                return False
            node.children[1] = Node("optional_chain", "optional_chain", node.row, "?.")
            return True
        node = owner
    return False


def _choose(node: Node, known: Known) -> None:
    """`a?.b` for `a == null ? undefined : a.b`."""
    condition, first, second = node.children[0], node.children[2], node.children[-1]
    is_nothing = first.kind == "undefined"
    value, other, sign = (second, first, "||") if is_nothing else (first, second, "&&")
    parts = condition.children[::2] if _joint(condition) == sign else [condition]
    name, count = _asked_for(parts, sign)
    if other.kind == "undefined" and count == len(parts) and name in known and _make_optional(value, name):
        become(node, value)

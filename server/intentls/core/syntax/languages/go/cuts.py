"""Go: a text in two at a sign, by `strings.Cut` or by `strings.SplitN`.

k, v, found := strings.Cut(s, "=")      kv := strings.SplitN(s, "=", 2)
if !found {                             if len(kv) != 2 {
    return nil                              return nil
}                                       }
m[k] = v                                m[kv[0]] = kv[1]

Without the sign there is no second part, but for `Cut` an empty one: so that is asked for only where the sign was
found. Both take a sign that is not empty: an empty one parts each letter from the next for `SplitN` alone.
"""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.go.local_names import LocalNames, local_names
from intentls.core.syntax.languages.go.shorthands import KnownNames
from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_LEAVES = frozenset({"return_statement", "continue_statement", "break_statement", "goto_statement"})
_CHANGES = frozenset({"assignment_statement", "inc_statement", "dec_statement", "range_clause", "keyed_element"})
# How the length of what has one or two parts is asked for, and whether it is 2 or not.
_ASKED = {
    **dict.fromkeys((("==", "2"), (">", "1"), (">=", "2")), "=="),
    **dict.fromkeys((("!=", "2"), ("<", "2"), ("==", "1"), ("<=", "1")), "!="),
}


def with_slices(part: Node, names: KnownNames) -> None:
    """Write `strings.Cut` in a function as `strings.SplitN`, and what asks for the length of its slice in one way."""
    if not names.is_free("len"):
        return
    declared = [node for node in inner_nodes(part) if node.kind == "short_var_declaration"]
    if not any(_function(node, names) for node in declared):
        return
    local = local_names(part)
    for holder in list(inner_nodes(part)):
        for place, statement in enumerate(holder.children):
            if statement.kind != "short_var_declaration":
                continue
            if _function(statement, names) == "Cut":
                _cut(holder, place, part, local)
            elif _function(statement, names) == "SplitN":
                _split(statement, part, local)


def _function(statement: Node, names: KnownNames) -> str | None:
    """The function of the two by which a statement parts a text in at most two at a sign."""
    right = statement.child("right")
    if right is None or [child.kind for child in right.children] != ["call_expression"]:
        return None
    (call,) = right.children
    function, given = names.calls(call.children[0], "strings"), given_to(call)
    signs = {"Cut": 2, "SplitN": 3}
    if function not in signs or len(given) != signs[function]:
        return None
    is_sign = given[1].kind == "interpreted_string_literal" and spelling(given[1]) != '""'
    return function if is_sign and (function == "Cut" or given[2].text == "2") else None


def _declared(statement: Node) -> list[Node]:
    left = statement.child("left")
    return [child for child in (left or statement).children if child.kind != ","]


def _cut(holder: Node, place: int, part: Node, local: LocalNames) -> None:
    statement = holder.children[place]
    declared = _declared(statement)
    if len(declared) != 3:
        return
    first, second, found = (name.text or "" for name in declared)
    own = [name for name in (first, second, found) if name != "_"]
    guard = holder if holder.kind == "if_statement" else (*holder.children, holder)[place + 1]
    if found == "_" or own == [found] or not all(_is_kept(name, part, local) for name in own):
        return
    asked = _asked(guard, found)
    if asked is None or _count(part, found) != 2:
        return
    if second != "_" and not _is_asked_where_found(second, guard, asked, part):
        return
    slice_ = first if first != "_" else second
    for node in list(inner_nodes(part)):
        node.children = [
            _element(child, slice_, int(child.text == second)) if _is_use(child, (first, second)) else child
            for child in node.children
        ]
    become(asked, _length(asked, slice_, "!=" if asked.kind == "unary_expression" else "=="))
    left, right = statement.child("left"), statement.child("right")
    assert left is not None
    assert right is not None
    left.children = [declared[0] if first != "_" else declared[1]]
    (call,) = right.children
    name = call.children[0].children[2]
    name.text = "SplitN"
    arguments = call.children[-1]
    arguments.children[-1:-1] = [word_at(name, ","), leaf_like(name, "int_literal", "2")]


def _is_use(node: Node, names: tuple[str, str]) -> bool:
    return node.kind == "identifier" and node.text in names and not node.binds


def _split(statement: Node, part: Node, local: LocalNames) -> None:
    name = _declared(statement)[0].text or ""
    if not _is_kept(name, part, local):
        return
    for node in inner_nodes(part):
        if node.kind == "binary_expression" and spelling(node.children[0]).replace(" ", "") == f"len({name})":
            asked = (node.children[1].text or "", spelling(node.children[2]))
            sign = _ASKED.get(asked)
            if sign is not None:
                become(node, _length(node, name, sign))


def _is_kept(name: str, part: Node, local: LocalNames) -> bool:
    """Whether a name means one variable in the function, which nothing gives another value, and no key of a literal."""
    for node in inner_nodes(part):
        places = [node.child("left")] if node.kind == "assignment_statement" else node.children[:1]
        if node.kind in _CHANGES and any(place is not None and _is_listed(place, name) for place in places):
            return False
    return local.is_own(name)


def _is_listed(place: Node, name: str) -> bool:
    return any(leaf.text == name for leaf in (place, *place.children))


def _asked(guard: Node, found: str) -> Node | None:
    """Where a condition asks first whether the sign was found: `!found`, `found`, or `found && ..`."""
    condition = guard.child("condition") if guard.kind == "if_statement" else None
    while condition is not None and condition.kind == "binary_expression" and condition.children[1].text == "&&":
        condition = condition.children[0]
    if condition is None:
        return None
    is_denied = condition.kind == "unary_expression" and condition.children[0].text == "!"
    return condition if (condition.children[1] if is_denied else condition).text == found else None


def _is_asked_where_found(second: str, guard: Node, asked: Node, part: Node) -> bool:
    """Whether the second part is asked for only where there is one."""
    consequence = guard.child("consequence")
    assert consequence is not None
    condition = guard.child("condition")
    inside = sum(_count(node, second) for node in (consequence, condition) if node is not None)
    rest = _count(part, second) - 1
    if asked.kind != "unary_expression":
        return inside == rest
    leaves = [child for child in consequence.children if child.kind not in ("{", "}")][-1:]
    return asked is condition and inside == 0 and [child.kind in _LEAVES for child in leaves] == [True]


def _count(node: Node, name: str) -> int:
    return sum(leaf.text == name and leaf.kind == "identifier" for leaf in every_node(node))


def _element(place: Node, name: str, index: int) -> Node:
    """`a[0]`"""
    taken = Node("identifier", "operand", place.row, name, Role.NAME)
    number = Node("int_literal", "index", place.row, str(index))
    return Node(
        "index_expression", place.field, place.row, children=[taken, word_at(place, "["), number, word_at(place, "]")]
    )


def _length(place: Node, name: str, sign: str) -> Node:
    """`len(a) == 2`"""
    called = Node("identifier", "function", place.row, "len", Role.NAME)
    given = [word_at(place, "("), Node("identifier", None, place.row, name, Role.NAME), word_at(place, ")")]
    listed = Node("argument_list", "arguments", place.row, children=given)
    call = Node("call_expression", "left", place.row, children=[called, listed])
    two = Node("int_literal", "right", place.row, "2")
    return Node(
        "binary_expression", place.field, place.row, children=[call, Node(sign, "operator", place.row, sign), two]
    )

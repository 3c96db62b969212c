"""Go: loops that count or search, as `range` and `slices` say the same.

for i := 0; i < len(list); i++ {          for i := range list {
    show(&list[i])                            show(&list[i])
}                                         }
"""

from __future__ import annotations

from intentls.core.syntax.languages.go.local_names import LocalNames, assigned_in, is_literal, mentions
from intentls.core.syntax.languages.go.shorthands import KnownNames
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_DECLARING = frozenset({"short_var_declaration", "var_spec", "const_spec"})


def as_range(loop: Node, names: KnownNames, local: LocalNames) -> None:
    """`for i := range a` for `for i := 0; i < len(a); i++`, if the loop changes neither `i` nor `a`.

    `a` is a list that a parameter or a variable of the function says, or a number that is an own name or a constant.
    """
    clause, body = loop.child("clause") or _clause(loop), loop.child("body")
    parts = [part for part in clause.children if part.kind != ";"] if clause is not None else []
    if clause is None or body is None or [part.field for part in parts] != ["initializer", "condition", "update"]:
        return
    start, condition, update = parts
    name = start.children[0].children[0].text if start.kind == "short_var_declaration" else None
    if name is None or spelling(start) != f"{name}:=0" or spelling(update) not in (f"{name}++", f"{name}+=1"):
        return
    bound = _bound_of(condition, name, names, local)
    if bound is None or _is_kept(body, name) or (bound.text in set(assigned_in(loop))):
        return
    bound.field = "right"
    target = Node("expression_list", "left", clause.row, children=start.children[0].children)
    words = [Node(word, None, clause.row, word) for word in (":=", "range")]
    clause.kind, clause.children = "range_clause", [target, *words, bound]


def _clause(loop: Node) -> Node | None:
    return next((child for child in loop.children if child.kind == "for_clause"), None)


def _bound_of(condition: Node, name: str, names: KnownNames, local: LocalNames) -> Node | None:
    """What is counted to: the list, or the number."""
    if condition.kind != "binary_expression" or condition.children[0].text != name or condition.children[1].text != "<":
        return None
    end = condition.children[2]
    if end.kind == "int_literal":
        return end
    if end.kind == "call_expression" and spelling(end.children[0]) == "len" and names.is_free("len"):
        given = end.children[1].children
        return given[1] if len(given) == 3 and local.is_list(given[1]) and local.is_own(given[1].text) else None
    return end if end.kind == "identifier" and local.is_own(end.text) else None


def _is_kept(body: Node, name: str) -> bool:
    """Whether a loop may change its variable, or something may keep it."""
    if name in set(assigned_in(body)) or any(leaf.binds and leaf.text == name for leaf in every_node(body)):
        return True
    for node in inner_nodes(body):
        is_taken = node.kind == "unary_expression" and node.children[0].text == "&" and node.children[1].text == name
        if is_taken or (node.kind == "func_literal" and mentions(node, name)):
            return True
    return False


def as_search(block: Node, names: KnownNames, local: LocalNames) -> None:
    """`if slices.Contains(a, b) { .. }` for a loop that leaves where it finds `b` in `a`, if that is all it does.

    So `return slices.Contains(a, b)`, where it returns true then, and false after it.
    """
    for index, loop in enumerate(block.children):
        found = _searched(loop, local) if loop.kind == "for_statement" else None
        if found is None:
            continue
        body = loop.children[-1].children[1].children[2]
        following = block.children[index + 1] if index + 1 < len(block.children) else block
        is_answer = (spelling(body), spelling(following)) == ("{returntrue}", "returnfalse")
        if is_answer and following.kind == "return_statement" and names.is_free("true") and names.is_free("false"):
            following.children[1] = Node("expression_list", None, loop.row, children=[found])
            loop.kind, loop.text = _GONE, ""
        else:
            found.field = "condition"
            if body.children[-2].kind == "break_statement":
                del body.children[-2]
            loop.kind, loop.children = "if_statement", [word_at(loop, "if"), found, body]
            body.field = "consequence"
    block.children = [child for child in block.children if child.kind != _GONE]


def _searched(loop: Node, local: LocalNames) -> Node | None:
    """`slices.Contains(a, b)` of a loop that does nothing but to look for `b`, and to leave where it finds it."""
    clause, body = loop.children[1], loop.children[-1]
    target = clause.child("left") if clause.kind == "range_clause" else None
    if target is None or len(target.children) != 3 or len(body.children) != 3:
        return None
    key, _, element = target.children
    branch = body.children[1]
    condition = branch.child("condition")
    is_plain = branch.kind == "if_statement" and [child.field for child in branch.children[1:]] == [
        "condition",
        "consequence",
    ]
    if key.text != "_" or not is_plain or condition is None or not _is_left(branch.children[2], element.text):
        return None
    if condition.kind != "binary_expression" or condition.children[1].text != "==":
        return None
    left, _, right = condition.children
    wanted = right if left.text == element.text else left
    other = left if wanted is right else right
    is_fixed = is_literal(wanted) or (wanted.kind == "identifier" and local.is_own(wanted.text))
    if other.text != element.text or not is_fixed or wanted.text == element.text:
        return None
    searched = clause.children[-1]
    searched.field = wanted.field = None
    called = Node("identifier", "function", loop.row, SEARCH, Role.TOKEN)
    signs = [Node(sign, None, loop.row, sign) for sign in ("(", ",", ")")]
    given = Node("argument_list", "arguments", loop.row, children=[signs[0], searched, signs[1], wanted, signs[2]])
    return Node("call_expression", None, loop.row, children=[called, given])


def _is_left(body: Node, name: str | None) -> bool:
    """Whether a block ends with `return`, or the one `break` in it, and does not say the name of what was found."""
    last = spelling(body.children[-2]) if len(body.children) > 2 else ""
    nodes = list(every_node(body))
    ways = sum(node.kind in _WAYS_ON for node in nodes)
    is_end = body.children[-2].kind == "return_statement" if ways == 0 else ways == 1 and last == "break"
    return is_end and all(leaf.text != name for leaf in nodes)


_WAYS_ON = frozenset({"break_statement", "continue_statement", "goto_statement", "labeled_statement"})
_GONE = "gone"


SEARCH = "list contains"  # no name, as not every file imports the package

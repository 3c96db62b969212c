"""Go in fewer words, as linters suggest it: what takes the same steps whatever the names stand for.

for {                             var a T                     select {
    if done() { break }           a = b()                     case a := <-b:
    a()                                                           c(a)
}                                 var a T = b()               }

for !done() {                     make(T, n, n)               a := <-b
    a()                                                       c(a)
}                                 make(T, n)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from intentls.core.syntax.languages.go.lints.buffers import with_buffers
from intentls.core.syntax.languages.go.local_names import is_literal
from intentls.core.syntax.languages.go.shorthands import KnownNames, known_names
from intentls.core.syntax.languages.made_nodes import denied_once, given_to, joined_by, word_at
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_HOLDERS = frozenset({"block", "expression_case", "default_case", "type_case", "communication_case"})
_GIVING = frozenset({"short_var_declaration", "assignment_statement"})
_SPLITS = {"SplitN": "Split", "SplitAfterN": "SplitAfter"}


def suggested(root: Node) -> None:
    """A `Rewrite`: `for !a` for a loop that breaks first, `var a T = b` for two statements, and more."""
    for part, names in known_names(root):
        if part.kind in ("function_declaration", "method_declaration"):
            with_buffers(part, names)
        for node in reversed(list(inner_nodes(part))):
            shape = _SHAPES.get(node.kind)
            if shape is not None:
                shape(node, names)
            if node.kind in _HOLDERS:
                node.children = _merged(node.children, part)


def _call(node: Node, names: KnownNames) -> None:
    """`make(T, n)` for `make(T, n, n)`, and `strings.Split(a, b)` for `strings.SplitN(a, b, -1)`."""
    called, given = node.children[0], given_to(node)
    if len(node.children) != 2 or len(given) != 3:
        return
    last = given[2]
    if called.text == "make" and names.is_free("make") and (last.kind == "identifier" or is_literal(last)):
        if spelling(given[1]) == spelling(last):
            del node.children[1].children[4:6]
        return
    name = names.calls(called, "strings") or names.calls(called, "bytes")
    if name in _SPLITS and spelling(last) == "-1":
        called.children[2].text = _SPLITS[name]
        del node.children[1].children[4:6]


def _range(node: Node, names: KnownNames) -> None:
    """`for _, a := range b` for `for _, a := range []rune(b)`, where no one asks how many there were before."""
    left, value = node.child("left"), node.children[-1]
    if left is None or len(left.children) != 3 or left.children[0].text != "_" or not names.is_free("rune"):
        return
    if value.kind == "type_conversion_expression" and spelling(value.children[0]) == "[]rune":
        inner = value.children[2]
        inner.field = value.field
        node.children[-1] = inner


def _loop(node: Node, _names: KnownNames) -> None:
    """`for !a { b() }` for `for { if a { break }; b() }`, and `for a && !b` where it asks before."""
    while True:
        body = node.children[-1]
        asked = node.children[1:-1]
        first = body.children[1] if len(body.children) > 2 else body
        if len(asked) > 1 or any(part.kind.endswith("_clause") or part.kind == "range_outer" for part in asked):
            return
        fields = [child.field for child in first.children[1:]]
        if first.kind != "if_statement" or fields != ["condition", "consequence"]:
            return
        if spelling(first.children[2]) != "{break}":
            return
        condition = denied_once(first.children[1])
        condition.field = None
        if asked:
            asked[0].field, condition.field = "left", "right"
            parts = [asked[0], word_at(first, "&&", "operator"), condition]
            condition = Node("binary_expression", None, first.row, children=parts)
        node.children[1:-1] = [condition]
        del body.children[1]


def _merged(statements: list[Node], function: Node) -> list[Node]:
    """The statements, of which some are one now, or more."""
    kept: list[Node] = []
    each = (
        part
        for child in statements
        for part in (_only_case(child, function) if child.kind == "select_statement" else [child])
    )
    for statement in each:
        if not (_gives_first(kept, statement) or _swaps(kept, statement, function)):
            kept.append(statement)
    return kept


def _gives_first(kept: list[Node], statement: Node) -> bool:
    """`var a T = b` for `var a T` and `a = b`."""
    spec = kept[-1].children[-1] if kept and kept[-1].kind == "var_declaration" else statement
    if statement.kind != "assignment_statement" or [child.field for child in spec.children] != ["name", "type"]:
        return False
    name, (left, sign, right) = spec.children[0].text, statement.children
    is_given = sign.text == "=" and spelling(left) == name and len(right.children) == 1
    if not is_given or any(leaf.text == name for leaf in every_node(right)):
        return False
    right.field = "value"
    spec.children += [word_at(sign, "="), right]
    return True


def _swaps(kept: list[Node], statement: Node, function: Node) -> bool:
    """`a, b = b, a` for `c := a`, `a = b` and `b = c`, of plain names, and of elements that plain names find."""
    three = [*kept[-2:], statement]
    signs = [one.children[1].text for one in three if one.kind in _GIVING]
    parts = [part for one in three for part in one.children[::2]] if signs == [":=", "=", "="] else []
    if not parts or any(len(part.children) != 1 for part in parts):
        return False
    third, one, first, other, second, last = (part.children[0] for part in parts)
    is_swap = (spelling(one), spelling(other), third.text) == (spelling(first), spelling(second), last.text)
    if not is_swap or third.kind != "identifier" or not (_is_place(one) and _is_place(other)):
        return False
    said = [{leaf.text for leaf in every_node(place) if leaf.role is Role.NAME} for place in (one, other)]
    is_apart = one.children or one.text not in said[1]
    if not is_apart or third.text in said[0] | said[1]:
        return False
    if sum(leaf.text == third.text for leaf in every_node(function)) != 2:
        return False
    # Of the three lists the middle one is kept, with both on each side.
    targets, _, values = kept[-1].children
    targets.children = joined_by(",", [first, second])
    values.children = joined_by(",", [other, one])
    del kept[-2]
    return True


def _is_place(node: Node) -> bool:
    """Whether it is a name, or an element that is found by names and numbers."""
    if node.kind != "index_expression":
        return node.kind == "identifier" and node.text != "_"
    listed, _, index, *_ = node.children
    return listed.kind == "identifier" and (index.kind == "identifier" or is_literal(index))


def _only_case(statement: Node, function: Node) -> list[Node]:
    """What a `select` of one case waits for, and what it does then, if nothing else has the names."""
    cases = [child for child in statement.children if child.kind.endswith("_case")]
    case = cases[0] if len(cases) == 1 else statement
    waits = case.child("communication")
    nodes = list(every_node(case))
    last = case.children[-1]
    if last.kind == "break_statement" and len(last.children) == 1:
        nodes = [node for node in nodes if node is not last]
        case.children.pop()  # it ends there anyway
    if waits is None or any(node.kind == "break_statement" and len(node.children) == 1 for node in nodes):
        return [statement]
    given = waits.children[0].children if len(waits.children) == 3 and waits.children[1].text == "=" else []
    for leaf in given:
        leaf.binds = False  # it is declared elsewhere
    declared = {leaf.text for leaf in nodes if leaf.binds and leaf.text is not None}
    if declared:
        here, around = (
            Counter(leaf.text for leaf in every_node(root) if leaf.text in declared) for root in (case, function)
        )
        if here != around:
            return [statement]
    if waits.kind == "receive_statement" and not _as_statement(waits):
        return [statement]
    waits.field = None
    at = next(index for index, child in enumerate(case.children) if child is waits)
    return [waits, *case.children[at + 2 :]]


def _as_statement(waits: Node) -> bool:
    """What is received as a statement of its own, unless what it is given to is computed after that."""
    value = waits.children[-1]
    if len(waits.children) == 1:
        value.field = None
        waits.kind = "expression_statement"
        return True
    left, sign, _ = waits.children
    if sign.text == "=" and any(child.text is None for child in left.children):
        return False
    waits.kind = "short_var_declaration" if sign.text == ":=" else "assignment_statement"
    sign.field = "operator" if sign.text == "=" else None
    value.field = None
    waits.children[2] = Node("expression_list", "right", value.row, children=[value])
    return True


_SHAPES: dict[str, Callable[[Node, KnownNames], None]] = {
    "call_expression": _call,
    "range_clause": _range,
    "for_statement": _loop,
}

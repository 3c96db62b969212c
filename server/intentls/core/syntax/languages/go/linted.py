"""Go as its linters write it: the shorter form of a condition, a return or a lookup that takes the same steps.

if ok == false {                     if !ok {
    return                               return n, err
}                                    }
v, _ := table[key]                   v := table[key]
if list == nil || len(list) == 0     if len(list) == 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.go.conditions import (
    compares_nil,
    drop_nil,
    shorten_branch,
    shorten_comparison,
    shorten_loop,
)
from intentls.core.syntax.languages.go.lints.truths import with_truths
from intentls.core.syntax.languages.go.local_names import LocalNames, is_pure, local_names
from intentls.core.syntax.languages.go.ranges import SEARCH, as_range, as_search
from intentls.core.syntax.languages.go.shorthands import KnownNames, known_names
from intentls.core.syntax.tree import Node, Role, every_node, inner_nodes, spelling

_FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})
_SIGNATURES = frozenset({"function_type", "method_elem"})  # whose names say nothing to anyone but readers
_HOLDERS = frozenset({"block", "expression_case", "default_case", "type_case", "communication_case"})
_SWITCHES = frozenset({"expression_switch_statement", "type_switch_statement"})


def linted(root: Node) -> None:
    """A `Rewrite`: `!a` for `a == false` in a condition, `return a` for a bare `return`, and more."""
    for node in list(inner_nodes(root)):
        if node.kind in _FUNCTIONS:
            _name_results(node)
            _forget_parameters(node)
        elif node.kind in _SIGNATURES:
            for listed in (child for child in node.children if child.kind == "parameter_list"):
                _unname(listed)
    for child, names in known_names(root):
        _rewrite(child, names, local_names(child) if child.kind in _FUNCTIONS else None)


def _rewrite(root: Node, names: KnownNames, local: LocalNames | None) -> None:
    for node in reversed(list(inner_nodes(root))):
        shape = _SHAPES.get(node.kind)
        if shape is not None:
            shape(node, names)
        if local is not None and node.kind == "binary_expression":
            drop_nil(node, local, names)
        if node.kind in _HOLDERS:
            node.children = [_statement(child, names, local) for child in node.children]
            _drop_returns(node)
            if local is not None:
                as_search(node, names, local)
            with_truths(node, names)
        if local is not None and node.kind == "for_statement":
            as_range(node, names, local)
        node.children = [_value(child, node, names) for child in node.children]


def _name_results(function: Node) -> None:
    """`return a, b` for a bare `return`, which compiles only where nothing else has the names of the results."""
    result, body = function.child("result"), function.child("body")
    if result is None or body is None or result.kind != "parameter_list":
        return
    named = [child for one in result.children for child in one.children if child.field == "name"]
    if not named or any(name.text == "_" for name in named):
        return
    for statement in returns_of(body):
        if len(statement.children) == 1:
            row = statement.row
            leaves = [Node("identifier", None, row, name.text, Role.NAME) for name in named]
            listed = [part for leaf in leaves for part in (Node(",", None, row, ","), leaf)][1:]
            statement.children.append(Node("expression_list", None, row, children=listed))


def returns_of(body: Node) -> Iterator[Node]:
    """The `return` statements of a function, without those of functions in it."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind == "return_statement":
            yield node
        elif node.kind != "func_literal":
            stack.extend(node.children)


def _forget_parameters(function: Node) -> None:
    """Parameters that nothing in the function says have no names, if some have one: `_`."""
    listed, body = function.child("parameters"), function.child("body")
    if listed is None or body is None:
        return
    said = {leaf.text for leaf in every_node(body)}
    names = [child for one in listed.children for child in one.children if child.field == "name"]
    for name in names:
        if name.text not in said:
            name.text = "_"
    if all(name.text == "_" for name in names):
        _unname(listed)


def _unname(listed: Node) -> None:
    """Types alone, where each parameter has one of its own."""
    for one in listed.children:
        one.children = [child for child in one.children if child.field != "name"]


def _drop_returns(block: Node) -> None:
    """Leave out what a case returns at its end if that is what stands after all cases, a name or nothing."""
    for index, node in enumerate(block.children[:-1]):
        following = block.children[index + 1]
        if node.kind not in _SWITCHES or following.kind != "return_statement" or not _is_still(following):
            continue
        own = {leaf.text for leaf in every_node(node) if leaf.binds}
        own.update(leaf.text for child in node.children if child.field == "alias" for leaf in child.children)
        if own.isdisjoint(leaf.text for leaf in every_node(following)):
            for case in node.children:
                if case.children and spelling(case.children[-1]) == spelling(following):
                    case.children.pop()
            node.children = [
                child for child in node.children if child.kind != "default_case" or spelling(child) != "default:"
            ]


def _is_still(statement: Node) -> bool:
    """Whether what is returned are names and constants."""
    values = statement.children[1].children if len(statement.children) > 1 else []
    return all(value.text is not None for value in values)


def _statement(node: Node, names: KnownNames, local: LocalNames | None) -> Node:
    """A statement of a block without a condition that decides nothing."""
    if node.kind != "if_statement" or node.child("alternative") is not None:
        return node
    condition, body, before = node.child("condition"), node.child("consequence"), node.child("initializer")
    inner = [] if body is None else body.children[1:-1]
    if condition is None or len(inner) != 1:
        return node
    if before is not None:
        return inner[0] if _asks_before_delete(before, condition, inner[0], names) else node
    clause = next((child for child in inner[0].children if child.kind in ("range_clause", "range_outer")), None)
    ranged = None if clause is None else clause.child("right")
    if local is None or ranged is None or not local.is_collection(ranged) or not names.is_free("nil"):
        return node
    return inner[0] if compares_nil(condition, "!=", ranged.text) else node


def _asks_before_delete(before: Node, condition: Node, inner: Node, names: KnownNames) -> bool:
    """Whether it is `if _, ok := a[b]; ok { delete(a, b) }`: without the question the same is gone."""
    call = inner.children[0] if inner.kind == "expression_statement" else inner
    if before.kind != "short_var_declaration" or call.kind != "call_expression" or len(call.children) != 2:
        return False
    asked, value = before.children[0], before.children[2]
    found = value.children[0]
    is_plain = found.kind == "index_expression" and is_pure(found.children[0]) and is_pure(found.children[2])
    if not is_plain or spelling(asked) != f"_,{condition.text}" or not names.is_free("delete"):
        return False
    table, _, key, _ = found.children
    is_other = condition.text not in {leaf.text for leaf in every_node(found)}
    return is_other and spelling(call) == f"delete({spelling(table)},{spelling(key)})"


def _lookup(node: Node, _names: KnownNames) -> None:
    """`a := b[c]` for `a, _ := b[c]`, and the same of what a channel gives."""
    left, _, right = node.children
    values = right.children
    if len(left.children) != 3 or left.children[2].text != "_" or left.children[0].text == "_" or len(values) != 1:
        return
    is_received = values[0].kind == "unary_expression" and values[0].children[0].text == "<-"
    if is_received or values[0].kind == "index_expression":
        del left.children[1:]


def _value(node: Node, parent: Node, names: KnownNames) -> Node:
    """`"a"` for `fmt.Sprintf("a")`, and `reflect.Pointer` for `reflect.Ptr`."""
    if node.kind == "selector_expression" and names.calls(node, "reflect") == "Ptr":
        node.children[2].text = "Pointer"
    if node.kind != "call_expression" or len(node.children) != 2:
        return node
    if names.calls(node.children[0], "slices") == "Contains":
        node.children[0] = Node("identifier", "function", node.row, SEARCH)
    if names.calls(node.children[0], "fmt") != "Sprintf":
        return node
    values = [child for child in node.children[1].children if child.text not in ("(", ")", ",")]
    is_text = len(values) == 1 and values[0].kind in ("interpreted_string_literal", "raw_string_literal")
    if not is_text or "%" in (values[0].text or "") or parent.kind in _CALLS_ALONE:
        return node
    return leaf_like(node, values[0].kind, values[0].text or "")


_CALLS_ALONE = frozenset({"expression_statement", "go_statement", "defer_statement"})
_SHAPES: dict[str, Callable[[Node, KnownNames], None]] = {
    "if_statement": shorten_branch,
    "for_statement": shorten_loop,
    "for_clause": shorten_loop,
    "short_var_declaration": _lookup,
    "assignment_statement": _lookup,
    "binary_expression": shorten_comparison,
}

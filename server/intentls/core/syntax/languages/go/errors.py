"""Errors of Go that a function only hands on, at its end: `return f()`, where `f` gives an error and nothing else.

if err := f(); err != nil {          err := f()                    return f()
    return err                       if err != nil {
}                                        return err
return nil                           }
                                     return nil

That `f` gives an `error`, and not some type of one, its declaration in the file says: a `nil` of such a type is none.
"""

from __future__ import annotations

import re

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
# Of one that did not change: its name behind the type of which it is a method, and its only result.
_SIGNATURE = re.compile(r"func\s*(?:\(\s*\w*\s*\*?(\w+)[^)]*\)\s*)?(\w+)\([^()]*\)\s*error\s*\{")


def handed_on(root: Node) -> None:
    """A `Rewrite`: `return f()` for what returns the error of `f`, and else none."""
    functions = [child for child in root.children if child.kind in _FUNCTIONS]
    if not any(_gives_error(function) for function in functions):
        return
    declared = [name.text for node in inner_nodes(root) if (name := node.child("name")) is not None]
    if "error" in declared or "nil" in declared:
        return
    known = {key for function in functions if (key := _key(function)) is not None}
    for function in functions:
        body = function.child("body")
        if body is not None and _gives_error(function):
            owner, receiver = _owner(function)
            names = {name for of, name in known if not of}
            methods = {f"{receiver}.{name}" for of, name in known if of == owner} if receiver else set()
            bound = {leaf.text for leaf in every_node(function) if leaf.binds}
            _shorten(body, (names - bound) | (methods if _is_bound_once(function, receiver) else set()))


def _gives_error(function: Node) -> bool:
    result = function.child("result")
    return result is not None and result.kind == "type_identifier" and result.text == "error"


def _key(function: Node) -> tuple[str, str] | None:
    """The type and the name of a function that gives an error and nothing else."""
    if function.text is not None:
        found = _SIGNATURE.match(function.text)
        return (found[1] or "", found[2]) if found is not None else None
    name = function.child("name")
    return (_owner(function)[0], name.text or "") if name is not None and _gives_error(function) else None


def _owner(function: Node) -> tuple[str, str]:
    """The type of which it is a method, and what it calls a value of that; empty for a function."""
    receiver = function.child("receiver")
    leaves = [leaf for leaf in every_node(receiver) if leaf.text is not None] if receiver is not None else []
    types = [leaf.text or "" for leaf in leaves if leaf.kind == "type_identifier"]
    names = [leaf.text or "" for leaf in leaves if leaf.binds]
    return (types[0] if types else ""), (names[0] if names else "")


def _is_bound_once(function: Node, name: str) -> bool:
    return sum(leaf.binds and leaf.text == name for leaf in every_node(function)) == 1


def _shorten(body: Node, known: set[str]) -> None:
    stack = [body]
    while stack:
        node = stack.pop()
        stack.extend(child for child in node.children if child.kind != "func_literal")
        if node.kind == "block" and len(node.children) > 3:
            _end(node, known)


def _end(block: Node, known: set[str]) -> None:
    *before, branch, last, closing = block.children
    if branch.kind != "if_statement" or spelling(last) != "returnnil" or branch.child("alternative") is not None:
        return
    given, asked, inner = (branch.child(field) for field in ("initializer", "condition", "consequence"))
    given = given or before[-1]
    call, name = _called(given)
    if call is None or asked is None or inner is None or spelling(call.children[0]) not in known:
        return
    if spelling(asked) != f"{name}!=nil" or spelling(inner) != f"{{return{name}}}":
        return
    call.field = None
    listed = Node("expression_list", None, call.row, children=[call])
    ended = Node("return_statement", None, call.row, children=[word_at(call, "return"), listed])
    kept = before if branch.child("initializer") is not None else before[:-1]
    block.children = [*kept, ended, closing]


def _called(declaration: Node) -> tuple[Node | None, str]:
    """The call whose one result a declaration gives a name, and that."""
    if declaration.kind != "short_var_declaration":
        return None, ""
    names, _, values = declaration.children
    is_one = len(names.children) == len(values.children) == 1 and values.children[0].kind == "call_expression"
    return (values.children[0], names.children[0].text or "") if is_one else (None, "")

"""Calls of Rust's library that have a shorter name, and take the same steps.

    a.map(|b| *b)              a.unwrap_or_else(Vec::new)      a.skip(2).next()        a.map(b).flatten()
    a.copied()                 a.unwrap_or_default()           a.nth(2)                a.flat_map(b)

What only one kind of value has tells what it is called of: `a.is_some_and(b)` compiles for an `Option` alone, and for
that it is `a.map_or(false, b)`.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from intentls.core.syntax.languages.adapter import leaf_like
from intentls.core.syntax.languages.made_nodes import become, given_to, word_at
from intentls.core.syntax.languages.rust.forms.methods import as_character, call_of, method_of
from intentls.core.syntax.tree import Node, spelling

Shorten = Callable[[Node, Node, list[Node], Set[str]], None]
"""Makes a call shorter: the call, what it is called of, what it is given, and the names that the file declares."""

_MAKERS = frozenset({"Vec::new", "String::new", "Default::default"})
_MADE = frozenset({"Vec::new()", "String::new()", "Default::default()"})
_COLLECTS = frozenset({"collect", "sum", "product"})
_WITH_LINE = {"print": "println", "eprint": "eprintln", "write": "writeln"}


def shortened_call(node: Node, owner: Node, name: str, own: Set[str]) -> None:
    """The shorter form of a call of a method, in its place."""
    shorten = _SHORTER.get(name)
    if shorten is not None:
        shorten(node, owner, given_to(node), own)


def _map(node: Node, owner: Node, given: list[Node], own: Set[str]) -> None:
    """`a.copied()` for `a.map(|b| *b)`, `a.cloned()` for `a.map(|b| b.clone())`."""
    name, body = _closure(given)
    if body is None:
        return
    said = spelling(body)
    if said == f"*{name}" or name == f"&{said}":
        become(node, call_of(owner, "copied", [], node))
    elif said == f"{name}.clone()" and "clone" not in own:
        become(node, call_of(owner, "cloned", [], node))


def _closure(given: list[Node]) -> tuple[str, Node | None]:
    """The one parameter of a closure as it is spelled, and its body."""
    if len(given) != 1 or given[0].kind != "closure_expression" or len(given[0].children) != 2:
        return "", None
    parameters, body = given[0].children
    names = [child for child in parameters.children if child.text != "|"]
    is_plain = len(names) == 1 and names[0].kind in ("identifier", "reference_pattern")
    return (spelling(names[0]), body) if is_plain else ("", None)


def _otherwise(default: str) -> Shorten:
    """`a.unwrap_or_default()` for `a.unwrap_or_else(Vec::new)`, and `or_default` likewise."""

    def shorten(node: Node, owner: Node, given: list[Node], own: Set[str]) -> None:
        said = spelling(given[0]) if len(given) == 1 else ""
        is_default = said in _MAKERS or said in _MADE
        if is_default and said.partition("::")[0] not in own:
            become(node, call_of(owner, default, [], node))

    return shorten


def _asked(otherwise: str) -> Shorten:
    """`a.map_or(false, b)` for `a.is_some_and(b)`."""

    def shorten(node: Node, owner: Node, given: list[Node], _own: Set[str]) -> None:
        if len(given) == 1:
            truth = Node("boolean_literal", None, node.row, children=[word_at(node, otherwise)])
            become(node, call_of(owner, "map_or", [truth, *given], node))

    return shorten


def _flatten(node: Node, owner: Node, given: list[Node], _own: Set[str]) -> None:
    """`a.flat_map(b)` for `a.map(b).flatten()`."""
    inner, name = method_of(owner)
    if inner is not None and name == "map" and not given and len(given_to(owner)) == 1:
        become(node, call_of(inner, "flat_map", given_to(owner), node))


def _itself(node: Node, owner: Node, given: list[Node], _own: Set[str]) -> None:
    """`a.flatten()` for `a.filter_map(|b| b)`."""
    name, body = _closure(given)
    if body is not None and spelling(body) == name:
        become(node, call_of(owner, "flatten", [], node))


def _or_error(node: Node, owner: Node, given: list[Node], _own: Set[str]) -> None:
    """`a.ok_or(B::C)` for `a.ok_or_else(|| B::C)`."""
    body = given[0].children[-1] if len(given) == 1 and given[0].kind == "closure_expression" else node
    is_path = body.kind in ("identifier", "scoped_identifier")
    if is_path and spelling(given[0].children[0]) == "||" and spelling(body).rpartition("::")[2][:1].isupper():
        become(node, call_of(owner, "ok_or", [body], node))


def _next(node: Node, owner: Node, given: list[Node], _own: Set[str]) -> None:
    """`a.nth(2)` for `a.skip(2).next()`."""
    inner, name = method_of(owner)
    if inner is not None and name == "skip" and not given and len(given_to(owner)) == 1:
        passed = given_to(owner)
        become(node, call_of(inner, *(("next", []) if spelling(passed[0]) == "0" else ("nth", passed)), node))


def _get(node: Node, owner: Node, given: list[Node], _own: Set[str]) -> None:
    """`a.first()` for `a.get(0)`."""
    if [spelling(value) for value in given] == ["0"]:
        become(node, call_of(owner, "first", [], node))


def _push(node: Node, owner: Node, given: list[Node], _own: Set[str]) -> None:
    """`a.push('b')` for `a.push_str("b")`."""
    if len(given) == 1 and given[0].kind == "string_literal":
        sign = as_character(given[0])
        if sign is not given[0]:
            become(node, call_of(owner, "push", [sign], node))


_SHORTER: dict[str, Shorten] = {
    "map": _map,
    "unwrap_or_else": _otherwise("unwrap_or_default"),
    "unwrap_or": _otherwise("unwrap_or_default"),
    "or_insert_with": _otherwise("or_default"),
    "or_insert": _otherwise("or_default"),
    "is_some_and": _asked("false"),
    "is_ok_and": _asked("false"),
    "is_none_or": _asked("true"),
    "flatten": _flatten,
    "flat_map": _itself,
    "filter_map": _itself,
    "next": _next,
    "get": _get,
    "push_str": _push,
    "ok_or_else": _or_error,
}


def with_type_at_call(let: Node) -> None:
    """`let a = b.collect::<Vec<_>>();` for `let a: Vec<_> = b.collect();`."""
    kind, value, pattern = let.child("type"), let.child("value"), let.child("pattern")
    if kind is None or value is None or pattern is None or pattern.kind != "identifier":
        return
    owner, name = method_of(value)
    if owner is None or name not in _COLLECTS or given_to(value):
        return
    at = next(index for index, child in enumerate(let.children) if child is kind)
    del let.children[at - 1 : at + 1]
    kind.field = None
    signs = [word_at(value, "<"), kind, word_at(value, ">")]
    named = Node("type_arguments", "type_arguments", value.row, children=signs)
    called = value.children[0]
    called.field = "function"
    generic = [called, word_at(value, "::"), named]
    value.children[0] = Node("generic_function", "function", value.row, children=generic)


def with_line_end(macro: Node, own: Set[str]) -> None:
    r"""`println!("a")` for `print!("a\n")`."""
    name, listed = macro.children[0], macro.children[-1]
    longer = _WITH_LINE.get(name.text or "", "")
    kinds = [child.kind for child in listed.children]
    place = 1 if name.text != "write" else kinds.index(",") + 1 if "," in kinds else len(kinds)  # behind its target
    text = listed.children[place] if longer and longer not in own and place < len(kinds) else name
    said = text.text or ""
    if not said.endswith('\\n"'):
        return
    name.text = longer
    if said == '"\\n"':
        del listed.children[place - (place > 1) : place + 1]
    else:
        listed.children[place] = leaf_like(text, "string_literal", f'{said[:-3]}"')

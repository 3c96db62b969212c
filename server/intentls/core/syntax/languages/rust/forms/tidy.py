"""Rust without what says nothing: one form for conditions of a build, blocks, numbers and calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from intentls.core.syntax.languages.adapter import in_place_of, leaf_like
from intentls.core.syntax.languages.rust.forms.places import is_place
from intentls.core.syntax.tree import Node, flatten, inner_nodes, spelling

_INTEGERS = frozenset(
    {"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"},
)
# What the crate `libc` calls so is one of the former on each system.
_OF_C = frozenset(
    f"libc::{name}"
    for name in (
        *("c_char", "c_schar", "c_uchar", "c_short", "c_ushort", "c_int", "c_uint", "c_long", "c_ulong", "c_longlong"),
        *("c_ulonglong", "size_t", "ssize_t", "off_t", "time_t", "suseconds_t", "pid_t", "socklen_t", "intptr_t"),
        *("uintptr_t", "mode_t", "nfds_t"),
    )
)
_REPLACE = frozenset({"mem::replace", "std::mem::replace", "core::mem::replace"})
_EMPTY = frozenset({"&[]", "&mut[]", '""', "0", "false"}) | frozenset(
    {f"{kind}::new()" for kind in ("Vec", "String", "HashMap", "HashSet", "BTreeMap", "VecDeque")}
)
_LIBRARY = frozenset({"mem", "take", "None", "Vec", "String", "HashMap", "HashSet", "BTreeMap", "VecDeque"})
_WRITES = frozenset({"quote", "quote_spanned", "parse_quote", "parse_quote_spanned"})
_LINTS = frozenset({"allow", "warn", "expect", "deny", "forbid"})
_BRACKETS = frozenset({"{", "}"})
_DECLARES = re.compile(r"_item\Z|enum_variant\Z|macro_definition\Z")


def tidied(root: Node) -> None:
    """A `Rewrite`: `cfg(a)` for `cfg(any(a))`, `else if` for `else { if }`, `0u64` for `0 as u64`, `a.take()`.

    And `u32` for `<u32>` in a path, `A | B => c` for two arms, no `unsafe` around statements.
    """
    own = _declared(root)
    for node in reversed(list(inner_nodes(root))):  # what is within comes first
        if node.kind == "token_tree":
            continue
        if (shape := _SHAPES.get(node.kind)) is not None:
            shape(node)
        node.children = [_number(child) for child in node.children]
        if node.kind == "call_expression" and own.isdisjoint(_LIBRARY):
            _take(node)
        if node.kind == "call_expression" and "libc" not in own:
            _limit(node)


def _declared(root: Node) -> set[str]:
    """What the file itself calls so, or another crate: there, the name is not that of the standard library."""
    names = {
        leaf.text or ""
        for node in inner_nodes(root)
        if _DECLARES.search(node.kind) and (leaf := node.child("name")) is not None
    }
    return names | {item.children[-1].text or "" for item in inner_nodes(root) if _is_foreign(item)}


def _is_foreign(item: Node) -> bool:
    words = [child.text or "" for child in item.children] if item.kind == "import_item" else []
    return bool(words) and not _LIBRARIES.match(words[0]) and [word.strip() for word in words] != ["", "libc", "libc"]


_LIBRARIES = re.compile(r"\S* (::)?(std|core|alloc)::")


def _limit(call: Node) -> None:
    """`c_int::MAX` for `c_int::max_value()`."""
    called, given = call.children
    if len(called.children) != 3 or spelling(called.children[0]) not in _OF_C or spelling(given) != "()":
        return
    name = called.children[2]
    if name.text in ("max_value", "min_value"):
        name.text = (name.text or "")[:3].upper()
        call.kind, call.children = called.kind, called.children


def _number(child: Node) -> Node:
    """`0u64` for `0 as u64`: the number is of that type either way."""
    value, _, kind = child.children if child.kind == "type_cast_expression" else (child,) * 3
    text = value.text or ""
    is_bare = value.kind == "integer_literal" and not text.endswith(tuple(_INTEGERS))
    if child is value or not is_bare or kind.text not in _INTEGERS:
        return child
    return leaf_like(child, "integer_literal", f"{text}{kind.text}")


def _condition(node: Node) -> None:
    """Of `cfg`: one of one condition, or all of one, is that condition."""
    name, given = node.children[0], node.children[-1]
    if name.text == "cfg" and given.kind == "token_tree":
        waiting = [given]
        while waiting:
            tree = waiting.pop()
            tree.children = _without_single(tree.children)
            waiting.extend(child for child in tree.children if child.kind == "token_tree")


def _macro(node: Node) -> None:
    """`cfg!` as the attribute, and no attribute for lints alone in what is written for other programs."""
    name = node.children[0].text or ""
    if name == "cfg":
        _condition(node)
    elif name in _WRITES:
        for tree in inner_nodes(node.children[-1]):
            lints = [
                index
                for index, (sign, given) in enumerate(pairwise(tree.children))
                if sign.text == "#" and given.kind == "token_tree" and given.children[1].text in _LINTS
            ]
            tree.children = [
                child for index, child in enumerate(tree.children) if index not in lints and index - 1 not in lints
            ]


def _without_single(children: list[Node]) -> list[Node]:
    result: list[Node] = []
    waiting = list(reversed(children))
    while waiting:
        child = waiting.pop()
        inner = waiting[-1].children[1:-1] if waiting and waiting[-1].kind == "token_tree" else []
        inner = inner[:-1] if inner and inner[-1].kind == "," else inner
        if child.text in ("any", "all") and inner and all(part.kind != "," for part in inner):
            waiting.pop()
            waiting.extend(reversed(inner))
        else:
            result.append(child)
    return result


def _else(clause: Node) -> None:
    """`else if` for `else { if .. }`."""
    block = clause.children[-1]
    only = block.children[1] if block.kind == "block" and len(block.children) == 3 else block
    inner = only.children[0] if only.kind == "expression_statement" and len(only.children) == 1 else only
    if inner.kind == "if_expression":
        clause.children[-1] = in_place_of(block, inner)


def _path(node: Node) -> None:
    """`u32::a` for `<u32>::a`."""
    first = node.children[0]
    if first.kind == "bracketed_type" and len(first.children) == 3 and first.children[1].kind == "primitive_type":
        node.children[0] = leaf_like(first, "identifier", first.children[1].text or "")


def _take(call: Node) -> None:
    """`a.take()` for `mem::replace(&mut a, None)`, and `mem::take(&mut a)` for one that leaves an empty list."""
    called, given = call.children
    arguments = [child for child in given.children if child.text not in ("(", ")", ",")]
    if spelling(called).removeprefix("::") not in _REPLACE or len(arguments) != 2:
        return
    place, value = arguments
    if spelling(value) in _EMPTY:
        called.children[-1] = leaf_like(called.children[-1], "identifier", "take")
        given.children = [given.children[0], place, given.children[-1]]
    elif value.text == "None":
        borrowed = place.kind == "reference_expression" and place.children[1].kind == "mutable_specifier"
        receiver = place.children[-1] if borrowed else place
        if is_place(receiver.children[-1] if receiver.kind == "unary_expression" else receiver):
            receiver.field = "value"
            dot = Node(".", None, call.row, ".")
            method = Node("field_identifier", "field", call.row, "take")
            call.children[0] = Node("field_expression", "function", call.row, children=[receiver, dot, method])
            given.children = [given.children[0], given.children[-1]]


def _block(block: Node) -> None:
    """Without a `()` at the end, which is what it gives anyway, and without `unsafe` around statements."""
    *before, last, _ = [block, *block.children] if len(block.children) > 2 else [block, block, block]
    is_alone = not before[1:] or before[-1].kind == "{" or [part.kind for part in before[-1].children[-1:]] == [";"]
    if last.kind == "unit_expression" and is_alone:
        del block.children[-2]
    _without_unsafe(block)


def _given(node: Node) -> None:
    """`()` for what gives `{}`: a closure, or an arm."""
    last = node.children[-1]
    if last.kind == "block" and len(last.children) == 2:
        unit = [Node(sign, None, last.row, sign) for sign in "()"]
        node.children[-1] = Node("unit_expression", last.field, last.row, children=unit)


def _without_unsafe(block: Node) -> None:
    """Without `unsafe` around statements that declare nothing: it only lets them do what they do."""
    kept: list[Node] = []
    for child in block.children:
        only = child.children[0] if child.kind == "expression_statement" else child
        is_marked = bool(kept) and kept[-1].kind == "attribute_item"
        inner = only.children[1].children if only.kind == "unsafe_block" and not is_marked else []
        statements = [part for part in inner if part.kind not in _BRACKETS]
        if statements and all(map(_is_closed, statements)):
            kept.extend(statements)
        else:
            kept.append(child)
    block.children = kept


def _is_closed(statement: Node) -> bool:
    return statement.kind == "expression_statement" and statement.children[-1].kind == ";"


def _arms(block: Node) -> None:
    """`A | B => c` for `A => c, B => c`."""
    kept: list[Node] = []
    for arm in block.children:
        last = kept[-1] if kept else block
        if _is_plain(arm) and _is_plain(last) and flatten(last.children[2]) == flatten(arm.children[2]):
            patterns, more = last.children[0], arm.children[0].children[0]
            sign = Node("|", None, more.row, "|")
            patterns.children = [_alternatives(patterns.children[0], sign, more)]
        else:
            kept.append(arm)
    block.children = kept


def _is_plain(arm: Node) -> bool:
    return arm.kind == "match_arm" and len(arm.children) == 3 and len(arm.children[0].children) == 1


def _alternatives(first: Node, sign: Node, second: Node) -> Node:
    parts = [*_parts(first), sign, *_parts(second)]
    return Node("or_pattern", first.field, first.row, children=parts)


def _parts(pattern: Node) -> list[Node]:
    return pattern.children if pattern.kind == "or_pattern" else [pattern]


def _or(pattern: Node) -> None:
    """Alternatives without their nesting."""
    pattern.children = [part for child in pattern.children for part in _parts(child)]


_SHAPES: dict[str, Callable[[Node], None]] = {
    "attribute": _condition,
    "macro_invocation": _macro,
    "else_clause": _else,
    "scoped_identifier": _path,
    "block": _block,
    "closure_expression": _given,
    "match_arm": _given,
    "match_block": _arms,
    "or_pattern": _or,
}

"""Types of Rust that a function says, or that the words of a value tell, however it is used.

fn f(a: u8) { let b: &str = g(); h(a + 1, b, a > 2) }     `a` is a `u8`, `b` a `&str`, and what is handed over a `u8`,
                                                          a `&str` and a `bool`
"""

from __future__ import annotations

import re
from collections import Counter

from intentls.core.syntax.tree import Node, every_node, inner_nodes, spelling

_ASKING = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_COUNTING = frozenset({"+", "-", "*", "/", "%", "&", "|", "^"})
_NUMBERS = frozenset(f"{sign}{size}" for sign in "iu" for size in ("8", "16", "32", "64", "128", "size"))
_TRUTHS = (".is_empty", ".is_some", ".is_none", ".is_ok", ".is_err")  # methods of the library that tell one
_MADE_BY = {"Vec": "vec![", "String": "format!"}
_WORD = re.compile(r"\w+")


def types_in(function: Node) -> dict[str, str]:
    """The types of the parameters and variables that a function says, of those that have one."""
    found: dict[str, str] = {}
    names: Counter[str] = Counter()
    for node in inner_nodes(function):
        pattern, kind = node.child("pattern"), node.child("type")
        for leaf in every_node(pattern) if pattern is not None else ():
            names[leaf.text or ""] += 1
        if node.kind in ("parameter", "let_declaration") and pattern is not None and kind is not None:
            found[pattern.text or ""] = spelling(kind)
    return {name: kind for name, kind in found.items() if names[name] == 1}


def is_of_type(argument: Node, kind: Node, types: dict[str, str]) -> bool:
    """Whether what is given has the very type of a parameter, which nothing but its own end drops."""
    wanted = spelling(kind)
    if argument.kind == "identifier":
        is_lent = kind.kind in ("reference_type", "primitive_type")
        return is_lent and types.get(argument.text or "") == wanted
    if argument.kind == "reference_expression":
        *signs, inner = argument.children
        said = "".join(sign.text or "" for sign in signs) + types.get(inner.text or "", "\0")
        return inner.kind == "identifier" and said == wanted
    return (wanted, argument.kind) in (
        ("bool", "boolean_literal"),
        ("&str", "string_literal"),
        ("char", "char_literal"),
    )


def type_of(value: Node, types: dict[str, str]) -> str:
    """The type of a value that its own words tell, however it is used; empty where they do not."""
    if value.kind == "binary_expression":
        left, sign, right = value.children
        one, other = (type_of(part, types) for part in (left, right))
        is_number = one in _NUMBERS and (other == one or right.kind == "integer_literal")
        return "bool" if sign.text in _ASKING else one if sign.text in _COUNTING and is_number else ""
    if value.kind == "unary_expression":
        return type_of(value.children[1], types) if value.children[0].text == "!" else ""
    if value.kind == "type_cast_expression":
        return spelling(value.children[-1])
    if value.kind == "call_expression":
        called = spelling(value.children[0])
        return "bool" if called.endswith(_TRUTHS) and value.children[0].kind == "field_expression" else ""
    return types.get(value.text or "", "") if value.kind == "identifier" else ""


def is_of_known_type(let: Node, kind: str) -> bool:
    """Whether a variable is of the type, however it is used: it says so, or what it is made of does; not of numbers."""
    said, value = let.child("type"), let.child("value")
    if said is not None:
        return spelling(said) == kind
    maker = spelling(value).partition("(")[0] if value is not None else ""
    name = kind.partition("<")[0]
    is_made = maker.startswith(f"{name}::") or (name in _MADE_BY and maker.startswith(_MADE_BY[name]))
    return is_made and _NUMBERS.isdisjoint(_WORD.findall(kind))

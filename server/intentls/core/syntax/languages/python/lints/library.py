"""Calls of what Python itself has, that say what is so anyway, or what has a shorter form.

    range(0, n)              range(n)              bool(a)                    True if a else False
    zip(a, b, strict=False)  zip(a, b)             "a".encode("utf-8")        b"a"
    str("a")                 "a"                   map(lambda a: a.b, c)      (a.b for a in c)

A name means that only where the file gives it no other meaning.
"""

from __future__ import annotations

import re
from collections.abc import Set

from intentls.core.syntax.languages.made_nodes import given_to, word_at
from intentls.core.syntax.languages.python.comprehensions import acts
from intentls.core.syntax.tree import Node, Role, every_node, spelling

CONSUMERS = frozenset({"list", "tuple", "set", "frozenset", "sorted", "sum", "min", "max", "any", "all", "dict"})
"""What goes through what it is given, and leaves nothing of it."""

_UTF_8 = frozenset({"utf-8", "utf8", "UTF-8", "UTF8"})
# Escapes that are read alike in a text and in bytes.
_READ_ALIKE = re.compile(r"(?:[^\\]|\\[\\'\"abfnrtv]|\\x[0-7][0-9a-f])*\Z")
# What is computed later, when the name of a round may have another value.
_LATER = frozenset({"lambda", "generator_expression"})


def said_in_short(call: Node, given: list[Node], bound: Set[str | None]) -> Node:
    """A call of the language's own in its shorter form; `given` is what it is given, if nothing is spread or named.

    Example: `range(n)` for `range(0, n)`.
    """
    called = call.children[0]
    if called.kind == "attribute" and called.children[-1].text == "encode" and called.children[0].kind == "string":
        return _encoded(call, called.children[0], given)
    name = called.text if called.role is Role.NAME and called.text not in bound else None
    if name == "range" and len(given) == 2 and given[0].text == "0":
        del call.children[1].children[1:3]
    elif name == "zip":
        _without_strict(call.children[1])
    elif name == "bool" and len(given) == 1:
        return truth_of(call, given[0])
    elif name == "str" and _is_text(call, given):
        return given[0] if given else Node("string", None, call.row)
    if name in CONSUMERS and len(given) == 1 and (rounds := _rounds(given[0], bound)) is not None:
        rounds.field = "arguments"
        call.children[1] = rounds
    return call


def truth_of(place: Node, condition: Node) -> Node:
    """`True if a else False`, which is what `bool(a)` gives."""
    condition.field = None
    yes, no = Node("true", None, place.row, "True"), Node("false", None, place.row, "False")
    parts = [yes, word_at(place, "if"), condition, word_at(place, "else"), no]
    return Node("conditional_expression", place.field, place.row, children=parts)


def _is_text(call: Node, given: list[Node]) -> bool:
    """Whether all that a call is given is a text as it stands, or nothing."""
    is_plain = all(part.kind == "string" and all(one.kind == "content" for one in part.children) for part in given)
    return is_plain and spelling(call.children[1]) == f"({''.join(map(spelling, given))})"


def _encoded(call: Node, text: Node, given: list[Node]) -> Node:
    """`b"a"` for `"a".encode("utf-8")`, which is what `encode` does by itself."""
    is_sure = any(part.kind == "content" for part in text.children)  # `f"{a}"` may be no text of Python's own
    if is_sure and len(given) == 1 and given[0].kind == "string" and spelling(given[0]) in _UTF_8:
        del call.children[1].children[1]
    content = text.children[0].text or "" if [part.kind for part in text.children] == ["content"] else "\\"
    if len(call.children[1].children) == 2 and content.isascii() and _READ_ALIKE.match(content):
        return Node("bytes", call.field, call.row, children=text.children)
    return call


def _without_strict(arguments: Node) -> None:
    parts = arguments.children
    for index, part in enumerate(parts):
        if part.kind == "keyword_argument" and [child.text for child in part.children] == ["strict", "=", "False"]:
            del parts[index - 1 if parts[index - 1].kind == "," else index : index + 1]
            return


def _rounds(call: Node, bound: Set[str | None]) -> Node | None:
    """`(a.b for a in c)` for `map(lambda a: a.b, c)`, and `(a for a in c if a.b)` for `filter(lambda a: a.b, c)`."""
    called = call.children[0] if call.kind == "call" and len(call.children) == 2 else call
    parts = given_to(call) if called is not call else []
    if called.text not in ("map", "filter") or called.text in bound or len(parts) != 2 or parts[0].kind != "lambda":
        return None
    function, over = parts
    if len(function.children) != 4 or over.kind in ("list_splat", "keyword_argument"):
        return None
    names, body = function.children[1].children, function.children[3]
    is_plain = len(names) == 1 and names[0].role is Role.NAME and names[0].text is not None
    if not is_plain or acts(body, bound) or any(node.kind in _LATER for node in every_node(body)):
        return None
    name = names[0]
    name.field, over.field = "left", "right"
    clauses = [Node("for_in_clause", None, call.row, children=[word_at(call, "for"), name, word_at(call, "in"), over])]
    if called.text == "filter":
        body.field = None
        clauses.append(Node("if_clause", None, call.row, children=[word_at(call, "if"), body]))
        body = Node("identifier", None, call.row, name.text, Role.NAME)
    body.field = "body"
    return Node(
        "generator_expression", None, call.row, children=[word_at(call, "("), body, *clauses, word_at(call, ")")]
    )

"""Collections of Python that are made in one way or another: displays and comprehensions for calls that make them.

    set([a, b])      dict([(k, v) for k, v in a])      list(b for b in c)      dict(a=1)
    {a, b}           {k: v for k, v in a}              [b for b in c]          {"a": 1}

A comprehension of a list computes all of it before a set is made of it, so that nothing in it may do anything. What
ends a generator (`StopIteration`) ends a list in another way, which only calls can raise.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from intentls.core.syntax.tree import Node, Role, every_node

_EMPTY = {"list": "list", "dict": "dictionary"}
_OWN_KINDS = {**_EMPTY, "set": "set", "tuple": "tuple"}
_COMPREHENSIONS = ("list_comprehension", "generator_expression")
_ACTING = frozenset({"await", "yield", "named_expression", "async"})
_QUIET_CALLS = frozenset(
    {
        "isinstance",
        "issubclass",
        "len",
        "str",
        "repr",
        "int",
        "float",
        "bool",
        "type",
        "ord",
        "chr",
        "getattr",
        "hasattr",
        "id",
    }
)


def displayed(node: Node, bound: Collection[str | None]) -> Node | None:
    """The display or comprehension that makes what a call of `list`, `dict`, `set` or `tuple` makes; else None."""
    called, arguments = node.children
    name = called.text or ""
    if called.role is not Role.NAME or name in bound or name not in _OWN_KINDS:
        return None
    if arguments.kind == "generator_expression":
        return _comprehended(name, arguments, bound) if name != "tuple" else None
    parts = arguments.children[1:-1]
    if not parts:
        return _display(_EMPTY[name], [], node.row) if name in _EMPTY else None
    if name == "dict" and all(part.kind in ("keyword_argument", ",") for part in parts):
        return _display("dictionary", [_pair(part) if part.children else part for part in parts], node.row)
    if len(parts) != 1:
        return None
    if parts[0].kind == _OWN_KINDS[name]:
        return parts[0]  # which is a new one itself
    if name == "tuple":
        return None
    if parts[0].kind in _COMPREHENSIONS:
        return _comprehended(name, parts[0], bound)
    if name == "set" and parts[0].kind in ("list", "tuple") and len(parts[0].children) > 2:
        inside = parts[0].children[1:-1] if parts[0].kind == "list" else parts[0].children
        return _display("set", inside, node.row)
    return None


def _comprehended(name: str, inner: Node, bound: Collection[str | None]) -> Node | None:
    if inner.kind == "list_comprehension" and name == "list":
        return None  # it makes a second one
    body, clauses = inner.children[1], inner.children[2:-1]
    if any(acts(part, bound) for part in (body, *_later(clauses))):
        return None
    if name != "dict":
        return _display(f"{name}_comprehension", [body, *clauses], inner.row)
    if body.kind != "tuple" or [part.kind == "," for part in body.children] != [False, True, False]:
        return None
    key, comma, value = body.children
    key.field, value.field = "key", "value"
    pair = Node("pair", "body", body.row, children=[key, Node(":", None, comma.row, ":"), value])
    return _display("dictionary_comprehension", [pair, *clauses], inner.row) if not _is_spread(key, value) else None


def _later(clauses: Sequence[Node]) -> list[Node]:
    """What is computed for each round: all but what the first loop goes through."""
    first, *others = clauses
    return [*(child for child in first.children if child.field != "right"), *others]


def _is_spread(*parts: Node) -> bool:
    return any(part.kind == "list_splat" for part in parts)


def acts(root: Node, bound: Collection[str | None]) -> bool:
    """Whether to compute it calls something that may do anything, or leaves the place where it stands."""
    for node in every_node(root):
        called = node.children[0].text if node.kind == "call" else None
        if node.kind in _ACTING or (node.kind == "call" and (called not in _QUIET_CALLS or called in bound)):
            return True
    return False


def _pair(argument: Node) -> Node:
    name, _, value = argument.children
    key = Node("string", "key", name.row, children=[Node("content", None, name.row, name.text)])
    value.field = "value"
    return Node("pair", None, argument.row, children=[key, Node(":", None, name.row, ":"), value])


def _display(kind: str, inside: Sequence[Node], row: int) -> Node:
    first, last = "[]" if kind.startswith("list") else "{}"
    return Node(kind, None, row, children=[Node(first, None, row, first), *inside, Node(last, None, row, last)])

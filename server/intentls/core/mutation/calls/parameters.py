"""The parameters of functions, which a change adds, takes away or puts in another order, and the calls that follow.

    def run(name): ..         def run(name, env): ..        run("ls")         run("ls", None)
    void run(A a, B b)        void run(B b, A a)            run(x, y)         run(y, x)

A call that gives nothing for what is new, or no more what is taken no more, does what it did. So does one whose values
change places with the parameters, if nothing happens when they are computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from intentls.core.mutation.names.tree_names import content_with, is_name
from intentls.core.mutation.renames.declared_places import MEMBERS
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.tree import Node, copy_with, every_node, spelling

Parameters = tuple[tuple[str, str], ...]
"""What each parameter is, and its name."""

Trees = Sequence[tuple[str, Node | None, Node | None]]
"""A path, and the trees of what changed in its file before and after; None: there is no file."""

CALLS = frozenset({"call", "call_expression", "method_invocation"})
PATHS = (*MEMBERS, "scoped_identifier")

_NOTHING = frozenset({"nil", "None", "null", "undefined", "false", "False", "0", "0.0", '""'})
_BRACKETS = frozenset({"(", ")", ","})
_OWN = frozenset({"self", "cls"})
_OPEN = re.compile(r"spread|rest_|variadic|splat|_separator")  # in the kind of what stands for any number of them
_LOOKED_UP = frozenset(
    {"unary_operator", "unary_expression", "composite_literal", "literal_value", "qualified_type", "string"}
)
_LITERALS = re.compile(
    r".*literal|content|string|number|integer|float|true|false|null|none|nil|undefined|escape_sequence"
)
_SIGNS = frozenset({"-", "{", "}", ".", "(", ")", ","})
_FUNCTIONS = frozenset({"lambda_expression", "lambda", "arrow_function", "func_literal", "closure_expression"})


class TakenParts(Struct, frozen=True):
    """The parameters that a function has in addition to what it had or has, by place and by name.

    `order`: where each parameter of the other side stands on this one, if only their order is another.
    """

    places: tuple[int, ...]
    names: tuple[str, ...]
    order: tuple[int, ...] = ()


def each_parameter(function: Node) -> list[Node]:
    """The parameters of a function, each for itself (Go's `a, b int`), without what stands for its object."""
    found: list[Node] = []
    for place, part in enumerate(_list_of(function).children):
        if part.kind in _BRACKETS or (place == 1 and _is_own(part)):
            continue
        names = [child for child in part.children if child.field == "name" and child.kind == "identifier"]
        if len(names) > 1:
            kind = part.children[-1]
            found += [Node(part.kind, part.field, part.row, children=[name, copy_with(kind, {})]) for name in names]
        else:
            found.append(part)
    return found


def _is_own(part: Node) -> bool:
    return part.text in _OWN or part.kind == "self_parameter"


def listed_parameters(function: Node) -> Parameters | None:
    """What each parameter is, and its name; None for any number of them."""
    parts = each_parameter(function)
    if any(_OPEN.search(node.kind) for part in parts for node in every_node(part)):
        return None
    names = [next((leaf for leaf in every_node(part) if leaf.binds and is_name(leaf)), None) for part in parts]
    return tuple((content_with(part, {}), _word(name)) for part, name in zip(parts, names, strict=True))


def give_parameters(function: Node, kept: Sequence[Node]) -> None:
    """Let a function take some of its parameters alone, or in another order; what stands for its object stays."""
    listed = _list_of(function)
    _give(listed, [*filter(_is_own, listed.children[1:2]), *kept])


def _list_of(function: Node) -> Node:
    return function.child("parameters") or function


def _word(leaf: Node | None) -> str:
    return "" if leaf is None else leaf.text or ""


def differing(old: Parameters, new: Parameters) -> tuple[TakenParts, TakenParts] | None:
    """What only one side has, or the order that is another; None if the other parameters are not the same."""
    if old != new and sorted(old) == sorted(new) and len(set(old)) == len(old):
        return TakenParts((), (), tuple(old.index(part) for part in new)), TakenParts((), ())
    common = [part for part in old if part in new]
    if common != [part for part in new if part in old] or len(common) != min(len(old), len(new)):
        return None
    return _alone(old, common), _alone(new, common)


def _alone(listed: Parameters, common: Sequence[tuple[str, str]]) -> TakenParts:
    places = tuple(at for at, part in enumerate(listed) if part not in common)
    return TakenParts(places, tuple(listed[at][1] for at in places))


def arguments_of(call: Node) -> list[Node] | None:
    """What a call is given; None if that may be any number."""
    given = [child for child in _listed_in(call).children if child.kind not in _BRACKETS]
    return None if any(_OPEN.search(node.kind) for node in given) else given


def _listed_in(call: Node) -> Node:
    """The brackets of a call, with what is in them; of Java's `new A(b) { .. }`, too."""
    return next((child for child in call.children if child.kind == "argument_list"), call.children[-1])


def follow(call: Node, callee: TakenParts, may_go: Callable[[Node], bool]) -> None:
    """Take out of a call what only one side is given, or bring what it is given into the other order.

    A call where that may do something else is made one like no other.
    """
    given, listed = arguments_of(call) or [], _listed_in(call)
    named = [value for value in given if value.kind == "keyword_argument"]
    if callee.order:
        is_whole = not named and len(given) == len(callee.order) and all(map(_keeps_its_value, given))
        if is_whole:
            _give(listed, [given[at] for at in callee.order])
        elif len(named) < len(given):
            _give(listed, [word_at(listed, "another order"), *given])
        return
    gone = [given[at] for at in callee.places if at < len(given) and given[at].kind != "keyword_argument"]
    gone += [value for value in named if value.children[0].text in callee.names]
    values = [value.children[-1] if value.kind == "keyword_argument" else value for value in gone]
    if all(map(may_go, values)):
        _give(listed, [part for part in given if not any(part is one for one in gone)])
    else:
        _give(listed, [word_at(listed, "something else"), *given])


def _keeps_its_value(value: Node) -> bool:
    """Whether it is the same before and after any other such value is computed, and computing it does nothing."""
    return value.kind in _FUNCTIONS or is_looked_up(value, is_computed=True)


def _give(listed: Node, given: Sequence[Node]) -> None:
    """Put other arguments in the brackets of a call."""
    commas = [word_at(listed, ",") for _ in given[1:]]
    between = [part for pair in zip(given[1:], commas, strict=True) for part in pair[::-1]]
    listed.children = [listed.children[0], *given[:1], *between, listed.children[-1]]


def is_nothing(value: Node) -> bool:
    """Whether it stands for nothing: `None`, `false`, 0, an empty text."""
    said = spelling(value)
    return said in _NOTHING or (value.kind == "string" and not said)


def is_looked_up(value: Node, *, is_computed: bool) -> bool:
    """Whether nothing happens when it is computed. `is_computed`: a member may be a function."""
    return all(
        (node.text is not None and (is_name(node) or _LITERALS.fullmatch(node.kind) or node.text in _SIGNS))
        or node.kind in _LOOKED_UP
        or (not is_computed and node.kind in MEMBERS)
        for node in every_node(value)
    )

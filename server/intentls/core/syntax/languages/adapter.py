"""What a language's adapter says. Most of it is tables; what tables can't say is a `finish` function per kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from intentls.core.syntax.tree import Node, Role

Place = tuple[str, str | None]
"""The kind of a parent, and the field that a child is in it."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a node stands that is being finished: its ancestors, the nearest last, and the whole source."""

    ancestors: Sequence[Node]
    source: str

    @property
    def parent(self) -> str:
        """The kind of the parent; empty for the root."""
        return self.ancestors[-1].kind if self.ancestors else ""


Finish = Callable[[Node, Context], list[Node]]
"""A node whose children are complete -> what stands for it in its parent."""


Rewrite = Callable[[Node], None]
"""Brings a canonical tree into another that does the same, where that can be told from it alone."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """How names resolve. `places` declare one; `patterns` pass that on to what is in them.

    `scopes` hold declarations, and so do `classes`, whose declarations are not seen from functions in them unless
    `fields_in_sight`. Names that stand in `outside` of a scope but declare nothing (defaults, annotations) are
    looked up around it, so they hold their names fast. So does `frozen`. A scope in a `decorated` node is known to
    others by name, and what stands in `exported` at the top of a file to other files. `dynamic` names reach any name.
    """

    places: frozenset[Place] = frozenset()
    patterns: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    frozen: frozenset[str] = frozenset()
    decorated: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    dynamic: frozenset[str] = frozenset()
    fields_in_sight: bool = False
    keyword_parameters: bool = False  # parameters are called by name
    definitions_only: bool = False  # of a file's names only functions and classes may change
    case_matters: bool = False  # the case of the first letter means something
    capitals_are_public: bool = False  # namely who sees the name


@dataclass(frozen=True, slots=True)
class Adapter:
    """One language. `module`, `function`: its grammar.

    `names` are the kinds of leaves that name something, `member_kinds` and `member_places` those that are members.
    Of `exact` kinds every byte counts, of `spaced` kinds also the white space between their children.
    `free` definitions of one run may stand in any order, as imports (`imports`) may. Where they are `run_in_order`, a
    later one of a name replaces the earlier, and defaults are computed when it is reached. `rewrites`: refactors, with
    the reason that is given for each.
    """

    name: str
    module: str
    function: str = "language"
    comments: frozenset[str] = frozenset({"comment"})
    pragma: re.Pattern[str] = re.compile(r"#!|.*coding[:=]", re.DOTALL)
    comments_count: re.Pattern[str] | None = None
    names: frozenset[str] = frozenset()
    member_kinds: frozenset[str] = frozenset()
    member_places: frozenset[Place] = frozenset()
    exact: re.Pattern[str] = re.compile(r"string|heredoc|regex|char|text|scalar|literal|template")
    blank: re.Pattern[str] = re.compile(r"\s+")  # what may stand between nodes and means nothing
    spaced: frozenset[str] = frozenset()
    all_spaced: bool = False
    containers: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    run_in_order: bool = False
    rewrites: tuple[tuple[str, Rewrite], ...] = ()
    finish: Mapping[str, Finish] = field(default_factory=dict)
    bindings: Bindings = field(default_factory=Bindings)  # without names nothing is bound


def unwrapped(node: Node, opening: str = "(", closing: str = ")") -> list[Node]:
    """The children without the brackets around them."""
    return [kid for kid in node.kids if kid.text not in (opening, closing) or kid.kind not in (opening, closing)]


def unwrap(node: Node, around: Context) -> list[Node]:  # noqa: ARG001  a Finish
    """A `Finish` for parentheses: the tree says what belongs together."""
    inner = unwrapped(node)
    for kid in inner:
        kid.field = node.field
    return inner


def without_last_comma(node: Node) -> None:
    """Take away a comma before the closing bracket, where it means nothing."""
    if len(node.kids) > 2 and node.kids[-2].kind == "," and node.kids[-1].kind in (")", "]", "}", ">"):
        del node.kids[-2]


def drop_last_comma(node: Node, around: Context) -> list[Node]:  # noqa: ARG001  a Finish
    """A `Finish` that does only that."""
    without_last_comma(node)
    return [node]


def flattened(node: Node, word: str) -> Node:
    """A chain of one associative operator without its nesting: `a && (b && c)` is `(a && b) && c`."""
    first, *rest = node.kids
    if not _is_chain(first, node.kind, word):
        first, rest = Node(node.kind, node.field, node.row), node.kids
    first.field = node.field
    for kid in rest:
        first.kids.extend(kid.kids if _is_chain(kid, node.kind, word) else [kid])
    return first


def _is_chain(node: Node, kind: str, word: str) -> bool:
    return node.kind == kind and len(node.kids) > 1 and node.kids[1].kind == word


def leaf_like(node: Node, kind: str, text: str) -> Node:
    """A leaf in the place of `node`."""
    return Node(kind, node.field, node.row, text)


def note_owner(node: Node, around: Context) -> list[Node]:  # noqa: ARG001  a Finish
    """Leave with a member the name before its dot: it may be a module."""
    owner, member = node.kids[0], node.kids[-1]
    if owner.role is Role.NAME and member.role is Role.MEMBER:
        member.origin = owner.text or ""
    return [node]

"""Functions that take more or fewer parameters now: who gives them nothing in the place of what is new follows.

    jobs.py   def run(name): ..                 def run(name, env): ..
    b.py      run("ls")                         run("ls", None)

What `run` does now is told of jobs.py. All calls are in files of the change set. One that gives nothing for what is
new, or no more what is taken no more, does what it did; what it gave has to be a value that is only looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from posixpath import splitext

from msgspec import Struct, field

from intentls.core.mutation.names.prose import is_prose
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import Place, content_with, is_name, places_of
from intentls.core.mutation.renames.declared_places import FUNCTIONS, MEMBERS
from intentls.core.syntax.languages.made_nodes import given_to, word_at
from intentls.core.syntax.tree import Node, every_node, spelling

MAX_NAMES = 10  # in one change set

Trees = Sequence[tuple[str, Node | None, Node | None]]
"""A path, and the trees of what changed in its file before and after; None: there is no file."""

_NOTHING = frozenset({"nil", "None", "null", "undefined", "false", "False", "0", "0.0", '""'})
_BRACKETS = frozenset({"(", ")", ","})
_OWN = frozenset({"self", "cls"})
_QUIET = frozenset({"@staticmethod", "@classmethod", "@abstractmethod", "@abc.abstractmethod", "@override"})
_CALLS = frozenset({"call", "call_expression", "method_invocation"})
_PATHS = (*MEMBERS, "scoped_identifier")
_OPEN = re.compile(r"spread|rest_|variadic|splat|_separator")  # in the kind of what stands for any number of them
_LOOKED_UP = frozenset(
    {"unary_operator", "unary_expression", "composite_literal", "literal_value", "qualified_type", "string"}
)
_LITERALS = re.compile(
    r".*literal|content|string|number|integer|float|true|false|null|none|nil|undefined|escape_sequence"
)
_SIGNS = frozenset({"-", "{", "}", ".", "(", ")", ","})
_COMPUTED = frozenset({".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"})  # where a member may be a function


class TakenParts(Struct, frozen=True):
    """The parameters that a function has in addition to what it had or has, by place and by name."""

    places: tuple[int, ...]
    names: tuple[str, ...]


class FollowedCalls(Struct, frozen=True):
    """What takes other parameters after the change, by name: what it had alone, and what it has alone."""

    callees: Mapping[str, tuple[TakenParts, TakenParts]] = field(default_factory=dict)
    homes: frozenset[str] = frozenset()  # the files that have one, and are told of what it does

    def settle(self, old: Node, new: Node, path: str) -> Iterator[str]:
        """Take out of both trees of a file what only one side is given. The reasons, if it calls such a function."""
        is_computed = splitext(path)[1] in _COMPUTED
        for name, (had, has) in self.callees.items() if path not in self.homes else ():
            counts = [
                _shed(old, name, had, partial(_is_looked_up, is_computed=is_computed)),
                _shed(new, name, has, _is_nothing),
            ]
            if any(counts):
                yield f"follows what {name} takes"


def followed_calls(trees: Trees, others: RepositoryText) -> FollowedCalls:
    """What a change set proves."""
    had = _declared([before for _, before, _ in trees if before is not None])
    has = _declared([after for _, _, after in trees if after is not None])
    callees: dict[str, tuple[TakenParts, TakenParts]] = {}
    for name in [name for name in had if name in has and had[name] != has[name]][:MAX_NAMES]:
        pair = _differing(had[name], has[name])
        if pair is not None and _is_called_here_alone(name, trees, others):
            callees[name] = pair
    homes = frozenset(
        path
        for path, *roots in (trees if callees else ())
        for root in roots
        if root is not None and not callees.keys().isdisjoint(_declared([root]))
    )
    return FollowedCalls(callees, homes)


def _declared(roots: Sequence[Node]) -> dict[str, tuple[tuple[str, str], ...]]:
    """The parameters of the functions that are declared in one way, each with its name, by the function's name."""
    found: dict[str, set[tuple[tuple[str, str], ...] | None]] = {}
    for root in roots:
        decorated: set[int] = set()  # what is called by their names may be something else
        for node in every_node(root):
            name = node.child("name")
            if node.kind == "decorated_definition":
                said = [spelling(child) for child in node.children if child.kind == "decorator"]
                decorated |= set() if _QUIET.issuperset(said) else {id(child) for child in node.children}
            if FUNCTIONS.search(node.kind) and name is not None and name.text:
                found.setdefault(name.text, set()).add(None if id(node) in decorated else _listed(node))
    sole = {name: next(iter(listed)) for name, listed in found.items() if len(listed) == 1}
    return {name: listed for name, listed in sole.items() if listed is not None}


def _listed(function: Node) -> tuple[tuple[str, str], ...] | None:
    """What each parameter is, and its name; None for any number of them."""
    listed: list[tuple[str, str]] = []
    for part in (function.child("parameters") or function).children:
        if part.kind in _BRACKETS or part.text in _OWN or part.kind == "self_parameter":
            continue
        said = list(every_node(part))
        if any(_OPEN.search(node.kind) for node in said):
            return None
        names = [child for child in part.children if child.field == "name" and child.kind == "identifier"]
        if len(names) > 1:  # of Go: `a, b int`
            kind = content_with(part.children[-1], {})
            listed += [(f"{name.text} {kind}", name.text or "") for name in names]
        else:
            name = next((leaf for leaf in said if leaf.binds and is_name(leaf)), None)
            kind = content_with(part.children[-1], {}) if names else content_with(part, {})
            listed.append((f"{name.text} {kind}" if names and name is not None else kind, _word(name)))
    return tuple(listed)


def _word(leaf: Node | None) -> str:
    return "" if leaf is None else leaf.text or ""


def _differing(
    old: tuple[tuple[str, str], ...], new: tuple[tuple[str, str], ...]
) -> tuple[TakenParts, TakenParts] | None:
    """What only one side has; None if the other parameters are not the same in the same order."""
    common = [part for part in old if part in new]
    if common != [part for part in new if part in old] or len(common) != min(len(old), len(new)):
        return None
    return _alone(old, common), _alone(new, common)


def _alone(listed: tuple[tuple[str, str], ...], common: Sequence[tuple[str, str]]) -> TakenParts:
    places = tuple(at for at, part in enumerate(listed) if part not in common)
    return TakenParts(places, tuple(listed[at][1] for at in places))


def _is_called_here_alone(name: str, trees: Trees, others: RepositoryText) -> bool:
    """Whether each place of the name is one in which it is declared, imported or called, in files of the change."""
    mentioning = others.mentioning((name,))
    if mentioning is None or not all(map(is_prose, mentioning)):
        return False
    for path, *roots in trees:
        for root in roots:
            places, said = ([], set[str]()) if root is None else places_of(root, (name, f"{name}()"), path)
            if said or not all(map(_is_called, places)):
                return False
    return True


def _is_called(place: Place) -> bool:
    holder = place.holder()
    if holder.kind == "import_item" or (FUNCTIONS.search(holder.kind) and place.leaf.field == "name"):
        return True
    is_member = holder.kind in _PATHS and holder.children[-1] is place.leaf
    call, called = (place.holder(2), holder) if is_member else (holder, place.leaf)
    return call.kind in _CALLS and called.field in ("function", "name") and _arguments(call) is not None


def _arguments(call: Node) -> list[Node] | None:
    """What a call is given; None if that may be any number."""
    given = given_to(call) if call.children[-1].text is None else []
    return None if any(_OPEN.search(node.kind) for node in given) else given


def _shed(root: Node, name: str, callee: TakenParts, may_go: Callable[[Node], bool]) -> int:
    """Take what only one side has out of the calls of a name, if it may go; how many calls there are."""
    count = 0
    for call in every_node(root):
        if call.kind not in _CALLS or not call.children or call.children[-1].text is not None:
            continue
        called = call.child("function") or call.child("name") or call
        last = called.children[-1] if called.kind in _PATHS and called.children else called
        given = _arguments(call)
        if last.text != name or given is None:
            continue
        count += 1
        gone = [given[at] for at in callee.places if at < len(given) and given[at].kind != "keyword_argument"]
        gone += [value for value in given if value.kind == "keyword_argument" and _keyword(value) in callee.names]
        values = [value.children[-1] if value.kind == "keyword_argument" else value for value in gone]
        if gone and all(map(may_go, values)):
            _give(call.children[-1], [part for part in given if not any(part is one for one in gone)])
    return count


def _give(listed: Node, given: Sequence[Node]) -> None:
    """Put other arguments in the brackets of a call."""
    commas = [word_at(listed, ",") for _ in given[1:]]
    between = [part for pair in zip(given[1:], commas, strict=True) for part in pair[::-1]]
    listed.children = [listed.children[0], *given[:1], *between, listed.children[-1]]


def _keyword(argument: Node) -> str | None:
    return argument.children[0].text


def _is_nothing(value: Node) -> bool:
    said = spelling(value)
    return said in _NOTHING or (value.kind == "string" and not said)


def _is_looked_up(value: Node, *, is_computed: bool) -> bool:
    """Whether nothing happens when it is computed. `is_computed`: a member may be a function."""
    return all(
        (node.text is not None and (is_name(node) or _LITERALS.fullmatch(node.kind) or node.text in _SIGNS))
        or node.kind in _LOOKED_UP
        or (not is_computed and node.kind in MEMBERS)
        for node in every_node(value)
    )

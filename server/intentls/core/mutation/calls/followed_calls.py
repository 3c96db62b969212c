"""Functions that take more or fewer parameters now: who gives them nothing in the place of what is new follows.

    jobs.py   def run(name): ..                 def run(name, env): ..
    b.py      run("ls")                         run("ls", None)

What `run` does now is told of jobs.py. All calls are in files of the change set. One that gives nothing for what is
new, or no more what is taken no more, does what it did; what it gave has to be a value that is only looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from posixpath import splitext

from msgspec import Struct, field

from intentls.core.mutation.calls.contracts import Contracts, changed_contracts
from intentls.core.mutation.calls.idle_parameters import functions_in, is_idle, is_private, settle_parameters
from intentls.core.mutation.calls.java_calls import JavaCalls
from intentls.core.mutation.calls.parameters import (
    CALLS,
    PATHS,
    Parameters,
    TakenParts,
    Trees,
    arguments_of,
    differing,
    follow,
    is_looked_up,
    is_nothing,
    listed_parameters,
)
from intentls.core.mutation.names.prose import is_prose
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import Place, places_of
from intentls.core.mutation.renames.declared_places import FUNCTIONS
from intentls.core.mutation.renames.file_renames import is_module
from intentls.core.syntax.tree import Node, every_node, spelling

MAX_NAMES = 10  # in one change set

_QUIET = frozenset({"@staticmethod", "@classmethod", "@abstractmethod", "@abc.abstractmethod", "@override"})
_COMPUTED = frozenset({".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"})  # where a member may be a function


class FollowedCalls(Struct, frozen=True):
    """What takes other parameters after the change, by name: what it had alone, and what it has alone."""

    callees: Mapping[str, tuple[TakenParts, TakenParts]] = field(default_factory=dict)
    homes: Mapping[str, frozenset[str]] = field(default_factory=dict)  # who has one, by name: that is what it does
    idle: frozenset[tuple[str, str]] = frozenset()  # names and homes in which they are private and ask for none of it
    java: JavaCalls = field(default_factory=JavaCalls)
    contracts: Contracts = field(default_factory=Contracts)

    def __bool__(self) -> bool:
        return bool(self.callees or self.java.callees or self.contracts.methods)

    def settle(self, old: Node, new: Node, path: str) -> Iterator[str]:
        """Take out of both trees of a file what only one side is given. The reasons, if it calls such a function."""
        is_computed = splitext(path)[1] in _COMPUTED
        told = {callee.name for callee in self.java.callees.get(path, ())}
        yield from self.java.settle(old, new, path)
        yield from self.contracts.settle(old, new, path)
        may_go = partial(is_looked_up, is_computed=is_computed)
        for name, (had, has) in self.callees.items():
            is_home = any(path in homes for homes in self.homes.values())
            if name in told or (is_home and (name, path) not in self.idle):
                continue
            if had.order and any(places_of(root, (name, f"{name}()"), path)[1] for root in (old, new)):
                continue  # what was not read may have a call that stayed as it was
            is_idle = self._is_idle(name)
            count = _shed(old, name, had, may_go) + _shed(new, name, has, may_go if is_idle else is_nothing)
            if is_home:
                settle_parameters(old, name, had)
                settle_parameters(new, name, has)
                count += _has(old, name) or _has(new, name)
            if count:
                yield _reason(name, had, is_told=is_home or is_idle)

    def _is_idle(self, name: str) -> bool:
        """Whether none of its functions asks for what only one side takes, so that it may be given anything."""
        return {home for each, home in self.idle if each == name} == self.homes.get(name, frozenset())


def followed_calls(trees: Trees, others: RepositoryText, java: JavaCalls) -> FollowedCalls:
    """What a change set proves. `java`: what it proves of Java by its classes."""
    had = _declared([before for _, before, _ in trees if before is not None])
    has = _declared([after for _, _, after in trees if after is not None])
    callees: dict[str, tuple[TakenParts, TakenParts]] = {}
    for name in [name for name in had if name in has and had[name] != has[name]][:MAX_NAMES]:
        pair = differing(had[name], has[name])
        if pair is not None and _is_called_here_alone(name, trees, others):
            callees[name] = pair
    homes = {
        name: frozenset(path for path, *roots in trees if any(root and _has(root, name) for root in roots))
        for name in callees
    }
    idle = frozenset(
        (name, path)
        for path, old, new in trees
        for name in callees
        if path in homes[name]
        and all(
            root is None or (is_private(root, name, path) and is_idle(root, name, taken, path))
            for root, taken in zip((old, new), callees[name], strict=True)
        )
    )
    return FollowedCalls(callees, homes, idle, java, changed_contracts(trees))


def _reason(name: str, had: TakenParts, *, is_told: bool) -> str:
    if not is_told:
        return f"follows what {name} takes"
    return f"{name} takes the same in another order" if had.order else f"{name} does not ask for what it takes"


def _has(root: Node, name: str) -> bool:
    return next(functions_in(root, name), None) is not None


def _declared(roots: Sequence[Node]) -> dict[str, Parameters]:
    """The parameters of the functions that are declared in one way, each with its name, by the function's name."""
    found: dict[str, set[Parameters | None]] = {}
    for root in roots:
        decorated: set[int] = set()  # what is called by their names may be something else
        for node in every_node(root):
            name = node.child("name")
            if node.kind == "decorated_definition":
                said = [spelling(child) for child in node.children if child.kind == "decorator"]
                decorated |= set() if _QUIET.issuperset(said) else {id(child) for child in node.children}
            if FUNCTIONS.search(node.kind) and name is not None and name.text:
                found.setdefault(name.text, set()).add(None if id(node) in decorated else listed_parameters(node))
    sole = {name: next(iter(listed)) for name, listed in found.items() if len(listed) == 1}
    return {name: listed for name, listed in sole.items() if listed is not None}


def _is_called_here_alone(name: str, trees: Trees, others: RepositoryText) -> bool:
    """Whether each place of the name is one in which it is declared, imported or called, in files of the change.

    And whether it is called at all: what nobody calls has no order in which it is given what it takes.
    """
    mentioning = others.mentioning((name,))
    if mentioning is None or not all(map(is_prose, mentioning)):
        return False
    places: list[Place] = []
    for path, *roots in trees:
        for root in roots:
            found, said = ([], set[str]()) if root is None else places_of(root, (name, f"{name}()"), path)
            if said or not all(_is_declared(place) or _is_called(place) for place in found):
                return False
            places += found
    homes = {place.path for place in places}
    return any(map(_is_called, places)) and all(_may_lead_to(homes, place) for place in places)


def _may_lead_to(homes: Collection[str], place: Place) -> bool:
    """Whether what a name is imported from, or taken of, may be a file that has it, as far as an import tells."""
    holder = place.holder()
    if holder.kind == "import_item":
        modules = [place.leaf.origin]
    else:
        first = holder
        while first.kind in PATHS:
            first = first.children[0]
        items = (child for child in place.above[0].children if child.kind == "import_item")
        item = next((item for item in items if first.text and item.children[-1].text == first.text), None)
        modules = [] if item is None else [item.children[-1].origin, f"{item.children[-1].origin}.{first.text}"]
    return not any(modules) or any(is_module(module, home, place.path) for module in modules for home in homes)


def _is_declared(place: Place) -> bool:
    holder = place.holder()
    if holder.kind != "import_item":
        return bool(FUNCTIONS.search(holder.kind)) and place.leaf.field == "name"
    # By another name it may be called unseen, and another one by its name.
    _, *taken, bound = holder.children
    return all(part.text == bound.text for part in taken)


def _is_called(place: Place) -> bool:
    holder = place.holder()
    is_member = holder.kind in PATHS and holder.children[-1] is place.leaf
    call, called = (place.holder(2), holder) if is_member else (holder, place.leaf)
    return call.kind in CALLS and called.field in ("function", "name") and arguments_of(call) is not None


def _shed(root: Node, name: str, callee: TakenParts, may_go: Callable[[Node], bool]) -> int:
    """Take what only one side has out of the calls of a name, if it may go; how many calls there are."""
    count = 0
    for call in every_node(root):
        if call.kind not in CALLS or not call.children or call.children[-1].text is not None:
            continue
        called = call.child("function") or call.child("name") or call
        last = called.children[-1] if called.kind in PATHS and called.children else called
        if last.text == name and arguments_of(call) is not None:
            count += 1
            follow(call, callee, may_go)
    return count

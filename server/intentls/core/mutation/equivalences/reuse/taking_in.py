"""Functions whose bodies stand in the place of their calls: one after the other, in both versions of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from intentls.core.syntax.tree import Node, every_node

MAX_HELPERS = 20  # of one file
MAX_COPIES = 20_000  # nodes that stand in the place of calls


class PlacedFunction(Protocol):
    """A function that may be taken in. `is_shared`: both versions have it; `is_called_more`: than in the other one."""

    @property
    def name(self) -> str: ...
    @property
    def node(self) -> Node: ...
    @property
    def sites(self) -> Sequence[object]: ...
    @property
    def is_shared(self) -> bool: ...
    @property
    def is_called_more(self) -> bool: ...


PlacedT = TypeVar("PlacedT", bound=PlacedFunction)
SiteT = TypeVar("SiteT")
BodyT = TypeVar("BodyT")

Find = Callable[[Node, Node], Iterator[PlacedT]]
"""The functions of a version that may be taken in; the other version beside it."""


def take_in_each(
    old: Node,
    new: Node,
    private: Find[PlacedT],
    shared: Find[PlacedT],
    take: Callable[[PlacedT, Node], bool],
) -> str:
    """Put the body of each function that is found in the place of its calls, if `take` can. Answers what was done.

    `private` finds those that one version alone has, `shared` those of both.
    """
    done: list[str] = []
    left = MAX_COPIES
    for root, other, verbs in ((new, old, ("extracted", "reused")), (old, new, ("inlined", "inlined"))):
        for find, verb in zip((private, shared), verbs, strict=True):
            tried: set[str] = set()
            for _ in range(MAX_HELPERS):
                helper = next((one for one in find(root, other) if one.name not in tried), None)
                if helper is None:
                    break
                tried.add(helper.name)
                size = sum(1 for _ in every_node(helper.node)) * len(helper.sites)
                if size <= left and take(helper, root):
                    left -= size
                    done += [f"{verb} {helper.name}"] if helper.is_called_more else []
    return ", ".join(done) or "functions with their bodies where they are called"


def place_all(
    helper: PlacedFunction,
    bodies: Sequence[tuple[SiteT, BodyT | None]],
    place: Callable[[SiteT, BodyT], None],
    holder: Node,
) -> bool:
    """Whether bodies stand in the place of the calls now: of all of them, unless the function stays anyway.

    `bodies` has what may stand in the place of each call; `holder` has the function in its children.
    """
    placed = [(site, body) for site, body in bodies if body is not None]
    if not placed or (len(placed) < len(bodies) and not helper.is_shared):
        return False
    for site, body in placed:
        place(site, body)
    if not helper.is_shared:
        holder.children = [child for child in holder.children if child is not helper.node]
    return True

"""What may stand in any order: imports of one run, and definitions that mean the same wherever they stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.tree import Node, flatten, inner_nodes, spelling

_COMPUTED = re.compile(r"=\s*(?!None\b|True\b|False\b|[\d'\"-])\S")

Key = Callable[[Node], str]


def sort_imports(root: Node) -> None:
    """Bring the imports of each run into one order, each once."""
    for node in inner_nodes(root):
        if any(kid.kind == "import_item" for kid in node.kids):
            node.kids = list(_arranged(node.kids, _is_import, _imports))


def sort_definitions(root: Node, adapter: Adapter) -> list[str]:
    """Bring the definitions of each run into one order; the definitions as they stood."""
    found: list[str] = []

    def is_free(node: Node) -> bool:
        return node.kind in adapter.free and not (adapter.run_in_order and _COMPUTED.search(_header(node)))

    def sort(run: list[Node]) -> list[Node]:
        keyed = [(content_of(node), node) for node in run]
        found.extend(key for key, _ in keyed)
        names = {node.origin or spelling(node.child("name") or node) for node in run}
        if adapter.run_in_order and len(names) != len(run):
            return run
        return [node for _, node in sorted(keyed, key=lambda pair: pair[0])]

    for node in inner_nodes(root):
        if any(kid.kind in adapter.free for kid in node.kids):
            node.kids = list(_arranged(node.kids, is_free, sort))
    return found


def moved(before: list[str], after: list[str]) -> int:
    """How many of the same things stand elsewhere: all but the longest series that kept its order."""
    places = {key: number for number, key in enumerate(before)}
    found = [places[key] for key in after if key in places]
    series: list[int] = []
    for place in found:
        at = bisect_left(series, place)
        series[at : at + 1] = [place]
    return len(found) - len(series)


def _arranged(
    kids: list[Node], belongs: Callable[[Node], bool], sort: Callable[[list[Node]], list[Node]]
) -> Iterator[Node]:
    run: list[Node] = []
    for kid in kids:
        if belongs(kid):
            run.append(kid)
        else:
            yield from sort(run)
            yield kid
            run = []
    yield from sort(run)


def _is_import(node: Node) -> bool:
    """Whether it binds a name and does no more, as far as one can tell."""
    return node.kind == "import_item" and node.kids[-1].binds and node.kids[0].text != "__future__"


def _imports(run: list[Node]) -> list[Node]:
    by_key: dict[str, Node] = {}
    bound: dict[str, str] = {}
    for node in run:
        key, name = content_of(node), node.kids[-1].text or ""
        is_whole = len(node.kids) == 2 and (node.kids[0].text or "").partition(".")[0] == name
        if bound.setdefault(name, name if is_whole else key) != (name if is_whole else key):
            return run  # two of them bind one name: the last wins
        by_key[key] = node
    return [by_key[key] for key in sorted(by_key)]


def content_of(node: Node) -> str:
    """What two nodes that say the same have in common."""
    flat = flatten(node)
    return "\n".join((*flat.tokens, "", *flat.names))


def _header(node: Node) -> str:
    return spelling(node).partition("):")[0].partition(")->")[0].partition(") ->")[0]

"""What may stand in any order: imports of one run, and definitions that mean the same wherever they stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.tree import Node, every_node, flatten, inner_nodes, spelling

_COMPUTED = re.compile(r"=\s*(?!None\b|True\b|False\b|[\d'\"-])\S")

_MARKED = "marked"
# A name for a text or a number, as a statement of Python, JavaScript or TypeScript.
_CONSTANT = re.compile(
    r"""(?:const\s+)?(\w+)\s*=\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|-?\d[\w.]*|None|True|False|null|true|false)"""
    r"\s*;?\Z"
)
_STATEMENTS = frozenset({"expression_statement", "lexical_declaration", "export_statement"})
_LITERALS = frozenset(
    {*("string", "content", "string_fragment", "integer", "float", "number", "none", "true", "false", "null")}
)
_WORD = re.compile(r"\w+")

Key = Callable[[Node], str]


def sort_imports(root: Node) -> None:
    """Bring the imports of each run into one order, each once."""
    for node in inner_nodes(root):
        if any(child.kind == "import_item" for child in node.children):
            node.children = list(_arranged(node.children, _is_import, _imports))


def sort_definitions(root: Node, adapter: Adapter) -> list[str]:
    """Bring the definitions of each run, or of each block where they are hoisted, into one order; as they stood."""
    contents: list[str] = []

    def is_free(node: Node) -> bool:
        kind = definition_in(node).kind
        return kind in adapter.free and not (adapter.run_in_order and _COMPUTED.search(_header(node)))

    def is_movable(node: Node) -> bool:
        return is_free(node) or _constant(node) is not None

    def sort(run: list[Node]) -> list[Node]:
        keyed = [(content_of(node), node) for node in run]
        contents.extend(key for key, _ in keyed)
        constants = {name for node in run if (name := _constant(node)) is not None}
        inner = [definition_in(node) for node in run if _constant(node) is None]
        names = {node.origin or spelling(node.child("name") or node) for node in inner}
        if adapter.run_in_order and len(names | constants) != len(run):
            return run
        if constants and any(not constants.isdisjoint(_WORD.findall(_header(node))) for node in inner):
            return run  # what is computed when a function is reached may ask for one
        return [node for _, node in sorted(keyed, key=lambda pair: pair[0])]

    for node in inner_nodes(root):
        is_fixed = node.kind == _MARKED or node.kind in adapter.sequences
        belongs = is_movable if node is root else is_free
        if is_fixed or not any(belongs(child) for child in node.children):
            continue
        children = list(_with_marks(node.children))
        if adapter.hoists:
            free = [child for child in children if is_free(child)]
            rest = [child for child in children if not is_free(child)]
            node.children = [*_arranged(rest, belongs, sort), *sort(free)]
        else:
            node.children = list(_arranged(children, belongs, sort))
    return contents


def _constant(node: Node) -> str | None:
    """The name that a statement gives to a text or a number."""
    if node.kind not in _STATEMENTS:
        return None
    statement = definition_in(node)
    if statement.text is not None:
        constant = _CONSTANT.match(statement.text)
        return None if constant is None else constant[1]
    parts = statement.children
    holder = parts[-1] if 0 < len(parts) < 3 else node
    is_one = holder.kind in ("assignment", "variable_declarator") and len(holder.children) == 3
    if not is_one or any(part.kind not in _LITERALS for part in every_node(holder.children[2])):
        return None
    return holder.children[0].text if holder.children[0].kind == "identifier" else None


def definition_in(node: Node) -> Node:
    """What an `export`, or the attributes before it, are about."""
    while node.kind in ("export_statement", _MARKED) and node.children:
        node = node.children[-1]
    return node


def _with_marks(children: list[Node]) -> Iterator[Node]:
    """Each definition as one with the comments and attributes that count and stand before it."""
    marks: list[Node] = []
    for child in children:
        if child.kind.endswith("comment") or child.kind == "attribute_item":
            marks.append(child)
        elif marks:
            yield Node(_MARKED, None, child.row, children=[*marks, child])
            marks = []
        else:
            yield child
    yield from marks


def count_moved(before: list[str], after: list[str]) -> int:
    """How many of the same things moved: all but the longest series that kept its order.

    From a b c d to b c a d one moved: b c d kept their order.
    """
    old_indexes = {key: index for index, key in enumerate(before)}
    common = [old_indexes[key] for key in after if key in old_indexes]
    ends: list[int] = []  # ends[k]: the smallest old index that ends a rising series of k + 1
    for index in common:
        length = bisect_left(ends, index)
        ends[length : length + 1] = [index]
    return len(common) - len(ends)


def _arranged(
    children: list[Node], belongs: Callable[[Node], bool], sort: Callable[[list[Node]], list[Node]]
) -> Iterator[Node]:
    run: list[Node] = []
    for child in children:
        if belongs(child):
            run.append(child)
        else:
            yield from sort(run)
            yield child
            run = []
    yield from sort(run)


def _is_import(node: Node) -> bool:
    """Whether it binds a name and does no more, as far as one can tell."""
    return node.kind == "import_item" and node.children[-1].binds and node.children[0].text != "__future__"


def _imports(run: list[Node]) -> list[Node]:
    by_key: dict[str, Node] = {}
    bound: dict[str, str] = {}
    for node in run:
        key, name = content_of(node), node.children[-1].text or ""
        is_whole = len(node.children) == 2 and (node.children[0].text or "").partition(".")[0] == name
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

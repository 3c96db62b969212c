"""The definitions of a file's content, as far as its grammar is installed and it parses.

Macros hide from the grammar of C and C++ what is compiled, so that many a function has something in it that it can't
read. It is a definition all the same, if all its brackets are closed:

    static int rain(void *data UNUSED) {
        for_each_city(city, cities) { measure(city); }
    }
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from intentls.core.definitions.definition import Definition
from intentls.core.definitions.node_tables import TABLES, Table
from intentls.core.definitions.reader import read_definitions
from intentls.core.syntax.canonicalize import NodeBudget, NotClassifiable, lower, syntax_tree
from intentls.core.syntax.languages import adapter_of
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.lexemes import are_brackets_closed, lexemes_of_c
from intentls.core.syntax.node_query import nodes_of

if TYPE_CHECKING:
    from tree_sitter import Tree

_OTHER_LINES = re.compile(rb"\0|\r(?!\n)")  # the grammars count the lines of such a file otherwise than we do

Lines = tuple[int, int]
"""First and last line, from 1, both included."""


def definitions_in(
    path: str,
    content: bytes,
    budget: NodeBudget,
    touched: Sequence[Lines] | None = None,
    *,
    with_hashes: bool = True,
) -> tuple[Definition, ...]:
    """The definitions in source order, outer ones before those in them.

    With `touched`, only those that may hold or lie in one of these lines, which is quicker; so it is without their
    hashes, which are empty then. () for a language that has none, without its grammar, for what does not parse, is too
    large, or uses the budget up. Never raises.
    """
    source = _parsed(path, content, budget)
    if source is None:
        return ()
    same: set[bytes] = set()
    if touched is not None:
        same, needed = _untouched(source, touched)
        same -= needed
    return _read(source, same, budget, with_hashes=with_hashes)


def definitions_of_change(
    path: str, contents: tuple[bytes, bytes], touched: tuple[Sequence[Lines], Sequence[Lines]], budget: NodeBudget
) -> tuple[tuple[Definition, ...], tuple[Definition, ...]]:
    """The definitions of an old and a new content, with their hashes, without what nobody touched in either.

    Two that are alike, of which one is touched, are both there. A content that can't be read has none, as above.
    """
    old, new = _parsed(path, contents[0], budget), _parsed(path, contents[1], budget)
    if old is None or new is None:
        return (), ()
    (old_same, old_needed), (new_same, new_needed) = _untouched(old, touched[0]), _untouched(new, touched[1])
    same = (old_same & new_same) - old_needed - new_needed
    return _read(old, same, budget, with_hashes=True), _read(new, same, budget, with_hashes=True)


class _Source(NamedTuple):
    """A content with its tree, and how to read that."""

    content: bytes
    tree: Tree
    adapter: Adapter
    table: Table


def _parsed(path: str, content: bytes, budget: NodeBudget) -> _Source | None:
    adapter = adapter_of(path)
    table = TABLES.get(adapter.name) if adapter is not None else None
    if adapter is None or table is None or _OTHER_LINES.search(content):
        return None
    if len(content) > budget.max_bytes:
        budget.is_exceeded = True
        return None
    tree = syntax_tree(content, adapter.module, adapter.function)
    return None if tree is None else _Source(content, tree, adapter, table)


def _read(source: _Source, same: set[bytes], budget: NodeBudget, *, with_hashes: bool) -> tuple[Definition, ...]:
    """The definitions, without those in a text of `same` that stands at the top of the file."""
    content, tree, adapter, table = source
    try:
        # Without containers, whatever stands at the top of a file may be left unread.
        one = replace(adapter, containers=frozenset()) if same else adapter
        root = lower(tree, content, one, same, budget, is_whole=_is_whole if adapter.has_macros else None)
        definitions = read_definitions(root, table, adapter.comments, budget, with_hashes=with_hashes)
    except NotClassifiable:
        return ()
    above = _leading_rows(tree, content, adapter, table)
    return tuple(_with_leading(definition, above) for definition in definitions)


def _is_whole(text: bytes) -> bool:
    """Whether a part of a file of C ends where it seems to, though something in it can't be read."""
    lexemes = lexemes_of_c(text.decode("utf-8", "surrogateescape"))
    return lexemes is not None and are_brackets_closed(lexemes)


def _untouched(source: _Source, touched: Sequence[Lines]) -> tuple[set[bytes], set[bytes]]:
    """The texts of what stands at the top of the file: outside these lines, and in them."""
    _, tree, adapter, table = source
    same: set[bytes] = set()
    needed: set[bytes] = set()
    first = 0
    for child in tree.root_node.children:
        if child.type in adapter.comments or child.type in table.leading:
            continue  # it belongs to what follows
        first, last = min(first, child.start_point[0]), child.end_point[0]
        is_touched = any(start <= last + 1 and end >= first + 1 for start, end in touched)
        (needed if is_touched else same).add(child.text or b"")
        first = last + 1
    return same, needed


def _leading_rows(tree: Tree, content: bytes, adapter: Adapter, table: Table) -> set[int]:
    """The rows that hold nothing but comments, or what leads a definition."""
    rows: set[int] = set()
    for node in chain.from_iterable(nodes_of(tree, adapter.comments | table.leading).values()):
        (first, _), (last, column) = node.start_point, node.end_point
        if not content[content.rfind(b"\n", 0, node.start_byte) + 1 : node.start_byte].strip():
            rows.update(range(first, last + 1 if column else last))
    return rows


def _with_leading(definition: Definition, rows: set[int]) -> Definition:
    start = definition.start_line
    while start - 2 in rows:  # rows count from 0
        start -= 1
    return definition if start == definition.start_line else replace(definition, start_line=start)

"""The canonical trees of contents, in the grammar that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from intentls.core.syntax.canonicalize import (
    NodeBudget,
    NotClassifiable,
    called_otherwise,
    lower,
    syntax_tree,
    texts_of,
)
from intentls.core.syntax.languages.adapter import Adapter, TypedGrammar
from intentls.core.syntax.languages.javascript.signatures import are_signatures_apart
from intentls.core.syntax.node_query import nodes_of
from intentls.core.syntax.optional_libraries import INSTALL
from intentls.core.syntax.tree import Node

if TYPE_CHECKING:
    from tree_sitter import Tree

NO_GRAMMAR = f"judged by the file's name alone; {INSTALL} compares the trees"


def changed_trees(
    before: bytes, after: bytes, adapter: Adapter, budget: NodeBudget, *, is_whole: bool = False
) -> tuple[Node, Node]:
    """The trees of two contents, in which what stands in both as often is one leaf, unless they are to be whole.

    A function that what changed calls otherwise is none: its body may stand where it is called. Raises NotClassifiable.
    """
    parsed = _parsed((before, after), adapter)
    same: set[bytes] = set()
    if not is_whole:
        old_texts, new_texts = (texts_of(tree, adapter) for tree in parsed)
        same = {text for text, count in old_texts.counts.items() if new_texts.counts[text] == count}
        same -= called_otherwise(old_texts, new_texts)
    source = b"\n".join((before, after)).decode("utf-8", "surrogateescape")
    old, new = (
        lower(tree, content, adapter, same, budget, source)
        for tree, content in zip(parsed, (before, after), strict=True)
    )
    return old, new


def tree_of(content: bytes, adapter: Adapter, budget: NodeBudget) -> Node:
    """The canonical tree of one content. Raises NotClassifiable."""
    return lower(_parsed((content,), adapter)[0], content, adapter, (), budget)


def _parsed(contents: Sequence[bytes], adapter: Adapter) -> list[Tree]:
    """The trees of contents, all of one grammar: what one does not know, another one of the language may."""
    trees = [parse(content, adapter) for content in contents]
    if adapter.typed is None or not any(tree.root_node.has_error for tree in trees):
        return trees
    typed = replace(adapter, module=adapter.typed.module, function=adapter.typed.function)
    others = [parse(content, typed) for content in contents]
    is_read = all(
        not tree.root_node.has_error and _has_types(content, tree, adapter.typed)
        for content, tree in zip(contents, others, strict=True)
    )
    return others if is_read else trees


def _has_types(content: bytes, tree: Tree, grammar: TypedGrammar) -> bool:
    """Whether a file says that it has types. Without them `a<b>(c)` compares twice, and is no call."""
    return grammar.mark in content or bool(nodes_of(tree, frozenset({grammar.sign})))


def parse(content: bytes, adapter: Adapter) -> Tree:
    """The tree of a content as its language's grammar has it. Raises NotClassifiable where that is not installed."""
    tree = syntax_tree(content, adapter.module, adapter.function)
    if tree is None:
        raise NotClassifiable(NO_GRAMMAR)
    if tree.root_node.has_error and adapter.repaired is not None:
        apart = adapter.repaired(content)
        other = None if apart == content else syntax_tree(apart, adapter.module, adapter.function)
        if other is not None and not other.root_node.has_error and are_signatures_apart(other, content):
            return other
    return tree

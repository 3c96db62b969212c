"""Two contents of one file: do their canonical trees say the same, and if not, which equivalence makes them?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.name_scopes import scopes_of
from intentls.core.mutation.renames import Rename, Unproven, renames_between
from intentls.core.mutation.reordering import count_moved, sort_definitions, sort_imports
from intentls.core.syntax.canonicalize import NodeBudget, NotClassifiable, lower, syntax_tree, texts_of
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.optional_libraries import INSTALL
from intentls.core.syntax.tree import Flat, Node, flatten

if TYPE_CHECKING:
    from tree_sitter import Tree

NO_GRAMMAR = f"judged by the file's name alone; {INSTALL} compares the trees"


@dataclass(frozen=True, slots=True)
class TreeComparison:
    """The class, why, and the names that changed."""

    mutation_class: MutationClass
    reasons: tuple[str, ...]
    renames: tuple[Rename, ...] = ()


def compare(before: bytes, after: bytes, adapter: Adapter, path: str, budget: NodeBudget) -> TreeComparison:
    """Compare the canonical trees of one file's contents; `path` tells an index file from others.

    Raises NotClassifiable where a content does not parse, or the budget is used up.
    """
    contents = (before, after)
    parsed = [parse(content, adapter) for content in contents]
    old_texts, new_texts = (texts_of(tree, adapter) for tree in parsed)

    def canonical(unchanged: Collection[bytes]) -> list[Node]:
        return [lower(*pair, adapter, unchanged, budget) for pair in zip(parsed, contents, strict=True)]

    # What stands in both word for word is not walked. What one side has more often has changed in one of its places.
    old, new = canonical({text for text, count in old_texts.items() if new_texts[text] == count})
    one, other = flatten(old), flatten(new)
    if one.says_the_same(other):
        bare = ["".join(content.decode("utf-8", "surrogateescape").split()) for content in contents]
        reason = "only formatting" if bare[0] == bare[1] else "only comments, docstrings or formatting"
        return TreeComparison(MutationClass.DOCUMENTATION, (reason,))
    if one.tokens == other.tokens:
        # What the parts that differ can't prove, the whole can't either, and they are soon read.
        comparison = _renamed(old, new, adapter, path)
        if not comparison.renames:
            return _rewritten(old, new, adapter) or comparison
        old, new = canonical(())
        return _renamed(old, new, adapter, path)
    evolution = TreeComparison(MutationClass.INTENT_EVOLUTION, (_first_difference(one, other),))
    # Where there are no imports, sorting makes no difference to what there is.
    is_worth_sorting = "(import_item" in one.tokens or one.has_the_parts_of(other)
    return (_rearranged(old, new, adapter) if is_worth_sorting else None) or _rewritten(old, new, adapter) or evolution


def tree_of(content: bytes, adapter: Adapter, budget: NodeBudget) -> Node:
    """The canonical tree of one content. Raises NotClassifiable."""
    return lower(parse(content, adapter), content, adapter, (), budget)


def parse(content: bytes, adapter: Adapter) -> Tree:
    """The tree of a content as its language's grammar has it. Raises NotClassifiable where that is not installed."""
    tree = syntax_tree(content, adapter.module, adapter.function)
    if tree is None:
        raise NotClassifiable(NO_GRAMMAR)
    return tree


def _renamed(old: Node, new: Node, adapter: Adapter, path: str) -> TreeComparison:
    """The trees differ in names alone."""
    one, other = flatten(old), flatten(new)
    try:
        before, after = scopes_of(old, adapter.bindings), scopes_of(new, adapter.bindings)
        renames = renames_between(before, after, (*one.tokens, *other.tokens), path)
    except Unproven as reason:
        return TreeComparison(MutationClass.INTENT_EVOLUTION, (str(reason),))
    return TreeComparison(
        MutationClass.AST_REFACTOR, tuple(dict.fromkeys(rename.reason for rename in renames)), renames
    )


def _rearranged(old: Node, new: Node, adapter: Adapter) -> TreeComparison | None:
    sort_imports(old)
    sort_imports(new)
    one, other = flatten(old), flatten(new)
    if one.says_the_same(other):
        return TreeComparison(MutationClass.AST_REFACTOR, ("import order",))
    if not one.has_the_parts_of(other):
        return None
    before, after = sort_definitions(old, adapter), sort_definitions(new, adapter)
    one, other = flatten(old), flatten(new)
    if not one.says_the_same(other):
        return None
    count = count_moved(before, after)
    return TreeComparison(MutationClass.AST_REFACTOR, (f"moved {count} definition{'' if count == 1 else 's'}",))


def _rewritten(old: Node, new: Node, adapter: Adapter) -> TreeComparison | None:
    for reason, rewrite in adapter.rewrites:
        rewrite(old)
        rewrite(new)
        one, other = flatten(old), flatten(new)
        if one.says_the_same(other):
            return TreeComparison(MutationClass.AST_REFACTOR, (reason,))
    return None


def _first_difference(one: Flat, other: Flat) -> str:
    """Where the trees begin to differ."""
    pairs = zip(one.tokens, other.tokens, strict=False)
    shorter = min(len(one.tokens), len(other.tokens))
    index = next((index for index, (old, new) in enumerate(pairs) if old != new), shorter - 1)
    return f"line {other.rows[index] + 1} does something else than before"

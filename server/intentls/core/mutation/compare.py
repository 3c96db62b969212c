"""Two contents of one file: do their canonical trees say the same, and if not, which equivalence makes them?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.names.homes import Homes
from intentls.core.mutation.names.name_scopes import scopes_of
from intentls.core.mutation.names.tree_names import rename
from intentls.core.mutation.renames import Rename, Unproven, renames_between
from intentls.core.mutation.rewriting import Rewriting, rewritings
from intentls.core.syntax.canonicalize import NodeBudget, NotClassifiable, lower, syntax_tree, texts_of
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.optional_libraries import INSTALL
from intentls.core.syntax.tree import Flat, Node, flatten

if TYPE_CHECKING:
    from tree_sitter import Tree

NO_GRAMMAR = f"judged by the file's name alone; {INSTALL} compares the trees"


@dataclass(frozen=True, slots=True)
class Light:
    """What the whole repository says of one file: names that all uses rename, and what moved, itself maybe."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    homes: Homes = field(default_factory=Homes)
    old_path: str | None = None


DARK = Light()


@dataclass(frozen=True, slots=True)
class TreeComparison:
    """The class, why, and the names that changed."""

    mutation_class: MutationClass
    reasons: tuple[str, ...]
    renames: tuple[Rename, ...] = ()


def compare(
    before: bytes,
    after: bytes,
    adapter: Adapter,
    path: str,
    budget: NodeBudget,
    light: Light = DARK,
) -> TreeComparison:
    """Compare the canonical trees of one file's contents; `path` tells an index file from others.

    `light` is what the whole repository proves. Raises NotClassifiable where a content does not parse, or the budget
    is used up.
    """
    words = {old: new for old, new in light.renamed.items() if old.encode() in before}
    followed: set[str] = set()

    def shed(old: Node, new: Node) -> None:
        rename(old, words)
        followed.update(light.homes.settle(old, light.old_path or path, is_before=True))
        followed.update(light.homes.settle(new, path, is_before=False))

    comparison = _compare(before, after, adapter, path, budget, shed if words or light.homes else None)
    reasons = tuple(Rename(*pair).reason for pair in words.items())
    reasons += tuple(f"follows {moved}" for moved in sorted(followed))
    if not reasons or comparison.mutation_class is MutationClass.INTENT_EVOLUTION:
        return comparison
    reasons += () if comparison.mutation_class is MutationClass.DOCUMENTATION else comparison.reasons
    return TreeComparison(MutationClass.AST_REFACTOR, reasons, comparison.renames)


def _compare(
    before: bytes,
    after: bytes,
    adapter: Adapter,
    path: str,
    budget: NodeBudget,
    shed: Callable[[Node, Node], None] | None,
) -> TreeComparison:
    contents = (before, after)
    parsed = [parse(content, adapter) for content in contents]
    old_texts, new_texts = (texts_of(tree, adapter) for tree in parsed)

    def canonical(unchanged: Collection[bytes]) -> list[Node]:
        trees = [lower(*pair, adapter, unchanged, budget) for pair in zip(parsed, contents, strict=True)]
        if shed is not None:
            shed(*trees)
        return trees

    # What stands in both word for word is not walked. What one side has more often has changed in one of its places.
    old, new = canonical({text for text, count in old_texts.items() if new_texts[text] == count})
    one, other = flatten(old), flatten(new)
    if one.says_the_same(other):
        bare = ["".join(content.decode("utf-8", "surrogateescape").split()) for content in contents]
        reason = "only formatting" if bare[0] == bare[1] else "only comments, docstrings or formatting"
        return TreeComparison(MutationClass.DOCUMENTATION, (reason,))
    comparison = _proof(old, new, adapter, path)
    # What the parts that differ can't prove, the whole can't either, and they are soon read.
    if comparison.renames or (comparison.reasons and adapter.whole.search(before + after)):
        old, new = canonical(())
        comparison = _proof(old, new, adapter, path)
    if comparison.reasons:
        return comparison
    return TreeComparison(MutationClass.INTENT_EVOLUTION, (_first_difference(one, other),))


def changed_trees(before: bytes, after: bytes, adapter: Adapter, budget: NodeBudget) -> tuple[Node, Node]:
    """The trees of two contents, in which what stands in both as often is one leaf. Raises NotClassifiable."""
    parsed = [parse(content, adapter) for content in (before, after)]
    old_texts, new_texts = (texts_of(tree, adapter) for tree in parsed)
    same = {text for text, count in old_texts.items() if new_texts[text] == count}
    return lower(parsed[0], before, adapter, same, budget), lower(parsed[1], after, adapter, same, budget)


def tree_of(content: bytes, adapter: Adapter, budget: NodeBudget) -> Node:
    """The canonical tree of one content. Raises NotClassifiable."""
    return lower(parse(content, adapter), content, adapter, (), budget)


def parse(content: bytes, adapter: Adapter) -> Tree:
    """The tree of a content as its language's grammar has it. Raises NotClassifiable where that is not installed."""
    tree = syntax_tree(content, adapter.module, adapter.function)
    if tree is None:
        raise NotClassifiable(NO_GRAMMAR)
    return tree


def _proof(old: Node, new: Node, adapter: Adapter, path: str) -> TreeComparison:
    """The equivalences that make the trees one. Else why a name is unproven, if names are all that is left to prove."""
    unproven: tuple[str, ...] = ()
    for rewriting in rewritings(old, new, adapter, path):
        if rewriting.is_same:
            return TreeComparison(MutationClass.AST_REFACTOR, rewriting.reasons)
        if rewriting.differs_in_names:
            try:
                return _renamed(rewriting, adapter, path)
            except Unproven as reason:
                unproven = unproven or (str(reason),)
    return TreeComparison(MutationClass.INTENT_EVOLUTION, unproven)


def _renamed(rewriting: Rewriting, adapter: Adapter, path: str) -> TreeComparison:
    """The proof for two trees that differ in names alone. Raises Unproven."""
    before, after = (scopes_of(root, adapter.bindings) for root in (rewriting.old, rewriting.new))
    renames = renames_between(before, after, (*rewriting.one.tokens, *rewriting.other.tokens), path)
    reasons = (*rewriting.reasons, *(rename.reason for rename in renames))
    return TreeComparison(MutationClass.AST_REFACTOR, tuple(dict.fromkeys(reasons)), renames)


def _first_difference(one: Flat, other: Flat) -> str:
    """Where the trees begin to differ."""
    pairs = zip(one.tokens, other.tokens, strict=False)
    shorter = min(len(one.tokens), len(other.tokens))
    index = next((index for index, (old, new) in enumerate(pairs) if old != new), shorter - 1)
    return f"line {other.rows[index] + 1} does something else than before"

"""Two contents of one file: do their canonical trees say the same, and if not, which equivalence makes them?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.name_scopes import scopes_of
from intentls.core.mutation.renames import Rename, Unproven, renames_between
from intentls.core.mutation.reordering import moved, sort_definitions, sort_imports
from intentls.core.syntax.canonicalize import NodeBudget, NotClassifiable, lower, texts_of
from intentls.core.syntax.grammar import INSTALL, parser
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.tree import Flat, Node, flatten

NO_GRAMMAR = f"judged by the file's name alone; {INSTALL} compares the trees"


@dataclass(frozen=True, slots=True)
class TreeComparison:
    """The class, why, and the names that changed."""

    mutation_class: MutationClass
    reasons: tuple[str, ...]
    renames: tuple[Rename, ...] = ()


def compare(before: bytes, after: bytes, adapter: Adapter, path: str, budget: NodeBudget) -> TreeComparison:
    """Judge one file. Raises CannotJudge where a content does not parse, or the budget is used up."""
    trees = _Trees(before, after, adapter, budget)
    old, new = trees.pruned()
    one, other = flatten(old), flatten(new)
    if one.says_the_same(other):
        return TreeComparison(MutationClass.DOCUMENTATION, (trees.what_else(),))
    if one.tokens == other.tokens:
        # What the parts that differ can't prove, the whole can't either, and they are soon read.
        found = _renamed(old, new, adapter, path, budget.check)
        if not found.renames:
            return _rewritten(old, new, adapter) or found
        return _renamed(*trees.whole(), adapter, path, budget.check)
    evolution = TreeComparison(MutationClass.INTENT_EVOLUTION, (_first(one, other),))
    # Where there are no imports, sorting makes no difference to what there is.
    is_worth_sorting = "(import_item" in one.tokens or (sorted(one.tokens), sorted(one.names)) == (
        sorted(other.tokens),
        sorted(other.names),
    )
    return (_rearranged(old, new, adapter) if is_worth_sorting else None) or _rewritten(old, new, adapter) or evolution


def tree_of(content: bytes, adapter: Adapter, budget: NodeBudget) -> Node:
    """The canonical tree of one content. Raises CannotJudge."""
    return _Trees(content, content, adapter, budget).whole()[0]


class _Trees:
    def __init__(self, before: bytes, after: bytes, adapter: Adapter, budget: NodeBudget) -> None:
        parse = parser(adapter.module, adapter.function)
        if parse is None:
            raise NotClassifiable(NO_GRAMMAR)
        budget.check()
        self._data = (before, after)
        self._trees = (parse.parse(before), parse.parse(after))
        self._adapter, self._budget = adapter, budget

    def pruned(self) -> tuple[Node, Node]:
        """The canonical trees, without walking what stands in both word for word."""
        held = [texts_of(tree, self._adapter) for tree in self._trees]
        # What stands there more often on one side has been changed in one of its places.
        return self._lowered({text for text, count in held[0].items() if held[1][text] == count})

    def whole(self) -> tuple[Node, Node]:
        """The canonical trees."""
        return self._lowered(set())

    def what_else(self) -> str:
        """What differs although the trees are equal."""
        bare = ["".join(data.decode("utf-8", "surrogateescape").split()) for data in self._data]
        return "only formatting" if bare[0] == bare[1] else "only comments, docstrings or formatting"

    def _lowered(self, same: set[bytes]) -> tuple[Node, Node]:
        old, new = (
            lower(tree, data, self._adapter, same, self._budget)
            for tree, data in zip(self._trees, self._data, strict=True)
        )
        return old, new


def _renamed(old: Node, new: Node, adapter: Adapter, path: str, check: Callable[[], None]) -> TreeComparison:
    """The trees differ in names alone."""
    one, other = flatten(old), flatten(new)
    try:
        before, after = scopes_of(old, adapter.bindings), scopes_of(new, adapter.bindings)
        renames = renames_between(before, after, (*one.tokens, *other.tokens), path, check)
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
    if (sorted(one.tokens), sorted(one.names)) != (sorted(other.tokens), sorted(other.names)):
        return None
    before, after = sort_definitions(old, adapter), sort_definitions(new, adapter)
    one, other = flatten(old), flatten(new)
    if not one.says_the_same(other):
        return None
    count = moved(before, after)
    return TreeComparison(MutationClass.AST_REFACTOR, (f"moved {count} definition{'' if count == 1 else 's'}",))


def _rewritten(old: Node, new: Node, adapter: Adapter) -> TreeComparison | None:
    for reason, rewrite in adapter.rewrites:
        rewrite(old)
        rewrite(new)
        one, other = flatten(old), flatten(new)
        if one.says_the_same(other):
            return TreeComparison(MutationClass.AST_REFACTOR, (reason,))
    return None


def _first(one: Flat, other: Flat) -> str:
    """Where the trees begin to differ."""
    at = next((n for n, (a, b) in enumerate(zip(one.tokens, other.tokens, strict=False)) if a != b), None)
    at = min(len(one.tokens), len(other.tokens)) - 1 if at is None else at
    return f"line {other.rows[at] + 1} does something else than before"

"""Two contents of one file: do their canonical trees say the same, and if not, which equivalence makes them?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec import Struct, field

from intentls.core.mutation.calls.c_arguments import IdleArguments
from intentls.core.mutation.calls.c_macros import Visible
from intentls.core.mutation.calls.followed_calls import FollowedCalls
from intentls.core.mutation.calls.go_results import NilResults
from intentls.core.mutation.canonical_trees import changed_trees
from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.equivalences.rewriting import Rewriting, may_become_one, rewritings
from intentls.core.mutation.moves.c_headers import HeaderMoves
from intentls.core.mutation.moves.c_moves import MovedParts
from intentls.core.mutation.moves.go_definitions import MovedBetween
from intentls.core.mutation.moves.package_moves import MovedHere
from intentls.core.mutation.moves.rust_settled import SettledModule
from intentls.core.mutation.names.homes import Homes
from intentls.core.mutation.names.java_packages import import_neighbours
from intentls.core.mutation.names.name_scopes import scopes_of
from intentls.core.mutation.names.tree_names import bare, rename
from intentls.core.mutation.renames.file_renames import Rename, Unproven, renames_between
from intentls.core.mutation.renames.go_names import exported_now
from intentls.core.mutation.renames.token_renames import TokenRenames, renamed_lexemes
from intentls.core.syntax.canonicalize import (
    DoesNotParse,
    NodeBudget,
)
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.rewriting import Surrounding, rewritten
from intentls.core.syntax.languages.c.spans import Lexemes
from intentls.core.syntax.languages.facts import Surroundings, about, no_facts, noting
from intentls.core.syntax.lexemes import lexemes_of_c, without_dead_lines
from intentls.core.syntax.tree import Flat, Node, flatten, row_of
from intentls.core.text.line_diff import changed_blocks

if TYPE_CHECKING:
    pass


def _see_none(_path: str, _name: str) -> None:
    return None


class Light(Struct, frozen=True):
    """What the whole repository says of one file: names that all uses rename, and what moved, itself maybe.

    `moves`: what a file gave to others and took from them, by its path.
    `trees` has each file's two trees by path, as `changed_trees` makes them; who compares them takes them out.
    `facts`: what else it proves about the file at a path.
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    homes: Homes = field(default_factory=Homes)
    trees: dict[str, tuple[Node, Node]] = field(default_factory=dict)
    moves: Mapping[str, MovedHere] = field(default_factory=dict)
    tokens: TokenRenames = field(default_factory=TokenRenames)  # the same as `renamed`, of languages with macros
    parts: Mapping[str, MovedParts] = field(default_factory=dict)  # the same as `moves`, of languages with macros
    hidden: Mapping[str, set[str]] = field(default_factory=dict)  # names of C that one file alone uses, by its path
    headers: HeaderMoves = field(default_factory=HeaderMoves)
    arguments: IdleArguments = field(default_factory=IdleArguments)
    results: NilResults = field(default_factory=NilResults)
    items: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # the same as `renamed`, of one file by path
    macros: tuple[Visible, Visible] = (_see_none, _see_none)  # what a macro is in a file, before and after
    old_path: str | None = None
    between: Mapping[str, MovedBetween] = field(default_factory=dict)  # the same as `moves`, of Go
    settled: Mapping[str, SettledModule] = field(default_factory=dict)  # the same as `moves`, of Rust
    calls: FollowedCalls = field(default_factory=FollowedCalls)
    facts: Callable[[str], Surroundings] = no_facts

    def has_moved(self, path: str | None) -> bool:
        """Whether all who ask for the file that was at `path` are known to follow."""
        is_elsewhere = any(moved.is_elsewhere and moved.paths[0] == path for moved in self.between.values())
        return path in self.homes.files or path in self.headers.settled or is_elsewhere

    def is_taken(self, path: str, name: str) -> bool:
        """Whether another file is known to take the name from the one at `path`."""
        return self.facts(path).is_taken(name)


DARK = Light()


class TreeComparison(Struct, frozen=True):
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
    tokens = cache(lambda: _tokens_of(before, after, adapter))
    if adapter.has_macros and (light.tokens.of(path) or _DEAD.search(before + after)):
        proven = _proven_by_tokens(tokens(), before + after, path, light)
        if proven is not None:
            return proven
    renamed = {**light.renamed, **light.items.get(path, {})}
    words = {old: new for old, new in renamed.items() if bare(old).encode() in before}
    followed: set[str] = set()
    dropped: set[str] = set()
    moved = light.moves.get(path)
    between, settled = light.between.get(path), light.settled.get(path)

    def shed(old: Node, new: Node) -> None:
        if between is not None:
            dropped.update(between.shed(old, new))  # it goes by what names meant
        rename(old, words)
        if moved is not None:
            moved.shed(old, new)  # it goes by the imports as they are spelled
        if adapter.name == "Java":
            followed.update(import_neighbours(old, new, (light.old_path or path, path), light.homes.files))
        followed.update(light.homes.settle(old, light.old_path or path, is_before=True))
        followed.update(light.homes.settle(new, path, is_before=False))
        dropped.update(light.results.shed(old, path))
        dropped.update(light.calls.settle(old, new, path))
        if settled is not None:
            dropped.update(settled.shed(old, new))

    try:
        has_moved = light.old_path not in (None, path)  # then what it says word for word may be about other files
        known = light.trees.pop(path, None) if not has_moved else None
        trees = known or changed_trees(before, after, adapter, budget, is_whole=has_moved or between is not None)
        shown = exported_now(trees[1], words) if adapter.name == "Go" and words else []
        is_lit = bool(words or light.homes or moved or light.results.names or light.calls or between or settled)
        comparison = _compare(
            before,
            after,
            trees,
            adapter,
            path,
            budget,
            shed if is_lit else None,
            light.facts(path),
            tokens,
            is_whole=between is not None,
        )
    except DoesNotParse:
        found = tokens()
        if found is not None and found[0] == found[1]:
            return TreeComparison(MutationClass.DOCUMENTATION, (_reason_of_equals(before, after),))
        if found is None or not adapter.has_macros:
            raise
        changed = f"line {_first_changed_line(before, after)} may do something else than before"
        proven = _proven_by_tokens(found, before + after, path, light)
        return proven or TreeComparison(MutationClass.INTENT_EVOLUTION, (changed,))
    if comparison.mutation_class is MutationClass.INTENT_EVOLUTION and adapter.has_macros:
        return _proven_by_tokens(tokens(), before + after, path, light) or comparison
    if shown and comparison.mutation_class is not MutationClass.INTENT_EVOLUTION:
        # Who uses it does what it did. What this file gives to other packages is more than before.
        return TreeComparison(MutationClass.INTENT_EVOLUTION, tuple(f"other packages see {name} now" for name in shown))
    reasons = tuple(dict.fromkeys(Rename(bare(old), bare(new)).reason for old, new in words.items()))
    reasons += tuple(f"follows {home}" for home in sorted(followed))
    reasons += tuple(sorted(dropped))
    reasons += () if moved is None else moved.reasons
    if not reasons or comparison.mutation_class is MutationClass.INTENT_EVOLUTION:
        return comparison
    reasons += () if comparison.mutation_class is MutationClass.DOCUMENTATION else comparison.reasons
    return TreeComparison(MutationClass.AST_REFACTOR, reasons, comparison.renames)


def _compare(
    before: bytes,
    after: bytes,
    trees: tuple[Node, Node],
    adapter: Adapter,
    path: str,
    budget: NodeBudget,
    shed: Callable[[Node, Node], None] | None,
    facts: Surroundings,
    tokens: Callable[[], tuple[Lexemes, Lexemes] | None],
    *,
    is_whole: bool,
) -> TreeComparison:
    # What stands in both word for word was not walked. What one side has more often has changed in one of its places.
    old, new = trees
    if shed is not None:
        shed(old, new)
    one, other = flatten(old), flatten(new)
    if one == other:
        return TreeComparison(MutationClass.DOCUMENTATION, (_reason_of_equals(before, after),))
    difference = _first_difference(one, other, new)
    comparison = TreeComparison(MutationClass.INTENT_EVOLUTION, ())
    asked: set[str] = set()
    if one.tokens == other.tokens:
        comparison = _proof(old, new, adapter, path, noting(facts, asked))
    elif may_become_one(old, new, adapter, path, facts):
        old, new = changed_trees(before, after, adapter, budget, is_whole=is_whole)
        if shed is not None:
            shed(old, new)
        comparison = _proof(old, new, adapter, path, noting(facts, asked))
    # What the parts that differ can't prove, the whole can't either, and they are soon read.
    is_refactor = comparison.mutation_class is MutationClass.AST_REFACTOR
    if comparison.renames or (is_refactor and adapter.whole.search(before + after)):
        old, new = changed_trees(before, after, adapter, budget, is_whole=True)
        if shed is not None:
            shed(old, new)
        comparison = _proof(old, new, adapter, path, about(facts, asked))
    if comparison.reasons:
        return comparison
    found = tokens() if adapter.has_macros else None
    if found is not None and found[0] == found[1]:
        return TreeComparison(MutationClass.DOCUMENTATION, (_reason_of_equals(before, after),))
    return TreeComparison(MutationClass.INTENT_EVOLUTION, (difference,))


def _reason_of_equals(before: bytes, after: bytes) -> str:
    bare = ["".join(content.decode("utf-8", "surrogateescape").split()) for content in (before, after)]
    return "only formatting" if bare[0] == bare[1] else "only comments, docstrings or formatting"


def _tokens_of(before: bytes, after: bytes, adapter: Adapter) -> tuple[Lexemes, Lexemes] | None:
    """The tokens of both contents, where no tree can be trusted to tell; None where they can't be told."""
    if adapter.lexemes is None:
        return None
    old = adapter.lexemes(before.decode("utf-8", "surrogateescape"))
    new = None if old is None else adapter.lexemes(after.decode("utf-8", "surrogateescape"))
    return None if old is None or new is None else (old, new)


def _proven_by_tokens(
    tokens: tuple[Lexemes, Lexemes] | None, contents: bytes, path: str, light: Light
) -> TreeComparison | None:
    """What tokens prove of a language with macros: names that all of the repository renamed, what moved, dead lines."""
    if tokens is None or tokens[0] == tokens[1]:
        return None  # what is the same is no refactor, and what can't be split is none for certain
    old, new = tokens
    renamed = light.tokens.of(path)
    pairs = {word: renamed[word] for word in old if word in renamed}
    reasons = tuple(Rename(*pair).reason for pair in pairs.items())
    old, new, followed = light.headers.follow(renamed_lexemes(old, pairs), new, (light.old_path or path, path))
    reasons += followed
    moved = light.parts.get(path)
    if moved is not None and old != new:
        shorter = moved.shed(old, new)
        reasons += moved.reasons if shorter != (old, new) else ()
        old, new = shorter
    if old != new and _DEAD.search(contents):
        live = without_dead_lines(old), without_dead_lines(new)
        is_changed = len(old) - len(live[0]) != len(new) - len(live[1]) or live[0] == live[1]
        old, new = live
        reasons += ("lines under #if 0",) if is_changed else ()
    facts = light.facts(path)
    if old != new:
        old, new, idle = light.arguments.settle(old, new, facts.is_in_no_macro)
        reasons += idle
    if old != new and path.endswith((".c", ".h")):
        known = Surrounding(
            Macros(facts.is_in_no_macro, facts.is_no_macro, facts.macros_called),
            lambda name: name in light.hidden.get(path, ()) or facts.is_nowhere_else(name),
            facts.is_included_nowhere,
            facts.is_in_c_alone,
            lambda name: light.macros[0](light.old_path or path, name),
            lambda name: light.macros[1](path, name),
        )
        old, new, more = rewritten(old, new, known, is_header=not path.endswith(".c"))
        reasons += more
    return TreeComparison(MutationClass.AST_REFACTOR, reasons) if old == new else None


_DEAD = re.compile(rb"#[ \t]*if[ \t]+0")


def _proof(old: Node, new: Node, adapter: Adapter, path: str, facts: Surroundings) -> TreeComparison:
    """The equivalences that make the trees one. Else why a name is unproven, if names are all that is left to prove."""
    unproven: tuple[str, ...] = ()
    half: TreeComparison | None = None
    for rewriting in rewritings(old, new, adapter, path, facts):
        if rewriting.is_same:
            return TreeComparison(MutationClass.AST_REFACTOR, rewriting.reasons)
        if rewriting.differs_in_names:
            try:
                comparison = _renamed(rewriting, adapter, path)
            except Unproven as reason:
                unproven = unproven or (str(reason),)
                continue
            if all(rename.is_proven for rename in comparison.renames):
                return comparison
            half = half or comparison  # another file may have the other half, if no later step needs none
    return half or TreeComparison(MutationClass.INTENT_EVOLUTION, unproven)


def _renamed(rewriting: Rewriting, adapter: Adapter, path: str) -> TreeComparison:
    """The proof for two trees that differ in names alone. Raises Unproven."""
    before, after = (scopes_of(root, adapter.bindings) for root in (rewriting.old, rewriting.new))
    renames = renames_between(before, after, (*rewriting.one.tokens, *rewriting.other.tokens), path)
    reasons = (*rewriting.reasons, *(rename.reason for rename in renames))
    return TreeComparison(MutationClass.AST_REFACTOR, tuple(dict.fromkeys(reasons)), renames)


def _first_changed_line(before: bytes, after: bytes) -> int:
    """The first line of C, from 1, that the old content has not, or not there; comments and white space aside."""
    old, new = before.split(b"\n"), after.split(b"\n")

    def says_the_same(one: bytes, other: bytes) -> bool:
        had, has = (lexemes_of_c(line.decode("utf-8", "surrogateescape")) for line in (one, other))
        return had is not None and had == has

    blocks = changed_blocks(old, new)
    for block in blocks:
        pairs = zip(old[block.a_start : block.a_end], new[block.b_start : block.b_end], strict=False)
        same = sum(1 for _ in takewhile(lambda pair: says_the_same(*pair), pairs))
        if max(block.a_end - block.a_start, block.b_end - block.b_start) > same:
            return block.b_start + same + 1
    return blocks[0].b_start + 1  # white space in a macro that goes over several lines


def _first_difference(one: Flat, other: Flat, new: Node) -> str:
    """Where the trees begin to differ; `new` is the other one."""
    pairs = zip(one.tokens, other.tokens, strict=False)
    shorter = min(len(one.tokens), len(other.tokens))
    index = next((index for index, (old, token) in enumerate(pairs) if old != token), shorter - 1)
    return f"line {row_of(new, index) + 1} may do something else than before"

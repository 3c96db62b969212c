"""Bring two trees of one file into one form, equivalence by equivalence, until they say the same.

Each step changes both trees, and neither step changes what a program does. So a file whose imports were sorted and one
of whose functions moved is a refactor by both reasons. A step is a reason if the trees differ in less after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from intentls.core.mutation.equivalences.extracted import take_in
from intentls.core.mutation.equivalences.go_extracted import take_in_go
from intentls.core.mutation.equivalences.idle_imports import drop_idle_imports, hoist_imports
from intentls.core.mutation.equivalences.java_qualified import REASON as WHOLE_NAMES
from intentls.core.mutation.equivalences.java_qualified import name_classes
from intentls.core.mutation.equivalences.java_stars import REASON as STARS
from intentls.core.mutation.equivalences.java_stars import name_each
from intentls.core.mutation.equivalences.java_statics import REASON as STATICS
from intentls.core.mutation.equivalences.java_statics import name_members
from intentls.core.mutation.equivalences.named_constants import REASON as CONSTANTS
from intentls.core.mutation.equivalences.named_constants import put_in
from intentls.core.mutation.equivalences.reordering import count_moved, sort_definitions, sort_imports
from intentls.core.mutation.equivalences.rust_extracted import take_in_rust
from intentls.core.mutation.equivalences.unused_definitions import REASON as UNUSED
from intentls.core.mutation.equivalences.unused_definitions import drop_unused
from intentls.core.mutation.equivalences.values.first_values import REASON as FIRST_VALUES
from intentls.core.mutation.equivalences.values.first_values import drop_first_values
from intentls.core.mutation.equivalences.values.named_values import REASON as NAMED
from intentls.core.mutation.equivalences.values.named_values import VALUED, order_in, put_in_values
from intentls.core.mutation.equivalences.values.ordered_conditions import REASON as ORDERED
from intentls.core.mutation.equivalences.values.unread_names import REASON as UNREAD
from intentls.core.mutation.equivalences.values.unread_names import drop_unread
from intentls.core.mutation.names.import_paths import REASON as PATHS
from intentls.core.mutation.names.import_paths import name_alike
from intentls.core.mutation.names.script_modules import REASON as MODULES
from intentls.core.mutation.names.script_modules import name_modules
from intentls.core.mutation.renames.rust_variables import REASON as VARIABLES
from intentls.core.mutation.renames.rust_variables import with_names_of
from intentls.core.syntax.languages.adapter import Adapter, InformedRewrite, Rewrite
from intentls.core.syntax.languages.facts import Surroundings, hoped
from intentls.core.syntax.languages.javascript.exports import REASON as EXPORTS
from intentls.core.syntax.languages.javascript.exports import export_alike
from intentls.core.syntax.languages.javascript.modules import SCRIPTS
from intentls.core.syntax.languages.javascript.typescript_types import REASON as SEEN
from intentls.core.syntax.languages.javascript.typescript_types import tests_types
from intentls.core.syntax.languages.python.annotations import REASON as ANNOTATIONS
from intentls.core.syntax.languages.python.annotations import defer_alike, has_annotations
from intentls.core.syntax.languages.rust.lints.asked import asked_alike
from intentls.core.syntax.languages.rust.lints.lent import REASON as LENT
from intentls.core.syntax.languages.rust.lints.lent import lent_alike
from intentls.core.syntax.tree import Flat, Node, every_node, flatten, snapshot

MAX_NODES = 120_000  # of both trees: more are not rewritten

Step = Callable[[Node, Node], str]
"""Changes both trees, and says what it is."""


class Rewriting(Struct, frozen=True):
    """Two trees in one form, as far as that goes, and the equivalences that brought them closer."""

    old: Node
    new: Node
    one: Flat
    other: Flat
    reasons: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether they say the same now."""
        return self.one == self.other

    @property
    def differs_in_names(self) -> bool:
        """Whether nothing but names is left that differs."""
        return self.one.tokens == self.other.tokens


def rewritings(old: Node, new: Node, adapter: Adapter, path: str, facts: Surroundings) -> Iterator[Rewriting]:
    """The trees as they are, and after each step. Take no more than it needs: each step changes them."""
    result = Rewriting(old, new, flatten(old), flatten(new), ())
    yield result
    if _hold(old) | _hold(new):
        result = Rewriting(old, new, flatten(old), flatten(new), ())
    last = snapshot(old), snapshot(new)
    for step in _steps(adapter, path, facts):
        reason = step(old, new)
        here = snapshot(old), snapshot(new)
        if here == last:
            continue
        last = here
        one, other = flatten(old), flatten(new)
        if (one, other) == (result.one, result.other):
            continue
        closer = _is_closer(result.one, result.other, one, other)
        added = (reason,) if closer and reason not in result.reasons else ()
        result = Rewriting(old, new, one, other, (*result.reasons, *added))
        yield result


def may_become_one(old: Node, new: Node, adapter: Adapter, path: str, facts: Surroundings) -> bool:
    """Whether all steps together leave two trees with the same words, in whatever order; what they name aside.

    That is soon told, and most changes are something else. What takes a search of the repository is hoped for: few
    changes depend on it alone. Too large trees stay two. The trees are changed.
    """
    if sum(1 for root in (old, new) for _ in every_node(root)) > MAX_NODES:
        return False
    _hold(old)
    _hold(new)
    for step in _steps(adapter, path, hoped(facts)):
        step(old, new)
    return Counter(flatten(old).tokens) == Counter(flatten(new).tokens)


def _hold(root: Node) -> bool:
    """Make one leaf of each statement within which a comment that counts stands, as `/* #__PURE__ */` does.

    Such a comment belongs to its place, so that nothing around it is written in another way. Answers whether one does.
    """
    held: dict[int, Node] = {}
    stack = [(root, root)]
    while stack:
        node, statement = stack.pop()
        is_list = node.kind in _LISTS
        for child in node.children:
            if child.kind.endswith("comment") and not is_list:
                held[id(statement)] = statement
            stack.append((child, child if is_list else statement))
    for statement in held.values():
        flat = flatten(statement)
        statement.text, statement.children = "\n".join((*flat.tokens, *flat.names)), []
        statement.kind = "held_statement"  # which no step knows
    return bool(held)


_LISTS = frozenset(
    {
        *("program", "module", "source_file", "source", "block", "statement_block", "class_body", "interface_body"),
        *("enum_body", "switch_body", "switch_case", "switch_default", "declaration_list", "field_declaration_list"),
        *("constructor_body", "switch_block", "switch_block_statement_group", "enum_body_declarations", "object_type"),
        *("expression_case", "default_case", "type_case", "communication_case", "expression_switch_statement"),
    }
)


_WITH_PATHS = frozenset({"Python", "Rust", "TypeScript", "TSX"})


def _steps(adapter: Adapter, path: str, facts: Surroundings) -> Iterator[Step]:
    def imports(old: Node, new: Node) -> str:
        sort_imports(old)
        sort_imports(new)
        return "import order"

    def inner_imports(old: Node, new: Node) -> str:
        hoist_imports(old, adapter)
        hoist_imports(new, adapter)
        return "imports at the top"

    def stars(old: Node, new: Node) -> str:
        name_each(old, new, facts)
        return STARS

    def whole_names(old: Node, new: Node) -> str:
        name_classes(old, new, facts)
        return WHOLE_NAMES

    def statics(old: Node, new: Node) -> str:
        name_members(old, new)
        return STATICS

    def idle(old: Node, new: Node) -> str:
        drop_idle_imports(old, new, adapter, path, facts)
        return "unused imports"

    def unused(old: Node, new: Node) -> str:
        drop_unused(old, new, adapter, facts)
        return UNUSED

    def definitions(old: Node, new: Node) -> str:
        count = max(count_moved(sort_definitions(old, adapter), sort_definitions(new, adapter)), 1)
        return f"moved {count} definition{'' if count == 1 else 's'}"

    def variables(old: Node, new: Node) -> str:
        with_names_of(old, new)
        return VARIABLES

    def extracted(old: Node, new: Node) -> str:
        if adapter.name == "Rust":
            return take_in_rust(old, new)
        return take_in_go(old, new, facts) if adapter.name == "Go" else take_in(old, new, adapter, facts)

    def asked(old: Node, new: Node) -> str:
        asked_alike(old, new)
        return "the same written in another way"

    def lent(old: Node, new: Node) -> str:
        lent_alike(old, new, facts.lends)
        return LENT

    def first_values(old: Node, new: Node) -> str:
        drop_first_values(old, new)
        return FIRST_VALUES

    def values(*, are_sure: bool) -> Step:
        def named(old: Node, new: Node) -> str:
            put_in_values(old, new, adapter.name, are_sure=are_sure)
            return NAMED

        return named

    def conditions(old: Node, new: Node) -> str:
        order_in(old, new, adapter.name)
        return ORDERED

    def unread(old: Node, new: Node) -> str:
        drop_unread(old, new)
        return UNREAD

    def constants(old: Node, new: Node) -> str:
        put_in(old, new, adapter, facts)
        return CONSTANTS

    def modules(old: Node, new: Node) -> str:
        name_modules(old, path)
        name_modules(new, path)
        return MODULES

    def paths(old: Node, new: Node) -> str:
        name_alike(old, new, adapter.name, facts)
        return PATHS

    def exports(old: Node, new: Node) -> str:
        export_alike(old, new)
        return EXPORTS

    if adapter.name in SCRIPTS:
        yield modules
        yield exports
    if adapter.name in _WITH_PATHS:
        yield paths
    yield imports
    yield constants
    if adapter.name in ("Java", "Rust"):
        yield first_values
    if adapter.name == "Rust":
        yield asked
    yield from _written_alike(adapter.first)
    if adapter.name != "Python":
        yield extracted  # before a step that goes by what a function has
    if adapter.name in VALUED:
        yield values(are_sure=adapter.name == "Java")  # before conditions are written in another way
    if adapter.name == "Java":
        yield unread  # before a step takes braces away
    yield from _written_alike(step for step in adapter.rewrites if step[0] != SEEN or not tests_types(path))
    if adapter.name == "Java":
        yield values(are_sure=False)  # after a step that makes other loops of those that begin with a name
    if adapter.name == "Rust":
        yield lent
        yield unused  # before a step takes `pub` away, by which it knows what other modules may use
    for reason, informed in adapter.informed:

        def proven(old: Node, new: Node, reason: str = reason, informed: InformedRewrite = informed) -> str:
            is_annotated = reason == ANNOTATIONS and (has_annotations(old) or has_annotations(new))
            informed(old, facts)
            informed(new, facts)
            if is_annotated:
                defer_alike(old, new, facts)
            return reason

        yield proven
        if reason == ANNOTATIONS:
            yield extracted  # what is annotated still may do something when it is defined
    yield inner_imports
    if adapter.name == "Java":
        yield stars
        yield whole_names
        yield statics
    yield imports  # some are spelled in another way now
    yield variables if adapter.name == "Rust" else unused
    yield idle
    yield definitions
    yield from _written_alike(adapter.last)
    if adapter.name in VALUED:
        yield conditions  # by the names that are left


def _written_alike(rewrites: Iterable[tuple[str, Rewrite]]) -> Iterator[Step]:
    for reason, rewrite in rewrites:

        def rewriting(old: Node, new: Node, reason: str = reason, rewrite: Rewrite = rewrite) -> str:
            rewrite(old)
            rewrite(new)
            return reason

        yield rewriting


def _is_closer(old_one: Flat, old_other: Flat, one: Flat, other: Flat) -> bool:
    """Whether a step from the one pair to the other left less that differs: fewer words, or as many in better order."""
    if one == other:
        return old_one != old_other
    before, after = _difference(old_one, old_other), _difference(one, other)
    if after != before or len(one.tokens) < len(old_one.tokens):  # both may have lost what stood on either side
        return after < before
    return _distance(one, other) < _distance(old_one, old_other)


def _difference(one: Flat, other: Flat) -> int:
    """How many words one side has more often than the other."""
    pairs = ((Counter(one.tokens), Counter(other.tokens)), (Counter(one.names), Counter(other.names)))
    return sum(((old - new) + (new - old)).total() for old, new in pairs)


def _distance(one: Flat, other: Flat) -> int:
    """How much lies between the first and the last difference."""
    names = 0
    for old, new in ((one.tokens, other.tokens), (one.names, other.names)):
        shorter = min(len(old), len(new))
        head = next((index for index in range(shorter) if old[index] != new[index]), shorter)
        rest = shorter - head
        tail = next((index for index in range(rest) if old[-1 - index] != new[-1 - index]), rest)
        names += len(old) + len(new) - 2 * (head + tail)
    return names

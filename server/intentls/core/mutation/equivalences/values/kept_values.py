"""Whether a value is the same wherever a name for it is used: what runs from the name on until its last use.

    first = items[0];
    if (first == null || first.isEmpty()) {     what is called is called after the last use
        return;
    }

The statements are walked in the order in which they are computed. Where a language leaves that open, as Go does for
`f() + a.b`, the call counts as the first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from intentls.core.syntax.tree import Node, Role, every_node

MAX_DEPTH = 80  # of what is between a statement and a use in it
CLOSURES = frozenset({"lambda_expression", "class_body", "func_literal"})
_LOOPS = frozenset({"for_statement", "enhanced_for_statement", "while_statement", "do_statement"})
_BLOCKS = frozenset({"block", "expression_case", "default_case", "switch_block_statement_group"})
_CALLS = frozenset(
    {
        *("call_expression", "method_invocation", "object_creation_expression", "explicit_constructor_invocation"),
        *("send_statement", "receive_statement", "select_statement", "synchronized_statement", "yield_statement"),
        *("type_conversion_expression", "comment", "line_comment", "block_comment"),
        *("enhanced_for_statement", "range_clause", "range_outer", "try_with_resources_statement"),
    }
)
# What they wait for, or call, comes before what is in them.
_FIRST = frozenset({"synchronized_statement", "select_statement", "try_with_resources_statement"})
_NUMBERS = frozenset({"decimal_integer_literal", "decimal_floating_point_literal", "character_literal"})
_JUMPS = frozenset({"break_statement", "continue_statement", "goto_statement", "yield_statement"})
_ASSIGNING = frozenset(
    {"assignment_expression", "assignment_statement", "range_outer", "short_var_declaration", "receive_statement"}
)
_COUNTING = frozenset({"update_expression", "inc_statement", "dec_statement"})
# Their parts are computed one after the other.
_IN_ORDER = frozenset({"if_statement", "expression_switch_statement", "type_switch_statement", "switch_expression"})
_LEAVING = frozenset({"return_statement", "throw_statement"})
_OWNED = frozenset({"selector_expression", "index_expression", "field_access", "array_access", "slice_expression"})


class KeptValue(Struct, frozen=True):
    """A value that has a name. `operands`: the variables in it.

    `reads`: it looks up what a call or an assignment to a part of something may change. `is_fixed`: no operand gets
    another value anywhere. `is_ordered`: parts are computed from the left to the right. `fails`: to compute it may.
    """

    name: str
    value: Node
    operands: Collection[str]
    reads: bool
    fails: bool
    is_fixed: bool
    is_ordered: bool

    def is_kept(self, following: Sequence[Node]) -> bool:
        """Whether nothing in the statements that follow the name changes the value before its last use."""
        acted: bool | None = False
        if not all(map(self._is_free, (node for part in following for node in every_node(part)))):
            return False
        for statement in following:
            acted = None if acted is None else self._after(statement, acted, 0, may_leave=True)
        return acted is not None

    def _is_free(self, node: Node) -> bool:
        """Whether a function in the function does not use the name, or the value is the same whenever it runs."""
        is_free = node.kind not in CLOSURES or (self.is_fixed and not self.reads and node.kind != "class_body")
        return is_free or not self._is_used_in(node)

    def _is_used_in(self, root: Node) -> bool:
        return any(_is_use(leaf, self.name) for leaf in every_node(root))

    def _after(self, node: Node, acted: bool, depth: int, *, may_leave: bool) -> bool | None:
        """Whether something may have changed the value after a node; None if a use comes after that."""
        if node.text is not None:
            return None if acted and _is_use(node, self.name) else acted or self._acts(node)
        if depth > MAX_DEPTH:
            return None
        if node.kind in CLOSURES:
            return acted
        if node.kind in _LOOPS:
            acts = acted or self._acts_in(node)
            return None if acts and self._is_used_in(node) else acts
        if node.kind == "if_statement":
            return self._after_branch(node, acted, depth, may_leave=may_leave)
        may_leave = may_leave and not node.kind.startswith("try_")
        acted = acted or (self.reads and node.kind in _FIRST)
        if not self.is_ordered and not _is_in_order(node) and self._is_mixed(node.children):
            return None
        after: bool | None = acted
        for child in node.children:
            after = None if after is None else self._after(child, after, depth + 1, may_leave=may_leave)
        return None if after is None else after or self._acts(node)

    def _after_branch(self, node: Node, acted: bool, depth: int, *, may_leave: bool) -> bool | None:
        """The same of an `if`: what one of its branches does is not done before the other, nor if the branch leaves."""
        before: bool | None = acted
        after = False
        for child in node.children:
            if before is None:
                return None
            if child.field not in ("consequence", "alternative"):
                before = self._after(child, before, depth + 1, may_leave=may_leave)
                continue
            branch = self._after(child, before, depth + 1, may_leave=may_leave)
            if branch is None:
                return None
            after = after or (branch and not (may_leave and _leaves(child)))
        return None if before is None else before or after

    def _is_mixed(self, parts: Sequence[Node]) -> bool:
        """Whether one part uses the name, and another one acts."""
        using = [part for part in parts if self._is_used_in(part)]
        acting = [part for part in parts if self._acts_in(part)] if using else []
        return any(one is not other for one in using for other in acting)

    def _acts_in(self, root: Node) -> bool:
        return any(map(self._acts, every_node(root)))

    def _acts(self, node: Node) -> bool:
        """Whether it may change the value."""
        if self.reads and (_calls(node) or (self.is_ordered and _calls_unseen(node))):
            return True
        return any(self._is_changed(target) for target in _targets(node))

    def _is_changed(self, target: Node) -> bool:
        """Whether the value is another one after something is assigned to that."""
        is_part = target.kind in _OWNED or target.kind == "unary_expression"
        return self.reads if is_part else target.text in self.operands


def _is_in_order(node: Node) -> bool:
    sign = node.children[1].text if node.kind == "binary_expression" and len(node.children) > 1 else ""
    return sign in ("&&", "||") or node.kind in _BLOCKS or node.kind in _IN_ORDER


def _calls(node: Node) -> bool:
    """Whether it calls something, or waits: not for the word `len` of Go, of which a file may have one of its own."""
    return node.text == "<-" or (node.kind in _CALLS and not (node.children and node.children[0].text == "len"))


def _calls_unseen(node: Node) -> bool:
    """Whether something of Java may call without a word: `"a" + b` what makes a text of `b`, `A.b` what makes `A`."""
    if node.kind == "field_access":
        return (node.children[0].text or "")[:1].isupper()
    is_sum = node.kind in ("binary_expression", "assignment_expression") and node.children[1].text in ("+", "+=")
    return is_sum and not any(part.kind in _NUMBERS for part in node.children)


def _targets(node: Node) -> Iterator[Node]:
    """What an assignment gives another value."""
    if node.kind in _COUNTING:
        yield from node.children
    elif node.kind in _ASSIGNING:
        for child in node.children:
            if child.field == "left":
                yield from child.children if child.kind == "expression_list" else [child]


def _leaves(branch: Node) -> bool:
    """Whether a block, or the one statement that stands for it, ends the function, and nothing else."""
    if any(node.kind in _JUMPS for node in every_node(branch)):
        return False
    parts = [child for child in branch.children if child.text not in ("{", "}")] if branch.kind == "block" else [branch]
    return bool(parts) and parts[-1].kind in _LEAVING


def _is_use(leaf: Node, name: str) -> bool:
    return leaf.text == name and leaf.role is Role.NAME and not leaf.binds


def uses_in(parts: Sequence[Node], name: str) -> Iterator[tuple[Node, ...]]:
    """Where the name is used, but not too deep: what it stands in, the outermost first, and the use itself."""
    stack: list[tuple[Node, ...]] = [(part,) for part in reversed(parts)]
    while stack:
        above = stack.pop()
        node = above[-1]
        if _is_use(node, name):
            yield above
        if len(above) < MAX_DEPTH:
            stack.extend((*above, child) for child in reversed(node.children))


class ValueReader(Protocol):
    """What a language says of the values of one function."""

    def value_of(self, statement: Node) -> KeptValue | None:
        """What a statement gives a name of its own, if that is all that it does."""

    def may_stand(self, kept: KeptValue, uses: Sequence[tuple[Node, ...]], following: Sequence[Node]) -> bool:
        """Whether the value does what the name does at each use in the statements that follow it."""

    def is_total(self, value: Node) -> bool:
        """Whether to compute a value can't fail and changes nothing."""


Functions = Callable[[Node], Iterator[tuple[str, Node]]]
"""The functions of a file, each with a name that the other version has for it, too."""

NameIn = Callable[[Node], str]
"""The one name that a statement declares with a value; empty for any other statement."""

Reader = Callable[[Node, Node], ValueReader]
"""A reader for one function, and the file that it stands in."""

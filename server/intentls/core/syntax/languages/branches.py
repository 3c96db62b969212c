"""Branches that are written in another form and take the same way: one form for all of them.

    if not a:                 if a:                     if a:
        return 1                  b()                       b()
    b()                       else:                         return 2
    return 2                      return 1              return 1

A value that is chosen by a condition (`return 1 if a else 2`) is a branch of two, and what is returned as true or false
is the condition itself, where it can be nothing else.

What follows a branch that ends with `return`, `raise`, `break` or `continue` stands in the other branch, only what
is asked is denied in a condition, two conditions without another branch are one with `and`, and what ends a function
or a round anyway is left out. What both branches end with stands after them. Two branches that do the same are one:

    if a:                     if a or b:
        return 1                  return 1
    if b:                     return 2
        return 1
    return 2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy

from msgspec import Struct

from intentls.core.syntax.languages.adapter import NAMED_BY_IT, in_place_of
from intentls.core.syntax.languages.chosen import Choices
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.logic import Logic
from intentls.core.syntax.languages.tails import Follows, common_tail, says_the_same, without_dead_ends
from intentls.core.syntax.tree import Node, Role, every_node

REASON = "branches in another form"

SURE = "truth"  # the field of a value that a function returns as true or false, as it says itself

_MAX_DEPTH = 40  # branches that a branch may be put into
_TRUTHS = ("true", "false")
_LEAVES = frozenset({"return_statement", "raise_statement", "throw_statement", "break_statement", "continue_statement"})
_SWITCHES = frozenset({"expression_switch_statement", "type_switch_statement"})
_CASES = frozenset({"expression_case", "type_case", "default_case"})
# What holds statements and is no block.
_LISTS = _CASES | {"module", "program", "switch_block_statement_group", "switch_case", "switch_default"}
_LISTS |= {"communication_case", "constructor_body"}
_DECLARATIONS = frozenset(
    {
        *("lexical_declaration", "function_declaration", "generator_function_declaration", "class_declaration"),
        *("variable_declaration", "abstract_class_declaration", "enum_declaration", "type_alias_declaration"),
    }
)
_BRACES = ("{", "}")


class Branches(Struct, frozen=True):
    """The words of a language: a block's kind, the kinds of functions and loops, its conditions."""

    block: str
    functions: frozenset[str]
    loops: frozenset[str]
    logic: Logic
    is_truth: Callable[[Node], bool]  # whether a condition can be nothing but true or false
    # Whether what follows a branch means the same in it: what stands before, its blocks, what follows.
    are_apart: Callable[[list[Node], list[Node], list[Node]], bool] | None = None
    # The kind of a value that a condition chooses, and which of its children are the condition and the two values.
    choice: tuple[str, int, int, int] | None = None
    choosing: Callable[[Node], Iterable[Node]] = every_node  # the statements in which it may be a branch
    follows: Follows | None = None  # whether what both branches end with means the same after them; none: never
    choices: Choices | None = None  # how a name is given one of several values
    returned: str = ""  # the kind of what holds the values that are returned, where one does

    def rewrite(self, root: Node, _facts: Surroundings) -> None:
        """An `InformedRewrite`: bring all branches of a tree into one form, after what needs the facts."""
        if self.choice is not None:
            for node in self.choosing(root):
                self._unfold(node, self.choice)
        for node in reversed(list(every_node(root))):
            if node.kind in self.loops:
                node.children = [self._block(child) if child.field == "body" else child for child in node.children]
            if node.kind == "if_statement" and node.children:
                self._shape(node)
            elif node.kind in (self.block, "module", "program") and node.children:
                statements = [child for child in node.children if child.kind not in _BRACES]
                statements = statements if self.choices is None else self.choices.settled(statements)
                statements = statements if self.follows is None else without_dead_ends(statements, leaves)
                node.children = self._joined(statements, 0, at_top=node.kind != self.block)
        for node in every_node(root):
            body = node.child("body")
            if body is not None and body.kind == self.block:
                if node.kind in self.functions:
                    self._drop_ends(body, "return_statement")
                elif node.kind in self.loops:
                    self._drop_ends(body, "continue_statement")
        for node in reversed(list(every_node(root))):
            if node.kind == self.logic.kind:
                self.logic.in_one_chain(node)
            elif node.kind == "if_statement" and len(node.children) > 1:
                self._settle(node)
                self._return_condition(node)
            elif node.kind in _LISTS or node.kind == self.block:
                node.children = self._with_tails(node.children)

    def _unfold(self, statement: Node, choice: tuple[str, int, int, int]) -> None:
        """`return b if a else c`, or a name that is given such a value, as a branch of two."""
        given = _given(statement)
        if given is None or given[1].kind != choice[0] or len(given[1].children) != 5:
            return
        holder, value = given
        condition, *values = (value.children[index] for index in choice[1:])
        if holder is not statement and any(part.kind in NAMED_BY_IT for part in values):
            return
        branches = []
        for part in values:
            parts = [child if child is not value else in_place_of(value, part) for child in holder.children]
            inner = Node(holder.kind, holder.field, statement.row, children=parts)
            if holder.kind == "assignment" and part.role is Role.NAME and part.text == holder.children[0].text:
                branches.append(Node(self.block, None, statement.row))  # a name of Python keeps its value
                continue
            is_whole = holder is statement
            branches.append(inner if is_whole else Node(statement.kind, None, statement.row, children=[inner]))
        statement.kind = "if_statement"
        statement.children = [condition, *branches]

    def _return_condition(self, node: Node) -> None:
        """`return a in b` for `if a in b: return True`, and `return False` else."""
        asked, *blocks = node.children
        said = [self._said(block) for block in blocks]
        if len(said) != 2 or "" in said or said[0] == said[1] or not set(said) & set(_TRUTHS):
            return
        is_sure = all(part.field == SURE for block in blocks for part in self._values(block))
        if {*said} == {*_TRUTHS}:
            condition = asked if said[0] == "true" else self.logic.opposite(asked)
            if not is_sure and not self.logic.has_one_unequal and not self.is_truth(condition):
                condition = self.logic.negative(self.logic.opposite(condition))  # `not not a and b not in c`
            may_be = is_sure or self.is_truth(condition)
        else:
            at = 0 if said[0] in _TRUTHS else 1
            value = self._values(blocks[1 - at])[0]
            may_be = is_sure or (self.is_truth(asked) and self.is_truth(value))
            first = asked if (said[at] == "true") == (at == 0) else self.logic.opposite(asked)
            condition = self.logic.either(first, value) if said[at] == "true" else self.logic.both(first, value)
        if may_be:
            node.kind = "return_statement"
            condition.field = SURE if is_sure else condition.field
            value = Node(self.returned, None, node.row, children=[condition]) if self.returned else condition
            node.children = [Node("return", None, node.row, "return"), value]

    def _said(self, block: Node) -> str:
        """The kind of what a block returns, if it does no more."""
        values = self._values(block)
        return values[0].kind if len(values) == 1 else ""

    def _values(self, block: Node) -> list[Node]:
        """What a block returns, if it does no more."""
        is_return = len(block.children) == 1 and block.children[0].kind == "return_statement"
        values = block.children[0].children[1:] if is_return else []
        is_held = self.returned and len(values) == 1 and values[0].kind == self.returned
        return values[0].children if is_held else values

    def _shape(self, node: Node) -> None:
        """An `if` as its condition, what is done, and what is done else."""
        parts = [child for child in node.children if child.kind not in ("if", ":", "else")]
        if any(child.kind.endswith("comment") or child.field == "initializer" for child in parts):
            node.kind = "other_if"  # as it stands
            return
        condition, branch, *others = parts
        node.children = [condition, self._block(branch)]
        if others and others[0].kind == "elif_clause":
            inner = Node("if_statement", None, others[0].row, children=[*others[0].children[1:], *others[1:]])
            self._shape(inner)
            node.children.append(self._block(inner))
        elif others:
            other = others[0].children[-1] if others[0].kind == "else_clause" else others[0]
            node.children.append(self._block(other))

    def _block(self, node: Node) -> Node:
        """A block of what a branch does, without braces."""
        children = [node]
        if node.kind == self.block and node.text is None:
            children = [child for child in node.children if child.kind not in _BRACES]
        return Node(self.block, node.field, node.row, children=children)

    def _joined(self, statements: list[Node], depth: int, *, at_top: bool = False) -> list[Node]:
        """The statements, where what follows a branch that leaves is in the other branch."""
        kept: list[Node] = []  # the last one first
        for index in range(len(statements) - 1, -1, -1):
            statement, rest = statements[index], kept[::-1]
            if depth < _MAX_DEPTH and self._takes(statement, rest, statements[:index], at_top=at_top):
                self._take(statement, rest, depth)
                kept = [statement]
            elif depth < _MAX_DEPTH and self._ends_alike(statement, rest):
                self._end_each(statement, rest[0], depth)
                kept = [statement]
            else:
                kept.append(statement)
        return kept[::-1]

    def _takes(self, statement: Node, rest: list[Node], before: list[Node], *, at_top: bool) -> bool:
        is_branch = statement.kind == "if_statement" and len(statement.children) > 1
        if not is_branch or not rest:
            return False
        condition, *blocks = statement.children
        leaving = [leaves(block) for block in blocks]
        if leaving not in ([True], [True, False], [False, True]):
            return False
        if self.are_apart is not None and not at_top:
            return self.are_apart([*before, condition], blocks, rest)
        return not any(
            node.kind in _DECLARATIONS for node in (*rest, *(part for block in blocks for part in block.children))
        )

    def _ends_alike(self, statement: Node, rest: list[Node]) -> bool:
        """Whether true or false is all that is returned after branches of which one may return something before."""
        is_branch = statement.kind == "if_statement" and len(statement.children) > 1
        if not is_branch or len(rest) != 1 or self._said(Node(self.block, None, 0, children=rest)) not in _TRUTHS:
            return False
        return any(_returns(block) for block in statement.children[1:])

    def _end_each(self, statement: Node, end: Node, depth: int) -> None:
        """Each branch returns it itself."""
        if len(statement.children) == 2:
            statement.children.append(Node(self.block, None, end.row))
        for block in statement.children[1:]:
            if not leaves(block):
                block.children = self._joined([*block.children, deepcopy(end)], depth + 1)

    def _take(self, statement: Node, rest: list[Node], depth: int) -> None:
        if len(statement.children) == 2:
            statement.children.append(Node(self.block, None, rest[0].row))
        target = statement.children[2 if leaves(statement.children[1]) else 1]
        target.children = self._joined([*target.children, *rest], depth + 1)

    def _drop_ends(self, body: Node, kind: str) -> None:
        """Without a last `return` of nothing, or a last `continue`."""
        blocks = [body]
        while blocks:
            block = blocks.pop()
            last = block.children[-1] if block.children else block
            if last.kind == kind and _says_nothing(last):
                block.children.pop()
                blocks.append(block)
            elif last.kind == "if_statement":
                blocks.extend(last.children[1:])

    def _settle(self, node: Node) -> None:
        """Without empty branches, two conditions as one, and of what is asked first what is so."""
        if len(node.children) == 3 and not node.children[2].children:
            node.children.pop()
        if len(node.children) == 3 and not node.children[1].children:
            node.children = [self.logic.opposite(node.children[0]), node.children[2]]
        self._ask_plainly(node)
        branch = node.children[1].children
        inner = branch[0] if len(node.children) == 2 and len(branch) == 1 else None
        is_nested = inner is not None and inner.kind == "if_statement" and len(inner.children) == 2
        if inner is not None and is_nested and not (_names(node) or _names(inner)):
            node.children = [self.logic.both(node.children[0], inner.children[0]), inner.children[1]]
        else:
            node.children[0] = self.logic.both(node.children[0])
            self._join_two(node)
            self._ask_plainly(node)

    def _with_tails(self, statements: list[Node]) -> list[Node]:
        """The statements, where what both branches end with follows them."""
        kept: list[Node] = []
        for statement in statements:
            kept.append(statement)
            if self.follows is not None and statement.kind == "if_statement" and len(statement.children) == 3:
                tail = common_tail(statement, self.follows, leaves)
                kept += tail
                for node in reversed(list(every_node(statement)) if tail else []):
                    if node.kind == "if_statement":
                        self._settle(node)
        return kept

    def _ask_plainly(self, node: Node) -> None:
        """A condition in which only what is asked is denied, and with another branch not what is asked first."""
        asked = node.children[0]
        if _names(node):
            return
        node.children[0] = self.logic.plain(asked)
        if len(node.children) == 3 and self.logic.is_denied(node.children[0]):
            node.children = [self.logic.opposite(node.children[0]), node.children[2], node.children[1]]

    def _join_two(self, node: Node) -> None:
        """One branch for two that do the same, of which one stands in the other branch of the other."""
        outer, *branches = node.children
        for at, branch in enumerate(branches):
            inner = branch.children[0] if len(branch.children) == 1 else branch
            if inner.kind != "if_statement" or len(branches) == 1 or _names(node) or _names(inner):
                continue
            other = branches[1 - at]
            asked, *ways = inner.children
            same = [says_the_same(way, other) for way in ways]
            if True not in same:
                continue
            is_done = same.index(True) == 0  # what both do is done where the inner condition is so
            rest = [way for way, is_it in zip(ways, same, strict=True) if not is_it][:1]
            if at == 0 and not is_done:
                node.children = [self.logic.both(outer, asked), *rest, other]
            else:
                first = outer if at == 1 else self.logic.opposite(outer)
                then = asked if is_done else self.logic.opposite(asked)
                node.children = [self.logic.either(first, then), other, *rest]
            return


def _names(branch: Node) -> bool:
    """Whether its condition gives a name to what it finds, as `if let` does."""
    return branch.children[0].kind.startswith("let_")


def are_apart(_before: list[Node], blocks: list[Node], rest: list[Node]) -> bool:
    """Whether what follows means the same in one of the blocks: it has no name that they declare."""
    declared = {name for block in blocks for node in every_node(block) for name in _declared(node)}
    return not declared or declared.isdisjoint(leaf.text for statement in rest for leaf in every_node(statement))


def _declared(node: Node) -> Iterable[str | None]:
    """The names that a node declares: not the comma between two of them."""
    if node.binds and node.role is Role.NAME:
        return (node.text,)
    if node.kind in ("type_spec", "type_alias"):
        return (node.children[0].text,)
    is_pattern = node.kind == "instanceof_expression" and len(node.children) == 4
    return (node.children[-1].text,) if is_pattern or node.kind == "record_pattern_component" else ()


def _given(statement: Node) -> tuple[Node, Node] | None:
    """What a statement returns, or gives to a plain name, and the node that does that."""
    if statement.kind == "return_statement" and len(statement.children) == 2:
        return statement, statement.children[1]
    inner = statement.children[0] if statement.kind == "expression_statement" and len(statement.children) == 1 else None
    if inner is None or inner.kind not in ("assignment", "assignment_expression") or len(inner.children) != 3:
        return None
    is_plain = inner.children[0].role is Role.NAME and inner.children[1].kind == "="
    return (inner, inner.children[2]) if is_plain else None


def _returns(block: Node) -> bool:
    """Whether one of the branches in it, however deep, returns something."""
    stack = list(block.children)
    while stack:
        node = stack.pop()
        if node.kind == "return_statement":
            return True
        if node.kind in ("if_statement", block.kind):
            stack.extend(node.children)
    return False


def leaves(block: Node) -> bool:
    """Whether its end is not reached: it ends by leaving, or with a branch of two that both do."""
    stack = [block]
    while stack:
        children = stack.pop().children
        last = children[-1] if children else None
        if last is not None and last.kind == "if_statement" and len(last.children) == 3:
            stack.extend(last.children[1:])
        elif last is not None and last.kind in _SWITCHES and _has_all_cases(last):
            stack.extend(child for child in last.children if child.kind in _CASES)
        elif last is None or last.kind not in _LEAVES:
            return False
    return True


def _has_all_cases(switch: Node) -> bool:
    """Whether one of its cases is taken whatever comes (Go), and none goes on after it."""
    is_default = any(child.kind == "default_case" for child in switch.children)
    return is_default and all(node.kind not in ("break_statement", "goto_statement") for node in every_node(switch))


def _says_nothing(statement: Node) -> bool:
    """Whether it is `return`, `return None` or `continue`."""
    values = statement.children[1:]
    return not values or (len(values) == 1 and values[0].kind == "none")

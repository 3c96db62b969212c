"""What both branches end with stands after them.

if a:                     if a:
    b()                       b()
    c()                   else:
else:                         d()
    d()                   c()
    c()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from intentls.core.syntax.tree import Node, Role, every_node

Follows = Callable[[Node, Node], bool]
"""Whether a statement at the end of both branches of a condition means the same after them."""

_FIXED = ("_declaration", "comment", "labeled_statement", "held_statement")


def common_tail(branch: Node, follows: Follows, is_left: Callable[[Node], bool]) -> list[Node]:
    """Take the statements away that all ways through a branch of two end with, but for those by which it is left.

    With one such way alone they stay: what follows a branch that leaves stands in the other one.
    """
    tail: list[Node] = []
    while True:
        ends = list(_ends(branch, is_left))
        last = ends[0].children[-1] if len(ends) > 1 and all(end.children for end in ends) else branch
        if last is branch or last.kind.endswith(_FIXED) or not follows(branch, last):
            return tail[::-1]
        if not all(says_the_same(last, end.children[-1]) for end in ends[1:]):
            return tail[::-1]
        for end in ends:
            end.children.pop()
        tail.append(last)


def _ends(branch: Node, is_left: Callable[[Node], bool]) -> Iterator[Node]:
    """The blocks with which a branch of two ends, if it is not left there."""
    stack = branch.children[:0:-1]
    if all(map(is_left, stack)):
        yield from stack
        return
    while stack:
        block = stack.pop()
        last = block.children[-1] if block.children else block
        if last.kind == "if_statement" and len(last.children) == 3:
            stack += last.children[:0:-1]
        elif not is_left(block):
            yield block


def says_the_same(one: Node, other: Node) -> bool:
    """Whether two trees have the same words; that is mostly told by the first of them."""
    stack = [(one, other)]
    while stack:
        first, second = stack.pop()
        if (first.kind, first.text, first.role) != (second.kind, second.text, second.role):
            return False
        if len(first.children) != len(second.children):
            return False
        stack.extend(zip(first.children, second.children, strict=True))
    return True


def has_no_name_of(branch: Node, statement: Node) -> bool:
    """Whether a statement has no name that the branches declare, or that a condition gives to what it has found."""
    said = {leaf.text for leaf in every_node(statement) if leaf.text is not None}
    for node in every_node(branch):
        if node.binds and node.role is Role.NAME and node.text in said:
            return False
        if node.kind == "instanceof_expression":
            found = (leaf.text for part in node.children[2:] for leaf in every_node(part))
            if not said.isdisjoint(found):
                return False
    return True


def always(_branch: Node, _statement: Node) -> bool:
    """For a language in which names belong to the function."""
    return True


def without_dead_ends(statements: list[Node], is_left: Callable[[Node], bool]) -> list[Node]:
    """The statements up to the one after which none is reached, if to read the others tells nothing of names or labels.

    Python takes what is given a value anywhere for a name of the function, and a function with a `yield` for another.
    """
    for index, statement in enumerate(statements[:-1]):
        if is_left(Node("block", None, statement.row, children=[statement])):
            dead = (node for rest in statements[index + 1 :] for node in every_node(rest))
            return statements if any(map(_tells, dead)) else statements[: index + 1]
    return statements


def _tells(node: Node) -> bool:
    return node.binds or node.kind.endswith(_FIXED) or node.kind in _TELLING


_TELLING = frozenset(
    {
        *("named_expression", "delete_statement", "augmented_assignment", "match_statement", "type_alias_statement"),
        *("global_statement", "nonlocal_statement", "yield", "yield_expression", "import_item", "wildcard_import"),
        *("function_definition", "class_definition", "import_statement", "import_from_statement"),
    }
)

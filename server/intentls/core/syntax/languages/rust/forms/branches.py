"""Branches of Rust that are written in another form and take the same way.

    if a { return 1; }                  if a || b {                     if a || b { 1 } else { 2 }
    if b { return 1; }                      return 1;
    2                                   } else { 2 }

What a function ends with is what it returns. What a block declares is dropped at its end, so that nothing is moved into
one that declares something.
"""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import in_place_of
from intentls.core.syntax.languages.branches import Branches, leaves
from intentls.core.syntax.languages.facts import no_facts
from intentls.core.syntax.languages.logic import Logic, affirmed, denied
from intentls.core.syntax.languages.rust.forms.places import is_settled, without_sign
from intentls.core.syntax.tree import Node, every_node, inner_nodes

_LEAVING = {
    "return_expression": "return_statement",
    "break_expression": "break_statement",
    "continue_expression": "continue_statement",
}
_LEAVES = frozenset(_LEAVING.values())
_LETS = frozenset({"let_condition", "let_chain"})
# Macros of the library that only say or check something.
_SAYS = frozenset(
    {
        *(
            "print",
            "println",
            "eprint",
            "eprintln",
            "write",
            "writeln",
            "panic",
            "todo",
            "unreachable",
            "unimplemented",
        ),
        *("assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"),
    }
)


def _is_truth(condition: Node) -> bool:
    """Whether what a condition asks is a value, and leaves nothing that is dropped at another time."""
    sign = condition.children[1].kind if len(condition.children) > 2 else ""
    if sign in ("&&", "||"):
        return all(map(_is_truth, condition.children[::2]))
    if condition.kind == "unary_expression":
        return _is_truth(condition.children[-1])
    return condition.kind in ("matches", "boolean_literal") or is_settled(condition)


def _are_apart(_before: list[Node], blocks: list[Node], rest: list[Node]) -> bool:
    """Whether no block that is not left declares something: it would be dropped later, or seen by what is moved in.

    What follows is moved without its items, which are seen above them, too.
    """
    entered = (part for block in blocks if not leaves(block) for part in block.children)
    return not any(_declares_item(part) or part.kind == "let_declaration" for part in entered) and not any(
        map(_declares_item, rest)
    )


def _follows(branch: Node, last: Node) -> bool:
    """Whether what both branches end with may stand after them, when all that they declare and ask for is dropped."""
    is_statement = last.kind in _LEAVES or (last.kind == "expression_statement" and last.children[-1].kind == ";")
    return is_statement and not any(
        node.kind == "let_declaration" or node.kind in _LETS or _declares_item(node) for node in every_node(branch)
    )


def _declares_item(statement: Node) -> bool:
    inner = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    if inner.kind == "macro_invocation":
        return inner.children[0].text not in _SAYS
    return inner.kind == "macro_definition" or inner.kind.endswith("_item")


LOGIC = Logic("binary_expression", "&&", "||", affirmed, denied(affirmed, "argument"))

_BRANCHES = Branches(
    "block",
    frozenset({"function_item"}),
    frozenset({"for_expression", "while_expression", "loop_expression"}),
    LOGIC,
    is_truth=_is_truth,
    are_apart=_are_apart,
    follows=_follows,
)


def in_one_form(root: Node) -> None:
    """A `Rewrite`: the branches of all functions in one form, of which no other step knows the words."""
    for function in (node for node in inner_nodes(root) if node.kind == "function_item"):
        _return_last([child for child in function.children if child.field == "body"])
        for block in reversed([node for node in inner_nodes(function) if node.kind == "block"]):
            block.children = [_statement(child) for child in block.children]
    _BRANCHES.rewrite(root, no_facts(""))
    for branch in (node for node in inner_nodes(root) if node.kind == "if_statement" and len(node.children) == 2):
        block = branch.children[1]
        block.children[-1:] = map(without_sign, block.children[-1:])


def _return_last(blocks: list[Node]) -> None:
    """`return a;` for `a` at the end, and at the end of both branches there, if nothing is dropped after it."""
    while blocks:
        block = blocks.pop()
        last = block.children[-2] if len(block.children) > 2 else block
        only = last.children[0] if last.kind == "expression_statement" and len(last.children) == 1 else last
        if only.kind == "if_expression":
            blocks += _both(only)
        elif is_settled(only) or _is_truth(only):
            word = Node("return", None, last.row, "return")
            block.children[-2] = Node(
                "return_statement", None, last.row, children=[word, _truth(in_place_of(last, only))]
            )


def _both(branch: Node) -> list[Node]:
    """The blocks of a branch of two, and of one for the other; none if there is no other."""
    blocks: list[Node] = []
    while len(branch.children) == 4:
        blocks.append(branch.children[2])
        other = branch.children[3].children[-1]
        if other.kind != "if_expression":
            return [*blocks, other]
        branch = other
    return []


def _truth(value: Node) -> Node:
    return in_place_of(value, value.children[0]) if value.kind == "boolean_literal" and value.children else value


def _statement(node: Node) -> Node:
    """A statement in the words of all languages."""
    inner = node.children[0] if node.kind == "expression_statement" and node.children else node
    if inner.kind in _LEAVING:
        return Node(_LEAVING[inner.kind], None, node.row, children=[_truth(part) for part in inner.children or [inner]])
    if inner.kind == "if_expression" and inner.children:
        for branch in every_node(inner):
            if branch.kind == "else_clause" and branch.children[-1].kind == "if_expression":
                branch.children[-1].kind = "if_statement"
        return Node("if_statement", None, node.row, children=inner.children)
    return node

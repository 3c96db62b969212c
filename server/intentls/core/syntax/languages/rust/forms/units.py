"""Blocks of Rust that have no value: what they end with may have a `;` or not, if nothing is dropped later for it.

fn f() { g(); }          for a in b { match a { C => d(), _ => { e(); } } }
fn f() { g() }           for a in b { match a { C => { d() } _ => e(), } }
"""

from __future__ import annotations

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.languages.rust.forms.places import is_done
from intentls.core.syntax.tree import Node, inner_nodes

_VALUES = frozenset({"call_expression", "macro_invocation", "assignment_expression", "compound_assignment_expr"})
_LOOPS = frozenset({"for_expression", "while_expression", "loop_expression"})


def ended_alike(root: Node) -> None:
    """A `Rewrite`: a `;` at the end of the bodies of loops, of branches without `else`, and of what gives nothing."""
    for node in inner_nodes(root):
        gives_nothing = node.kind == "function_item" and all(child.kind != "->" for child in node.children)
        is_branch = node.kind == "if_expression" and len(node.children) == 3
        if gives_nothing or is_branch or node.kind in _LOOPS:
            _end(node.children[-1])
        if node.kind == "block":
            for statement in node.children[1:-2]:  # what is no last one gives nothing
                if statement.kind == "expression_statement" and len(statement.children) == 1:
                    _end(statement.children[0])


def _end(value: Node) -> None:
    """The end of a block, and those of the branches that end it."""
    if value.kind == "block" and len(value.children) > 2:
        last = value.children[-2]
        is_statement = last.kind == "expression_statement" and len(last.children) == 1
        inner = last.children[0] if is_statement else last
        _end(inner)
        if inner.kind in _VALUES and is_done(inner):
            value.children[-2] = _ended(inner)
    elif value.kind == "if_expression" and len(value.children) == 4:
        _end(value.children[2])
        _end(value.children[3].children[-1])
    elif value.kind == "match_expression":
        for arm in value.children[-1].children:
            if arm.kind == "match_arm":
                given = arm.children[-1]
                _end(given)
                if given.kind in _VALUES and is_done(given):
                    ended = [word_at(given, "{"), _ended(given), word_at(given, "}")]
                    arm.children[-1] = Node("block", "value", given.row, children=ended)


def _ended(value: Node) -> Node:
    """`a();` for `a()`."""
    value.field = None
    return Node("expression_statement", None, value.row, children=[value, word_at(value, ";")])

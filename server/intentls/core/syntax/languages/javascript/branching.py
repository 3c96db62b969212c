"""Branches of JavaScript and TypeScript: what follows one that leaves stands in the other, with the names it declares.

if (!a) return;               if (a) {
const b = f(a);                 const b = f(a);
send(b);                        send(b);
                              }
"""

from __future__ import annotations

from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.branches import Branches
from intentls.core.syntax.languages.chosen import Choices, ChosenName, returned, returning
from intentls.core.syntax.languages.javascript.choices import declared_name
from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, affirmed, is_truth, opposite
from intentls.core.syntax.languages.javascript.name_uses import words_of
from intentls.core.syntax.languages.logic import Logic, denied
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.languages.tails import has_no_name_of
from intentls.core.syntax.tree import Node, Role, every_node

# What is known in all of its block, or of its function, wherever it stands.
_HOISTED = ("_declaration", "module", "import_alias", "function_signature")
_MAX_BEFORE = 100  # statements: for each branch all of them are looked at
_SCOPED = kinds("lexical_declaration class_declaration abstract_class_declaration")
_MOVED = _SCOPED | {"variable_declaration"}  # a `var` is one of its function anyway


def _are_apart(before: list[Node], blocks: list[Node], rest: list[Node]) -> bool:
    """Whether what follows a branch means the same in one of its blocks.

    It has no name that they declare, and nothing before has one that is declared there: a function may ask for it.
    """
    entered = [part for block in blocks for part in block.children]
    if len(before) > _MAX_BEFORE or any(
        part.kind.endswith(_HOISTED) and part.kind not in _MOVED for part in (*entered, *rest)
    ):
        return False
    own, late = (_declared(entered), _declared(rest))
    said = _words(rest) if own else set[str]()
    known = _words([*before, *entered]) if late else set[str]()
    return own.isdisjoint(said) and late.isdisjoint(known) and "eval" not in known


def _declared(statements: list[Node]) -> set[str]:
    parts = (part for part in statements if part.kind in _SCOPED)
    return {leaf.text or "" for part in parts for leaf in every_node(part) if leaf.binds}


def _words(statements: list[Node]) -> set[str]:
    return {word for part in statements for word in words_of(part)}


def _declared_truth(statement: Node) -> ChosenName | None:
    """A `let` of true or false: in TypeScript a type that is inferred says of others which ones they are."""
    name = declared_name(statement)
    parts = statement.children[1].children if name is not None else []
    if name is None or len(parts) != 3 or parts[2].kind not in _TRUTHS or statement.children[0].text != "let":
        return None
    declarator = Node("variable_declarator", None, statement.row, children=[name])
    plain = Node(statement.kind, None, statement.row, end=statement.end, children=[statement.children[0], declarator])
    return ChosenName(name, plain, parts[2], is_returned=True)


def _given(statement: Node) -> tuple[str, Node] | None:
    given = statement.children[0] if statement.kind == "expression_statement" and statement.children else statement
    parts = given.children if given.kind == "assignment_expression" else []
    is_one = len(parts) == 3 and parts[0].role is Role.NAME and parts[1].kind == "=" and parts[2].kind in _TRUTHS
    return (parts[0].text or "", parts[2]) if is_one else None


def _giving(name: Node, value: Node) -> Node:
    parts = [Node("identifier", "left", name.row, name.text, Role.NAME), word_at(name, "="), value]
    given = Node("assignment_expression", None, name.row, children=parts)
    return Node("expression_statement", None, name.row, children=[given])


_TRUTHS = ("true", "false")
_LOOPS = kinds("for_statement for_in_statement for_in_outer while_statement do_statement")

BRANCHES = Branches(
    "statement_block",
    OWN_SCOPE,
    _LOOPS,
    Logic("binary_expression", "&&", "||", affirmed, denied(opposite, "argument")),
    choice=("ternary_expression", 0, 2, 4),
    is_truth=is_truth,
    are_apart=_are_apart,
    follows=has_no_name_of,
    choices=Choices(_declared_truth, _given, _giving, returned, returning, _LOOPS),
)

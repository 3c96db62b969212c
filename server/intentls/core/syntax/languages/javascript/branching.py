"""Branches of JavaScript and TypeScript: what follows one that leaves stands in the other, with the names it declares.

if (!a) return;               if (a) {
const b = f(a);                 const b = f(a);
send(b);                        send(b);
                              }

A `switch` is `if` and `else if`, whose conditions ask for its cases one by one.

switch (a) {                    if (a === 1 || a === 2) {
  case 1:                         send(a);
  case 2:                       } else {
    send(a);                      log(a);
    break;                      }
  default:
    log(a);
}
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.branches import Branches
from intentls.core.syntax.languages.chosen import Choices, ChosenName, returned, returning
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.javascript.choices import declared_name, giving
from intentls.core.syntax.languages.javascript.forms import OWN_SCOPE, affirmed, is_truth, opposite
from intentls.core.syntax.languages.javascript.name_uses import words_of
from intentls.core.syntax.languages.logic import Logic, denied
from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.languages.tails import has_no_name_of
from intentls.core.syntax.tree import Node, Role, copy_with, every_node, inner_nodes

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
    choices=Choices(_declared_truth, _given, giving, returned, returning, _LOOPS),
)


_CASES = ("switch_case", "switch_default")
_LITERALS = kinds("number string true false null")
_LEAVING = kinds("return_statement throw_statement break_statement continue_statement")
# In these `break` leaves something else, or nothing.
_BREAKABLE = kinds(
    "for_statement for_in_statement for_in_outer while_statement do_statement switch_statement arrow_function"
    " function_expression function_declaration generator_function generator_function_declaration method_definition"
)


def branched(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: all branches in one form, switches of a variable among them."""
    found = {node.kind for node in inner_nodes(root)} & {"switch_statement", "with_statement"}
    if found == {"switch_statement"}:
        for switch, known in reversed(list(in_sight(root, ("switch_statement",)))):  # what is within comes first
            _as_branches(switch, known)
    BRANCHES.rewrite(root, facts)


def in_sight(root: Node, found: Collection[str]) -> Iterator[tuple[Node, frozenset[str | None]]]:
    """The nodes of these kinds, and the variables in sight of each: another name may be a getter of all programs.

    Example: a `switch_statement` in a function, with the function's parameters.
    """
    stack = [(root, frozenset[str | None]())]
    while stack:
        node, known = stack.pop()
        if node.kind in found:
            yield node, known
        here = {leaf.text for part in node.children if _declares_in(part) for leaf in every_node(part) if leaf.binds}
        known = known | here if here else known
        stack.extend((child, known) for child in node.children)


def _declares_in(part: Node) -> bool:
    """Whether a part of a function, a block or the head of a loop declares what is in sight in it."""
    return part.kind in _IN_SIGHT or part.field in ("parameter", "left", "initializer")


_IN_SIGHT = kinds("formal_parameters lexical_declaration variable_declaration import_item")


def _as_branches(switch: Node, known: frozenset[str | None]) -> None:
    """`if` for a `switch` of a variable by literals, of which each case ends by itself and declares nothing."""
    asked, body = switch.child("value"), switch.children[-1]
    if asked is None or asked.role is not Role.NAME or asked.text not in known or body.kind != "switch_body":
        return
    cases = [child for child in body.children if child.kind in _CASES]
    groups = _groups(cases)
    if groups is None or len(cases) + 2 != len(body.children):
        return
    following: Node | None = None
    for values, statements in reversed(groups):
        inside = [word_at(switch, "{"), *_without_breaks(statements), word_at(switch, "}")]
        block = Node("statement_block", "consequence", switch.row, children=inside)
        if not values:
            following = block
            continue
        condition = BRANCHES.logic.either(*(_is_equal(asked, value) for value in values))
        condition.field = "condition"
        branch = Node("if_statement", None, switch.row, children=[word_at(switch, "if"), condition, block])
        if following is not None:
            branch.children.append(
                Node("else_clause", "alternative", switch.row, children=[word_at(switch, "else"), following])
            )
        following = branch
    if following is not None and following.kind == "if_statement":
        switch.kind, switch.children = following.kind, following.children


def _groups(cases: list[Node]) -> list[tuple[list[Node], list[Node]]] | None:
    """The values of the cases that do the same, none for all others, and what they do; None if that can't be told."""
    groups: list[tuple[list[Node], list[Node]]] = []
    values: list[Node] = []
    for number, case in enumerate(cases):
        is_last = number == len(cases) - 1
        colon = next(index for index, child in enumerate(case.children) if child.kind == ":")
        if case.kind == "switch_default":
            if not is_last:
                return None
            values = []
        elif not _is_literal(case.children[1]):
            return None
        else:
            values = [*values, case.children[1]]
        statements = _statements(case.children[colon + 1 :], is_last=is_last)
        if statements is None:
            return None
        if case.children[colon + 1 :] or is_last:
            groups.append((values, statements))
            values = []
    return groups


def _is_literal(value: Node) -> bool:
    return value.kind in _LITERALS and not value.children


def _statements(case: list[Node], *, is_last: bool) -> list[Node] | None:
    """What a case does; None if it may go on in the next one, declares something, or is left in its midst."""
    is_block = len(case) == 1 and case[0].kind == "statement_block"
    statements = case[0].children[1:-1] if is_block else case
    if not is_block and any(part.kind.endswith(("_declaration", "labeled_statement")) for part in statements):
        return None
    if statements and not (_ends(statements[-1]) or is_last):
        return None
    last = {id(node) for node in _last_breaks(statements[-1:])}
    stack = list(statements)
    while stack:
        node = stack.pop()
        if node.kind == "break_statement" and len(node.children) == 1 and id(node) not in last:
            return None
        if node.kind not in _BREAKABLE:
            stack.extend(node.children)
    return statements


def _ends(statement: Node) -> bool:
    """Whether nothing goes on after a statement: it leaves, or is a branch of two that both do."""
    stack = [statement]
    while stack:
        node = stack.pop()
        if node.kind == "statement_block" and len(node.children) > 2:
            stack.append(node.children[-2])
        elif node.kind == "if_statement" and node.child("alternative") is not None:
            stack += [node.children[2], node.children[3].children[-1]]
        elif node.kind not in _LEAVING:
            return False
    return True


def _last_breaks(last: list[Node]) -> list[Node]:
    """The statements of `break` at the end of a case."""
    found: list[Node] = []
    stack = list(last)
    while stack:
        node = stack.pop()
        if node.kind == "statement_block":
            stack += node.children[-2:-1]
        elif node.kind == "if_statement":
            stack += node.children[2:]
        elif node.kind == "else_clause":
            stack += node.children[-1:]
        elif node.kind == "break_statement" and len(node.children) == 1:
            found.append(node)
    return found


def _without_breaks(statements: list[Node]) -> list[Node]:
    """The statements of a case, which ends anyway."""
    gone = {id(node) for node in _last_breaks(statements[-1:])}
    for node in [node for statement in statements[-1:] for node in every_node(statement)] if gone else ():
        if node.kind == "statement_block":
            node.children = [child for child in node.children if id(child) not in gone]
        elif id(node) in gone:
            node.kind, node.children = "statement_block", [word_at(node, sign) for sign in "{}"]
    return [statement for statement in statements if id(statement) not in gone]


def _is_equal(asked: Node, value: Node) -> Node:
    left = copy_with(asked, {})
    left.field, value.field = "left", "right"
    return Node("binary_expression", None, value.row, children=[left, word_at(value, "===", "operator"), value])

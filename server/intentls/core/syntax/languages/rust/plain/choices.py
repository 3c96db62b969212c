"""Rust that gives a name one of several values, as a value that is chosen and as a statement that chooses.

    let a = if b { 1 } else { 2 };     let a;                         let mut a = 2;
                                       if b { a = 1; }                if b { a = 1; }
                                       else { a = 2; }

What is chosen leaves nothing behind that would be dropped at another time. A name that is given its value by a branch
only to be returned next, or to be given to another name, is not needed:

    let a; if b { a = 1; } else { a = 2; } a            if b { return 1; } return 2;
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

from msgspec import Struct

from intentls.core.syntax.languages.made_nodes import word_at
from intentls.core.syntax.languages.rust.forms.places import is_literal, is_place, is_settled
from intentls.core.syntax.languages.rust.plain.types import declared_in
from intentls.core.syntax.tree import Node, all_said, copy_with, inner_nodes, spelling

_CHOOSING = frozenset({"if_expression", "match_expression"})
_LEAVING = frozenset({"return_expression", "break_expression", "continue_expression"})
_PANICS = frozenset({"panic", "unreachable", "todo", "unimplemented"})
_WORD = re.compile(r"\w+")

Own = Set[str]
"""The names that a file declares: a macro that is called so is not that of the library."""
Make = Callable[[Node], Node]
"""The statement that a value is the last part of."""


class _ChoiceEnds(Struct):
    """Where a choice ends: `values` with a value, `given` with one that the name is given, `others` with neither."""

    values: list[tuple[Node, int]]
    given: list[tuple[Node, int]]
    others: list[Node]


def chosen_alike(root: Node) -> None:
    """A `Rewrite`: statements that choose."""
    own = declared_in(root)
    bodies = {id(node.child("body")): node for node in inner_nodes(root) if node.kind == "function_item"}
    for block in (node for node in inner_nodes(root) if node.kind == "block"):
        for index in range(len(block.children) - 2, 0, -1):
            _spread(block, index, own)
        for index in range(len(block.children) - 2, 0, -1):
            _settle(block, index, bodies.get(id(block)), own)


def _spread(block: Node, index: int, own: Own) -> None:
    """A statement of a value that is chosen, as a choice of statements."""
    statement = block.children[index]
    name, before, value, make = _holder(statement)
    is_marked = block.children[index - 1].kind == "attribute_item"
    if value.kind not in _CHOOSING or make is None or is_marked or _says(value, name):
        return
    ends = _ends(value, "", own)
    is_last = index + 2 == len(block.children)
    if ends is None or not ends.values or ends.others or (is_last and _keeps(value)):
        return
    if statement.kind != "let_declaration" and any(node.kind == "let_declaration" for node in inner_nodes(value)):
        return  # what it declares would be dropped later than what the name has held
    for holder, at in ends.values:
        _end_with(holder, at, make)
    value.field = None
    block.children[index : index + 1] = [*before, Node("expression_statement", None, value.row, children=[value])]


def _holder(statement: Node) -> tuple[str, list[Node], Node, Make | None]:
    """The name that a statement gives a value, what is left of it before that, the value, and what is done with it."""
    kinds = [child.kind for child in statement.children]
    if statement.kind == "let_declaration" and kinds[:2] == ["let", "identifier"] and kinds[-3:-2] == ["="]:
        name, value = statement.children[1].text or "", statement.children[-2]
        bare = Node(statement.kind, None, statement.row, children=[*statement.children[:-3], statement.children[-1]])
        return name, [bare], value, lambda part: _assigned(name, part)
    only = statement.children[0] if statement.kind == "expression_statement" and kinds[-1:] == [";"] else statement
    if only.kind == "return_expression" and len(only.children) == 2:
        return "", [], only.children[1], _returned
    if only.kind == "assignment_expression" and only.children[0].kind == "identifier":
        name = only.children[0].text or ""
        return name, [], only.children[2], lambda part: _assigned(name, part)
    return "", [], statement, None


def _ends(choice: Node, name: str, own: Own) -> _ChoiceEnds | None:
    """Where a choice ends; None where one end is not understood, or says the name otherwise."""
    ends = _ChoiceEnds([], [], [])
    waiting = [(choice, -1)]
    while waiting:
        holder, at = waiting.pop()
        node = holder if at < 0 else holder.children[at]
        if node.kind == "expression_statement" and len(node.children) == 1:
            node = node.children[0]
        if node.kind == "if_expression" and (len(node.children) == 4 or name):
            if _says(node.children[1], name):
                return None
            waiting += [(node, 2)]
            waiting += [(node.children[3], 1)] if len(node.children) == 4 else []
            if len(node.children) == 3:
                ends.others.append(node)
        elif node.kind == "match_expression" and not _says(node.children[1], name):
            arms = [child for child in node.children[-1].children if child.text is None]
            if any(_says(part, name) for arm in arms for part in arm.children[:-1]):
                return None
            waiting += [(arm, len(arm.children) - 1) for arm in arms]
        elif node.kind == "block" and node.text is None and node.children[0].kind == "{":
            if any(_says(child, name) for child in node.children[1:-2]):
                return None
            if len(node.children) > 2:
                waiting.append((node, len(node.children) - 2))
            else:
                ends.others.append(node)
        elif not _end(ends, (holder, at), node, name, own):
            return None
    return ends


def _end(ends: _ChoiceEnds, place: tuple[Node, int], node: Node, name: str, own: Own) -> bool:
    """Take in one end; whether it is understood."""
    is_ended = node.kind == "expression_statement"
    inner = node.children[0] if is_ended else node
    is_panic = inner.kind == "macro_invocation" and inner.children[0].text in _PANICS - own
    if inner.kind in _LEAVING or is_panic:
        return not _says(inner, name)
    if name and inner.kind == "assignment_expression" and inner.children[0].text == name:
        ends.given.append(place)
        return not _says(inner.children[2], name)
    if name:
        ends.others.append(place[0])
        is_statement = place[0].kind == "block" and (is_ended or node.kind == "let_declaration")
        return (is_statement or node.kind == "unit_expression") and not _says(node, name)
    ends.values.append(place)
    return not is_ended and is_settled(inner)


def _says(node: Node, name: str) -> bool:
    return bool(name) and name in _WORD.findall(all_said(node))


def _end_with(holder: Node, at: int, make: Make) -> None:
    """A statement in the place of a value, in a block of its own where there is none."""
    value = holder.children[at]
    field = value.field
    statement = make(value)
    if holder.kind != "block":
        statement = Node("block", field, value.row, children=[word_at(value, "{"), statement, word_at(value, "}")])
    holder.children[at] = statement


def _keeps(choice: Node) -> bool:
    """Whether it makes what it asks for, which the last value of a block would drop later than a statement."""
    asked = (node.child("value") for node in inner_nodes(choice) if node.kind in ("match_expression", "let_condition"))
    return not all(value is not None and is_place(value) for value in asked)


def _settle(block: Node, index: int, function: Node | None, own: Own) -> None:
    """Bring a name that is declared before its value together with what gives it one."""
    let, value = block.children[index], block.children[index].child("value")
    kinds = [child.kind for child in let.children]
    if let.kind != "let_declaration" or kinds[:2] != ["let", "identifier"] or "else" in kinds:
        return
    name = let.children[1].text or ""
    at = next((at for at in range(index + 1, len(block.children)) if _says(block.children[at], name)), 0)
    is_near = not any(node.kind == "let_declaration" for node in block.children[index + 1 : at])
    is_marked = any(child.kind == "attribute_item" for child in block.children[index - 1 : at + 1])
    if not at or is_marked or not (is_near if value is None else is_literal(value)):
        return
    following = block.children[at]
    inner = following.children[0] if following.kind == "expression_statement" else following
    bare = [child for child in let.children if child is not value and child.kind != "="]
    ends = _ends(inner, name, own) if inner.kind in _CHOOSING else None
    if ends is None or not ends.given or (ends.others and value is None):
        return
    if value is not None:
        for other in ends.others:
            ends.given.append(_give(other, _assigned(name, copy_with(value, {}))))
    block.children[at] = Node("expression_statement", None, inner.row, children=[inner])
    block.children.insert(at, Node(let.kind, None, let.row, children=bare))
    del block.children[index]
    _hand_on(block, at, ends.given, function)


def _give(other: Node, statement: Node) -> tuple[Node, int]:
    """Give the name its first value where a choice gives it none; where that stands then."""
    words = [word_at(statement, "{"), statement, word_at(statement, "}")]
    block = Node("block", "value", statement.row, children=words)
    if other.kind == "match_arm":
        other.children[-1] = block
    elif other.kind == "block":
        other.children[-1:-1] = [statement]
        return other, len(other.children) - 2
    else:
        clause = Node("else_clause", "alternative", statement.row, children=[word_at(statement, "else"), block])
        other.children.append(clause)
    return block, 1


def _hand_on(block: Node, at: int, given: Sequence[tuple[Node, int]], function: Node | None) -> None:
    """Without a name that is given a value by the choice at `at`, and that the next statement only hands on."""
    let, choice = block.children[at - 1 : at + 1]
    name, said = let.children[1].text or "", let.child("type")
    following = block.children[at + 1]
    result = function.child("return_type") if function is not None else None
    is_last = function is not None and result is not None and at + 3 == len(block.children)
    if is_last and following.kind == "identifier":
        following = _returned(following)
    target, _, value, make = _holder(following)
    count = sum(_WORD.findall(all_said(child)).count(name) for child in block.children[at - 1 :])
    is_only = value.kind == "identifier" and value.text == name and count == len(given) + 2
    is_returned = following.kind == "expression_statement" and not target
    is_same = said is None or (is_returned and result is not None and spelling(said) == spelling(result))
    is_early = is_returned or not any(node.kind == "let_declaration" for node in inner_nodes(choice))
    if make is None or not is_only or not is_same or not is_early or _says(choice, target) or _keeps(choice):
        return
    for holder, end in given:
        statement = holder.children[end]
        inner = statement.children[0] if statement.kind == "expression_statement" else statement
        holder.children[end] = inner.children[2]
        _end_with(holder, end, make)
    block.children[at - 1 : at + 2] = [choice]


def _assigned(name: str, value: Node) -> Node:
    target = Node("identifier", "left", value.row, name)
    value.field = "right"
    return _statement(Node("assignment_expression", None, value.row, children=[target, word_at(value, "="), value]))


def _returned(value: Node) -> Node:
    value.field = None
    return _statement(Node("return_expression", None, value.row, children=[word_at(value, "return"), value]))


def _statement(inner: Node) -> Node:
    return Node("expression_statement", None, inner.row, children=[inner, word_at(inner, ";")])

"""Branches and loops of C in one form, whichever of their ways stands first.

    if (a != b) return 2; c(); return 1;        if (a == b) { c(); return 1; } return 2;
    while (a) { if (!b) continue; c(); }        for (; a; ) { if (b) { c(); } }
    if (a) { b(); d(); } else { c(); d(); }     if (a) { b(); } else { c(); } d();
    int r = 1; if (a) r = 2; return r;          if (a) return 2; return 1;
    if ((a = f()) == 1) b();                    a = f(); if (a == 1) b();

What follows a branch that leaves stands on its other way, and a condition says what is so. A name that is returned next
is returned where it gets its value. What is moved is whole, macros and all, and declares nothing that would be seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from intentls.core.syntax.languages.c.forms.casts import result_type
from intentls.core.syntax.languages.c.forms.statements import is_whole, may_declare
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes
from intentls.core.syntax.languages.c.ways.blocks import CodeStatement, body_of, inner, leaves, words_of
from intentls.core.syntax.languages.c.ways.conditions import Conditions
from intentls.core.syntax.languages.c.ways.loops import breaks_as_returns, with_plain_head
from intentls.core.syntax.languages.c.ways.own_names import OwnNames, declared_by
from intentls.core.syntax.languages.c.ways.stores import Stores, stored
from intentls.core.syntax.languages.c.ways.switches import as_chain

_WORDS = ("if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue", "goto")
_ONE_OF_ITS_OWN = ("static", "__COUNTER__")
_CONTINUE, _RETURN = ("continue", ";"), ("return", ";")


def with_one_way(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: branches and loops in their one form."""
    body = function.index("{")
    statements = body_of(function) if all(map(macros.name_not, _WORDS)) else None
    if statements is None:
        return function
    ways = _Ways(function, macros)
    is_void = result_type(function) == ("void",)
    made = ways.listed(statements, _RETURN if is_void else ())
    return (*function[: body + 1], *words_of(made), "}")


class _Ways:
    """The branches of a function, from the last and innermost one on."""

    def __init__(self, function: Lexemes, macros: Macros) -> None:
        self._macros = macros
        self._own = OwnNames(function, macros)
        self._conditions = Conditions(self._own, macros)
        self._stores = Stores(self._own, macros, result_type(function))

    def listed(self, statements: Sequence[CodeStatement], end: Lexemes) -> list[CodeStatement]:
        """Statements in their form; `end` is the way out that their end is anyway, `continue;` in a loop."""
        made: list[CodeStatement] = []
        for one in reversed(self._stores.apart(statements)):
            made = self._before(one, made, end)
        return self._stores.in_order(made)

    def _before(self, one: CodeStatement, rest: list[CodeStatement], end: Lexemes) -> list[CodeStatement]:
        """A statement before those that follow it, which are in their form."""
        if one.kind == "if":
            return self._branch(one, rest, end)
        if one.kind == "switch" and (chain := as_chain(one, self._own, self._macros)) is not None:
            return self._branch(chain, rest, end)
        if one.kind == "loop":
            return self._loop(one, rest)
        if one.kind in ("do", "macro", "switch", "block"):
            is_loop, is_last = one.kind == "do", not rest and one.kind == "block"
            inside = self.listed(one.body, _CONTINUE if is_loop else end if is_last else ())
            return [CodeStatement(one.kind, one.head, inside), *rest] if inside or one.kind != "block" else rest
        if not rest and one.head == end:
            return rest
        given = self._stores.given_again(one, rest)
        return self._stores.before(one, rest) if given is None else self._branch(given, rest[1:], end)

    def _loop(self, loop: CodeStatement, rest: list[CodeStatement]) -> list[CodeStatement]:
        body = breaks_as_returns(loop.body, rest[0], self._own) if rest else []
        inside = self.listed(body or loop.body, _CONTINUE)
        first, plain = with_plain_head(CodeStatement(loop.kind, loop.head, inside), self._conditions, self._macros)
        return [*first, plain, *rest]

    def _branch(self, one: CodeStatement, rest: list[CodeStatement], end: Lexemes) -> list[CodeStatement]:
        assigned = self._stores.assigned_first(one)
        if assigned is not None:
            before, one = assigned
            return self._before(before, self._branch(one, rest, end), end)
        body, other = one.body, one.other
        is_given = bool(rest) and self._stores.is_given_before(one, rest)
        if rest and (is_given or leaves(body) or leaves(other)) and self._may_move(one, rest):
            if is_given:
                body, other = (way if leaves(way) else [*way, *rest] for way in (body, other))
                rest = []
            elif leaves(other):
                body, rest = [*body, *rest], []
            elif other:
                other, rest = [*other, *rest], []
            else:
                return self._chosen(one.head, self.listed(body, end), rest)
        body, other = (self.listed(way, () if rest else end) for way in (body, other))
        head: list[CodeStatement] = []
        if leaves(body) and not other:  # and what follows has a label, so that it stays where it is
            while body and rest and body[0] == rest[0] and self._may_stand_before(rest[0], one.head):
                head.append(rest[0])
                body, rest = body[1:], rest[1:]
        return [*head, *self._chosen(one.head, body, other), *rest]

    def _may_move(self, one: CodeStatement, rest: Sequence[CodeStatement]) -> bool:
        """Whether what follows a branch may stand in it."""
        declared = declared_by((*one.body, *one.other), self._macros)
        words = words_of(rest)
        is_plain = not any(each.kind in ("label", "directive") for each in inner(rest))
        return is_plain and declared is not None and declared.isdisjoint(words) and is_whole(words, self._macros)

    def _chosen(self, condition: Lexemes, body: list[CodeStatement], other: list[CodeStatement]) -> list[CodeStatement]:
        """A branch, and what both of its ways begin or end with outside of it."""
        condition = self._conditions.normal(condition)
        opposite = self._conditions.opposite(condition)
        if not body and not other and self._own.is_quiet_value(condition):
            return []
        if (not body and other) or (other and self._conditions.is_plainer(opposite, condition)):
            condition, body, other = opposite, other, body
        tail: list[CodeStatement] = []
        head: list[CodeStatement] = []
        while body and other and body[-1] == other[-1] and self._may_stand_after(body, other):
            tail.insert(0, body[-1])
            body, other = body[:-1], other[:-1]
        while body and other and body[0] == other[0] and self._may_stand_before(body[0], condition):
            head.append(body[0])
            body, other = body[1:], other[1:]
        if head or tail:
            return [*head, *self._chosen(condition, body, other), *tail]
        return self._stores.chosen(CodeStatement("if", condition, body, other))

    def _may_stand_after(self, body: Sequence[CodeStatement], other: Sequence[CodeStatement]) -> bool:
        """Whether the last statement of both ways may stand after their branch."""
        last = body[-1]
        declared = [declared_by(way, self._macros) for way in (body, other)]
        words = {*words_of([last])}
        is_apart = all(names is not None and names.isdisjoint(words) for names in declared)
        return is_apart and self._is_alike(last)

    def _may_stand_before(self, first: CodeStatement, condition: Lexemes) -> bool:
        """Whether the first statement of both ways leaves the condition as it is, and is not told by it."""
        is_plain = first.kind == "" and self._is_alike(first) and not may_declare(first.head, self._macros)
        return is_plain and self._own.is_quiet_value(condition) and stored(first.head).isdisjoint(condition)

    def _is_alike(self, one: CodeStatement) -> bool:
        """Whether it is one thing wherever it is compiled, and whole."""
        words = words_of([one])
        is_one = not any(word in words or not self._macros.are_blind_to(word, words) for word in _ONE_OF_ITS_OWN)
        is_plain = not any(each.kind in ("label", "directive") for each in inner([one]))
        return is_one and is_plain and bool(words) and is_whole(words, self._macros)

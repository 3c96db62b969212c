"""Values that variables of C are given before they are returned, chosen or asked for.

    r = f(); return r;                  return f();             in a function of the type of `r`
    r = 1; if (a) r = 2;                if (a) r = 2; else r = 1;
    if (a) r = 1; else r = 2;           r = a ? 1 : 2;
    x = y = 0;                          x = 0; y = 0;           in the order of their names
    if ((a = f()) == 1)                 a = f(); if (a == 1)

Only of variables that nothing else reads or changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from intentls.core.syntax.languages.c.forms.statements import is_whole
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing, outside
from intentls.core.syntax.languages.c.ways.blocks import CodeStatement, leaves
from intentls.core.syntax.languages.c.ways.conditions import ASSIGNING, LOOSER
from intentls.core.syntax.languages.c.ways.own_names import OwnNames

_STORES = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_STEPS = frozenset({"++", "--"})
_DIGITS = re.compile(r"\d+\Z")
_COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">="})
_ENDS = _COMPARING | {"&&", "||"}


def stored(words: Lexemes) -> set[str]:
    """The names that are given a value in words.

    Example: `{"a", "b"}` of `a = b++;`.
    """
    return {token for index, token in enumerate(words) if NAME.match(token) and _is_stored(words, index)}


def _is_stored(words: Lexemes, index: int) -> bool:
    """Whether a name, perhaps in brackets, stands beside what gives it a value."""
    before, after = index - 1, index + 1
    while words[after : after + 1] == (")",):
        after += 1
    while before > 0 and words[before] == "(":
        before -= 1
    is_next = after < len(words) and (words[after] in _STORES or words[after] in _STEPS)
    return is_next or (before >= 0 and words[before] in _STEPS)


class Stores:
    """What statements of a function give to its variables."""

    def __init__(self, own: OwnNames, macros: Macros, result: Lexemes) -> None:
        self._own, self._macros = own, macros
        self._result = tuple(word for word in result if word != "const")

    def apart(self, statements: Sequence[CodeStatement]) -> list[CodeStatement]:
        """Each value given in a statement of its own: `y = 0; x = 0;` for `x = y = 0;`."""
        return [each for one in statements for each in self._apart(one)]

    def _apart(self, one: CodeStatement) -> list[CodeStatement]:
        head = one.head
        if head[-5:-4] == ("?",) and head.count("?") == 1 and head[-3] == ":" and self._is_choice(head):
            ways = [[CodeStatement("", (head[0], "=", value, ";"))] for value in (head[-4], head[-2])]
            return [CodeStatement("if", head[2:-5], *ways)]
        if one.kind == "" and self._is_store(head) and self._is_store(head[2:]):
            last, inner = head[0], head[2:]
            is_same = self._type_of(last) == self._type_of(inner[0]) and {last, inner[0]}.isdisjoint(inner[2:])
            if is_same and self._own.is_quiet_value(inner[2:-1]):
                return [CodeStatement("", inner), CodeStatement("", (last, "=", *inner[2:]))]
        return [one]

    def _is_choice(self, head: Lexemes) -> bool:
        """Whether a variable is given one of two numbers."""
        asked = head[2:-5]
        is_loose = any(asked[index] in LOOSER["?"] for index in outside(asked))
        is_plain = bool(_DIGITS.match(head[-4]) and _DIGITS.match(head[-2])) and self._is_store(head)
        return (
            is_plain and bool(asked) and not is_loose and all(map(self._macros.is_one_value, filter(NAME.match, asked)))
        )

    def _is_store(self, head: Lexemes) -> bool:
        """Whether a variable that nothing else sees is given a value."""
        return len(head) > 3 and head[1] == "=" and NAME.match(head[0]) is not None and self._own.is_quiet(head[0])

    def _type_of(self, name: str) -> Lexemes:
        return tuple(word for word in self._own.types.get(name, ()) if word != "const")

    def _is_returned(self, name: str, rest: Sequence[CodeStatement]) -> bool:
        """Whether a variable is returned next, as what it is."""
        is_next = len(rest) == 1 and rest[0].head == ("return", name, ";")
        return is_next and bool(self._result) and self._type_of(name) == self._result and self._own.is_quiet(name)

    def before(self, one: CodeStatement, rest: list[CodeStatement]) -> list[CodeStatement]:
        """A statement that holds no other one before those that follow: `return f();` for `r = f(); return r;`."""
        if one.kind == "" and self._is_store(one.head):
            name, value = one.head[0], one.head[2:-1]
            if self._is_returned(name, rest) and "," not in [value[index] for index in outside(value)]:
                return [CodeStatement("", ("return", *value, ";"))]
        return [one, *rest]

    def given_again(self, one: CodeStatement, rest: Sequence[CodeStatement]) -> CodeStatement | None:
        """A branch that gives a variable the one or the other value, for a value before one that gives it another."""
        following = rest[0] if rest else one
        is_it = one.kind == "" and self._is_store(one.head) and following.kind == "if" and not following.other
        if not is_it or not self._is_given_again(one.head, following):
            return None
        return CodeStatement("if", following.head, following.body, [one])

    def _is_given_again(self, head: Lexemes, branch: CodeStatement) -> bool:
        """Whether all that a branch does is to give the variable another value."""
        name = head[0]
        body = branch.body[0].head if len(branch.body) == 1 and branch.body[0].kind == "" else ()
        is_again = body[:2] == (name, "=") and name not in (*body[2:], *branch.head)
        return is_again and stored((*branch.head, *body[2:])).isdisjoint(head) and self._own.is_quiet_value(head[2:-1])

    def is_given_before(self, branch: CodeStatement, rest: Sequence[CodeStatement]) -> bool:
        """Whether what follows a branch returns a variable that a way of the branch ends with giving a value."""
        name = rest[0].head[1] if len(rest) == 1 and rest[0].head[:1] == ("return",) else ""
        return self._is_returned(name, rest) and not leaves([branch]) and _gives(name, branch)

    def chosen(self, branch: CodeStatement) -> list[CodeStatement]:
        """`r = a ? 1 : 2;` for a branch that does no more than that."""
        ways = [way[0].head if len(way) == 1 and way[0].kind == "" else () for way in (branch.body, branch.other)]
        if all(self._is_store(way) and len(way) == 4 for way in ways) and ways[0][0] == ways[1][0]:
            choice = (*ways[0][:2], *branch.head, "?", ways[0][2], ":", ways[1][2], ";")
            if self._is_choice(choice):
                return [CodeStatement("", choice)]
        return [branch]

    def in_order(self, statements: list[CodeStatement]) -> list[CodeStatement]:
        """Values that are given one after the other, and know nothing of each other, in one order."""
        made: list[CodeStatement] = []
        run: list[CodeStatement] = []
        for one in statements:
            if not self._may_follow(one, run):
                made += sorted(run, key=lambda each: each.head)
                run = []
            if self._may_follow(one, run):
                run.append(one)
            else:
                made.append(one)
        return [*made, *sorted(run, key=lambda each: each.head)]

    def _may_follow(self, one: CodeStatement, run: Sequence[CodeStatement]) -> bool:
        is_plain = one.kind == "" and self._is_store(one.head) and self._own.is_quiet_value(one.head[2:-1])
        return is_plain and all(one.head[0] not in each.head and each.head[0] not in one.head for each in run)

    def assigned_first(self, branch: CodeStatement) -> tuple[CodeStatement, CodeStatement] | None:
        """`a = f();` and a branch on `a == 1`, for one on `(a = f()) == 1`; None for any other."""
        head = branch.head
        start = 1 if head[:2] == ("!", "(") else 0
        if len(head) < start + 5 or head[start] != "(":
            if self._is_store((*head, ";")) and len(head) > 2 and self._is_single(head):
                return CodeStatement("", (*head, ";")), CodeStatement("if", head[:1], branch.body, branch.other)
            return None
        end = closing(head, start)
        inside = head[start + 1 : end]
        if not self._is_store((*inside, ";")) or not self._is_single(inside):
            return None
        rest = head[end + 1 :]
        if not self._is_asked_later(rest, is_denied=start == 1):
            return None
        made = CodeStatement("if", (*head[:start], inside[0], *rest), branch.body, branch.other)
        return CodeStatement("", (*inside, ";")), made

    def _is_single(self, inside: Lexemes) -> bool:
        """Whether no comma or other store stands in a store, and it is whole."""
        signs = [inside[index] for index in outside(inside[2:])]
        is_plain = not any(inside[2 + index] in ASSIGNING for index in outside(inside[2:]))
        return bool(signs) and is_plain and is_whole((*inside, ";"), self._macros)

    def _is_asked_later(self, rest: Lexemes, *, is_denied: bool) -> bool:
        """Whether nothing of the rest of a condition is computed before the value that it begins with."""
        if not rest or rest[0] in ("&&", "||"):
            return self._are_whole(rest)
        stop = next((index for index in outside(rest) if index and rest[index] in ("&&", "||")), len(rest))
        compared = rest[1:stop]
        is_plain = self._own.is_quiet_value(compared) or (len(compared) == 1 and compared[0].isupper())
        return rest[0] in _COMPARING and not is_denied and is_plain and self._are_whole(rest)

    def _are_whole(self, words: Lexemes) -> bool:
        signs = {words[index] for index in outside(words)}
        return ASSIGNING.isdisjoint(signs) and all(map(self._macros.is_one_value, filter(NAME.match, words)))


def _gives(name: str, branch: CodeStatement) -> bool:
    return any(
        bool(way) and (way[-1].head[:2] == (name, "=") or (way[-1].kind == "if" and _gives(name, way[-1])))
        for way in (branch.body, branch.other)
    )

"""Branches of C that are written in another form and take the same way: one form for all of them.

    if (a) { if (b) { c(); } }              if (a && b) { c(); }
    if (a) { return -1; }                   if (a || b) { return -1; }
    if (b) { return -1; }
    if (a == b) { return 1; } return 0;     return a == b;
    if (a) { return 2; } return 3;          return a ? 2 : 3;
    !(a == b)                               a != b
    if (a) { free(a); }                     free(a);
    while (1) { (*a).b = c; }               for (;;) { a->b = c; }

Each statement that depends on a condition stands in braces before (`with_braces`). What is compiled twice may be two
things: a `static` variable, also of a macro.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, brackets, edited, outside, value_end

BRANCHES = "branches in another form"

_BEGINS = frozenset({"while", "!", "("})
_ONE_OF_ITS_OWN = ("static", "__COUNTER__")  # where one stands twice are two
_WAYS_OUT = frozenset({"return", "goto", "break", "continue"})
_TRUTHS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_ASSIGNING = frozenset({"?", ",", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_NO_TRUTHS = _ASSIGNING | {"&", "|", "^"}
_LOOSER = {"||": _ASSIGNING, "&&": _ASSIGNING | {"||"}, "?": _ASSIGNING}
_NUMBER = re.compile(r"\d+\Z")
_OPPOSITES = {"==": "!=", "!=": "=="}


class _Branch(Struct, frozen=True):
    """An `if` at `start`: its condition, and what stands in its braces, of which the last one is at `end`.

    `next` is the token after that.
    """

    start: int
    end: int
    next: str
    condition: Lexemes
    body: Lexemes


Edit = tuple[int, Lexemes] | None
"""Where what a branch is replaced by ends, and what that is; None if it stays."""

_Way = Callable[[Lexemes, _Branch, dict[int, int], Macros], Edit]


def with_plain_loops(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `for (;;)` for `while (1)`, `a->b` for `(*a).b`, and `a != b` for `!(a == b)`."""
    if not all(map(macros.name_not, ("while", "for"))):
        return function
    while (plain := edited(function, dict(_plain(function, macros)))) != function:
        function = plain  # what is within another one comes next
    return function


def _plain(function: Lexemes, macros: Macros) -> Iterator[tuple[int, tuple[int, Lexemes]]]:
    pairs = brackets(function)
    for index, token in enumerate(function):
        if token not in _BEGINS:
            continue
        if function[index : index + 5] == ("while", "(", "1", ")", "{"):
            yield index, (index + 4, ("for", "(", ";", ";", ")"))
        elif token == "!" and index + 1 in pairs and function[index + 1] == "(":
            end = pairs[index + 1]
            opposite = _opposite(function[index + 2 : end])
            if _is_truth(opposite) and _are_whole(opposite, macros):
                yield index, (end + 1, ("(", *opposite, ")"))
        elif function[index : index + 2] == ("(", "*"):
            end = value_end(function, index + 2)
            value = function[index + 2 : end]
            is_member = bool(value) and function[end : end + 2] == (")", ".")
            if is_member and _are_whole(value, macros):
                yield index, (end + 2, (*value, "->"))


def _are_whole(tokens: Lexemes, macros: Macros) -> bool:
    """Whether each name in them is one value, whatever stands beside it."""
    return all(map(macros.is_one_value, filter(NAME.match, tokens)))


def with_joined_branches(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: one branch for two that do the same, or of which one holds nothing but the other."""
    if not all(map(macros.name_not, ("if", "else", "return", "free"))):
        return function
    for ways in ((_nested, _alike, _freed), (_returned,)):  # what is one branch is returned as a whole
        while (joined := _once_joined(function, macros, ways)) is not None:
            function = joined
    return function


def _once_joined(function: Lexemes, macros: Macros, ways: tuple[_Way, ...]) -> Lexemes | None:
    pairs = brackets(function)
    for index in range(len(function) - 1, -1, -1):  # the last and the innermost first
        if function[index] != "if":
            continue
        branch = _branch(function, index, pairs)
        edits = () if branch is None else (way(function, branch, pairs, macros) for way in ways)
        edit = next((edit for edit in edits if edit is not None), None)
        if branch is not None and edit is not None:
            return edited(function, {branch.start: edit})
    return None


def _branch(function: Lexemes, index: int, pairs: dict[int, int]) -> _Branch | None:
    if function[index : index + 2] != ("if", "(") or index + 1 not in pairs or function[index - 1] == "\n#":
        return None
    close = pairs[index + 1]
    end = pairs.get(close + 1)
    if function[close + 1 : close + 2] != ("{",) or end is None:
        return None
    condition, body = function[index + 2 : close], function[close + 2 : end]
    if "\n#" in (*condition, *body):
        return None
    following = "".join(function[end + 1 : end + 2])
    return _Branch(index, end, following, condition, body)


def _if(first: Lexemes, sign: str, second: Lexemes, macros: Macros) -> Lexemes:
    return ("if", "(", *_operand(first, sign, macros), sign, *_operand(second, sign, macros), ")")


def _operand(condition: Lexemes, sign: str, macros: Macros) -> Lexemes:
    """A condition as what stands beside a sign: in brackets where it would fall apart."""
    is_loose = not _LOOSER[sign].isdisjoint(_signs(condition))
    return condition if _are_whole(condition, macros) and not is_loose else ("(", *condition, ")")


def _nested(function: Lexemes, outer: _Branch, pairs: dict[int, int], macros: Macros) -> Edit:
    inner = _branch(function, outer.end - len(outer.body), pairs)
    if inner is None or inner.end != outer.end - 1 or outer.next == "else":
        return None
    return outer.end + 1, (*_if(outer.condition, "&&", inner.condition, macros), "{", *inner.body, "}")


def _alike(function: Lexemes, first: _Branch, pairs: dict[int, int], macros: Macros) -> Edit:
    is_else = first.next == "else"
    second = _branch(function, first.end + 1 + is_else, pairs)
    if second is None or second.body != first.body:
        return None
    if not (is_else or (_leaves(first.body) and function[first.start - 1] != "else")):
        return None
    if any(word in first.body or not macros.are_blind_to(word, first.body) for word in _ONE_OF_ITS_OWN):
        return None
    return second.end + 1, (*_if(first.condition, "||", second.condition, macros), "{", *first.body, "}")


def _leaves(body: Lexemes) -> bool:
    """Whether the last statement of a block leaves it."""
    starts = [0, *(index + 1 for index in outside(body) if body[index] == ";")]
    starts += [index + 1 for index, token in enumerate(body) if token == "}"]
    last = max((start for start in starts if start < len(body)), default=len(body))
    return body[last : last + 1] != () and body[last] in _WAYS_OUT


def _returned(function: Lexemes, branch: _Branch, _pairs: dict[int, int], macros: Macros) -> Edit:
    """`return a ? 2 : 3;` for two values of one type, and `return a == b;` for 1 and 0, which that is anyway."""
    after = function[branch.end + 1 : branch.end + 4]
    values = [part[1] for part in (branch.body, after) if len(part) == 3 and part[::2] == ("return", ";")]
    if len(values) < 2 or function[branch.start - 1] == "else":
        return None
    if {*values} != {"1", "0"}:
        is_plain = all(map(_NUMBER.match, values)) or all(value[0] == '"' for value in values)
        chosen = (*_operand(branch.condition, "?", macros), "?", values[0], ":", values[1], ";")
        return (branch.end + 4, ("return", *chosen)) if is_plain else None
    condition = branch.condition if after[1] == "0" else _opposite(branch.condition)
    is_it = _is_truth(condition) and _are_whole(condition, macros)
    return (branch.end + 4, ("return", *condition, ";")) if is_it else None


def _signs(condition: Lexemes) -> list[str]:
    return [condition[index] for index in outside(condition)]


def _is_truth(condition: Lexemes) -> bool:
    """Whether a condition compares, and so is 1 or 0."""
    signs = _signs(condition)
    return not _TRUTHS.isdisjoint(signs) and _NO_TRUTHS.isdisjoint(signs)


def _opposite(condition: Lexemes) -> Lexemes:
    """`a != b` for `a == b`; nothing for what is more than one of them."""
    places = [index for index in outside(condition) if condition[index] in _TRUTHS]
    if len(places) != 1 or condition[places[0]] not in _OPPOSITES:
        return ()
    return (*condition[: places[0]], _OPPOSITES[condition[places[0]]], *condition[places[0] + 1 :])


def _freed(function: Lexemes, branch: _Branch, _pairs: dict[int, int], _macros: Macros) -> Edit:
    """`free(a);` for `if (a) { free(a); }`: of nothing it does nothing."""
    given = branch.condition
    is_plain = value_end(given, 0) == len(given) and "(" not in given
    is_it = branch.body == ("free", "(", *given, ")", ";") and branch.next != "else"
    return (branch.end + 1, branch.body) if is_plain and is_it else None

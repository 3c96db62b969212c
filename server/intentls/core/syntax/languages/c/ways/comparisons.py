"""Comparisons of C with what is the same always: it stands on the right.

    if (3 == a)                 if (a == 3)
    if (-1 != f(b) && 0 < c)    if (f(b) != -1 && c > 0)
    while (NULL != a->next)     while (a->next != NULL)

A number does nothing when it is read, so that it may stand on either side of anything. A name in capital letters may be
a macro that does, unless the repository has its text: beside it stands only what nothing else could change.
"""

from __future__ import annotations

import re
from functools import cached_property

from intentls.core.syntax.languages.c.forms.expressions import Places
from intentls.core.syntax.languages.c.macros import Macros, defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing, edited
from intentls.core.syntax.languages.c.ways.own_names import OwnNames
from intentls.core.syntax.languages.logic import MIRRORED

_NUMBER = re.compile(r"(?:\d[\w.]*|'(?:[^'\\]|\\.[^']*)'|NULL|true|false)\Z")
_CONSTANT = re.compile(r"[A-Z][A-Z\d_]+\Z")
_BEFORE = frozenset({"(", "&&", "||", "=", "return", "?", ":", ",", "[", ";", "{", "}"})
_AFTER = frozenset({")", "&&", "||", "?", ":", ",", ";", "]", "}"})
# What takes hold of an operand later than a comparison does, or as soon.
_LOOSER = frozenset({*MIRRORED, "&", "|", "^", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})


def with_constants_last(function: Lexemes, macros: Macros) -> Lexemes:
    """A `Form`: `a == 3` for `3 == a`."""
    signs = [index for index, token in enumerate(function) if token in MIRRORED and _is_word(function[index - 1])]
    if not signs:
        return function
    sides = _Sides(function, macros)
    edits: dict[int, tuple[int, Lexemes]] = {}
    for index in signs:
        start = index - 2 if function[index - 2] == "-" else index - 1
        end = _operand_end(function, index + 1)
        if sides.may_change(start, index, end):
            edits[start] = (end, (*function[index + 1 : end], MIRRORED[function[index]], *function[start:index]))
    return edited(function, edits)


def _is_word(token: str) -> bool:
    return _NUMBER.match(token) is not None or _CONSTANT.match(token) is not None


def _operand_end(function: Lexemes, start: int) -> int:
    """Where the right side of a comparison ends that begins at a token; its start if that can't be told."""
    index = start
    while index < len(function) and function[index] not in _AFTER:
        if function[index] in _LOOSER or function[index] in ("\n#", "{"):
            return start
        index = closing(function, index) + 1 if function[index] in ("(", "[") else index + 1
    return index


class _Sides:
    """What stands on both sides of the comparisons of a function."""

    def __init__(self, function: Lexemes, macros: Macros) -> None:
        self._function, self._macros = function, macros

    @cached_property
    def _places(self) -> Places:
        return Places(self._function, self._macros)

    @cached_property
    def _own(self) -> OwnNames:
        return OwnNames(self._function, self._macros)

    def may_change(self, start: int, sign: int, end: int) -> bool:
        """Whether the two sides of a comparison may change places."""
        function, macros = self._function, self._macros
        constant, operand = function[start:sign], function[sign + 1 : end]
        if not operand or function[start - 1] not in _BEFORE or _is_constant(operand):
            return False
        words = [word for word in (*constant, *operand) if NAME.match(word)]
        at_border = function[start - 1] in ("(", ",") or function[end] in (")", ",")
        is_shown = self._places.is_shown(sign) or (at_border and self._places.is_in_macro(sign))
        if is_shown or not all(map(macros.is_one_value, words)):
            return False
        return _is_number(constant[-1], macros) or self._own.is_quiet_value(operand)


def _is_constant(operand: Lexemes) -> bool:
    return _is_word(operand[-1]) and operand[:-1] in ((), ("-",))


def _is_number(word: str, macros: Macros) -> bool:
    """Whether a word is a number, or a macro of the repository that is one wherever it is defined."""
    if _NUMBER.match(word):
        return True
    defined = [defined_by(line) for line in macros.called(word) or ()]
    numbers = [macro for macro in defined if macro is not None and macro.parameters is None]
    is_told = bool(numbers) and len(numbers) == len(defined)
    return macros.is_hoped or (is_told and all(_is_plain(macro.body) for macro in numbers))


def _is_plain(body: Lexemes) -> bool:
    inside = body[1:-1] if body[:1] == ("(",) and closing(body, 0) == len(body) - 1 else body
    return bool(inside) and _NUMBER.match(inside[-1]) is not None and inside[:-1] in ((), ("-",))

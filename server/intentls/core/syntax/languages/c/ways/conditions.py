"""Conditions of C: the opposite of one, and one form of it.

    !(a == b || !c)         a != b && c
    a > b                   b < a           of variables that nothing else changes
    b == 2 || a == 1        a == 1 || b == 2

A condition is asked alone whether it is nothing. What a macro stands for is one value, or the condition stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing, outside, value_end
from intentls.core.syntax.languages.c.ways.own_names import OwnNames

ASSIGNING = frozenset({"?", ",", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
LOOSER = {"||": ASSIGNING, "&&": ASSIGNING | {"||"}, "?": ASSIGNING}
_BITS = frozenset({"&", "|", "^"})
_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {">": "<", ">=": "<="}
_WORD = re.compile(r"\w")


class Conditions:
    """The conditions of a function."""

    def __init__(self, own: OwnNames, macros: Macros) -> None:
        self._own, self._macros = own, macros

    def are_whole(self, condition: Lexemes) -> bool:
        """Whether each name in a condition is one value, whatever stands beside it."""
        return "{" not in condition and all(map(self._macros.is_one_value, filter(NAME.match, condition)))

    def normal(self, condition: Lexemes) -> Lexemes:
        """One form of what is so."""
        return self._said(condition, is_denied=False) if self.are_whole(condition) else condition

    def opposite(self, condition: Lexemes) -> Lexemes:
        """What is so if a condition is not."""
        return self._said(condition, is_denied=True) if self.are_whole(condition) else ("!", "(", *condition, ")")

    def is_plainer(self, one: Lexemes, other: Lexemes) -> bool:
        """Whether a condition says rather than its opposite what is so, whatever its names are."""
        return _negations(one) < _negations(other)

    def _said(self, condition: Lexemes, *, is_denied: bool) -> Lexemes:
        """A condition, or its opposite if it is denied."""
        while condition[:1] == ("(",) and closing(condition, 0) == len(condition) - 1:
            condition = condition[1:-1]
        signs = [condition[index] for index in outside(condition)]
        if ASSIGNING.isdisjoint(signs):
            for sign, other in (("||", "&&"), ("&&", "||")):
                if sign in signs:
                    parts = [self._said(part, is_denied=is_denied) for part in _parts(condition, sign)]
                    return self._joined(parts, other if is_denied else sign)
            if condition[:1] == ("!",) and _is_one(condition[1:]):
                return self._said(condition[1:], is_denied=not is_denied)
            compared = [index for index in outside(condition) if condition[index] in _OPPOSITES]
            if len(compared) == 1 and _BITS.isdisjoint(signs):
                return self._compared(condition, compared[0], is_denied=is_denied)
        return _denied(condition) if is_denied else condition

    def _compared(self, condition: Lexemes, index: int, *, is_denied: bool) -> Lexemes:
        left, sign, right = condition[:index], condition[index], condition[index + 1 :]
        is_exact = sign in ("==", "!=") or (self._own.is_whole_number(left) and self._own.is_whole_number(right))
        if not is_denied or is_exact:
            return self._in_order(left, _OPPOSITES[sign] if is_denied else sign, right)
        return _denied(self._in_order(left, sign, right))

    def _in_order(self, left: Lexemes, sign: str, right: Lexemes) -> Lexemes:
        """`b < a` for `a > b`, where nothing tells which of them is read first."""
        if sign in _MIRRORED and self._own.is_quiet_value(left) and self._own.is_quiet_value(right):
            return (*right, _MIRRORED[sign], *left)
        return (*left, sign, *right)

    def _joined(self, parts: list[Lexemes], sign: str) -> Lexemes:
        flat = [one for part in parts for one in (_parts(part, sign) if _is_chain(part, sign) else [part])]
        if all(map(self._own.is_quiet_value, flat)):
            flat = sorted({*flat})
        joined: list[str] = []
        for part in flat:
            is_loose = any(part[index] in LOOSER[sign] for index in outside(part))
            joined += [sign] if joined else []
            joined += ["(", *part, ")"] if is_loose else part
        return tuple(joined)


def _is_one(operand: Lexemes) -> bool:
    """Whether all of it is what `!` before it denies."""
    if operand[:1] == ("(",) and closing(operand, 0) == len(operand) - 1:
        return True
    stars = next((index for index, token in enumerate(operand) if token != "*"), len(operand))
    return stars < value_end(operand, stars) == len(operand)


def _denied(condition: Lexemes) -> Lexemes:
    return ("!", *condition) if 0 < value_end(condition, 0) == len(condition) else ("!", "(", *condition, ")")


def _is_chain(condition: Lexemes, sign: str) -> bool:
    signs = {condition[index] for index in outside(condition)}
    return sign in signs and LOOSER[sign].isdisjoint(signs)


def _parts(condition: Lexemes, sign: str) -> Iterator[Lexemes]:
    """What stands between the signs outside of all brackets."""
    start = 0
    for index in [*outside(condition), len(condition)]:
        if index == len(condition) or condition[index] == sign:
            yield condition[start:index]
            start = index + 1


def _negations(condition: Lexemes) -> tuple[int, tuple[str, ...]]:
    signs = tuple(token for token in condition if not _WORD.match(token))
    return signs.count("!") + signs.count("!="), signs

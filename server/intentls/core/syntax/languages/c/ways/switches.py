"""A `switch` of C as branches, where each of its cases ends by itself.

switch (a) { case 1: b(); break; default: c(); }        if (a == 1) { b(); } else { c(); }
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.ways.blocks import CodeStatement, leaves
from intentls.core.syntax.languages.c.ways.loops import has_own
from intentls.core.syntax.languages.c.ways.own_names import OwnNames, declared_by

_BREAK = ("break", ";")
_NUMBER = re.compile(r"(\d\w*|'(?:[^'\\]|\\.)+')\Z")
_MAX_CASES = 12


class _Case:
    """The values of a case, whether it is the default one, and its statements."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self.is_default = False
        self.body: list[CodeStatement] = []
        self.is_block = False

    def unwrap(self) -> None:
        """Take the braces away that all of it may stand in: `{ a(); break; }` and `{ a(); } break;`."""
        first = self.body[0] if self.body else None
        if first is not None and first.kind == "block" and self.body[1:] in ([], [CodeStatement("", _BREAK)]):
            self.body = [*first.body, *self.body[1:]]
            self.is_block = True


def as_chain(switch: CodeStatement, own: OwnNames, macros: Macros) -> CodeStatement | None:
    """The branches that take the same ways; None where there may be none."""
    asked = switch.head[2:-1]
    cases = _cases(switch.body) if len(asked) == 1 and own.is_whole_number(asked) else None
    if not cases or len(cases) > _MAX_CASES or any(case.is_default for case in cases[:-1]) or not cases[0].values:
        return None
    for case in cases:
        case.unwrap()
        is_ended = case.body[-1:] == [CodeStatement("", _BREAK)]
        if not is_ended and not leaves(case.body) and case is not cases[-1]:
            return None
        case.body = case.body[: len(case.body) - is_ended]
        is_open = not case.is_block and declared_by(case.body, macros) != set()
        if is_open or has_own(case.body, "break") or (case.is_default and case.values):
            return None
    return _chain(asked[0], cases)


def _cases(statements: Sequence[CodeStatement]) -> list[_Case] | None:
    cases: list[_Case] = []
    for one in statements:
        if one.kind != "label":
            if not cases:
                return None
            cases[-1].body.append(one)
            continue
        if not cases or cases[-1].body:
            cases.append(_Case())
        word, value = one.head[0], one.head[1]
        if word == "default":
            cases[-1].is_default = True
        elif word == "case" and len(one.head) == 3 and _NUMBER.match(value):
            cases[-1].values.append(value)
        else:
            return None
    return cases


def _chain(name: str, cases: Sequence[_Case]) -> CodeStatement | None:
    other: list[CodeStatement] = cases[-1].body if cases[-1].is_default else []
    for case in reversed(cases[: len(cases) - cases[-1].is_default]):
        condition = tuple(token for value in case.values for token in ("||", name, "==", value))[1:]
        other = [CodeStatement("if", condition, case.body, other)]
    return other[0] if other and other[0].kind == "if" else None

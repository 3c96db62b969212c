"""Loops of C in one form.

for (i = 0; i < a; i++) { b(); }            i = 0; for (; i < a; ) { b(); i++; }
while (a) { b(); }                          for (; a; ) { b(); }
for (; a; ) { if (b) { break; } } return 0; for (; a; ) { if (b) { return 0; } } return 0;
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from intentls.core.syntax.languages.c.forms.locals import type_words
from intentls.core.syntax.languages.c.forms.statements import is_whole
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes, outside
from intentls.core.syntax.languages.c.ways.blocks import CodeStatement, leaves
from intentls.core.syntax.languages.c.ways.conditions import Conditions
from intentls.core.syntax.languages.c.ways.own_names import OwnNames, declared_by

_BREAK = ("break", ";")
_CONSTANT = re.compile(r"(\d\w*|NULL)\Z")
_CLOSED = {"break": frozenset({"loop", "do", "switch", "macro"}), "continue": frozenset({"loop", "do", "macro"})}


def has_own(statements: Sequence[CodeStatement], word: str) -> bool:
    """Whether a `break` or a `continue` is that of the loop whose statements these are."""
    return any(
        one.head[:1] == (word,)
        if one.kind == ""
        else one.kind not in _CLOSED[word] and has_own((*one.body, *one.other), word)
        for one in statements
    )


def breaks_as_returns(
    statements: Sequence[CodeStatement], following: CodeStatement, own: OwnNames
) -> list[CodeStatement]:
    """The statements of a loop with `return a;` for each `break`, if that is what follows; nothing if none changes."""
    value = following.head[1:-1]
    is_plain = len(value) == 0 or (len(value) == 1 and (_CONSTANT.match(value[0]) or own.is_quiet(value[0])))
    if following.head[:1] != ("return",) or not is_plain or not has_own(statements, "break"):
        return []
    return _replaced(statements, following)


def _replaced(statements: Sequence[CodeStatement], following: CodeStatement) -> list[CodeStatement]:
    made: list[CodeStatement] = []
    for one in statements:
        if one.kind == "" and one.head == _BREAK:
            made.append(following)
        elif one.kind in _CLOSED["break"]:
            made.append(one)
        else:
            made.append(
                CodeStatement(one.kind, one.head, _replaced(one.body, following), _replaced(one.other, following))
            )
    return made


def with_plain_head(
    loop: CodeStatement, conditions: Conditions, macros: Macros
) -> tuple[list[CodeStatement], CodeStatement]:
    """What a loop begins with, and the loop with a condition alone."""
    head = loop.head[2:-1]
    if loop.head[0] == "while":
        return [], CodeStatement("loop", _headed(conditions.normal(head)), loop.body)
    ends = [index for index in outside(head) if head[index] == ";"]
    if len(ends) != 2 or type_words(head, 0, ends[0]):
        return [], loop
    first, asked, step = head[: ends[0]], head[ends[0] + 1 : ends[1]], head[ends[1] + 1 :]
    if step and (has_own(loop.body, "continue") or leaves(loop.body) or not _may_end(step, loop.body, macros)):
        return [], loop
    before = [CodeStatement("", (*first, ";"))] if first else []
    body = [*loop.body, CodeStatement("", (*step, ";"))] if step else loop.body
    return before, CodeStatement("loop", _headed(conditions.normal(asked) if asked else ()), body)


def _may_end(step: Lexemes, body: Sequence[CodeStatement], macros: Macros) -> bool:
    """Whether what a loop does after each round may stand at the end of it: no name of it means anything else there."""
    declared = declared_by(body, macros)
    return declared is not None and declared.isdisjoint(step) and is_whole((*step, ";"), macros)


def _headed(condition: Lexemes) -> Lexemes:
    return ("for", "(", ";", *condition, ";", ")")

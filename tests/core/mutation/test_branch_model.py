"""A model of branches: what is called the same takes the same way for each value of its conditions.

Small programs of conditions and returns are changed at random, by steps that keep their meaning and by others that may
not. The model runs both versions for all values; the classifier reads them in each language.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from itertools import product

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

pytestmark = pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take

_PROGRAMS = 2000 if "INTENTLS_LONG" in os.environ else 150  # of each language
_NAMES = ("a", "b", "c")

Condition = tuple  # ("is", name), ("not", condition), ("and" or "or", condition, condition)
Statement = tuple  # ("return", number), ("if", condition, statements, statements)
Program = list


def _condition(chance: random.Random, depth: int) -> Condition:
    kind = chance.choice(("is", "is", "not", "and", "or")) if depth else "is"
    if kind == "is":
        return ("is", chance.choice(_NAMES))
    parts = [_condition(chance, depth - 1) for _ in range(1 if kind == "not" else 2)]
    return (kind, *parts)


def _program(chance: random.Random, depth: int) -> Program:
    """Statements of which the last one mostly returns."""
    statements: Program = []
    for _ in range(chance.randint(0, 2)):
        inner = _program(chance, depth - 1) if depth else [("return", chance.randint(1, 2))]
        other = _program(chance, depth - 1) if depth and chance.random() < 0.3 else []
        statements.append(("if", _condition(chance, 2), inner, other))
    is_left = not statements or chance.random() < 0.7
    return [*statements, ("return", chance.randint(1, 2))] if is_left else statements


def _holds(condition: Condition, values: Mapping[str, bool]) -> bool:
    kind, *parts = condition
    if kind == "is":
        return values[parts[0]]
    told = [_holds(part, values) for part in parts]
    return not told[0] if kind == "not" else all(told) if kind == "and" else any(told)


def _run(program: Program, values: Mapping[str, bool]) -> int | None:
    for kind, *rest in program:
        if kind == "return":
            return rest[0]
        condition, then, other = rest
        result = _run(then if _holds(condition, values) else other, values)
        if result is not None:
            return result
    return None


def _table(program: Program) -> list[int | None]:
    return [_run(program, dict(zip(_NAMES, values, strict=True))) for values in product((True, False), repeat=3)]


def _denied(condition: Condition) -> Condition:
    return condition[1] if condition[0] == "not" else ("not", condition)


def _changed(program: Program, chance: random.Random) -> Program:
    """One statement of a program in another form, or as another one."""
    at = chance.randrange(len(program))
    kind, *rest = program[at]
    if kind == "return":
        return [*program[:at], ("return", 3 - rest[0])] if chance.random() < 0.2 else program
    condition, then, other = rest
    before, after = program[:at], program[at + 1 :]
    step = chance.randrange(9)
    if step == 0 and condition[0] == "or" and not other:
        return [*before, ("if", condition[1], then, []), ("if", condition[2], then, []), *after]
    if step == 1 and condition[0] == "and" and not other:
        return [*before, ("if", condition[1], [("if", condition[2], then, [])], []), *after]
    if step == 2 and not other:
        return [*before, ("if", condition, then, after)]
    if step == 3 and after:
        return [*before, ("if", _denied(condition), _with(other, after), _with(then, after))]
    if step == 4 and condition[0] in ("and", "or"):
        word = {"and": "or", "or": "and"}[condition[0]]
        opposite = (word, _denied(condition[1]), _denied(condition[2]))
        return [*before, ("if", ("not", opposite), then, other), *after]
    if step == 5:
        return [*before, ("if", _condition(chance, 1), then, other), *after]
    if step == 6 and condition[0] in ("and", "or"):
        return [*before, ("if", (chance.choice(("and", "or")), *condition[1:]), then, other), *after]
    if step == 7:
        return [*before, ("if", condition, _changed(then, chance), other), *after]
    return [*before, ("if", condition, _with(then, after), _with(other, after))]


def _with(statements: Program, after: Program) -> Program:
    """What is done, and what follows if that does not return."""
    return statements if statements and statements[-1][0] == "return" else [*statements, *after]


_SIGNS = {"python": ("not {}", "({} and {})", "({} or {})"), "": ("!{}", "({} && {})", "({} || {})")}
_IFS = {"python": "if {}:", "go": "if {} {{", "rust": "if {} {{"}
_FILES = {
    "python": ("a.py", "def f(a, b, c):\n{}\n", 1),
    "javascript": ("a.js", "export function f(a, b, c) {{\n{}\n}}\n", 1),
    "java": ("A.java", "class A {{\n  int f(boolean a, boolean b, boolean c) {{\n{}\n  }}\n}}\n", 2),
    "go": ("a.go", "package p\n\nfunc f(a, b, c bool) int {{\n{}\n}}\n", 1),
    "rust": ("src/a.rs", "pub fn f(a: bool, b: bool, c: bool) -> i32 {{\n{}\n}}\n", 1),
    "c": ("a.c", "int f(int a, int b, int c)\n{{\n{}\n}}\n", 1),
}


def _said(condition: Condition, language: str) -> str:
    kind, *parts = condition
    if kind == "is":
        return str(parts[0])
    denied, both, either = _SIGNS.get(language, _SIGNS[""])
    inner = [_said(part, language) for part in parts]
    return (denied if kind == "not" else both if kind == "and" else either).format(*inner)


def _lines(program: Program, language: str, depth: int) -> list[str]:
    indent, end = "  " * depth, "" if language == "python" else ";"
    lines: list[str] = []
    for kind, *rest in program:
        if kind == "return":
            lines.append(f"{indent}return {rest[0]}{end}")
            continue
        condition, then, other = rest
        lines.append(indent + _IFS.get(language, "if ({}) {{").format(_said(condition, language)))
        lines += _lines(then, language, depth + 1)
        if other:
            lines.append(f"{indent}else:" if language == "python" else f"{indent}}} else {{")
            lines += _lines(other, language, depth + 1)
        lines += [] if language == "python" else [f"{indent}}}"]
    return lines


@pytest.mark.parametrize("language", _FILES)
def test_what_is_called_the_same_takes_the_same_way_for_each_value(language: str) -> None:
    chance = random.Random(f"branches of {language}")
    path, frame, depth = _FILES[language]
    same = 0
    for _ in range(_PROGRAMS):
        before = [*_program(chance, 1), ("return", 1)]
        after = before
        for _ in range(chance.randint(1, 3)):
            after = _changed(after, chance)
        old, new = (frame.format("\n".join(_lines(program, language, depth))) for program in (before, after))
        verdict = judged({path: (old, new)})[path]
        if verdict.mutation_class is not MutationClass.INTENT_EVOLUTION:
            assert _table(before) == _table(after), (old, new, verdict.reasons)
            same += old != new
    assert same > 10

"""Branches that do the same as another one, as one branch with a longer condition, and what only looks like that."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

REASON = "branches in another form"
PYTHON = [
    ("if a: return 1\nif b: return 1\nreturn 2", "if a or b: return 1\nreturn 2"),
    ("if a: return 1\nif b: return 1\nif c: return 1\nreturn 2", "if a or b or c: return 1\nreturn 2"),
    ("if not a: return 1\nif b: return 1\nreturn 2", "if not a or b: return 1\nreturn 2"),
    ("if a: return 1\nif not b: return 1\nd()", "if a or not b: return 1\nd()"),
    ("if not a: return 1\nif not b: return 1\nreturn 2", "if not a or not b: return 1\nreturn 2"),
    ("if a: c()\nelif b: c()", "if a or b: c()"),
    ("if a: c()\nelif b: c()\nelse: d()", "if a or b: c()\nelse: d()"),
    ("if a:\n    if b: c()\n    else: d()\nelse: c()", "if not a or b: c()\nelse: d()"),
    (
        "for e in d:\n    if a: continue\n    if e.b: continue\n    c()",
        "for e in d:\n    if a or e.b: continue\n    c()",
    ),
    ("if a: raise B(1)\nif c == d: raise B(1)\ne()", "if a or c == d: raise B(1)\ne()"),
    ("if a in b: return c in d\nreturn False", "return a in b and c in d"),
    ("if a not in b: return True\nreturn c in d", "return a not in b or c in d"),
    ("if a in b: return c in d\nreturn True", "return a not in b or c in d"),
    ("e = 1 if a else 1 if b else 2\nreturn e", "e = 1 if a or b else 2\nreturn e"),
]
JAVASCRIPT = [
    ("if (a) { return 1; } if (b) { return 1; } return 2;", "if (a || b) { return 1; } return 2;"),
    ("if (!a) { return 1; } if (b !== 2) { return 1; } return 2;", "if (!a || b !== 2) { return 1; } return 2;"),
    ("if (a === 1) { c(); } else if (b()) { c(); } else { d(); }", "if (a === 1 || b()) { c(); } else { d(); }"),
    ("if (a) { return 1; } if (b === 2) { g(); } else { return 1; }", "if (a || b !== 2) { return 1; } g();"),
    ("if (a === 1) { return b === 2; } return false;", "return a === 1 && b === 2;"),
    ("if (a === 1) { return true; } return b === 2;", "return a === 1 || b === 2;"),
]
JAVA = [
    ("if (a.x()) { return 1; } if (b.y()) { return 1; } return 2;", "if (a.x() || b.y()) { return 1; } return 2;"),
    (
        "if (a == null) { throw new E(); } if (b != null) { throw new E(); } c();",
        "if (a == null || b != null) { throw new E(); } c();",
    ),
]
JAVA_TRUTH = [
    (
        "if (a == null) { return false; } if (b != null) { return false; } return true;",
        "return a != null && b == null;",
    ),
    ("if (a == null) { return true; } return b.x();", "return a == null || b.x();"),
    ("if (a.y()) { return b.x(); } return true;", "return !a.y() || b.x();"),
    ("if (a.y()) { return false; } if (b.z()) { return false; } return b.x();", "return !a.y() && !b.z() && b.x();"),
]
GO = [
    ("if a { return 1 }\nif b { return 1 }\nreturn 2", "if a || b { return 1 }\nreturn 2"),
    ("if a != nil { return 1 }\nif !b { return 1 }\nreturn 2", "if a != nil || !b { return 1 }\nreturn 2"),
]
GO_OF_ANY_TYPE = [
    ("if a == nil && !(a.n < b.n) { return true }\nreturn false", "return a == nil && !(a.n < b.n)"),
]
GO_TRUTH = [
    ("if a == nil { return false }\nif b.x { return false }\nreturn true", "return a != nil && !b.x"),
    ("if a.x { return b.y }\nreturn false", "return a.x && b.y"),
]


def _python(body: str) -> tuple[str, str]:
    indented = body.replace("\n", "\n    ")
    return "a.py", f"def f(a, b, c, d):\n    {indented}\n"


def _java(kind: str, body: str) -> tuple[str, str]:
    return "A.java", f"class A {{\n  {kind} f(B a, B b) {{\n    {body}\n  }}\n}}\n"


def _go(kind: str, body: str) -> tuple[str, str]:
    return "a.go", f"package p\n\nfunc f(a, b T) {kind} {{\n{body}\n}}\n"


SAME = [
    *((_python(old), _python(new)) for old, new in PYTHON),
    *(
        (("a.js", f"function f(a, b) {{ {old} }}"), ("a.js", f"function f(a, b) {{ {new} }}"))
        for old, new in JAVASCRIPT
    ),
    *((_java("int", old), _java("int", new)) for old, new in JAVA),
    *((_java("boolean", old), _java("boolean", new)) for old, new in JAVA_TRUTH),
    *((_go("int", old), _go("int", new)) for old, new in GO),
    *((_go("bool", old), _go("bool", new)) for old, new in GO_TRUTH),
    *((_go("any", old), _go("any", new)) for old, new in GO_OF_ANY_TYPE),
]
OTHER = [
    *(
        (_python(old), _python(new))
        for old, new in (
            ("if a: return 1\nif b: return 1\nreturn 2", "if a and b: return 1\nreturn 2"),
            ("if a: return 1\nif b: return 3\nreturn 2", "if a or b: return 1\nreturn 2"),
            ("if a: return 1\nif b: return 1\nreturn 2", "if b or a: return 1\nreturn 2"),
            ("if a: return 1\nif b == c:\n    d()\nelse:\n    return 1", "if a or b != c: return 1\nd()"),
            ("if a: c()\nif b: c()", "if a or b: c()"),
            ("if a: return 1\nd()\nif b: return 1\nreturn 2", "d()\nif a or b: return 1\nreturn 2"),
            ("if a: c()\nelif b: d()\nelse: c()", "if a or b: c()\nelse: d()"),
            ("if a: return True\nreturn b in c", "return a or b in c"),
            ("if a in b: return c\nreturn False", "return a in b and c"),
            ("if a in b: return c in d\nreturn False", "return a in b or c in d"),
            ("if a == b: return False\nif c == d: return False\nreturn True", "return a != b and c != d"),
        )
    ),
    (_java("Boolean", JAVA_TRUTH[2][0]), _java("Boolean", JAVA_TRUTH[2][1])),
    (_go("any", GO_TRUTH[1][0]), _go("any", GO_TRUTH[1][1])),
    (
        ("a.js", "function f(a, b) { if (a) { return b === 2; } return false; }"),
        ("a.js", "function f(a, b) { return a && b === 2; }"),
    ),
    (
        ("a.js", "function f(a, b) { if (a) { let c = 1; g(c); } else if (b) { let c = 2; g(c); } }"),
        ("a.js", "function f(a, b) { if (a || b) { let c = 1; g(c); } }"),
    ),
    (
        _go("bool", "h(func() any {\nif a.x { return b.y }\nreturn false\n})\nreturn true"),
        _go("bool", "h(func() any {\nreturn a.x && b.y\n})\nreturn true"),
    ),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_branches_that_do_the_same_are_one(before: tuple[str, str], after: tuple[str, str]) -> None:
    path = before[0]
    for (_, old), (_, new) in ((before, after), (after, before)):
        verdict = judged({path: (old, new)})[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert REASON in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_branches_that_do_something_else_stay_behaviour(before: tuple[str, str], after: tuple[str, str]) -> None:
    path = before[0]
    for (_, old), (_, new) in ((before, after), (after, before)):
        verdict = judged({path: (old, new)})[path]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_joined_branches_is_a_refactor() -> None:
    chance = random.Random("joined branches")
    made = 0
    for (path, before), (_, after) in SAME:
        for mutant in mutants(after, chance, 12, path[2:]):
            made += 1
            verdict = judged({path: (before, mutant.after)})[path]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made

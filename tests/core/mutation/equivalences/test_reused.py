"""Functions that both versions have: a call in the place of their body; and what a call hands over beside names."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
JS = "import { use } from './use';\n"

_PYTHON = "def clean(row):\n    use(row)\n    row.done = True\n\n\n"
_METHOD = "class A:\n    def _clean(self, row):\n        self.n = row\n        use(row)\n\n"
_SCRIPT = JS + "export function clean(row) { use(row); row.done = true }\n"
_JAVA = "class A { %s void clean(Row row) { use(row); row.done(); }\nvoid other() { clean(null); }\n"
# What both have, and what has the body in one and the call in the other.
REUSED: dict[str, tuple[str, str, str, str]] = {
    "a function": (
        "a.py",
        _PYTHON,
        "def a(b):\n    c()\n    use(b)\n    b.done = True\n",
        "def a(b):\n    c()\n    clean(b)\n",
    ),
    "a value": (
        "a.py",
        "def _first(x):\n    return x.strip().lower()\n\n\ndef b(d):\n    return _first(d)\n\n\n",
        "def a(b):\n    return c(b.strip().lower(), 1)\n",
        "def a(b):\n    return c(_first(b), 1)\n",
    ),
    "a method": (
        "a.py",
        _METHOD + "    def b(self):\n        self._clean(1)\n\n",
        "    def c(self, d):\n        e(1)\n        self.n = d\n        use(d)\n",
        "    def c(self, d):\n        e(1)\n        self._clean(d)\n",
    ),
    "one of two calls": (
        "a.py",
        _PYTHON,
        "def a(b):\n    clean(b)\n    c()\n    use(b)\n    b.done = True\n",
        "def a(b):\n    clean(b)\n    c()\n    clean(b)\n",
    ),
    "a function of JavaScript": (
        "a.js",
        _SCRIPT,
        "export function a(b) { use(2); use(b); b.done = true }",
        "export function a(b) { use(2); clean(b) }",
    ),
    "a private method of TypeScript": (
        "a.ts",
        JS + "export class A { private clean(row: Row): void { use(row); this.n = 1 }\n",
        "m(b: Row): void { use(2); use(b); this.n = 1 } }",
        "m(b: Row): void { use(2); this.clean(b) } }",
    ),
    "a static method of Java": (
        "A.java",
        _JAVA % "public static",
        "void a(Row b) { use(2); use(b); b.done(); } }",
        "void a(Row b) { use(2); clean(b); } }",
    ),
    "a method of Java that is final": (
        "A.java",
        _JAVA % "protected final",
        "void a(Row b) { use(2); use(b); b.done(); } }",
        "void a(Row b) { use(2); this.clean(b); } }",
    ),
    "a method of a class that is final": (
        "A.java",
        "final " + _JAVA % "public",
        "void a(Row b) { use(2); use(b); b.done(); } }",
        "void a(Row b) { use(2); clean(b); } }",
    ),
}
# The same, where the call may do something else.
NOT_REUSED: dict[str, tuple[str, str, str, str]] = {
    "another body": ("a.py", _PYTHON, "def a(b):\n    c()\n    use(b)\n    b.done = False\n", REUSED["a function"][3]),
    "another one below": ("a.py", _PYTHON + "def clean(row):\n    pass\n", *REUSED["a function"][2:]),
    "another value": ("a.py", _PYTHON + "clean = use\n", *REUSED["a function"][2:]),
    "another value by condition": (
        "a.py",
        _PYTHON + "if use:\n    def clean(row):\n        pass\n",
        *REUSED["a function"][2:],
    ),
    "another value later": ("a.py", _PYTHON + "def d():\n    global clean\n    clean = 1\n", *REUSED["a function"][2:]),
    "another value in what is walked": (
        "a.py",
        _PYTHON,
        "def a(b):\n    global clean\n    use(b)\n    b.done = True\n    clean = b\n",
        "def a(b):\n    global clean\n    clean(b)\n    clean = b\n",
    ),
    "a decorator": ("a.py", "@d\n" + _PYTHON, *REUSED["a function"][2:]),
    "it is not there yet": (
        "a.py",
        "",
        "def a(b):\n    use(b, 1)\na(2)\ndef clean(b):\n    use(b, 1)\n",
        "def a(b):\n    clean(b)\na(2)\ndef clean(b):\n    use(b, 1)\n",
    ),
    "a public method": (
        "a.py",
        _METHOD.replace("_clean", "clean"),
        REUSED["a method"][2],
        REUSED["a method"][3].replace("_clean", "clean"),
    ),
    "a method that a class below has": (
        "a.py",
        "class B:\n    def _clean(self, row):\n        pass\n\n" + _METHOD,
        *REUSED["a method"][2:],
    ),
    "a method that is given another value": (
        "a.py",
        "def f(a):\n    a._clean = 1\n\n" + _METHOD,
        *REUSED["a method"][2:],
    ),
    "a method that is given another value in what is walked": (
        "a.py",
        _METHOD,
        REUSED["a method"][2] + "        self._clean = d\n",
        REUSED["a method"][3] + "        self._clean = d\n",
    ),
    "a function of JavaScript with another value": (
        "a.js",
        _SCRIPT + "export function d() { clean = use }\n",
        *REUSED["a function of JavaScript"][2:],
    ),
    "a function of JavaScript with another value in what is walked": (
        "a.js",
        _SCRIPT,
        "export function a(b) { use(b); b.done = true; clean = use }",
        "export function a(b) { clean(b); clean = use }",
    ),
    "a function of a script": (
        "a.js",
        _SCRIPT.replace(JS + "export ", ""),
        REUSED["a function of JavaScript"][2].replace("export ", ""),
        REUSED["a function of JavaScript"][3].replace("export ", ""),
    ),
    "a method of Java that a class below may have": (
        "A.java",
        _JAVA % "public",
        *REUSED["a static method of Java"][2:],
    ),
    "a method of Java with another of its name": (
        "A.java",
        _JAVA % "static" + "static void clean(Special row) { }\n",
        *REUSED["a static method of Java"][2:],
    ),
    "a parameter of another type": (
        "A.java",
        _JAVA % "static",
        "void a(Special b) { use(2); use(b); b.done(); } }",
        "void a(Special b) { use(2); clean(b); } }",
    ),
    "a method of Java with an annotation": (
        "A.java",
        _JAVA % "@Traced static",
        *REUSED["a static method of Java"][2:],
    ),
    "a name of the caller": (
        "a.py",
        _PYTHON,
        "def a(b, use):\n    c()\n    use(b)\n    b.done = True\n",
        "def a(b, use):\n    c()\n    clean(b)\n",
    ),
    "itself": (
        "a.py",
        "",
        "def clean(b):\n    use(b)\n    use(b)\n",
        "def clean(b):\n    use(b)\n    clean(b)\n",
    ),
}


@pytest.mark.parametrize("name", REUSED)
def test_a_call_stands_for_the_body_of_a_function_that_both_have(name: str) -> None:
    path, both, body, call = REUSED[name]
    for before, after, word in ((body, call, "reused"), (call, body, "inlined")):
        verdict = judged({path: (both + before, both + after)})[path]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert any(reason.startswith(word) for reason in verdict.reasons)


@pytest.mark.parametrize("name", NOT_REUSED)
def test_a_call_that_may_reach_something_else_is_none(name: str) -> None:
    path, both, body, call = NOT_REUSED[name]
    assert classes({path: (both + body, both + call)}) == {path: EVOLUTION}
    assert classes({path: (both + call, both + body)}) == {path: EVOLUTION}


@pytest.mark.parametrize("other", ["import a\na.clean = 1\n", "patch('a.clean')\n", 'setattr(a, "clean", 1)\n'])
def test_another_file_that_gives_the_name_another_value_may_be_reached(other: str) -> None:
    path, both, body, call = REUSED["a function"]
    versions = {path: (both + body, both + call)}
    assert classes(versions, {"b.py": other}) == {path: EVOLUTION}
    assert classes(versions, {"b.py": "from a import clean\nclean(a.clean)\n"}) == {path: REFACTOR}
    assert classes(versions, Repository({}, can_search=False)) == {path: EVOLUTION}


def test_a_wrong_reuse_is_never_one() -> None:
    chance = random.Random("reused functions")
    made = 0
    for path, both, body, call in REUSED.values():
        for mutant in mutants(call, chance, 10, path.rpartition(".")[2]):
            made += 1
            assert classes({path: (both + body, both + mutant.after)}) == {path: EVOLUTION}, mutant
    assert made


# A file with the code where it was, and the same file with a helper that is given more than names.
HANDED: dict[str, tuple[str, str, str]] = {
    "a field": (
        "a.py",
        "def a(b):\n    c(b.d, 1)\n    e()\n",
        "def a(b):\n    _go(b.d)\n    e()\ndef _go(f):\n    c(f, 1)\n",
    ),
    "two calls, in their order": (
        "a.py",
        "def a(b):\n    return c(b.d(), e(), 1)\n",
        "def a(b):\n    return _go(b.d(), e())\ndef _go(f, g):\n    return c(f, g, 1)\n",
    ),
    "by its name": (
        "a.py",
        "def a(b, h):\n    return c(b.d(), h, 1)\n",
        "def a(b, h):\n    return _go(g=b.d(), f=h)\ndef _go(f, g):\n    return c(g, f, 1)\n",
    ),
    "a value that is used twice": (
        "a.py",
        "def a(b):\n    d = b.d()\n    c(d)\n    e(d)\n",
        "def a(b):\n    _go(b.d())\ndef _go(f):\n    c(f)\n    e(f)\n",
    ),
    "a value that is changed": (
        "a.py",
        "def a(b):\n    d = b.d()\n    d += 1\n    e(d)\n",
        "def a(b):\n    _go(b.d())\ndef _go(f):\n    f += 1\n    e(f)\n",
    ),
    "a value of JavaScript": (
        "a.js",
        JS + "export function a(b) { use(b.c, 1) }",
        JS + "export function a(b) { go(b.c) }\nfunction go(d) { use(d, 1) }",
    ),
    "a value of JavaScript that is used twice": (
        "a.js",
        JS + "export function a(b) { const c = b.c; use(c, 1); use(c, 2) }",
        JS + "export function a(b) { go(b.c) }\nfunction go(d) { use(d, 1); use(d, 2) }",
    ),
    "a value of JavaScript that is changed": (
        "a.js",
        JS + "export function a(b) { let c = b.c; c += 1; use(c, 2) }",
        JS + "export function a(b) { go(b.c) }\nfunction go(d) { d += 1; use(d, 2) }",
    ),
    "a value of Java": (
        "A.java",
        "class A { void a(B b) { final C e = b.c(); use(e, 1); use(e, 2); } }",
        "class A { void a(B b) { go(b.c()); }\nprivate void go(final C d) { use(d, 1); use(d, 2); } }",
    ),
    "a new object": (
        "A.java",
        "class A { void a(B b) { use(new C(b), 1); } }",
        "class A { void a(B b) { go(new C(b)); }\nprivate void go(C d) { use(d, 1); } }",
    ),
}
NOT_HANDED: dict[str, tuple[str, str, str]] = {
    "after something else": (
        "a.py",
        "def a(b):\n    c(e(), b.d)\n",
        "def a(b):\n    _go(b.d)\ndef _go(f):\n    c(e(), f)\n",
    ),
    "in another order": (
        "a.py",
        "def a(b):\n    return c(b.d(), e(), 1)\n",
        "def a(b):\n    return _go(e(), b.d())\ndef _go(f, g):\n    return c(g, f, 1)\n",
    ),
    "by its name in another order": (
        "a.py",
        "def a(b):\n    return c(b.d(), e(), 1)\n",
        "def a(b):\n    return _go(g=e(), f=b.d())\ndef _go(f, g):\n    return c(f, g, 1)\n",
    ),
    "a name that no parameter has": (
        "a.py",
        "def a(b):\n    return c(b.d(), 1)\n",
        "def a(b):\n    return _go(g=b.d())\ndef _go(f):\n    return c(f, 1)\n",
    ),
    "only sometimes": (
        "a.py",
        "def a(b):\n    if c:\n        e(b.d)\n",
        "def a(b):\n    _go(b.d)\ndef _go(f):\n    if c:\n        e(f)\n",
    ),
    "twice": (
        "a.py",
        "def a(b):\n    c(b.d)\n    e(b.d)\n",
        "def a(b):\n    _go(b.d)\ndef _go(f):\n    c(f)\n    e(f)\n",
    ),
    "never": ("a.py", "def a(b):\n    c(1, 2)\n", "def a(b):\n    _go(b.d)\ndef _go(f):\n    c(1, 2)\n"),
    "a value that is also changed": (
        "a.py",
        "def a(b):\n    c(b := 1, 2)\n",
        "def a(b):\n    _go(b := 1)\ndef _go(f):\n    c(f, 2)\n",
    ),
    "all that is given": (
        "a.py",
        "def a(b):\n    c(*b, 2)\n",
        "def a(b):\n    _go(*b)\ndef _go(f):\n    c(f, 2)\n",
    ),
    "a later function sees it": (
        "a.py",
        "def a(b):\n    for g in b:\n        d = g.d\n        c(lambda: d)\n        c(d)\n",
        "def a(b):\n    for g in b:\n        _go(g.d)\ndef _go(d):\n    c(lambda: d)\n    c(d)\n",
    ),
    "a name of the caller": (
        "a.py",
        "def a(b):\n    f = b.d\n    c(f)\n    e(f)\n    c(f)\n",
        "def a(b):\n    f = 1\n    _go(b.d)\n    c(f)\ndef _go(f):\n    c(f)\n    e(f)\n",
    ),
    "a text of Java that is another type": (
        "A.java",
        "class A { void a(B b) { use(b.c(), 1); } }",
        "class A { void a(B b) { go(b.c()); }\nprivate void go(Object d) { use(d, 1); } }",
    ),
}


@pytest.mark.parametrize("name", HANDED)
def test_what_a_call_computes_first_may_be_handed_over(name: str) -> None:
    path, before, after = HANDED[name]
    for one, other in ((before, after), (after, before)):
        verdict = judged({path: (one, other)})[path]
        assert verdict.mutation_class is REFACTOR, verdict.reasons


@pytest.mark.parametrize("name", NOT_HANDED)
def test_what_is_computed_otherwise_is_not_handed_over(name: str) -> None:
    path, before, after = NOT_HANDED[name]
    assert classes({path: (before, after)}) == {path: EVOLUTION}
    assert classes({path: (after, before)}) == {path: EVOLUTION}


# Helpers of Python and JavaScript whose branches choose a value, whose names are set in inner blocks, or have types.
FORMS: dict[str, tuple[str, str, str]] = {
    "branches that choose": (
        "a.py",
        "def a(b, c):\n    d = e(b) if b is not None else None\n    return d, f(e(c) if c is not None else None)\n",
        "def a(b, c):\n    d = _go(b)\n    return d, f(_go(c))\ndef _go(t):\n    if t is None:\n        return None\n"
        "    return e(t)\n",
    ),
    "branches that return nothing": (
        "a.py",
        "def a(b):\n    d(None if b else 2)\n",
        "def a(b):\n    d(_go(b))\ndef _go(t):\n    if t:\n        return\n    return 2\n",
    ),
    "three branches": (
        "a.py",
        "def a(b):\n    d(1 if b else 2 if c else 3)\n",
        "def a(b):\n    d(_go(b))\ndef _go(t):\n    if t:\n        return 1\n    if c:\n        return 2\n"
        "    return 3\n",
    ),
    "branches after a statement": (
        "a.py",
        "def a(b):\n    c()\n    d = 1 if b else 2\n    e(d, d)\n",
        "def a(b):\n    d = _go(b)\n    e(d, d)\ndef _go(t):\n    c()\n    if t:\n        return 1\n    return 2\n",
    ),
    "branches of JavaScript": (
        "a.js",
        JS + "export function a(b) { const d = b ? use(b) : null; use(d, d) }",
        JS + "export function a(b) { const d = go(b); use(d, d) }\n"
        "function go(t) { if (!t) { return null } return use(t) }",
    ),
    "names in inner blocks": (
        "a.py",
        "def a(b):\n    while b.c:\n        d = b.pop()\n        try:\n            d()\n        except E as e:\n"
        "            f(e)\n    g(b)\n    h(b)\n",
        "def a(b):\n    _go(b)\n    h(b)\ndef _go(b):\n    while b.c:\n        d = b.pop()\n        try:\n"
        "            d()\n        except E as e:\n            f(e)\n    g(b)\n",
    ),
    "types of a file that reads some": (
        "a.py",
        "import attr\nclass A:\n    def a(self, b: str) -> None:\n        c(b, 1)\n        self.d = 1\n\n\n"
        "@attr.s\nclass E:\n    x: int\n",
        "import attr\nclass A:\n    def a(self, b: str) -> None:\n        self._go(b)\n"
        "    def _go(self, b: str) -> None:\n        c(b, 1)\n        self.d = 1\n\n\n@attr.s\nclass E:\n    x: int\n",
    ),
    "a class that is final": (
        "a.py",
        "from typing import final\n@final\nclass A:\n    def a(self, b):\n        c(b, 1)\n        self.d = 1\n",
        "from typing import final\n@final\nclass A:\n    def a(self, b):\n        self._go(b)\n"
        "    def _go(self, b):\n        c(b, 1)\n        self.d = 1\n",
    ),
}
NO_FORMS: dict[str, tuple[str, str, str]] = {
    "branches that do more": (
        "a.py",
        "def a(b):\n    d(1 if b else 2)\n",
        "def a(b):\n    d(_go(b))\ndef _go(t):\n    if t:\n        e()\n        return 1\n    return 2\n",
    ),
    "branches of JavaScript that return nothing": (
        "a.js",
        JS + "export function a(b) { const d = b ? use(b) : null; use(d, d) }",
        JS + "export function a(b) { const d = go(b); use(d, d) }\nfunction go(t) { if (!t) { return } return use(t) }",
    ),
    "branches with another one": (
        "a.py",
        "def a(b):\n    d(1 if b else 2)\n",
        "def a(b):\n    d(_go(b))\ndef _go(t):\n    if t:\n        return 1\n    else:\n        e()\n    return 2\n",
    ),
    "branches after a statement that comes later": (
        "a.py",
        "def a(b):\n    c()\n    e(f(), 1 if b else 2)\n",
        "def a(b):\n    e(f(), _go(b))\ndef _go(t):\n    c()\n    if t:\n        return 1\n    return 2\n",
    ),
    "other branches": (
        "a.py",
        "def a(b):\n    d(e(b) if b is None else None)\n",
        "def a(b):\n    d(_go(b))\ndef _go(t):\n    if t is None:\n        return None\n    return e(t)\n",
    ),
    "a name of an earlier round": (
        "a.py",
        "def a(b):\n    for x in b:\n        while x.c:\n            if x.d:\n                d = x.pop()\n"
        "            f(d)\n        h(x)\n",
        "def a(b):\n    for x in b:\n        _go(x)\n        h(x)\ndef _go(b):\n    while b.c:\n        if b.d:\n"
        "            d = b.pop()\n        f(d)\n",
    ),
    "a name of an error that is asked for elsewhere": (
        "a.py",
        "def a(b):\n    for x in b:\n        try:\n            x(e)\n        except E as e:\n            f(e)\n"
        "        h(x)\n",
        "def a(b):\n    for x in b:\n        _go(x)\n        h(x)\ndef _go(b):\n    try:\n        b(e)\n"
        "    except E as e:\n        f(e)\n",
    ),
    "a decorator that may change methods": (
        "a.py",
        "@traced\nclass A:\n    def a(self, b):\n        c(b, 1)\n        self.d = 1\n",
        "@traced\nclass A:\n    def a(self, b):\n        self._go(b)\n    def _go(self, b):\n        c(b, 1)\n"
        "        self.d = 1\n",
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_helpers_may_have_branches_inner_names_and_types(name: str) -> None:
    path, before, after = FORMS[name]
    for one, other in ((before, after), (after, before)):
        verdict = judged({path: (one, other)})[path]
        assert verdict.mutation_class is REFACTOR, verdict.reasons


@pytest.mark.parametrize("name", NO_FORMS)
def test_helpers_that_do_more_stay_where_they_are(name: str) -> None:
    path, before, after = NO_FORMS[name]
    assert classes({path: (before, after)}) == {path: EVOLUTION}
    assert classes({path: (after, before)}) == {path: EVOLUTION}


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_a_wrong_form_is_never_one() -> None:
    chance = random.Random("forms of helpers")
    made = 0
    idle = ("by its name", "types of a file that reads some")  # where another order, or another type, is no matter
    for path, *pair in (pair for name, pair in {**FORMS, **HANDED}.items() if name not in idle):
        for before, after in (pair, pair[::-1]):
            for mutant in mutants(after, chance, 8, path.rpartition(".")[2]):
                made += 1
                assert classes({path: (before, mutant.after)}) == {path: EVOLUTION}, mutant
    assert made

"""Functions that were taken out of others, and functions whose body went back to where they were called."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

JS = "import { use } from './use';\n"
# A file with the code where it was, and the same file with a helper `_go` (or `go`), by what it shows.
RIGHT: dict[str, tuple[str, str, str]] = {
    "statements": (
        "a.py",
        "def load(text):\n    if not text:\n        raise E(text)\n    return parse(text)\n",
        "def load(text):\n    _go(text)\n    return parse(text)\ndef _go(t):\n    if not t:\n        raise E(t)\n",
    ),
    "a value, in two places": (
        "a.py",
        "def a(text):\n    return [text.strip(), 1]\ndef b(x):\n    if x:\n        y = x\n"
        "        use(y.strip(), 'a')\n",
        "def _go(t: str) -> str:\n    return t.strip()\ndef a(text):\n    return [_go(text), 1]\n"
        "def b(x):\n    if x:\n        y = x\n        use(_go(y), 'a')\n",
    ),
    "all that is left to do": (
        "a.py",
        "def a(b):\n    c = b + 1\n    if c:\n        return d(c)\n    return e(c)\nclass D:\n"
        "    def m(self):\n        f()\n",
        "def a(b):\n    c = b + 1\n    return _go(c)\n"
        "class D:\n    def m(self):\n        f()\ndef _go(c):\n    if c:\n        return d(c)\n    return e(c)\n",
    ),
    "a value and what it takes": (
        "a.py",
        "def a(b):\n    x = b.c()\n    y = x + 1\n    if d(y):\n        e()\n",
        "def a(b):\n    if d(_go(b)):\n        e()\ndef _go(b):\n    x = b.c()\n    return x + 1\n",
    ),
    "a loop with names of its own": (
        "a.py",
        "def a(b):\n    for one in b:\n        use(one)\n    c([two for two in b])\n",
        "def a(b):\n    _go(b)\ndef _go(b):\n    for one in b:\n        use(one)\n    c([two for two in b])\n",
    ),
    "in a loop": (
        "a.py",
        "def a(b):\n    for one in b:\n        use(one + 1)\n    return [two + 1 for two in b]\n",
        "def _go(b):\n    return b + 1\ndef a(b):\n    for one in b:\n        use(_go(one))\n"
        "    return [_go(two) for two in b]\n",
    ),
    "a method": (
        "a.py",
        "class A:\n    def a(self, b):\n        self.c = b\n        d(self.c)\n",
        "class A:\n    def a(self, b):\n        self._go(b)\n    def _go(self, e):\n        self.c = e\n"
        "        d(self.c)\n",
    ),
    "a function that later calls a parameter": (
        "a.py",
        "def a(b):\n    return sorted(c(), key=lambda d: d[b])\n",
        "def a(b):\n    return sorted(c(), key=_go(b))\ndef _go(e):\n    return lambda d: d[e]\n",
    ),
    "a function of JavaScript": (
        "a.js",
        JS + "export function a(b) { const c = use(b); return c.map(d => d + b) }\n",
        JS + "export function a(b) { return go(b) }\nfunction go(e) { const c = use(e); return c.map(d => d + e) }\n",
    ),
    "a function of JavaScript in a loop": (
        "a.js",
        JS + "export function a(b) { for (const c of b) { let d = 1; use(c, d); use(d, 'e') } }\n",
        JS + "export function a(b) { for (const c of b) { let d = 1; use(c, d); go(d) } }\n"
        "function go(f) { use(f, 'e') }\n",
    ),
    "a function that changes what it is given": (
        "a.js",
        JS + "export function a(b) { b.c++; b.d = 2; use(b) }\n",
        JS + "export function a(b) { go(b) }\nfunction go(e) { e.c++; e.d = 2; use(e) }\n",
    ),
    "a private method of TypeScript": (
        "a.ts",
        JS + "export class A { m(b: string): number { const c = b.trim(); use(c); return c.length } }\n",
        JS + "export class A { m(b: string): number { return this.go(b) }\n"
        "private go(d: string) { const c = d.trim(); use(c); return c.length } }\n",
    ),
    "a private method in an arrow function": (
        "a.ts",
        JS + "export class A { m(b: string): void { use(() => { use(this.c, 'd') }) } }\n",
        JS + "export class A { m(b: string): void { use(() => { this.#go() }) }\n#go() { use(this.c, 'd') } }\n",
    ),
    "a function of a test in TypeScript": (
        "a.test.ts",
        JS + "it('a', () => { const b = use(1); use(b.c()) })\n",
        JS + "it('a', () => { const b = use(1); use(go(b)) })\nfunction go(d) { return d.c() }\n",
    ),
    "what makes a variable": (
        "a.py",
        "def a(b):\n    c(1)\n    d = []\n    for e in b:\n        d.append(e.f)\n        c(e)\n"
        "    d.append(2)\n    return d\n",
        "def a(b):\n    c(1)\n    d = _go(b)\n    d.append(2)\n    return d\n\n\n"
        "def _go(g):\n    h = []\n    for e in g:\n        h.append(e.f)\n        c(e)\n    return h\n",
    ),
    "what makes a variable in a loop": (
        "a.py",
        "def a(b):\n    for c in b:\n        d = {}\n        for e in c:\n            d[e] = 1\n        f(d)\n",
        "def a(b):\n    for c in b:\n        d = _go(c)\n        f(d)\n\n\n"
        "def _go(c):\n    d = {}\n    for e in c:\n        d[e] = 1\n    return d\n",
    ),
    "what makes a variable of JavaScript": (
        "a.js",
        JS + "export function a(b) { const d = []; for (const e of b) { d.push(e); use(1) } return use(d) }\n",
        JS + "export function a(b) { const d = go(b); return use(d) }\n"
        "function go(f) { const h = []; for (const e of f) { h.push(e); use(1) } return h }\n",
    ),
    "what makes a variable of TypeScript": (
        "a.ts",
        JS + "export function a(b: C): D { let d = []; for (const e of b) { d.push(e); use(1) } return use(d) }\n",
        JS + "export function a(b: C): D { let d = go(b); return use(d) }\n"
        "function go(f: C) { let h = []; for (const e of f) { h.push(e); use(1) } return h }\n",
    ),
    "what makes a variable of Java": (
        "A.java",
        "class A { int m(B b) { StringBuilder d = new StringBuilder();\n"
        "for (C e : b) { d.append(e); n(1); } return o(d, d); } }",
        "class A { int m(B b) { StringBuilder d = go(b); return o(d, d); }\n"
        "private StringBuilder go(B f) { StringBuilder h = new StringBuilder();\n"
        "for (C e : f) { h.append(e); n(1); } return h; } }",
    ),
    "conditions of Java": (
        "A.java",
        "class A { int m(String b) { if (b != null && b.d()) { return 1; } if (!(b == null)) { e(); } return 2; } }",
        "class A { int m(String b) { if (go(b)) { return 1; } if (!is(b)) { e(); } return 2; }\n"
        "private static boolean go(String c) { return c != null && c.d(); }\n"
        "private boolean is(String c) { return c == null; } }",
    ),
    "what a type of the library is asked for": (
        "A.java",
        "class A { int m(List<B> b) { e(1); if (b == null || b.size() > 1) { return 1; } return 2; } }",
        "class A { int m(List<B> b) { e(1); if (go(b)) { return 1; } return 2; }\n"
        "private static boolean go(final Collection<?> c) { return c == null || c.size() > 1; } }",
    ),
    "statements and results of Java": (
        "A.java",
        "class A { int m(int b) { int c = b + 1; log(c); return c; } void n(String d) { log(d); log(1); }\n"
        "int p(long b) { long f = b; log(f); int e = g(f); return e; } }",
        "class A { int m(int b) { return go(b); } private int go(int a) { int c = a + 1; log(c); return c; }\n"
        "void n(String d) { this.say(d, 1); } private void say(String a, int b) { log(a); log(b); }\n"
        "int p(long b) { long f = b; int e = to(f); return e; } private int to(long h) { log(h); return g(h); } }",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_body_in_the_place_of_its_calls_is_a_refactor_both_ways(name: str) -> None:
    path, before, after = RIGHT[name]
    there, back = (judged({path: pair})[path] for pair in ((before, after), (after, before)))
    assert (there.mutation_class, back.mutation_class) == (REFACTOR, REFACTOR)
    assert any(reason.startswith("extracted ") for reason in there.reasons)
    assert any(reason.startswith("inlined ") for reason in back.reasons)


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", RIGHT)
def test_no_behaviour_mutant_passes_where_a_function_was_taken_out(name: str) -> None:
    path, before, after = RIGHT[name]
    language = path.rpartition(".")[2]
    made = 0
    for mutant in mutants(after, random.Random(name), 40, language):
        made += 1
        assert classes({path: (before, mutant.after)}) == {path: EVOLUTION}, mutant.after
    assert made > 10


_STATEMENTS = RIGHT["statements"]
# Pairs that look alike, by why they are not the same.
WRONG: dict[str, tuple[str, str, str]] = {
    "a variable that was there before": (
        "a.py",
        "def a(b):\n    d = c(1)\n    d = []\n    for e in b:\n        d.append(e.f)\n        c(e)\n    return d\n",
        "def a(b):\n    d = c(1)\n    d = _go(b)\n    return d\n\n\n\n"
        "def _go(g):\n    h = []\n    for e in g:\n        h.append(e.f)\n        c(e)\n    return h\n",
    ),
    "a variable that is seen where it fails": (
        "a.py",
        "def a(b):\n    try:\n        d = []\n"
        "        for e in b:\n            d.append(e.f)\n            c(e)\n    finally:\n        c(d)\n",
        "def a(b):\n    try:\n        d = _go(b)\n    finally:\n        c(d)\n\n\n\n"
        "def _go(g):\n    h = []\n    for e in g:\n        h.append(e.f)\n        c(e)\n    return h\n",
    ),
    "a variable that is another one in the body": (
        "a.py",
        "def a(b):\n    e = []\n    for e in b:\n        e.append(e.f)\n        c(e)\n    return e\n",
        "def a(b):\n    e = _go(b)\n    return e\n\n\n\n"
        "def _go(g):\n    h = []\n    for e in g:\n        h.append(e.f)\n        c(e)\n    return h\n",
    ),
    "two variables": (
        "a.py",
        "def a(b):\n    d = i = []\n    for e in b:\n        d.append(e.f)\n        c(e)\n    return d\n",
        "def a(b):\n    d = i = _go(b)\n    return d\n\n\n\n"
        "def _go(g):\n    h = []\n    for e in g:\n        h.append(e.f)\n        c(e)\n    return h\n",
    ),
    "a member": (
        "a.py",
        "def a(b):\n    b.d = []\n    for e in b:\n        b.d.append(e.f)\n        c(e)\n    return b\n",
        "def a(b):\n    b.d = _go(b)\n    return b\n\n\n\n"
        "def _go(g):\n    h = []\n    for e in g:\n        h.append(e.f)\n        c(e)\n    return h\n",
    ),
    "a variable that grows": (
        "a.py",
        "def a(b):\n    d += []\n    for e in b:\n        d.append(e.f)\n        c(e)\n    return d\n",
        "def a(b):\n    d += _go(b)\n    return d\n\n\n\n"
        "def _go(g):\n    h = []\n    for e in g:\n        h.append(e.f)\n        c(e)\n    return h\n",
    ),
    "a variable of another type of Java": (
        "A.java",
        "class A { int m(B b) { Object d = new StringBuilder();\n"
        "for (C e : b) { d.append(e); n(1); } return o(d, d); } }",
        "class A { int m(B b) { Object d = go(b); return o(d, d); }\n"
        "private StringBuilder go(B f) { StringBuilder h = new StringBuilder();\n"
        "for (C e : f) { h.append(e); n(1); } return h; } }",
    ),
    "one of two variables of JavaScript": (
        "a.js",
        JS
        + "export function a(b) { const i = 1, d = []; for (const e of b) { d.push(e, i); use(i) } return use(d) }\n",
        JS + "export function a(b) { const i = 1, d = go(b); return use(d, i) }\n"
        "function go(f) { const h = []; for (const e of f) { h.push(e); use(1) } return h }\n",
    ),
    "what another type is asked for": (
        "A.java",
        "class A { int m(List<B> b) { e(1); if (b.size() > 1) { return 1; } return 2; } }",
        "class A { int m(List<B> b) { e(1); if (go(b)) { return 1; } return 2; }\n"
        "private static boolean go(Other c) { return c.size() > 1; } }",
    ),
    "what a type of the library is asked for with something": (
        "A.java",
        "class A { int m(List<B> b) { e(1); if (b.find(1) > 1) { return 1; } return 2; } }",
        "class A { int m(List<B> b) { e(1); if (go(b)) { return 1; } return 2; }\n"
        "private static boolean go(Collection<?> c) { return c.find(1) > 1; } }",
    ),
    "what is given a type of the library": (
        "A.java",
        "class A { int m(List<B> b) { e(1); if (size(b) > 1) { return 1; } return 2; } }",
        "class A { int m(List<B> b) { e(1); if (go(b)) { return 1; } return 2; }\n"
        "private static boolean go(Collection<?> c) { return size(c) > 1; } }",
    ),
    "a field that is known as another type": (
        "A.java",
        "class A { List<B> b; int m() { e(1); if (b.size() > 1) { return 1; } return 2; } }",
        "class A { List<B> b; int m() { e(1); if (go(b)) { return 1; } return 2; }\n"
        "private static boolean go(Collection<?> c) { return c.size() > 1; } }",
    ),
    "the parameter is another name": (*_STATEMENTS[:2], _STATEMENTS[2].replace("E(t)", "E(text)")),
    "others may call it": ("a.py", _STATEMENTS[1], _STATEMENTS[2].replace("_go", "go")),
    "a special name": ("a.py", _STATEMENTS[1], _STATEMENTS[2].replace("_go", "__go__")),
    "it is called before it is there": (
        "a.py",
        "def a(b):\n    c(b, 1)\na(2)\n",
        "def a(b):\n    _go(b)\na(2)\ndef _go(b):\n    c(b, 1)\n",
    ),
    "a default calls it before it is there": (
        "a.py",
        "def a(b):\n    c(b, 1)\ndef d(e=a(1)):\n    pass\n",
        "def a(b):\n    _go(b)\ndef d(e=a(1)):\n    pass\ndef _go(b):\n    c(b, 1)\n",
    ),
    "a class calls it before it is there": (
        "a.py",
        "def a(b):\n    c(b, 1)\nclass D:\n    e = a(1)\n",
        "def a(b):\n    _go(b)\nclass D:\n    e = a(1)\ndef _go(b):\n    c(b, 1)\n",
    ),
    "a base calls it before it is there": (
        "a.py",
        "def a(b):\n    c(b, 1)\nclass D(E):\n    pass\n",
        "def a(b):\n    _go(b)\nclass D(E):\n    pass\ndef _go(b):\n    c(b, 1)\n",
    ),
    "it is called outside of functions": ("a.py", "c(1, 2)\n", "def _go(b):\n    c(1, b)\n_go(2)\n"),
    "it is given to another": (
        "a.py",
        "def a(b):\n    c(b, 1)\n    use(c)\n",
        "def _go(b):\n    c(b, 1)\ndef a(b):\n    _go(b)\n    use(_go)\n",
    ),
    "it calls itself": (
        "a.py",
        "def a(b):\n    c(b, 1)\n",
        "def a(b):\n    _go(b)\ndef _go(b):\n    c(b, 1)\n    _go(b)\n",
    ),
    "a decorator": (
        "a.py",
        "def a(b):\n    c(b, 1)\n",
        "def a(b):\n    _go(b)\n@d\ndef _go(b):\n    c(b, 1)\n",
    ),
    "a default": ("a.py", "def a(b):\n    c(b, 1)\n", "def a(b):\n    _go(b)\ndef _go(b, d=1):\n    c(b, d)\n"),
    "all that is given": ("a.py", "def a(b):\n    c(b, 1)\n", "def a(b):\n    _go(b)\ndef _go(*b):\n    c(*b, 1)\n"),
    "one argument too few": (
        "a.py",
        "def a(b):\n    c(b, 1)\n",
        "def a(b):\n    _go(b)\ndef _go(b, d):\n    c(b, 1)\n",
    ),
    "it asks who calls": (
        "a.py",
        "def a(b):\n    warn(b, stacklevel=2)\n",
        "def a(b):\n    _go(b)\ndef _go(b):\n    warn(b, stacklevel=2)\n",
    ),
    "it gives what it yields": (
        "a.py",
        "def a(b):\n    yield b + 1\n",
        "def a(b):\n    _go(b)\ndef _go(b):\n    yield b + 1\n",
    ),
    "an early way out": (
        "a.py",
        "def a(b):\n    if b:\n        return\n    c(b, 1)\n    d()\n",
        "def a(b):\n    _go(b)\n    d()\ndef _go(b):\n    if b:\n        return\n    c(b, 1)\n",
    ),
    "what falls off its end": (
        "a.py",
        "def a(b):\n    if d():\n        if b:\n            return 1\n    e()\n",
        "def a(b):\n    if d():\n        return _go(b)\n    e()\ndef _go(b):\n    if b:\n        return 1\n",
    ),
    "a call is handed over": (
        "a.py",
        "def a(b):\n    c(e(), b())\n",
        "def a(b):\n    _go(b())\ndef _go(d):\n    c(e(), d)\n",
    ),
    "a text with a value in it is handed over": (
        "a.py",
        "def a(b):\n    c(b.e, f'{b()}')\n",
        "def a(b):\n    _go(f'{b()}', b)\ndef _go(d, b):\n    c(b.e, d)\n",
    ),
    "another function changes what is handed over": (
        "a.py",
        "def a(b):\n    def d():\n        nonlocal b\n        b = 1\n    c(d(), b)\n",
        "def a(b):\n    def d():\n        nonlocal b\n        b = 1\n    _go(d, b)\ndef _go(d, b):\n    c(d(), b)\n",
    ),
    "a name of the module is handed over": (
        "a.py",
        "e = 1\ndef a():\n    c(d(), e)\n",
        "e = 1\ndef a():\n    _go(e)\ndef _go(f):\n    c(d(), f)\n",
    ),
    "it may have no value yet": (
        "a.py",
        "def a(b):\n    if b:\n        e = 1\n    if b:\n        c(1, e)\n",
        "def a(b):\n    if b:\n        e = 1\n    _go(b, e)\ndef _go(b, e):\n    if b:\n        c(1, e)\n",
    ),
    "its type alone was told": (
        "a.py",
        "def a(b):\n    e: int\n    if b:\n        c(1, e)\n",
        "def a(b):\n    e: int\n    _go(b, e)\ndef _go(b, e):\n    if b:\n        c(1, e)\n",
    ),
    "it is deleted": (
        "a.py",
        "def a(b):\n    e = 1\n    del e\n    if b:\n        c(1, e)\n",
        "def a(b):\n    e = 1\n    del e\n    _go(b, e)\ndef _go(b, e):\n    if b:\n        c(1, e)\n",
    ),
    "the parameter gets another value": (
        "a.py",
        "def a(b):\n    b += 1\n    c(b, 1)\n    d(b)\n",
        "def a(b):\n    _go(b)\n    d(b)\ndef _go(b):\n    b += 1\n    c(b, 1)\n",
    ),
    "the parameter is declared again": (
        "a.py",
        "def a(b):\n    b = c(b, 1)\n    d(b)\n    e(b)\n",
        "def a(b):\n    _go(b)\n    e(b)\ndef _go(b):\n    b = c(b, 1)\n    d(b)\n",
    ),
    "the caller means another name": (
        "a.py",
        "def a(b, c):\n    d()\n    c(b, 1)\n",
        "def a(b, c):\n    d()\n    _go(b)\ndef _go(b):\n    c(b, 1)\n",
    ),
    "the caller has the name": (
        "a.py",
        "def a(b):\n    d = 1\n    d = c(b, 1)\n    e(d, d)\n    f(d)\n",
        "def a(b):\n    d = 1\n    _go(b)\n    f(d)\ndef _go(b):\n    d = c(b, 1)\n    e(d, d)\n",
    ),
    "a name of it is handed over": (
        "a.py",
        "def a(d):\n    d = c(d, 1)\n    e(d, d)\n",
        "def a(d):\n    _go(d)\ndef _go(b):\n    d = c(b, 1)\n    e(d, d)\n",
    ),
    "its name may have no value": (
        "a.py",
        "def a(b):\n    for x in b:\n        if x:\n            d = 1\n        e(d)\n",
        "def a(b):\n    for x in b:\n        _go(x)\ndef _go(x):\n    if x:\n        d = 1\n    e(d)\n",
    ),
    "its name is of its own value": (
        "a.py",
        "def a(b):\n    for x in b:\n        d = d(x)\n        e(d, d)\n",
        "def a(b):\n    for x in b:\n        _go(x)\ndef _go(x):\n    d = d(x)\n    e(d, d)\n",
    ),
    "its loop may not run": (
        "a.py",
        "def a(b):\n    while b:\n        for d in b.c:\n            e(d, d)\n        else:\n            e(d)\n",
        "def a(b):\n    while b:\n        _go(b)\ndef _go(b):\n    for d in b.c:\n        e(d, d)\n    else:\n"
        "        e(d)\n",
    ),
    "its names are known to a function": (
        "a.py",
        "def a(b):\n    for x in b:\n        d = x.c\n        e(lambda: d)\n",
        "def a(b):\n    for x in b:\n        _go(x)\ndef _go(x):\n    d = x.c\n    e(lambda: d)\n",
    ),
    "a function keeps what is handed over": (
        "a.py",
        "def a(b):\n    for x in b:\n        e(lambda: x.c)\n",
        "def a(b):\n    for x in b:\n        _go(x)\ndef _go(x):\n    e(lambda: x.c)\n",
    ),
    "what it takes comes later": (
        "a.py",
        "def a(b):\n    x = b.c()\n    y = [x, x]\n    e(d(), y)\n",
        "def a(b):\n    e(d(), _go(b))\ndef _go(b):\n    x = b.c()\n    y = [x, x]\n    return y\n",
    ),
    "what it takes comes again": (
        "a.py",
        "def a(b):\n    x = b.c(1)\n    y = [x, x]\n    while y:\n        e(b)\n",
        "def a(b):\n    while _go(b):\n        e(b)\ndef _go(b):\n    x = b.c(1)\n    y = [x, x]\n    return y\n",
    ),
    "a function in another": (
        "a.py",
        "def a(b):\n    c(b, 1)\n",
        "def a(b):\n    _go(b)\nif d:\n    def _go(b):\n        c(b, 1)\n",
    ),
    "a method of another object": (
        "a.py",
        "class A:\n    def a(self, b):\n        b.c = 1\n        d(b.c)\n",
        "class A:\n    def a(self, b):\n        b._go()\n    def _go(self):\n        self.c = 1\n        d(self.c)\n",
    ),
    "an object that is another one now": (
        "a.py",
        "class A:\n    def a(self, b):\n        self = b\n        d(self.c, 1)\n",
        "class A:\n    def a(self, b):\n        self = b\n        self._go()\n    def _go(self):\n"
        "        d(self.c, 1)\n",
    ),
    "a method of a class with a base": (
        "a.py",
        "class A(B):\n    def a(self):\n        d(self.c, 1)\n",
        "class A(B):\n    def a(self):\n        self._go()\n    def _go(self):\n        d(self.c, 1)\n",
    ),
    "a method without an object": (
        "a.py",
        "class A:\n    def a(self):\n        d(self.c, 1)\n",
        "class A:\n    def a(self):\n        self._go()\n    def _go():\n        d(self.c, 1)\n",
    ),
    "a method that is called from elsewhere": (
        "a.py",
        "class A:\n    def a(self):\n        d(self.c, 1)\nclass B:\n    def b(self):\n        d(self.c, 1)\n",
        "class A:\n    def a(self):\n        self._go()\n    def _go(self):\n        d(self.c, 1)\n"
        "class B:\n    def b(self):\n        self._go()\n",
    ),
    "a method of a class in a function": (
        "a.py",
        "def f():\n    class A:\n        def a(self):\n            d(self.c, 1)\n",
        "def f():\n    class A:\n        def a(self):\n            self._go()\n        def _go(self):\n"
        "            d(self.c, 1)\n",
    ),
    "a type that is not there": (
        "a.py",
        "def a(b):\n    c(b, 1)\n",
        "def a(b):\n    _go(b)\ndef _go(b: D):\n    c(b, 1)\n",
    ),
    "a method that is called later": (
        "a.py",
        "class A:\n    def a(self):\n        d(lambda: d(self.c, 1))\n",
        "class A:\n    def a(self):\n        d(lambda: self._go())\n    def _go(self):\n        d(self.c, 1)\n",
    ),
    "a parameter without a name": (
        "a.py",
        "def a(b):\n    c(b, 1)\n",
        "def a(b):\n    _go(b)\ndef _go(b, /):\n    c(b, 1)\n",
    ),
    "a loop that gives it another value": (
        "a.js",
        JS + "export function a(b) { for (b of use(1)) { use(b, 2) } use(b) }\n",
        JS + "export function a(b) { go(b); use(b) }\nfunction go(b) { for (b of use(1)) { use(b, 2) } }\n",
    ),
    "an exported function": (
        "a.js",
        JS + "export function a(b) { use(b, 1) }\n",
        JS + "export function a(b) { go(b) }\nexport function go(b) { use(b, 1) }\n",
    ),
    "a function of a script": (
        "a.js",
        "function a(b) { use(b, 1) }\n",
        "function a(b) { go(b) }\nfunction go(b) { use(b, 1) }\n",
    ),
    "another this": (
        "a.js",
        JS + "export function a(b) { use(b, this) }\n",
        JS + "export function a(b) { go(b) }\nfunction go(b) { use(b, this) }\n",
    ),
    "a public method": (
        "a.ts",
        JS + "export class A { m(): void { use(this.c, 1) } }\n",
        JS + "export class A { m(): void { this.go() }\npublic go() { use(this.c, 1) } }\n",
    ),
    "a method in a function with another this": (
        "a.ts",
        JS + "export class A { m(): void { use(function () { use(this.c, 1) }) } }\n",
        JS + "export class A { m(): void { use(function () { this.go() }) }\nprivate go() { use(this.c, 1) } }\n",
    ),
    "a method of another of the kind": (
        "a.ts",
        JS + "export class A { m(b: A): void { use(b.c, 1) } }\n",
        JS + "export class A { m(b: A): void { b.go() }\nprivate go() { use(this.c, 1) } }\n",
    ),
    "the type of what is returned": (
        "a.ts",
        JS + "export function a(b: string) { return use(b, 1) }\n",
        JS + "export function a(b: string) { return go(b) }\nfunction go(b: any): any { return use(b, 1) }\n",
    ),
    "a parameter that may be missing": (
        "a.ts",
        JS + "export function a(b: string): void { use(b, 1) }\n",
        JS + "export function a(b: string): void { go(b) }\nfunction go(b: string = 'c') { use(b, 1) }\n",
    ),
    "a parameter that is taken apart": (
        "a.js",
        JS + "export function a(b) { use(b.c, 1) }\n",
        JS + "export function a(b) { go(b) }\nfunction go({ c }) { use(c, 1) }\n",
    ),
    "a variable changes while it is used": (
        "a.js",
        JS + "export function a(b) { let c = 1; const d = () => { c = 2 }; use(d(), c) }\n",
        JS + "export function a(b) { let c = 1; const d = () => { c = 2 }; go(d, c) }\n"
        "function go(e, c) { use(e(), c) }\n",
    ),
    "a loop changes a variable while it is used": (
        "a.js",
        JS + "export function a(b) { let c = 1; const d = () => { for (c of b) {} }; use(d(), c) }\n",
        JS + "export function a(b) { let c = 1; const d = () => { for (c of b) {} }; go(d, c) }\n"
        "function go(e, c) { use(e(), c) }\n",
    ),
    "a text that calls": (
        "a.js",
        JS + "export function a(b) { use([b], 1) }\n",
        JS + "export function a(b) { use(go`b`, 1) }\nfunction go(b) { return [b] }\n",
    ),
    "a method that others override": (
        "A.java",
        "class A { void m(int b) { log(b, 1); } }",
        "class A { void m(int b) { go(b); } void go(int b) { log(b, 1); } }",
    ),
    "a method that waits": (
        "A.java",
        "class A { void m(int b) { log(b, 1); } }",
        "class A { void m(int b) { go(b); } private synchronized void go(int b) { log(b, 1); } }",
    ),
    "a method of another object of Java": (
        "A.java",
        "class A { void m(A b) { log(b.c, 1); } }",
        "class A { void m(A b) { b.go(); } private void go() { log(c, 1); } }",
    ),
    "a class in the class": (
        "A.java",
        "class A { class B { void m(int b) { log(b, 1); } } }",
        "class A { class B { void m(int b) { go(b); } } private void go(int b) { log(b, 1); } }",
    ),
    "a parameter of another type": (
        "A.java",
        "class A { void m(int b) { log(b, 1); } }",
        "class A { void m(int b) { go(b); } private void go(long b) { log(b, 1); } }",
    ),
    "a number of another type": (
        "A.java",
        "class A { void m(int b) { log(1, b); } }",
        "class A { void m(int b) { go(1, b); } private void go(long a, int b) { log(a, b); } }",
    ),
    "a parameter without end": (
        "A.java",
        "class A { void m(int b) { log(b, 1); } }",
        "class A { void m(int b) { go(b); } private void go(int... b) { log(b, 1); } }",
    ),
    "a result of another type": (
        "A.java",
        "class A { long m(int b) { return b + 1; } }",
        "class A { long m(int b) { return go(b); } private int go(int b) { return b + 1; } }",
    ),
    "a variable of another type": (
        "A.java",
        "class A { void m(int b) { long c = b + 1; log(c, c); } }",
        "class A { void m(int b) { long c = go(b); log(c, c); } private int go(int b) { return b + 1; } }",
    ),
    "a result as an argument": (
        "A.java",
        "class A { void m(int b) { log(b + 1, 2); } }",
        "class A { void m(int b) { log(go(b), 2); } private long go(int b) { return b + 1; } }",
    ),
    "a result that is dropped": (
        "A.java",
        "class A { void m(int b) { log(b); } }",
        "class A { void m(int b) { go(b); } private long go(int b) { return log(b); } }",
    ),
    "a type that is the method's own": (
        "A.java",
        "class A<T> { <T> T m(T b) { return log(b, 1); } }",
        "class A<T> { <T> T m(T b) { return go(b); } private T go(T b) { return log(b, 1); } }",
    ),
    "a constructor that is no result": (
        "A.java",
        "class A { A(int b) { Runnable c = () -> { log(b, 1); }; } }",
        "class A { A(int b) { Runnable c = () -> { return go(b); }; } private int go(int b) { log(b, 1); } }",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_only_looks_like_it_is_none(name: str) -> None:
    path, before, after = WRONG[name]
    assert classes({path: (before, after)}) == {path: EVOLUTION}
    assert classes({path: (after, before)}) == {path: EVOLUTION}


@pytest.mark.parametrize("others", [{"b.py": "from a import _go"}, {"b.py": "x = '_go'"}, {"b.py": "x = y + '_on'\n"}])
def test_another_file_that_knows_the_name_may_call_or_replace_it(others: dict[str, str]) -> None:
    path, before, after = RIGHT["a method"]
    others = {other: text.replace("_go", "_go_on") for other, text in others.items()}
    assert classes({path: (before, after.replace("_go", "_go_on"))}, others) == {path: EVOLUTION}


def test_a_repository_that_can_not_be_searched_may_have_the_name() -> None:
    path, before, after = RIGHT["a method"]
    assert classes({path: (before, after)}, Repository({}, can_search=False)) == {path: EVOLUTION}


def test_a_text_of_the_file_may_be_the_name() -> None:
    path, before, after = RIGHT["a method"]
    said = "x = getattr(y, '_' + z)\nw = '_on'\n"
    assert classes({path: (before + said, after.replace("_go", "_go_on") + said)}) == {path: EVOLUTION}


def test_more_helpers_than_are_looked_at_are_no_refactor() -> None:
    numbers = range(30)
    before = "def a(b):\n" + "".join(f"    c{number}(b, {number})\n" for number in numbers)
    after = "def a(b):\n" + "".join(f"    _go{number}x(b)\n" for number in numbers)
    after += "".join(f"def _go{number}x(d):\n    c{number}(d, {number})\n" for number in numbers)
    assert classes({"a.py": (before, after)}) == {"a.py": EVOLUTION}


def test_a_body_that_would_be_copied_too_often_stays_where_it_is() -> None:
    body = "    c(b, [" + "1, " * 400 + "])\n"
    before = "def a(b):\n" + body * 40
    after = "def a(b):\n" + "    _go(b)\n" * 40 + "def _go(b):\n" + body
    assert classes({"a.py": (before, after)}) == {"a.py": EVOLUTION}


def test_a_method_that_a_function_without_parameters_calls_stays() -> None:
    before = "class A:\n    def run(self):\n        return lambda: print(self.a)\n"
    after = "class A:\n    def run(self):\n        return lambda: self._show()\n\n"
    after += "    def _show(self):\n        print(self.a)\n"
    assert judged({"p/a.py": (before, after)}, {})["p/a.py"].mutation_class is MutationClass.INTENT_EVOLUTION

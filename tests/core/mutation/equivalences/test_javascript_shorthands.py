"""JavaScript in more or fewer words, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ("var a = 1, b = 2; f(a, b, a, b)", "var a = 1; var b = 2; f(a, b, a, b)"),
    (
        "function f() { const a = g(), b = h(); i(a, b, a) }",
        "function f() { const a = g(); const b = h(); i(a, b, a) }",
    ),
    ("f(`a b`)", "f('a b')"),
    ("a = a + b; f()", "a += b; f()"),
    ("a++; b.c--; f()", "++a; --b.c; f()"),
    ("for (let i = 0; i < 3; i++) f(i)", "for (let i = 0; i < 3; ++i) f(i)"),
    ("if (a === void 0) f()", "if (a === undefined) f()"),
    ("f(new Array(), new Object())", "f([], {})"),
    ("throw Error('a')", "throw new Error('a')"),
    ("if (!!a) f(); while (!!b) g()", "if (a) f(); while (b) g()"),
    ("f(!!a ? b : c)", "f(a ? b : c)"),
    ("f(a ? true : false, Boolean(b))", "f(!!a, !!b)"),
    ("f(!a ? b : c)", "f(a ? c : b)"),
    ("f(a !== b ? c : d)", "f(a === b ? d : c)"),
    ("if ('a' === b || 1 < c) f()", "if (b === 'a' || c > 1) f()"),
    ("switch (a) { case 1: b(); break; default: break }", "switch (a) { case 1: b() }"),
    ("switch (a) { case 1: b(); break; default: c(); break }", "switch (a) { case 1: b(); break; default: c() }"),
    ("while (true) { f() }", "for (;;) { f() }"),
    ("let a = undefined; f(a, a); a = 1", "let a; f(a, a); a = 1"),
    ("class A { constructor() { } b() { return 1 } }", "class A { b() { return 1 } }"),
    ("const a = require('b').c; f(a, a)", "const { c: a } = require('b'); f(a, a)"),
]
UNTYPED = [
    ("f('a' + 'b')", "f('ab')"),
    ("function f(a) { if (a) return undefined; g() }", "function f(a) { if (a) return; g() }"),
]
TYPED = [
    *UNTYPED,
    ("export let a: A = undefined", "export let a: B = undefined"),
    ("export const a = new Array<A>()", "export const a = new Array<B>()"),
    ("export const a: A = require('b').c", "export const a: B = require('b').c"),
]
OTHER = [
    ("f(a && b && c)", "f(a && b && d)"),
    ("switch (a) { }", "switch (b) { }"),
    ("switch (a) { default: break }", "switch (b) { }"),
    ("for (var a = 1, b = 2; a < b; a++) f(a)", "for (var a = 1; a < b; a++) f(a)"),
    ("f(`a${b}`)", "f('a' + b)"),
    ("f(`a\\n`)", "f('a\\n' + '')"),
    ("`use strict`; f()", "'use strict'; f()"),
    ("'use ' + 'strict'; f()", "'use strict'; f()"),
    ("f('\\\\1' + '2')", "f('\\\\12')"),
    ("a = b + a; f()", "a += b; f()"),
    ("a.b = a.b + 1; f()", "a.b += 2; f()"),
    ("a += 1; f()", "a++; f()"),
    ("f(a++)", "f(++a)"),
    ("for (let i = g(a++); i < 3; i++) f(i)", "for (let i = g(++a); i < 3; i++) f(i)"),
    ("function f(undefined) { return a === void 0 }", "function f(undefined) { return a === undefined }"),
    ("f(new Array(3))", "f([])"),
    ("function f(Array) { return new Array() }", "function f(Array) { return [] }"),
    ("throw MyError('a')", "throw new MyError('a')"),
    ("import Error from 'b'; throw Error('a')", "import Error from 'b'; throw new Error('a')"),
    ("f(!!a)", "f(a)"),
    ("if (!a) f()", "if (a) f()"),
    ("f(a ? 1 : false)", "f(!!a)"),
    ("f(Boolean(a, b))", "f(!!a)"),
    ("function f(Boolean) { return Boolean(a) }", "function f(Boolean) { return !!a }"),
    ("f(a < b ? c : d)", "f(a >= b ? d : c)"),
    ("if (a < b) f()", "if (b < a) f()"),
    ("if (g() === h()) f()", "if (h() === g()) f()"),
    ("switch (a) { case 1: b(); break; case 2: c() }", "switch (a) { case 1: b(); case 2: c() }"),
    ("d: for (;;) { switch (a) { case 1: break d } }", "d: for (;;) { switch (a) { case 1: } }"),
    ("while (1) { f() }", "for (;;) { f(1) }"),
    ("function f() { return null }", "function f() { return }"),
    ("for (;;) { var a = undefined; f(a); a = 1 }", "for (;;) { var a; f(a); a = 1 }"),
    ("class A extends B { constructor() { } }", "class A extends B { }"),
    ("class A { constructor(a) { f(a) } }", "class A { }"),
    ("const a = require(b).c; f(a, a)", "const { c: a } = require(b); f(a, a)"),
    ("const a = require('b')?.c; f(a, a)", "const { c: a } = require('b'); f(a, a)"),
    ("const { a } = require('b').c; f(a, a)", "const { a } = require('b').d; f(a, a)"),
    (
        "function g(require) { const a = require('b').c; f(a, a) }",
        "function g(require) { const { c: a } = require('b'); f(a, a) }",
    ),
]


@pytest.mark.parametrize("suffix", ["js", "ts"])
@pytest.mark.parametrize(("before", "after"), SAME)
def test_javascript_in_other_words_is_a_refactor(before: str, after: str, suffix: str) -> None:
    path = f"a.{suffix}"
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (f"import q from 'q'\n{old}\n", f"import q from 'q'\n{new}\n")})[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_javascript_that_says_something_else_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.js": (f"{old}\n", f"{new}\n")})["a.js"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize(("before", "after"), UNTYPED)
def test_javascript_without_types_has_more_words_for_the_same(before: str, after: str) -> None:
    verdict = judged({"a.js": (f"{before}\n", f"{after}\n")})["a.js"]
    assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), TYPED)
def test_typescript_that_tells_another_type_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.ts": (f"import q from 'q'\n{old}\n", f"import q from 'q'\n{new}\n")})["a.ts"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

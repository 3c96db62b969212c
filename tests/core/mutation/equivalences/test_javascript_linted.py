"""JavaScript as linters write it, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ("f(Array(), new Array(a))", "f([], Array(a))"),
    ("(a) => { for (let i = 0; a; i++) f(i); for (let i = 1; a; --i) f(i) }",
     "(a) => { for (let i = 0; a; i += 1) f(i); for (let i = 1; a; i -= 1) f(i) }"),
    ("function f(a) { while (a == null || !a.b.c(1)) g() }", "function f(a) { while (!a?.b.c(1)) g() }"),
    ("(a) => { if (b || a !== undefined && a !== null && a.b || c) g() }", "(a) => { if (b || a?.b || c) g() }"),
    ("function f(a) { return a !== null && a !== undefined ? a.b : undefined }", "function f(a) { return a?.b }"),
    ("function f(a) { return a != null ? a.b : void 0 }", "function f(a) { return a?.b }"),
    ("function f(a, b) { let c = [].slice.call(arguments, 2); g(c, c) }", "function f(a, b, ...c) { g(c, c) }"),
    ("x: { f() }", "f()"),
    ("function f(a) { { const b = g(a); h(b, b) } k(a) }", "function f(a) { const b = g(a); h(b, b); k(a) }"),
    ("f(<a.b c={'d'}></a.b>)", 'f(<a.b c="d" />)'),
    ("switch (a) { case 1: { let b = 1; f(b, b) } }", "switch (a) { case 1: let b = 1; f(b, b) }"),
    # Names.
    ("const { a } = b; f(a, a)", "const a = b.a; f(a, a)"),
    ("const { a: c, d } = this; f(c, d, c, d)", "const c = this.a; const d = this.d; f(c, d, c, d)"),
    ("const { a } = g(); f(a, a)", "const a = g().a; f(a, a)"),
    ("function f(b) { const { a } = b; return a }", "function f(b) { return b.a }"),
    ("f({ ['a']: 1 })", "f({ a: 1 })"),
    ("f({ a: function (b) { return b } })", "f({ a(b) { return b } })"),
    # Modules of Node.
    ("const a = require('fs'); f(a, a)", "const a = require('node:fs'); f(a, a)"),
    ("import a from 'path'; f(a, a)", "import a from 'node:path'; f(a, a)"),
    # Texts, numbers and patterns.
    ("f('\\u0041\\x42\\q\\n', '\\u{43}')", "f('ABq\\u000a', 'C')"),
    ("f('a\\\nb')", "f('ab')"),
    ("f(new RegExp('a+', 'ig'), new RegExp('b'))", "f(/a+/gi, /b/)"),
    ("f(Number.parseInt(a, 2), Number.parseFloat(b))", "f(parseInt(a, 2), parseFloat(b))"),
    ("f(Math.pow(a, 2))", "f(a ** 2)"),
    # Conditions.
    ("if (!(a && b === c)) d()", "if (!a || b !== c) d()"),
    ("f(!(a || !b || c in d))", "f(!a && !!b && !(c in d))"),
    ("f(a === b ? true : false)", "f(a === b)"),
    ("f(a === b ? false : true)", "f(a !== b)"),
    ("f(a && b ? false : true)", "f(!a || !b)"),
    ("f(a ? a : b || c)", "f(a || b || c)"),
    ("f(a == null ? b : a, c != undefined ? c : d)", "f(a ?? b, c ?? d)"),
    ("f(a !== null && a !== undefined ? a : b)", "f(a ?? b)"),
    ("f(a === undefined || a === null ? b : a)", "f(a ?? b)"),
    ("f((a in b) === true)", "f(a in b)"),
    ("f(!!(a in b))", "f(a in b)"),
    ("function f(a) { return typeof a === 'undefined' || typeof b.c != 'undefined' }",
     "function f(a) { return a === undefined || b.c !== undefined }"),
    # What a name is given.
    ("if (!a) a = b; f()", "a ||= b; f()"),
    ("if (!a) { a = b } f()", "a = a || b; f()"),
    ("if (a == null) a = b; f()", "a ??= b; f()"),
    ("a = a && b; f()", "a &&= b; f()"),
    # What the language has by now.
    ("f(Object.assign({}, a, { b: c }, d))", "f({ ...a, b: c, ...d })"),
    ("f(Object.assign({ a: 1 }, { get b() { return 1 } }))", "f({ a: 1, ...{ get b() { return 1 } } })"),
    ("f(Object.prototype.hasOwnProperty.call(a, b))", "f(Object.hasOwn(a, b))"),
    ("function f() { return g(Array.prototype.slice.call(arguments), Array.from(arguments)) }",
     "function f() { return g([...arguments], [].slice.call(arguments)) }"),
    ("(function () { f() })()", "(() => { f() })()"),
    # What says nothing.
    ("switch (a) { case 1: { f(); break } default: { g() } }", "switch (a) { case 1: f(); break; default: g() }"),
    ("class A extends B { constructor(...a) { super(...a) } c() { d() } }", "class A extends B { c() { d() } }"),
]  # fmt: skip
OTHER = [
    ("(a) => { for (let i = 0; a; i++) f(i); i++ }", "(a) => { for (let i = 0; a; i++) f(i); i += 1 }"),
    ("(a) => { let i = 0; g(i, (i) => { i++; return i }) }", "(a) => { let i = 0; g(i, (i) => { i += 1; return i }) }"),
    ("function f(a) { if (a != null && a[0]) g() }", "function f(a) { if (a?.[0]) g() }"),
    ("function f(a) { if (a != null && g(1)) g() }", "function f(a) { if (g?.(1)) g() }"),
    ("function f(a) { if (a != null && a.b) with (c) g() }", "function f(a) { if (a?.b) with (c) g() }"),
    ("function f(a) { { let b = 1; g(b, eval('b')) } }", "function f(a) { let b = 1; g(b, eval('b')) }"),
    ("function f() { let i = 0; i++; eval('i') }", "function f() { let i = 0; i += 1; eval('i') }"),
    ("function f(a) { with (a) { a.b = a.b + 1 } }", "function f(a) { with (a) { a.b += 1 } }"),
    ("var i = 0; i++; f(i)", "var i = 0; i += 1; f(i)"),
    ("f(<></>)", "f(< />)"),
    ("x: 'use strict'; f(this)", "'use strict'; f(this)"),
    ("x: function f() {}", "function f() {}"),
    ("try { function f() {} } catch (e) { throw e }", "function f() {}"),
    ("try { f() } catch ({ e }) { throw e }", "f()"),
    ("try { f() } catch { throw e }", "f()"),
    ("class A { set b(c) { const d = [].slice.call(arguments, 1); f(d, d) } }", "class A { set b(c) { f([], []) } }"),
    ("function f(a, a) { const b = [].slice.call(arguments, 2); g(b, b) }", "function f(a, ...b) { g(b, b) }"),
    ("function f(a = 1) { const b = [].slice.call(arguments, 1); g(b, b) }", "function f(a = 1, ...b) { g(b, b) }"),
    ("const { a } = b; f(a, a)", "const a = b.c; f(a, a)"),
    ("const { a = 1 } = b; f(a, a)", "const a = b.a; f(a, a)"),
    ("const { a, c } = g(); f(a, c, a, c)", "const a = g().a; const c = g().c; f(a, c, a, c)"),
    ("const { a, ...c } = b; f(a, c, a, c)", "const a = b.a; const c = b; f(a, c, a, c)"),
    ("var { b, a } = b; f(a, b, a, b)", "var b = b.b; var a = b.a; f(a, b, a, b)"),
    ("const [a] = b; f(a, a)", "const a = b[0]; f(a, a)"),
    ("const {} = b; f()", "f()"),
    ("f({ ['__proto__']: a })", "f({ __proto__: a })"),
    ("f({ [a]: 1 })", "f({ a: 1 })"),
    ("f({ A: function (b) { return b } })", "f({ A(b) { return b } })"),
    ("f({ a: function b() { return b } })", "f({ a() { return b } })"),
    ("const a = require('left-pad'); f(a, a)", "const a = require('node:left-pad'); f(a, a)"),
    ("f('fs')", "f('node:fs')"),
    ("function f(require) { return require('fs') }", "function f(require) { return require('node:fs') }"),
    ("f('\\u{110000}')", "f('u{110000}')"),
    ("f('\\1')", "f('1')"),
    ("f('\\\\n')", "f('\\n')"),
    ("'use\\x20strict'; f()", "'use strict'; f()"),
    ("f(<a b='\\x41' />)", "f(<a b='A' />)"),
    ("f(new RegExp('a/b'))", "f(/a/)"),
    ("f(new RegExp('\\\\d'))", "f(/d/)"),
    ("f(new RegExp(a))", "f(/a/)"),
    ("function f(RegExp) { return new RegExp('a') }", "function f(RegExp) { return /a/ }"),
    ("function f(Number) { return Number.parseInt(a) }", "function f(Number) { return parseInt(a) }"),
    ("function f(parseInt) { return Number.parseInt(a) }", "function f(parseInt) { return parseInt(a) }"),
    ("f(Number.isNaN(a))", "f(isNaN(a))"),
    ("f(Math.pow(a, b))", "f(a ** b)"),
    ("if (!(a && b)) d()", "if (!a && !b) d()"),
    ("f(!(a && !b))", "f(!a || b)"),
    ("if (!(a < b || c)) d()", "if (a >= b && !c) d()"),
    ("f(a && b ? true : false)", "f(a && b)"),
    ("f(a.b ? a.b : c)", "f(a.b || c)"),
    ("f(a == null ? a : b)", "f(a ?? b)"),
    ("f(a === null ? b : a)", "f(a ?? b)"),
    ("f(a !== null || a !== undefined ? a : b)", "f(a ?? b)"),
    ("f(a != null ? a : b || c)", "f((a ?? b) || c)"),
    ("f(a === true)", "f(a)"),
    ("f(typeof a === 'undefined')", "f(a === undefined)"),
    ("() => { b((a) => a); g(typeof a === 'undefined') }", "() => { b((a) => a); g(a === undefined) }"),
    ("f((a, undefined) => typeof a === 'undefined')", "f((a, undefined) => a === undefined)"),
    ("if (!a.b) a.b = c; f()", "a.b ||= c; f()"),
    ("if (!a) b = c; f()", "a ||= c; f()"),
    ("if (a) a = b; f()", "a ||= b; f()"),
    ("if (!a) a = b; else g()", "a ||= b; g()"),
    ("if (!a) a += b; f()", "a ||= b; f()"),
    ("if (a != null) a = b; f()", "a ??= b; f()"),
    ("f(a = a || b)", "f(a ||= b, 1)"),
    ("function f() { h(() => a); const a = g(); return a }", "function f() { h(() => a); return g() }"),
    ("function f() { eval(b); const a = g(); return a }", "function f() { eval(b); return g() }"),
    ("a = b || c; f()", "a ||= c; f()"),
    ("f(Object.assign(a, b))", "f({ ...a, ...b })"),
    ("f(Object.assign({ a() { return super.a } }, b))", "f({ a() { return super.a }, ...c })"),
    ("f(Object.assign({ __proto__: a }, b))", "f({ ...b, __proto__: a })"),
    ("f(Object.assign({}, ...a))", "f({ ...a })"),
    ("function f(Object) { return Object.assign({}, a) }", "function f(Object) { return { ...a } }"),
    ("f(a.hasOwnProperty(b))", "f(Object.hasOwn(a, b))"),
    ("f(Array.from(a))", "f([...a])"),
    ("f(function () { g() })", "f(() => { g() })"),
    ("(function () { f(this) })()", "(() => { f(this) })()"),
    ("switch (a) { case 1: { let b = 1; f(b) } default: b }", "switch (a) { case 1: let b = 1; f(b); default: b }"),
    ("class A extends B { constructor(...a) { super(a) } }", "class A extends B { }"),
    ("class A extends B { constructor(a) { super(a) } }", "class A extends B { }"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_a_linter_writes_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.js": (f"{old}\n", f"{new}\n")})["a.js"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_a_linters_form_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.js": (f"{old}\n", f"{new}\n")})["a.js"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize("suffix", ["mjs", "ts"])
@pytest.mark.parametrize("word", ["using", "await using"])
def test_nothing_moves_past_the_end_of_what_is_disposed_of(word: str, suffix: str) -> None:
    text = "export async function f() {{ {0}{1} a = g(); if (a) {{ h(1) }} else {{ h(2) }}{2} k() }}\n"
    block, plain = text.format("{ ", word, " }"), text.format("", word, "")
    swapped = block.replace("if (a) { h(1) } else { h(2) }", "if (!a) { h(2) } else { h(1) }")
    found = [judged({f"a.{suffix}": (block, after)})[f"a.{suffix}"].mutation_class for after in (plain, swapped)]
    assert found == [MutationClass.INTENT_EVOLUTION, MutationClass.AST_REFACTOR]

"""What is written in another way and does the same is a refactor, both ways round; a change beside it never is."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions

Pair = tuple[str, str, str]
BRANCHES = "branches in another form"
WRITTEN = "the same written in another way"
NAMED = "a value has a name of its own"
TYPES = "types that are not seen"
LABELS = "names in types"
DECLARED = "variables declared in another way"
UNUSED = "unused private definitions"
LOCALS = "unused variables"

REQUIRED = """var a = require('b')
var c = a.d
module.exports = f
function f() { return g(c, a) }
if (c) { function g() { } }
"""

EQUAL: dict[str, list[Pair]] = {
    BRANCHES: [
        ("a.py", "def f(a):\n if not not a:\n  g()\n else:\n  return", "def f(a):\n if a:\n  g()"),
        ("a.js", "function f(a) { if (!!a) { g() } else return }", "function f(a) { if (a) g() }"),
        ("a.py", "def f(a):\n if a:\n  return 1\n return 2", "def f(a):\n return 1 if a else 2"),
        ("a.py", "if not a:\n x = 1\nelse:\n x = 2\nf(x, x)", "x = 2 if a else 1\nf(x, x)"),
        (
            "a.py",
            "def f(a):\n if a:\n  return 1\n if b:\n  return 2\n return c",
            "def f(a):\n return 1 if a else 2 if b else c",
        ),
        (
            "a.js",
            "function f(a) { if (a) { return b() } else { return c() } }",
            "function f(a) { return a ? b() : c() }",
        ),
        ("a.js", "function f(a) { if (a) b = 1; else b = c() }", "function f(a) { b = a ? 1 : c() }"),
        (
            "a.js",
            "function f(a) { if (!a) { if (d()) { e(); return true } } else { let b = c; return b(b) } return false }",
            "function f(a) { if (a) { let b = c; return b(b) } else { if (d()) { e(); return true } } return false }",
        ),
        (
            "a.js",
            "function f(a) { if (a) { if (b()) { return 1 } return 2 } else if (c()) { return 3 } return 4 }",
            "function f(a) { if (a) { if (b()) { return 1 } return 2 } if (c()) { return 3 } return 4 }",
        ),
        ("a.js", "function f(a) { if (a === 1) { return true } return false }", "function f(a) { return a === 1 }"),
        (
            "a.js",
            "function f(a) { if (!a) { return false } return true }",
            "function f(a) { if (a) return true; return false }",
        ),
        (
            "a.js",
            "function f(a) { if (!a && b in a) { return true } return false }",
            "function f(a) { return !a && b in a }",
        ),
        ("a.py", "if not a:\n    f()\nelse:\n    g()", "if a:\n    g()\nelse:\n    f()"),
        ("a.py", "if a is not b:\n    f()\nelse:\n    g()", "if a is b:\n    g()\nelse:\n    f()"),
        (
            "a.py",
            "def f(a):\n if not a:\n  return 1\n b()\n return 2",
            "def f(a):\n if a:\n  b()\n  return 2\n return 1",
        ),
        (
            "a.py",
            "def f(a):\n if a:\n  return 1\n elif b:\n  return 2\n else:\n  return 3",
            "def f(a):\n if a:\n  return 1\n if b:\n  return 2\n return 3",
        ),
        ("a.py", "if a:\n    f()\nelif b:\n    g()", "if a:\n    f()\nelse:\n    if b:\n        g()"),
        ("a.py", "if a:\n    if b and c:\n        f()", "if a and b and c:\n    f()"),
        ("a.py", "for a in b:\n    if not a:\n        continue\n    f()", "for a in b:\n    if a:\n        f()"),
        ("a.py", "def f(a):\n    if a in b:\n        return\n    g()", "def f(a):\n    if a not in b:\n        g()"),
        ("a.py", "def f(a):\n    g()\n    return None", "def f(a):\n    g()"),
        ("a.py", "def f(a):\n if a:\n  return 1\n else:\n  b()\n c()", "def f(a):\n if a:\n  return 1\n b()\n c()"),
        ("a.py", "def f(a):\n if a:\n  b()\n else:\n  return 1\n c()", "def f(a):\n if not a:\n  return 1\n b()\n c()"),
        (
            "a.js",
            "function f(a) { if (!a) { return 1 } else { return g(a) } }",
            "function f(a) { if (a) return g(a); return 1 }",
        ),
        ("a.js", "function f(a) { if (a !== 1) { b(); } else c() }", "function f(a) { if (a === 1) c(); else b() }"),
        ("a.js", "function f(a) { if (a) return; b(); }", "function f(a) { if (!a) { b(); } }"),
        ("a.js", "function f(a) { if (a < b) return; c(); }", "function f(a) { if (!(a < b)) { c(); } }"),
        ("a.js", "if (a) { if (b) { c(); d(); } }", "if (a && b) { c(); d(); }"),
    ],
    WRITTEN: [
        (
            "a.js",
            "a.map(function () { return function () { return this } })",
            "a.map(() => function () { return this })",
        ),
        (
            "a.py",
            "class A(object):\n def f(self):\n  return super(A, self).f(set([1]), dict(), list(), set((1, 2)))",
            "class A:\n def f(self):\n  return super().f({1}, {}, [], {1, 2})",
        ),
        ("a.py", "x = not a in b, not a is b", "x = a not in b, a is not b"),
        ("a.py", "x = '{} {a}{{'.format(b, a=c.d)", "x = f'{b} {c.d}{{'"),
        ("a.py", "x = '{0} {1}'.format(a, b)", "x = f'{a} {b}'"),
        ("a.js", "x['y'] = typeof a == 'b'", "x.y = typeof a === 'b'"),
        ("a.js", "try { f() } catch (e) { g() }", "try { f() } catch { g() }"),
        ("a.js", "a.map(function (b) { return b })", "a.map(b => b)"),
        ("a.js", "a.map(function (b) { return new C(b) })", "a.map(b => new C(b))"),
        ("a.js", "a.substr(1)", "a.slice(1)"),
        ("a.js", "a.on('b', function (c) { d.e(c) })", "a.on('b', c => { d.e(c) })"),
        ("a.js", "it('a', async function () { await b() })", "it('a', async () => { await b() })"),
        ("a.js", "'use strict'\nimport a from 'a'\na()", "import a from 'a'\na()"),
    ],
    DECLARED: [
        (
            "a.js",
            "function f(a) { var b = g(a); b.c(); return () => b }",
            "function f(a) { let b = g(a); b.c(); return () => b }",
        ),
        ("a.js", "for (let a of b) f(a)", "for (const a of b) f(a)"),
        (
            "a.js",
            REQUIRED,
            REQUIRED.replace("var", "const"),
        ),
        (
            "a.js",
            "function f() { return g\nfunction g() { return a(a) } }\nvar a = require('b')",
            "function f() { return g\nfunction g() { return a(a) } }\nconst a = require('b')",
        ),
        ("a.js", "var a = require('b')\nf(a, a)", "const a = require('b')\nf(a, a)"),
        ("a.js", "var a = require('b').c\nf(a, a)", "const a = require('b').c\nf(a, a)"),
        ("a.js", "const a = require('b')\nvar c = a.d()\nf(c, c)", "const a = require('b')\nconst c = a.d()\nf(c, c)"),
        ("a.js", "var a = 1\nmodule.exports = f(a, a)", "const a = 1\nmodule.exports = f(a, a)"),
        ("a.js", "var a = 1\nf(a, a)\nexports.b = a", "const a = 1\nf(a, a)\nexports.b = a"),
        ("a.js", "import a from 'a'\nvar b = a()\nf(b, b)", "import a from 'a'\nconst b = a()\nf(b, b)"),
        ("a.js", "let a = 1; f(a, a)", "const a = 1; f(a, a)"),
    ],
    NAMED: [
        ("a.py", "def f(a):\n k = g(a)\n h.save(1, 'x', k)\n return 2", "def f(a):\n h.save(1, 'x', g(a))\n return 2"),
        ("a.py", "def f(a):\n k = g(a)\n if k.b > 1:\n  return 2", "def f(a):\n if g(a).b > 1:\n  return 2"),
        ("a.py", "def f(a):\n k = g(a)\n if k:\n  return 2", "def f(a):\n if g(a):\n  return 2"),
        ("a.py", "def f(a):\n d = c.connect(a)\n return d.add(self.b)", "def f(a):\n return c.connect(a).add(self.b)"),
        ("a.py", "def f(a):\n k = g(a)\n for x in k:\n  h(x)", "def f(a):\n for x in g(a):\n  h(x)"),
        ("a.py", "def f(a):\n k = g(a)\n self.b = k", "def f(a):\n self.b = g(a)"),
        ("a.js", "function f(a) { const k = g(a); h(a, k) }", "function f(a) { h(a, g(a)) }"),
    ],
    TYPES: [
        ("a.ts", "export function f() { g(() => a as B); return 1 }", "export function f() { g(() => a); return 1 }"),
        (
            "a.ts",
            "export default a\nclass A { constructor(private b: C) {} }",
            "export default a\nclass A { constructor(private b) {} }",
        ),
        (
            "a.ts",
            "import q from 'q'\nfunction f(this: A, a: q, b?: string, c: D = e): void { (a?.b as any).c(b!, <D>a) }",
            "import q from 'q'\nfunction f(a, b, c = e) { (a?.b).c(b, a) }",
        ),
        ("a.ts", "export const a: B = c\nconst c: D = f<E>()", "export const a: B = c\nconst c = f()"),
        ("a.ts", "export function f(a: A): B { return g(a as C) }", "export function f(a: A): B { return g(a) }"),
        ("a.ts", "export function f(a: A) { g(a as B); return true }", "export function f(a: A) { g(a); return true }"),
        ("a.ts", "type A = B\nexport const a = c as unknown as D", "export const a = c as D"),
        ("a.ts", "export class A { b(): C { return d! } }", "export class A { b(): C { return d } }"),
        (
            "a.ts",
            "export default a\nclass A implements B { private c: D = 1; d!: E }",
            "export default a\nclass A { c = 1; d }",
        ),
        (
            "a.ts",
            "export default a\nfunction f(this: A) { ('b' as C) }",
            "export default a\nfunction f() { ('b' as C) }",
        ),
        ("a.ts", "export const a = () => 1, e = 1\nb(c as D)", "export const a = () => 1, e = 1\nb(c)"),
        (
            "a.ts",
            "export default class { constructor(private a: B) { c<D>() } }",
            "export default class { constructor(private a: B) { c() } }",
        ),
    ],
    LABELS: [
        ("a.ts", "export type A = (a, ...b) => C", "export type A = (d, ...e) => C"),
        ("a.ts", "export type A = (...a: B) => [c: D, ...e: F]", "export type A = (...b: B) => [g: D, ...h: F]"),
        ("a.ts", "export interface A { f(a: B): (b: C) => D }", "export interface A { f(b: B): (a: C) => D }"),
    ],
    UNUSED: [
        ("a.js", "export const a = 1\nfunction f() { return 2 }", "export const a = 1"),
        ("a.js", "import a from 'a'\na()\nconst b = 1\nconst c = () => 2", "import a from 'a'\na()"),
        ("a.ts", "export class A { private b() {} #c() {} d() {} }", "export class A { d() {} }"),
        ("A.java", "class A { private int f() { return 1; } int g; }", "class A { int g; }"),
        ("A.java", 'class A { private static final String B = "c"; int g; }', "class A { int g; }"),
    ],
    LOCALS: [
        ("a.py", "def f(a):\n b = ['c', None]\n return g(a)", "def f(a):\n return g(a)"),
        ("a.js", "function f(a) { const b = {}; return g(a) }", "function f(a) { return g(a) }"),
    ],
    "moved 2 definitions": [
        ("a.py", "A = 1\nB = 'x'\ndef f(a):\n return A\ng(f)", "def f(a):\n return A\nB = 'x'\nA = 1\ng(f)"),
    ],
    "moved 1 definition": [
        ("a.js", "const A = 1\nexport const B = 'x'\nf(A, A)", "export const B = 'x'\nconst A = 1\nf(A, A)"),
    ],
    "unused imports": [
        ("a.js", "import { a, b } from 'c'\na()", "import { a } from 'c'\na()"),
        ("a.py", "from a import B, c\nc()", "from a import c\nc()"),
        ("a.py", "import a.b\nfrom a import B\na.b.c()", "import a.b\na.b.c()"),
        ("a.py", "import json\n__all__ = ['a']\na = 1", "__all__ = ['a']\na = 1"),
        (
            "a.py",
            "import json\ndef f(a):\n from json import loads\n return loads(a)",
            "def f(a):\n from json import loads\n return loads(a)",
        ),
        (
            "a.py",
            "from copy import copy\ndef f(a):\n from b import copy as c\n return c(a)",
            "def f(a):\n from b import copy as c\n return c(a)",
        ),
    ],
    "imports at the top": [
        (
            "a.py",
            "import copy\ndef f(a):\n    import copy\n    return copy.copy(a)\ncopy.b()",
            "import copy\ndef f(a):\n    return copy.copy(a)\ncopy.b()",
        ),
        (
            "a.py",
            "'''A.'''\nfrom __future__ import annotations\nimport copy\ndef f(a):\n    return copy.copy(a)",
            "'''A.'''\nfrom __future__ import annotations\ndef f(a):\n    import copy\n    return copy.copy(a)",
        ),
    ],
}
DIFFERENT: dict[str, list[Pair]] = {
    BRANCHES: [
        ("a.py", "def f(a):\n if a:\n  return 1\n return 2", "def f(a):\n return 2 if a else 1"),
        ("a.py", "if a:\n x().y = 1\nelse:\n x().y = 2", "x().y = 1 if a else 2"),
        ("a.py", "if a:\n x = 1\nelse:\n y = 2\nf(x, y)", "x = 1 if a else 2\nf(x, y)"),
        ("a.py", "if a:\n x += 1\nelse:\n x += 2", "x = 1 if a else 2"),
        ("a.js", "function f(a) { if (a) { return true } return false }", "function f(a) { return a }"),
        ("a.js", "function f(a) { if (a && !b) { return true } return false }", "function f(a) { return a && !b }"),
        ("a.js", "function f(a) { if (a === 1) { return false } return true }", "function f(a) { return a === 1 }"),
        ("a.js", "if (a) b = () => 1; else b = c", "b = a ? () => 1 : c"),
        ("a.js", "if (a) b += 1; else b += 2", "b += a ? 1 : 2"),
        ("a.py", "import sys\nif sys.version_info >= (3, 8):\n    sys.a()", "import sys\nsys.a()"),
        ("a.js", "if (a) /* @jsx b */ c(); else d()", "if (!a) d(); else /* @jsx b */ c()"),
        ("a.py", "if not a:\n    f()\nelse:\n    g()", "if a:\n    f()\nelse:\n    g()"),
        ("a.py", "if a:\n    if b:\n        f()\n    else:\n        g()", "if a and b:\n    f()\nelse:\n    g()"),
        ("a.py", "def f(a):\n if a:\n  return 1\n g()", "def f(a):\n if a:\n  return 1\n else:\n  h()\n g()"),
        ("a.py", "def f(a):\n if a:\n  b()\n c()", "def f(a):\n if a:\n  b()\n else:\n  c()"),
        ("a.py", "def f(a):\n for b in a:\n  return\n c()", "def f(a):\n for b in a:\n  pass\n c()"),
        ("a.py", "for a in b:\n    if a:\n        continue\n    f()", "for a in b:\n    if a:\n        break\n    f()"),
        ("a.py", "def f(a):\n if a:\n  return 0\n", "def f(a):\n if a:\n  return None\n"),
        ("a.py", "if a and b:\n    f()", "if b and a:\n    f()"),
        ("a.js", "if (a) { b() } else { c() }", "if (!a) { b() } else { c() }"),
        ("a.js", "if (a == null) { b() } else { c() }", "if (a !== null) { c() } else { b() }"),
        (
            "a.js",
            "function f(a) { if (a) { return 1 } else { const b = 1; c(b) } d(b) }",
            "function f(a) { if (a) return 1; const b = 1; c(b); d(b) }",
        ),
        ("a.js", "if (a) { /* @jsx b */ c() } else d()", "if (!a) d(); else { /* @jsx e */ c() }"),
    ],
    WRITTEN: [
        ("a.js", "a.map(function (b) { return new.target })", "a.map(b => new.target)"),
        ("a.js", "a.substr(1, 2)", "a.slice(1, 2)"),
        ("a.js", "a.on('b', function (c) { this.e(c) })", "a.on('b', c => { this.e(c) })"),
        ("a.js", "a.register('b', function (c) { d.e(c) })", "a.register('b', c => { d.e(c) })"),
        ("a.js", "a.substr(b)", "a.slice(b)"),
        ("a.js", "substr(1)", "slice(1)"),
        (
            "a.py",
            "super = a\nclass A:\n def f(self):\n  super(A, self).f()",
            "super = a\nclass A:\n def f(self):\n  super().f()",
        ),
        ("a.py", "# -*- coding: utf-8 -*-\nx = 'ä'\n", "x = 'ä'\n"),
        ("a.py", "# -*- coding: latin-1 -*-\nx = 'a'\n", "x = 'a'\n"),
        ("a.py", "object = A\nclass B(object): pass", "object = A\nclass B: pass"),
        ("a.py", "class A(B):\n def f(self):\n  super(B, self).f()", "class A(B):\n def f(self):\n  super().f()"),
        ("a.py", "class A(B):\n def f(x, self):\n  super(A, self).f()", "class A(B):\n def f(x, self):\n  super().f()"),
        (
            "a.py",
            "class A(B):\n def f(self):\n  self = 1\n  super(A, self).f()",
            "class A(B):\n def f(self):\n  self = 1\n  super().f()",
        ),
        (
            "a.py",
            "class A(B):\n def f(self):\n  return [super(A, self).f() for b in c]",
            "class A(B):\n def f(self):\n  return [super().f() for b in c]",
        ),
        ("a.py", "class A(B):\n def f(): super(A, b).f()\n c = 1", "class A(B):\n def f(): super().f()\n c = 1"),
        ("a.py", "x = '{1} {0}'.format(a, b)", "x = f'{a} {b}'"),
        ("a.py", "x = '{} {}'.format(a)", "x = f'{a}'"),
        ("a.py", "x = '{}'.format(a, b)", "x = f'{a}'"),
        ("a.py", "x = '{'.format(a)", "x = f'{a}'"),
        ("a.py", "x = '{}'.format(*a)", "x = f'{a}'"),
        ("a.py", "x = '{:>2}'.format(a)", "x = f'{a}'"),
        ("a.py", "x = f'{b}{{}}'.format(a)", "x = f'{b}{a}'"),
        ("a.py", "x = set(a)", "x = {a}"),
        ("a.py", "set = b\nx = set([a])", "set = b\nx = {a}"),
        ("a.py", "x = set([])", "x = {}"),
        ("a.py", "x = not a == b", "x = a != b"),
        ("a.js", "a.map(function () { return this.b })", "a.map(() => this.b)"),
        ("a.js", "a.map(function b() { return b })", "a.map(() => b)"),
        ("a.js", "f(function () { return b })", "f(() => b)"),
        ("a.js", "a['b-c'] = 1", "a.b = 1"),
        ("a.js", "x = a == 'b'", "x = a === 'b'"),
        ("a.js", "try { f() } catch (e) { g(e) }", "try { f() } catch { g(e) }"),
        ("a.js", "'use strict'\na()", "a()"),
        ("a.js", "f(() => { a })", "f(() => a)"),
    ],
    DECLARED: [
        (
            "a.js",
            "module.exports = f\nvar a = require('b')\nfunction f() { return a(a) }",
            "module.exports = f\nconst a = require('b')\nfunction f() { return a(a) }",
        ),
        (
            "a.js",
            "import b from 'b'\nvar a = b()\nexport function f() { return a(a) }",
            "import b from 'b'\nconst a = b()\nexport function f() { return a(a) }",
        ),
        (
            "a.js",
            "const c = require('b')\neval(c)\nvar a = 1\nfunction f() { return a(a) }",
            "const c = require('b')\neval(c)\nconst a = 1\nfunction f() { return a(a) }",
        ),
        ("a.js", "var a = require(b)\nf(a, a)", "const a = require(b)\nf(a, a)"),
        ("a.js", "var a = 1\nf(exports, a, a)", "const a = 1\nf(exports, a, a)"),
        ("a.js", "var a = load('b')\nf(a, a)", "const a = load('b')\nf(a, a)"),
        ("a.js", "var a\nf(a, a)", "let a\nf(a, a)"),
        (
            "a.js",
            "function f() { g(); var a = 1; function g() { a } }",
            "function f() { g(); let a = 1; function g() { a } }",
        ),
        ("a.js", "function f() { a(); var a = b; }", "function f() { a(); let a = b; }"),
        ("a.js", "let a = 1; a = 2", "const a = 1; a = 2"),
        ("a.js", "let a = 1; a++", "const a = 1; a++"),
        ("a.js", "let a = 1; [a] = b", "const a = 1; [a] = b"),
        ("a.js", "var a = 1", "const a = 1"),
        ("a.js", "for (let a of b) a = 1", "for (const a of b) a = 1"),
        ("a.js", "for (let a; b;) f(a)", "for (const a; b;) f(a)"),
    ],
    NAMED: [
        ("a.py", "def f(a):\n k = g(a)\n h(b(), k)", "def f(a):\n h(b(), g(a))"),
        ("a.py", "def f(a):\n k = g(a)\n h(self.b, k)", "def f(a):\n h(self.b, g(a))"),
        ("a.py", "def f(a):\n k = g(a)\n return a and k", "def f(a):\n return a and g(a)"),
        ("a.py", "def f(a):\n k = g(a)\n return lambda: k", "def f(a):\n return lambda: g(a)"),
        ("a.py", "def f(a):\n k = g(a)\n return [k for b in a]", "def f(a):\n return [g(a) for b in a]"),
        ("a.py", "def f(a):\n k = g(a)\n while k:\n  h()", "def f(a):\n while g(a):\n  h()"),
        ("a.py", "def f(a):\n k = g(a)\n if b:\n  h(k)", "def f(a):\n if b:\n  h(g(a))"),
        ("a.py", "def f(a):\n k = g(a)\n if b():\n  h(k)", "def f(a):\n if b():\n  h(g(a))"),
        ("a.py", "def f(a):\n k = g(a)\n assert k", "def f(a):\n assert g(a)"),
        ("a.py", "def f(a):\n k = g(a)\n return a < b < k", "def f(a):\n return a < b < g(a)"),
        ("a.py", "def f(a):\n global q\n k = g(a)\n h(q, k)", "def f(a):\n global q\n h(q, g(a))"),
        ("a.py", "def f(a):\n k = g(a)\n b[h()] += k", "def f(a):\n b[h()] += g(a)"),
        ("a.py", "def f(a):\n k = (b := a)\n h(b, k)", "def f(a):\n h(b, (b := a))"),
        ("a.py", "k = g()\nh(k)", "h(g())"),
        ("a.py", "def f(a):\n k = g(a)\n h(f'{b()}', k)", "def f(a):\n h(f'{b()}', g(a))"),
        (
            "a.js",
            "let a = 1\nfunction f() { const k = g(); h(a, k) }\na = 2",
            "let a = 1\nfunction f() { h(a, g()) }\na = 2",
        ),
        ("a.py", f"def f(a):\n k = g(a)\n return {'-' * 70}k", f"def f(a):\n return {'-' * 70}g(a)"),
    ],
    TYPES: [
        ("a.ts", "export function f(a) { return g(a as B) }", "export function f(a) { return g(a) }"),
        ("a.ts", "export function* f(a) { yield a as B }", "export function* f(a) { yield a }"),
        ("a.ts", "export const f = (a) => g(a as B)", "export const f = (a) => g(a)"),
        ("a.ts", "export const a: B = c", "export const a: D = c"),
        ("a.ts", "type A = B\nexport const a: A = c", "type A = D\nexport const a: A = c"),
        ("a.ts", "const a: B = c\nexport { a }", "const a: D = c\nexport { a }"),
        ("a.ts", "const a: B = c", "const a: D = c"),
        ("a.ts", "export class A { b(c: d) {} }", "export class A { b(c: e) {} }"),
        ("a.ts", "export class A extends B<C> {}", "export class A extends B<D> {}"),
        ("a.ts", "export const a = { b: c as D }", "export const a = { b: c as E }"),
        ("a.ts", "export const a = b as const", "export const a = b"),
        (
            "a.ts",
            "export default a\ndeclare module 'b' { type C = D }",
            "export default a\ndeclare module 'b' { type C = E }",
        ),
        ("a.ts", "export default a\n@b class C { d: E }", "export default a\n@b class C { d: F }"),
        ("a.ts", "export default a\nb(a?.c as D).e", "export default a\nb(a?.c).f"),
        ("a.ts", "export default a\n(a?.c as D).e", "export default a\na?.c.e"),
        ("a.ts", "export default a\nb ? c as D : e", "export default a\nb ? e : c"),
    ],
    LABELS: [
        ("a.ts", "export type A = (a: B) => a is C", "export type A = (b: B) => a is C"),
        ("a.ts", "export interface A { a: B }", "export interface A { b: B }"),
    ],
    UNUSED: [
        ("a.js", "function f() { return 2 }\na()", "a()"),
        ("a.js", "export function f() { return 2 }\na()", "a()"),
        ("a.js", "export const a = 1\nconst b = c()", "export const a = 1"),
        ("a.js", "export const a = ['f']\nfunction f() {}", "export const a = ['f']"),
        ("a.ts", "export class A { b() {} d() {} }", "export class A { d() {} }"),
        ("A.java", "class A { @B private int f() { return 1; } int g; }", "class A { int g; }"),
        ("A.java", "class A { private void readObject(B b) {} int g; }", "class A { int g; }"),
        ("A.java", "class A { private int b = c(); int g; }", "class A { int g; }"),
        ("a.py", "def _f(): return 1\na()", "a()"),
        ("a.go", "package a\nfunc f() {}\nvar x = 1", "package a\nvar x = 1"),
        ("a.rs", "fn f() {}\nfn main() {}", "fn main() {}"),
    ],
    LOCALS: [
        ("a.py", "def f(a):\n class A:\n  b = []\n return A", "def f(a):\n class A:\n  pass\n return A"),
        ("a.py", "def f(a):\n b = []\n return locals()", "def f(a):\n return locals()"),
        ("a.py", "def f(a):\n b = c\n return g(a)", "def f(a):\n return g(a)"),
        ("a.py", "def f(a):\n global b\n b = []\n return g(a)", "def f(a):\n global b\n return g(a)"),
        ("a.py", "b = []\ndef f(a):\n return g(a)", "def f(a):\n return g(a)"),
        ("a.py", "def f(a):\n b.c = []\n return g(a)", "def f(a):\n return g(a)"),
        ("a.js", "function f(a) { const b = {...a}; return g(a) }", "function f(a) { return g(a) }"),
        ("a.js", "function f(a) { class A { b = 1 } return A }", "function f(a) { class A { } return A }"),
    ],
    "moved 1 definition": [
        ("a.py", "A = 1\ndef f(a: A):\n return a\ng(f)", "def f(a: A):\n return a\nA = 1\ng(f)"),
        ("a.py", "A = 1\ng()\nB = 2", "g()\nA = 1\nB = 2"),
        ("a.py", "A = 1\nA = 2", "A = 2\nA = 1"),
        ("a.py", "A = 1\nB = A", "B = A\nA = 1"),
        ("a.py", "A = 1\na.b = 2", "a.b = 2\nA = 1"),
        ("a.py", "class C:\n A = 1\n B = 2", "class C:\n B = 2\n A = 1"),
        ("a.py", "A = 1\ndef A(): return 2\ng(A)", "def A(): return 2\nA = 1\ng(A)"),
        ("a.js", "const A = 1\nconst B = A", "const B = A\nconst A = 1"),
    ],
    "unused imports": [
        ("a.js", "import { a, b } from 'c'\na()", "import { a } from 'd'\na()"),
        ("a.js", "import { a, b } from 'c'\nf()", "f()"),
        ("a.py", "from a import b, c\nc()", "from a import c\nc()"),
        ("a.py", "import json\n__all__ = b()\na = 1", "__all__ = b()\na = 1"),
        ("a.py", "import json\n__all__ = ['json']\na = 1", "__all__ = ['json']\na = 1"),
        ("a.py", "import json\n__all__ = ['a']\n__all__ += b\n", "__all__ = ['a']\n__all__ += b\n"),
        (
            "a.py",
            "import json\ndef f(a):\n from json import loads\n return json.b(a)",
            "def f(a):\n from json import loads\n return json.b(a)",
        ),
        ("a.py", "from a import B\ndef f():\n with B as c:\n  c()", "def f():\n with B as c:\n  c()"),
    ],
    "imports at the top": [
        ("a.py", "import copy\ndef f(a):\n return copy.copy(a)", "def f(a):\n import copy as b\n return copy.copy(a)"),
        ("a.py", "import far\ndef f(a):\n return far.go(a)", "def f(a):\n import far\n return far.go(a)"),
        ("a.py", "def f(a):\n import copy\n return copy\ncopy = 1", "import copy\ndef f(a):\n return copy\ncopy = 1"),
        (
            "a.py",
            "def f(a):\n try:\n  import json\n except E:\n  b()",
            "import json\ndef f(a):\n try:\n  pass\n except E:\n  b()",
        ),
    ],
}


def _both_ways(path: str, before: str, after: str) -> list[FileClass]:
    verdicts = []
    for old, new in ((before, after), (after, before)):
        edit = FileVersions(path, Change.MODIFY, old.encode(), new.encode())
        (quick,), (verdict,) = classify_change([edit], with_reasons=False), classify_change([edit])
        assert quick.mutation_class is verdict.mutation_class, verdict.reasons
        verdicts.append(verdict)
    return verdicts


def _rows(table: dict[str, list[Pair]]) -> list[tuple[str, str, str, str]]:
    return [(reason, *pair) for reason, pairs in table.items() for pair in pairs]


@pytest.mark.parametrize(("reason", "path", "before", "after"), _rows(EQUAL))
def test_another_way_to_do_the_same_is_a_refactor_and_says_which(
    reason: str, path: str, before: str, after: str
) -> None:
    for verdict in _both_ways(path, before, after)[: 1 if reason == "unused imports" else 2]:
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


@pytest.mark.parametrize(("reason", "path", "before", "after"), _rows(DIFFERENT))
def test_what_only_looks_like_it_is_behaviour(reason: str, path: str, before: str, after: str) -> None:
    for verdict in _both_ways(path, before, after):
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, (reason, verdict.reasons)


def test_an_empty_tuple_before_the_use_of_a_name_ends_in_an_answer() -> None:
    for verdict in _both_ways("a.py", "def f():\n    x = a()\n    g((), x)\n", "def f():\n    g((), a())\n"):
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_chain_of_branches_as_long_as_it_likes_ends_in_an_answer() -> None:
    chain = "def f(a):\n" + "".join(f"    if a == {number}:\n        return b\n" for number in range(300))
    (verdict, _) = _both_ways("a.py", chain + "    return 1", chain + "    return 2")
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


def test_trees_that_are_too_large_are_not_rewritten() -> None:
    many = "x = [" + "1, " * 70_000 + "{}]\n"
    before, after = (many.format(value).encode() for value in ("a", "a + b"))
    (verdict,) = classify_change([FileVersions("a.py", Change.MODIFY, before, after)])
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


FLOW = "/* @flow */\nfunction f(a: mixed): ?string { const b = g(a); return h(b, b) }\n"


# What only a grammar with types reads, but no type of a variable says so, and no comment.
CAST = FLOW.replace("@flow", "").replace(": mixed): ?string", ")").replace("g(a)", "g(a as mixed)")


@pytest.mark.parametrize("text", [FLOW, FLOW.replace("@flow", ""), CAST.replace("/*", "/* @flow")])
def test_a_file_with_the_types_of_flow_has_a_tree(text: str) -> None:
    renamed = text.replace("const b", "const c").replace("h(b, b)", "h(c, c)")
    assert {verdict.mutation_class for verdict in _both_ways("a.js", text, renamed)} == {MutationClass.AST_REFACTOR}
    other = _both_ways("a.js", text, renamed.replace("c, c", "c, a"))
    assert {verdict.mutation_class for verdict in other} == {MutationClass.INTENT_EVOLUTION}


def test_types_that_come_to_a_script_are_no_refactor() -> None:
    bare = FLOW.replace(": mixed): ?string", ")").replace("@flow", "")
    verdicts = _both_ways("a.js", bare, FLOW.replace("@flow", ""))
    assert {verdict.mutation_class for verdict in verdicts} == {MutationClass.INTENT_EVOLUTION}


@pytest.mark.parametrize("text", [CAST, f"{FLOW}type A = {{| a: b |}}"])
def test_what_no_grammar_of_the_language_reads_is_no_refactor(text: str) -> None:
    renamed = text.replace("const b", "const c").replace("h(b, b)", "h(c, c)")
    assert {verdict.mutation_class for verdict in _both_ways("a.js", text, renamed)} == {MutationClass.INTENT_EVOLUTION}

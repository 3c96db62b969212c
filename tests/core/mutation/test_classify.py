"""What a change is called, and above all what must never be called a refactor or documentation."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.syntax import canonicalize

DOCS, REFACTOR, EVOLUTION = (
    MutationClass.DOCUMENTATION,
    MutationClass.AST_REFACTOR,
    MutationClass.INTENT_EVOLUTION,
)


def _judged(path: str, before: str, after: str) -> FileClass:
    """As the trees have it; the quick proof, which gives no reasons, must say the same."""
    edit = FileVersions(path, Change.MODIFY, before.encode(), after.encode())
    (quick,), (verdict,) = classify_change([edit], with_reasons=False), classify_change([edit])
    assert quick.mutation_class is verdict.mutation_class
    return verdict


SAME = {
    "a.py": [
        ("x = 1", "x=1  # why"),
        ("'Use.'\nx", "'Usage.'\nx"),
        ("", "# a comment alone\n"),
        ("def f():\n    '''Say.'''\n    return 'a'", 'def f():\n    """Tell."""\n    return "a"'),
        ("def f():\n    pass", "def f():\n    '''Nothing.'''"),
        ("class A():\n    b = [1, 2]", "class A:\n    b = [\n        1,\n        2,\n    ]"),
        ("from a import b, c\nfrom . import (d as e,)", "from a import b\nfrom a import c\nfrom . import d as e"),
        ("import a.b, c as d\nfrom x import *", "import a.b\nimport c as d\nfrom x import *"),
        (
            "from __future__ import annotations, division",
            "from __future__ import annotations\nfrom __future__ import division",
        ),
        ("x = 0XFF + .5 + 1J + 1.", "x = 0xff + 0.5 + 1j + 1.0"),
        ("x = 'it\\'s \\xAB' 'so' r'\\d'", 'x = "it\'s \\xab" "so" r"\\d"'),
        ("x = f'{a}{{' 'b'", 'x = f"{a}{{b"'),
        ("x = '\\1' '2'", "x = ('\\1' '2')"),
        ("x = b'a' b'c'", "x = b'ac'"),
        ("for (a, b) in c: x[1, 2,] = (a, b,)", "for a, b in c:\n    x[1, 2] = a, b"),
        ("for (a) in c: pass", "for a in c: pass"),
        ("if a and \\\n  b: pass", "if (a and b): pass"),
        ("with (a as b, c,): pass", "with a as b, c: pass"),
        (
            "def f():\n    '''Say.\n\n    >>> f()\n    1\n\n    More.'''",
            "def f():\n    '''Tell.\n\n    >>> f()\n    1\n\n    Else.'''",
        ),
        (
            "class A:\n    @property\n    def b(self):\n        'x'",
            "class A:\n    @property\n    def b(self):\n        'y'",
        ),
        ("def f():\n    return 1\ndef g():\n    return 1; pass", "def f():\n    return 1\n\n\ndef g():\n    return 1"),
    ],
    "b.py": [  # what black and ruff format were seen to do
        ("x: (A[b | (c | d)] | C | (d.e)) = 1", "x: A[b | c | d] | C | d.e = 1"),
        ("x: (int | str)", "x: int | str"),
        ("def f(a: list[A | b | c]) -> (D[e]): pass", "def f(\n    a: (list[(A | b | c)]),\n) -> D[e]: pass"),
        ("x = r'\\\"'", 'x = r"\\""'),
        ("with (a if b else c) as d: pass", "with a if b else c as d: pass"),
        ("with (not a or b) as d, c as e: pass", "with not a or b as d, c as e: pass"),
        ("with (a if b else (c if d else e)) as f: pass", "with a if b else c if d else e as f: pass"),
        ("if a:\n    '''A b.\n       c'''\n    d", "if a:\n  '''A b.\n  c'''\n  d"),
    ],
    "b.go": [  # how gofmt and gofumpt spell numbers
        ("package p\n\nvar x = 0777 + 0XFF + 1E3", "package p\n\nvar x = 0o777 + 0xff + 1e3"),
    ],
    "b.ts": [  # what prettier was seen to do
        ("if (a && (b && c) && (d || (e || f))) g", "if (a && b && c && (d || e || f)) g;"),
        ("x = (a, (b, c))", "x = (a, b, c)"),
        ("for (a of b) c", "for (a of b) c;"),
        ("x = {'0': a, '12': b}", "x = { 0: a, 12: b };"),
        ("switch (a) { case 1: (b)(); default: [c].d() }", "switch (a) { case 1:\n;(b)()\ndefault:\n;[c].d() }"),
        ("'use strict'; (b)()", "'use strict'\n;(b)()"),
        ("for (;;) c()", "for (;;) c();"),
        ("/a/ig", "/a/gi"),
        ("type A = ((B | (C | D)) | (() => E))[]", "type A = (B | C | D | (() => E))[]"),
        ("x = [,a]; y = [a,,]", "x = [, a]; y = [a, ,]"),
    ],
    "b.tsx": [
        ("a = <A>b <B/>  </A>", "a = <A>b{' '}\n<B/>{' '}{' '}\n</A>"),
        ("a = <>{b} c</>", "a = <>{b}{' '}\nc</>"),
    ],
    "B.java": [
        (
            "class A { private @B final int[] c = {1, 2}; int d() { return a -> (a + 1); }; }",
            "class A {\n  @B private final int[] c = {1, 2,};\n  int d() { return (a) -> a + 1; }\n}",
        ),
        ("enum A { B, C }; @D({e, f}) class G {}", "enum A { B, C, }\n@D({ e, f, })\nclass G {}"),
        ("class A { int b = c((d, e) -> 1); }", "class A {\n  int b = (c((d, e) -> (1)));\n}"),
    ],
    "b.rs": [
        ("fn a() { b(1, (c,), (d, e,)); f(|x| x + 1) }", "fn a() { b(1, (c,), (d, e),); f(|x| { x + 1 },) }"),
        ("fn a() { f(|x| if x { 1 } else { 2 }) }", "fn a() { f(|x| { if x { 1 } else { 2 } }) }"),
        ("fn a() { match b { C => d, E => f, } }", "fn a() { match b { C => { d } E => f } }"),
        ('fn a() { println!("{}",b, &c , ) }', 'fn a() { println!("{}", b, & c) }'),
        ("#[derive(A, B,)]\nstruct C;", "#[derive(A,B)]\nstruct C;"),
        ("#![allow(a)]\n#[expect(b)]\nfn f() {}", "#[allow(c, d)]\nfn f() {}"),
        ("use a::{c, b,}; fn f() {}", "use a::{b,c};\nfn f() {}"),
        ("use a::{c, /* why */ b,}; fn f() {}", "use a::{c, /* because */ b}; fn f() {}"),
        ("macro_rules! a { (b) => { c }; }", "macro_rules! a { (b) => { c } }"),
    ],
    "b.c": [
        (
            "#define A(b)   \\\n do { c((b));   \\\n  } while (0)\n",
            "#define A(b) \\\n  do { c((b)); } while (0)\n",
        ),
        ('char *a = "b" "c";', 'char *a = "bc";'),
    ],
    "b.css": [
        ("a[b=c] { d: .50em; e: #FFF; f: 'g'; h: 1.0 }", 'a[b="c"] {\n  d: 0.5em;\n  e: #fff;\n  f: "g";\n  h: 1;\n}'),
        ("a:nth-child(2n+1) {}", "a:nth-child(2n + 1) {\n}"),
        ("@media (a:1px) { b { c: calc(( 1px + 2px ) / 2); } }", "@media (a: 1px) {b{c:calc((1px + 2px) / 2)}}"),
        ("a { b: '\"'; }", "a { b: '\"' }"),
    ],
    "a.ts": [
        ("let a = 'x';", 'let a = "x" // why\n'),
        ("f(x => x, [1, 2,], {a, 'b': 1.50, __proto__: q});", "f((x) => x, [1, 2], { a: a, b: 1.5, __proto__: q })"),
        ("const {k, l} = (p); new A; 010; 0x1F", "const { k: k, l } = p; new A(); 010; 0x1f"),
        ("for (let i = 0;;) {}; class A { b = 1; c() {} }", "for (let i = 0; ; ) {\n}\nclass A { b = 1\n c() {} }"),
        ("type A = | 'x' | 'y'; interface B { a: 1, b: 2 }", "type A = 'x' | 'y'\ninterface B { a: 1; b: 2 }"),
        (
            "import a, {b as c, d,} from 'x'; import * as e from 'y'",
            'import a, { b as c, d } from "x";\nimport * as e from "y";',
        ),
        ("import {} from 'x'", 'import {} from "x";'),
        ("for (const a of b) { `${a}` }", "for (const a of b) {\n  `${a}`;\n}"),
        ("function f(a: 1, private b?: 2) {}", "function f(\n  a: 1,\n  private b?: 2,\n) {}"),
    ],
    "a.tsx": [
        ("a = <A b='c'>\n  t\n  {x}\n</A>", 'a = (<A b="c">t\n    {x}</A>)'),
        ("a = <A b='&amp;' />", "a = <A b='&amp;'  />"),
    ],
    "a.go": [
        (
            'package a\nimport "x/y"\nfunc f() { g(1, 2) }',
            'package a\n\nimport "x/y"\n\n// why\nfunc f() {\n\tg(\n\t\t1,\n\t\t2,\n\t)\n}',
        ),
        (
            'package a\nimport q "x"\nfunc f() { for i := range q.X {}; for i = range q.X {} }',
            'package a\nimport q "x"\nfunc f() {\nfor i := range q.X {}\nfor i = range q.X {}\n}',
        ),
    ],
    "A.java": [("import a.B; class A { int b; }", "import a.B;\n/** why */\nclass A {\n  int b;\n}")],
    "a.rs": [("fn a() { b(1) }", "// why\nfn a() {\n    b(1)\n}")],
    "c.java": [
        ("enum A { B, C, ; }", "enum A {\n  B,\n  C;\n}"),
        ("enum A { B, }", "enum A {\n  B\n}"),
        ("enum A { B, ; int a; }", "enum A {\n  B;\n  int a;\n}"),
    ],
    "c.h": [("# ifdef A\n#  define B 1\n# endif\n", "#ifdef A\n#define B 1\n#endif\n")],
    "a.c": [("int a(void){return 1;}", "/* why */\nint a(void) {\n  return 1;\n}")],
    "a.cpp": [("int a(){return 1;}", "int a() {\n  return 1; // why\n}")],
    "a.cs": [("class A { int B = 1; }", "// why\nclass A\n{\n    int B = 1;\n}")],
    "a.rb": [("def a\n  'x'\nend", "# why\ndef a\n    'x'\nend")],
    "a.php": [("<?php\nfunction a() { return 1; }", "<?php\n// why\nfunction a()\n{\n    return 1;\n}")],
    "a.kt": [("fun a(): Int { return 1 }", "// why\nfun a(): Int {\n    return 1\n}")],
    "a.swift": [("func a() -> Int { return 1 }", "// why\nfunc a() -> Int {\n    return 1\n}")],
    "a.sh": [("if a; then b 'x'; fi", "# why\nif a; then   b 'x'; fi")],
    "a.json": [('{"a": 1}', '{\n  "a": 1\n}')],
    "a.yaml": [("a: 1\n", "# why\na:   1\n")],
    "a.toml": [("a = 1", "# why\na=1")],
    "a.html": [("<p>a</p>", "<p>a</p><!-- why -->")],
    "a.css": [("a { b: c; }", "/* why */\na {\n  b: c;\n}")],
    "README.md": [("a", "b")],
}


@pytest.mark.parametrize(("path", "before", "after"), [(p, *pair) for p, pairs in SAME.items() for pair in pairs])
def test_formatting_comments_and_docstrings_are_documentation(path: str, before: str, after: str) -> None:
    found = _judged(path, before, after)
    assert found.mutation_class is DOCS, found.reasons
    assert _judged(path, after, before).mutation_class is DOCS


REFACTORS = [
    (
        "a.py",
        "def parse(x):\n    return x\nparse(1)",
        "def parse_city(x):\n    return x\nparse_city(1)",
        "rename parse->parse_city",
    ),
    (
        "a.py",
        "def f(a):\n    b = a\n    return b, [x for x in a]",
        "def f(a):\n    c = a\n    return c, [x for x in a]",
        "rename b->c",
    ),
    ("a.py", "_A = 1\nprint(_A)", "_B = 1\nprint(_B)", "rename _A->_B"),
    ("a.py", "def _f(a, b=1):\n    return a\n_f(1)", "def _f(c, b=1):\n    return c\n_f(1)", "rename a->c"),
    ("a.py", "f = lambda a: a", "f = lambda b: b", "rename a->b"),
    ("a.py", "import numpy as np\nnp.x", "import numpy as n\nn.x", "rename np->n"),
    (
        "a.py",
        "import b\nimport a\nimport a\nimport a.c\nx = 1",
        "import a\nimport a.c\nimport b\nx = 1",
        "import order",
    ),
    (
        "a.py",
        "def a(): return 1\ndef b(): return 2\ndef c(): return 3",
        "def b(): return 2\ndef c(): return 3\ndef a(): return 1",
        "moved 1 definition",
    ),
    (
        "a.py",
        "def a(): return 1\ndef b(): return 2\ndef c(): return 3",
        "def c(): return 3\ndef b(): return 2\ndef a(): return 1",
        "moved 2 definitions",
    ),
    (
        "a.rs",
        'fn a() { println!("{} {{}} {:?} {c:>4}", a, b); print!("{d}"); write!(e.f, "{}", g) }',
        'fn a() { println!("{a} {{}} {b:?} {c:>4}"); print!("{}", d); write!(e.f, "{g}") }',
        "values named in the text",
    ),
    (
        "a.py",
        "def f(a):\n    if a:\n        b = g(a)\n        return b\n    return 1",
        "def f(a):\n    if a:\n        return g(a)\n    return 1",
        "a value is returned without a name of its own",
    ),
    (
        "a.ts",
        "function f(a) { return g(a) }",
        "function f(a) { const b = g(a); return b }",
        "a value is returned without a name of its own",
    ),
    ("a.rs", "use b::c;\nuse a;\nfn f() {}", "use a;\nuse b::c;\nfn f() {}", "import order"),
    (
        "a.ts",
        "import b from 'b'\nimport {a} from 'a'\nf(a, b)",
        "import {a} from 'a'\nimport b from 'b'\nf(a, b)",
        "import order",
    ),
    (
        "a.ts",
        "function f(a) { const {b} = a; return {b} }",
        "function f(c) { const {b} = c; return {b} }",
        "rename a->c",
    ),
    (
        "a.go",
        "package a\nfunc f() {}\nvar x = 1\ntype T int\nconst c = 2",
        "package a\nconst c = 2\ntype T int\nvar x = 1\nfunc f() {}",
        "moved 2 definitions",
    ),
    (
        "a.go",
        "package a\n//go:noinline\nfunc f() {}\nvar x = 1\nfunc g() {}",
        "package a\nfunc g() {}\nvar x = 1\n//go:noinline\nfunc f() {}",
        "moved 1 definition",
    ),
    (
        "a.rs",
        "#[derive(A)]\nstruct B;\nm!();\nfn f() {}",
        "fn f() {}\nm!();\n#[derive(A)]\nstruct B;",
        "moved 1 definition",
    ),
    ("a.rs", "#[derive(A, b::C)]\nstruct B;", "#[derive(b::C, A)]\nstruct B;", "derive order"),
    (
        "a.ts",
        "f()\nexport function f() {}\nexport interface A { b: c }",
        "export interface A { b: c }\nexport function f() {}\nf()",
        "moved 1 definition",
    ),
    (
        "A.java",
        "class A { A() {}\nint x = 1;\nvoid f() {} }",
        "class A { int x = 1;\nA() {}\nvoid f() {} }",
        "moved 1 definition",
    ),
    (
        "a.js",
        "if (a) { b() } else { for (const c of d) { e(c) } }",
        "if (a) b(); else for (const c of d) e(c)",
        "braces around one statement",
    ),
    (
        "A.java",
        "class A { void f() { if (a) { b(); } } }",
        "class A { void f() { if (a) b(); } }",
        "braces around one statement",
    ),
    (
        "a.ts",
        "import {A} from 'm'\nimport {b} from 'n'\nlet c: A = b()",
        "import type {A} from 'm'\nimport {b} from 'n'\nlet c: A = b()",
        "type-only imports",
    ),
    ("a.ts", "import {type A} from 'm'\nlet c: A", "import {A} from 'm'\nlet c: A", "type-only imports"),
    ("a.ts", "for (const a of b) f(a)", "for (const c of b) f(c)", "rename a->c"),
    (
        "a.go",
        "package a\nfunc f(a int) int { b := a; return b }",
        "package a\nfunc f(a int) int { c := a; return c }",
        "rename b->c",
    ),
    ("A.java", "class A { int f(int a) { return a; } }", "class A { int f(int b) { return b; } }", "rename a->b"),
    (
        "a.py",
        "import json\nimport re\nprint(re)",
        "import re\nprint(re)",
        "unused imports",
    ),
    ("a.ts", "import {a, b} from './m'\na()", "import {a} from './m'\na()", "unused imports"),
    ("index.ts", "import {a, type B} from './m'\na()", "import {a} from './m'\na()", "unused imports"),
    ("a.js", "import fs from 'node:fs'\na()", "a()", "unused imports"),
    ("a.rs", "use a::b;\nuse c::d;\nfn f() { d() }", "use c::d;\nfn f() { d() }", "unused imports"),
    ("A.java", "import a.B;\nimport a.C;\nclass A { C c; }", "import a.C;\nclass A { C c; }", "unused imports"),
    ("A.java", "import a.*;\nimport b.*;\nclass A { }", "import b.*;\nimport a.*;\nclass A { }", "import order"),
    ("a.rs", "use a::{b, c::*};\nuse d;\nfn f() {}", "use d;\nuse a::c::*;\nuse a::b;\nfn f() {}", "import order"),
    (
        "A.java",
        "class A { void f() {}\nvoid g() { f(); } }",
        "class A { void g() { f(); }\nvoid f() {} }",
        "moved 1 definition",
    ),
]


@pytest.mark.parametrize(("path", "before", "after", "reason"), REFACTORS)
def test_a_proven_rename_or_move_is_a_refactor_and_says_which(path: str, before: str, after: str, reason: str) -> None:
    found = _judged(path, before, after)
    assert (found.mutation_class, found.reasons) == (REFACTOR, (reason,))


BEHAVIOUR = [
    ("a.js", "if (a) { b(); c() }", "if (a) b(); c()"),
    ("a.js", "if (a) { let b = 1 }", "if (a) { let b = 2 }"),
    ("a.js", "if (a) { if (b) c() } else d()", "if (a) if (b) c(); else d()"),
    ("a.ts", "import {A} from 'm'\nlet c: A = A()", "import type {A} from 'm'\nlet c: A = A()"),
    ("a.ts", "import {A} from 'm'\n@d class C { x: A }", "import type {A} from 'm'\n@d class C { x: A }"),
    ("a.ts", "import {A} from 'm'\nlet c: A", "import type {A} from 'n'\nlet c: A"),
    (
        "a.go",
        "package a\n//go:noinline\nfunc f() {}\nfunc g() {}",
        "package a\nfunc f() {}\n//go:noinline\nfunc g() {}",
    ),
    ("a.go", "package a\nvar x = f()\nvar y = g()", "package a\nvar y = g()\nvar x = f()"),
    ("a.rs", "#[cfg(a)]\nfn f() {}\nfn g() {}", "fn f() {}\n#[cfg(a)]\nfn g() {}"),
    ("a.rs", "#[derive(A, B)]\nstruct C;", "#[derive(A, D)]\nstruct C;"),
    ("a.rs", "#[serde(a, b)]\nstruct C;", "#[serde(b, a)]\nstruct C;"),
    ("a.rs", "#[allow(a)]\nfn f() {}", "#[no_mangle]\nfn f() {}"),
    ("a.js", "function f() { a }\nfunction f() { b }\nx()", "x()\nfunction f() { b }\nfunction f() { a }"),
    ("a.js", "const a = b()\nconst c = d()", "const c = d()\nconst a = b()"),
    ("A.java", "class A { int x = f();\nint y = g(); }", "class A { int y = g();\nint x = f(); }"),
    ("a.py", "import os\nimport re\nprint(re)", "import re\nprint(os)"),
    ("a.py", "import json\n__all__ = []", "__all__ = []"),
    ("a.py", "import readline\nx = 1", "x = 1"),
    ("a.py", "from __future__ import annotations\nx = 1", "x = 1"),
    ("a.py", "try:\n import json\nexcept E:\n x = 1", "try:\n pass\nexcept E:\n x = 1"),
    ("a.js", "import a from './m'\nf()", "f()"),
    ("a.ts", "import './m'\nf()", "f()"),
    ("a.ts", "import a from './m.css'\nf()", "f()"),
    ("a.rs", "use a::T;\nfn f(x: X) { x.go() }", "use b::U;\nfn f(x: X) { x.go() }"),
    ("a.rs", "pub use a::b;\nfn f() {}", "fn f() {}"),
    ("a.rs", "use a::*;\nfn f() { b() }", "fn f() { b() }"),
    ("a.rs", "use a::{self as b};\nfn f() { b() }", "use c::{self as b};\nfn f() { b() }"),
    ("a.rs", "use a::b as c;\nfn f() { c() }", "use a::d as c;\nfn f() { c() }"),
    ("a.rs", "use a::T as _;\nfn f() { x.c() }", "fn f() { x.c() }"),
    ("A.java", "import a.*;\nclass A { B b; }", "import c.*;\nclass A { B b; }"),
    ("A.java", "import a.B;\nclass A { B b; }", "import c.B;\nclass A { B b; }"),
    ("a.go", 'package a\nimport "x/b"\nfunc f() { q.F() }', 'package a\nimport "y/b"\nfunc f() { q.F() }'),
    # named false refactors
    ("a.py", "from m import unused\nx = 1", "x = 1"),
    ("__init__.py", "from m import a\nprint(a)", "from m import a as b\nprint(b)"),
    ("a.py", "class A(B):\n def f(self):\n  super(Wrong, self).f()", "class A(B):\n def f(self):\n  super().f()"),
    ("a.py", "x = 'SELEC 1'", "x = 'SELECT 1'"),
    ("a.py", "def f(x):\n return min(x)", "def f(x):\n return max(x)"),
    ("a.py", "def f(a):\n return a\nf(a=1)", "def f(b):\n return b\nf(a=1)"),
    ("a.py", "def f(a):\n return a", "def f(b):\n return b"),
    ("a.py", "def _f(a):\n return a\n_f(a=1)", "def _f(b):\n return b\n_f(a=1)"),
    ("a.py", "def _f(a=a):\n return a", "def _f(b=b):\n return b"),
    ("a.py", "class A:\n def f(self): return 1\nA().f()", "class A:\n def g(self): return 1\nA().g()"),
    ("a.py", "class A:\n x = 1\n y = x", "class A:\n z = 1\n y = z"),
    ("a.py", "def test_a(): pass\ntest_a()", "def check_a(): pass\ncheck_a()"),
    ("a.py", "def a(): pass\na()\nx = ['a']", "def b(): pass\nb()\nx = ['a']"),
    ("a.py", "def f():\n a = 1\n return eval('a')", "def f():\n b = 1\n return eval('a')"),
    ("a.py", "def f():\n a = 1\n return f'{a=}'", "def f():\n b = 1\n return f'{b=}'"),
    ("a.py", "def f():\n global a\n a = 1", "def f():\n global b\n b = 1"),
    ("a.py", "def f():\n a = 1\n b = 2\n return a", "def f():\n b = 1\n b = 2\n return b"),
    ("a.py", "def f():\n a = 1\n b = 2\n return a", "def f():\n a = 1\n b = 2\n return b"),
    ("a.py", "def f():\n a = 1\n return a, a", "def f():\n b = 1\n return b, a"),
    ("a.py", "def f():\n a = 1\n return a, a", "def f():\n b = 1\n return b, c"),
    (
        "a.py",
        "def f():\n a = h()\n return a, a\ndef g(): return b",
        "def f():\n b = h()\n return b, b\ndef g(): return b",
    ),
    ("a.py", "def f():\n a = 1\n class C:\n  a = 2\n return a", "def f():\n b = 1\n class C:\n  a = 2\n return b"),
    ("a.py", "A = 1\nprint(A)", "B = 1\nprint(B)"),
    ("a.py", "def unused(): pass", "def other(): pass"),
    ("a.py", "@route\ndef a(): pass\na()", "@route\ndef b(): pass\nb()"),
    ("a.py", "@click.command()\ndef a():\n 'Help.'", "@click.command()\ndef a():\n 'Halp.'"),
    ("a.py", "'Use.'\nprint(__doc__)", "'Usage.'\nprint(__doc__)"),
    ("a.py", "def p_a(t):\n 'a : b'", "def p_a(t):\n 'a : c'"),
    ("a.py", "def f():\n '''\n >>> f()\n 1\n '''", "def f():\n '''\n >>> f()\n 2\n '''"),
    ("a.py", "# /// script\n# dependencies = []\n# ///\n", "# /// script\n# dependencies = ['a']\n# ///\n"),
    ("a.py", "#!/bin/python\n", "#!/bin/python3\n"),
    ("a.py", "import a\nfrom b import a\nx", "from b import a\nimport a\nx"),
    ("a.py", "from a import *\nimport b\nx", "import b\nfrom a import *\nx"),
    ("a.py", "def a(): pass\ndef b(x=a()): pass", "def b(x=a()): pass\ndef a(): pass"),
    ("a.py", "def a(): return 1\ndef a(): return 2", "def a(): return 2\ndef a(): return 1"),
    ("a.py", "x = (1,)", "x = (1)"),
    ("a.py", "x[1,]", "x[1]"),
    ("a.py", "x = a < b < c", "x = (a < b) < c"),
    ("a.py", "x = '\\1' '2'", "x = '\\12'"),
    ("a.py", "x = 'a' b'b'", "x = 'a' 'b'"),
    ("a.py", "x = 1", "x = = 1"),
    ("a.py", "f(a)\ng(a)", "g(a)\nf(a)"),
    ("a.py", "import a\na.b", "import a\na.c"),
    ("a.py", "from m import a, b\na", "from m import c, b\nc"),
    ("a.ts", "const A = 1; function f(a = A) { return a }", "const A = 1; function f(a = B) { return a }"),
    ("a.ts", "[a,,]", "[a]"),
    ("a.ts", "(a?.b).c", "a?.b.c"),
    ("a.ts", "('use strict')", "'use strict'"),
    ("a.ts", "export function a() {}; a()", "export function b() {}; b()"),
    ("a.ts", "function A() {}; A()", "function a() {}; a()"),
    ("a.ts", "const a = 1; f({a})", "const b = 1; f({b})"),
    ("a.ts", "let {a = 1} = x; a", "let {b = 1} = x; b"),
    ("a.ts", "for (a of b) f(a)", "for (c of b) f(c)"),
    ("a.ts", "import './a'\nimport './b'", "import './b'\nimport './a'"),
    ("a.ts", "import typeof {A} from 'a'\nlet b: A", "import {A} from 'a'\nlet b: A"),
    ("a.ts", "class A { constructor(private a: 1) { f(a) } }", "class A { constructor(private b: 1) { f(b) } }"),
    ("a.tsx", "a = <p>a b</p>", "a = <p>a  b</p>"),
    ("a.go", "package a\nfunc F() {}\nvar g = F()", "package a\nfunc f() {}\nvar g = f()"),
    ("a.go", "package a\nfunc F() {}\nfunc g() { F() }", "package a\nfunc H() {}\nfunc g() { H() }"),
    ("a.go", "package a\n//go:build x\n", "package a\n//go:build y\n"),
    ("a.go", 'package a\n// #include <a.h>\nimport "C"', 'package a\n// #include <b.h>\nimport "C"'),
    ("A.java", "class A { int a; int f() { return a; } }", "class A { int b; int f() { return b; } }"),
    ("a.py", 'x = r"\\""', 'x = ""'),
    ("a.py", 'x = r"\\""', 'x = "\\""'),
    ("a.py", "if a:\n    'b c'\n    d", "if a:\n    'b d'\n    d"),
    ("a.py", "x = a | (b | c)", "x = a | b | c"),
    ("a.py", "with (a if b else c) as d: pass", "with a if b else (c) as e: pass"),
    ("a.py", "x: A | B", "x: A | C"),
    ("a.ts", "a && (b || c)", "a && b || c"),
    ("a.ts", "a - (b - c)", "a - b - c"),
    ("a.ts", "/a/g", "/a/gi"),
    ("a.ts", "type A = (B | C)[]", "type A = B | C[]"),
    ("a.tsx", "a = <A>b{' '}c</A>", "a = <A>b{'  '}c</A>"),
    ("a.tsx", "a = <A>b <B/></A>", "a = <A>b<B/></A>"),
    ("B.java", "class A { int b = (1 + 2) * 3; }", "class A { int b = 1 + 2 * 3; }"),
    ("B.java", "class A { @B @C int d; }", "class A { @C @B int d; }"),
    ("a.rs", "fn a() { (b,) }", "fn a() { (b) }"),
    ("a.rs", "fn a() { f(|x| { x; }) }", "fn a() { f(|x| x) }"),
    ("a.rs", "fn a() { f(|x| { let y = g(); }) }", "fn a() { f(|x| { }) }"),
    ("a.rs", "fn a() { b!(c & & d) }", "fn a() { b!(c && d) }"),
    ("a.rs", "fn a() { b!(c, d,) }", "fn a() { b!(c, d) }"),
    ("a.rs", "fn a() { stringify!(c +  d) }", "fn a() { stringify!(c + d) }"),
    ("a.rs", 'fn a() { println!("{}", b) }', 'fn a() { println!("{c}") }'),
    ("a.rs", 'fn a() { println!("{} {}", b, c) }', 'fn a() { println!("{c} {b}") }'),
    ("a.rs", 'fn a() { println!("{0} {0}", b) }', 'fn a() { println!("{b} {0}") }'),
    ("a.rs", 'fn a() { println!("{:1$}", b, c) }', 'fn a() { println!("{b:1$}", c) }'),
    ("a.rs", 'fn a() { println!("{}", b.c) }', 'fn a() { println!("{b}") }'),
    ("a.rs", 'fn a() { println!("{}", 1) }', 'fn a() { println!("{1}") }'),
    ("a.rs", 'fn a() { println!("\\u{62}{}", b) }', 'fn a() { println!("\\u{62}{b}") }'),
    ("a.rs", 'fn a() { panic!("{}", b) }', 'fn a() { panic!("{b}") }'),
    ("a.rs", 'fn a() { my!("{}", b) }', 'fn a() { my!("{b}") }'),
    ("a.py", "def f(a):\n b = g(a)\n return b, b", "def f(a):\n return g(a), g(a)"),
    ("a.py", "def f(a):\n b = g(a)\n h(lambda: b)\n return b", "def f(a):\n h(lambda: b)\n return g(a)"),
    ("a.py", "def f(a):\n global b\n b = g(a)\n return b", "def f(a):\n global b\n return g(a)"),
    ("a.py", "def f(a):\n b = g(a)\n h()\n return b", "def f(a):\n h()\n return g(a)"),
    ("a.py", "def f(a):\n b = g(a)\n return b", "def f(a):\n return h(a)"),
    ("a.py", "def f(a):\n b = g(a)\n return c", "def f(a):\n return g(a)"),
    ("a.py", "def f(a):\n b = eval(a)\n return b", "def f(a):\n return eval(a)"),
    ("a.py", "def f(a):\n a.b = g(a)\n return a.b", "def f(a):\n return g(a)"),
    ("a.py", "def f(a):\n b = g(a)\n return", "def f(a):\n return g(a)"),
    ("a.ts", "function f(a) { const b = () => 1; return b }", "function f(a) { return () => 1 }"),
    ("a.ts", "function f(a) { b = g(a); return b }", "function f(a) { return g(a) }"),
    ("a.ts", "function f(a) { const {b} = g(a); return b }", "function f(a) { return g(a) }"),
    ("a.rs", "#[cfg(a)]\nuse b;\nuse c;", "#[cfg(a)]\nuse c;\nuse b;"),
    ("a.rs", "use a::{b as c, d};", "use a::{d as c, b};"),
    ("a.js", "x = {'01': a}", "x = {1: a}"),
    ("a.js", "'use strict'; a()", ";'use strict'; a()"),
    ("a.js", "function f() { 'use strict'; a() }", "function f() { ;'use strict'; a() }"),
    ("a.js", "'a'; 'use strict'; a()", "'a';; 'use strict'; a()"),
    ("a.js", "x = {'9007199254740993': a}", "x = {9007199254740993: a}"),
    ("a.c", "#define A 1.2\n", "#define A 1 .2\n"),
    ("a.c", "#define A b+c\n", "#define A b + c\n"),
    ("a.cpp", 'auto a = "b" "c"_d;', 'auto a = "b" "c"_e;'),
    ("a.css", "@charset 'utf-8';", '@charset "utf-8";'),
    ("a.css", "@supports (a: b) and (c (d)) {}", "@supports (a: b) and (c(d)) {}"),
    ("a.py", "x: Annotated[int, A | (B | C)]", "x: Annotated[int, A | B | C]"),
    ("a.py", "x: A[b(c | (d | e))]", "x: A[b(c | d | e)]"),
    ("a.rs", "fn a() { b!(stringify!((c +  d))) }", "fn a() { b!(stringify!((c + d))) }"),
    ("a.rs", f"a!{'(' * 60}b  c{')' * 60}", f"a!{'(' * 60}b c{')' * 60}"),
    ("a.c", "#define A b - -c\n", "#define A b --c\n"),
    ("a.c", '#define A "//  b"\n', '#define A "// b"\n'),
    ("a.c", '#define A "b  c"\n', '#define A "b c"\n'),
    ("a.c", 'char *a = "\\1" "2";', 'char *a = "\\12";'),
    ("a.c", 'char *a = L"b" "c";', 'char *a = "bc";'),
    ("a.css", "a { --b: #FFF; --c: 1.0 }", "a { --b: #fff; --c: 1.0 }"),
    ("a.css", "a { --c: 1.0 }", "a { --c: 1 }"),
    ("a.css", "a { b: 1.05em }", "a { b: 1.5em }"),
    ("a.css", "a { b: 'c' }", "a { b: c }"),
    ("a.css", "@supports (a: 'b  c') {}", "@supports (a: 'b c') {}"),
    ("a.css", "a { b: 1e3 }", "a { b: 1e4 }"),
    ("a.rs", "/// Help.\n#[derive(clap::Parser)]\nstruct A;", "/// Halp.\n#[derive(clap::Parser)]\nstruct A;"),
    ("a.c", "int a = 1;", "int a = 2;"),
    ("a.rb", "# frozen_string_literal: true\n", "# frozen_string_literal: false\n"),
    ("a.html", "<p>a</p> <p>b</p>", "<p>a</p><p>b</p>"),
    ("a.xyz", "a", "b"),
]


@pytest.mark.parametrize(("path", "before", "after"), BEHAVIOUR)
def test_what_may_change_behaviour_is_an_evolution_of_the_intent(path: str, before: str, after: str) -> None:
    found = _judged(path, before, after)
    assert found.mutation_class is EVOLUTION, found.reasons
    assert found.reasons


def _set(*files: tuple[str, str, str]) -> list[tuple[str, MutationClass]]:
    edits = [FileVersions(path, Change.MODIFY, before.encode(), after.encode()) for path, before, after in files]
    return [(verdict.path, verdict.mutation_class) for verdict in classify_change(edits)]


def test_a_rename_across_files_is_one_refactor_and_half_of_it_is_none() -> None:
    module = ("src/m.py", "def parse(): return 1", "def parse_city(): return 1")
    user = ("src/u.py", "from src.m import parse\nparse()", "from src.m import parse_city\nparse_city()")
    dotted = ("v.py", "import src.m as m\nm.parse(m.x)", "import src.m as m\nm.parse_city(m.x)")
    assert {found for _, found in _set(module, user, dotted)} == {REFACTOR}
    assert _set(user) == [("src/u.py", EVOLUTION)]
    assert {found for _, found in _set(user, ("src/w.py", *user[1:]))} == {EVOLUTION}
    assert {found for _, found in _set(module, ("x.py", *user[1:]), ("src/m.py", "a", "b"))} >= {EVOLUTION}
    other = ("src/u.py", "from src.n import parse\nparse()", "from src.n import parse_city\nparse_city()")
    assert {found for _, found in _set(module, other)} == {EVOLUTION}
    partly = ("v.py", "import src.m as m\nm.parse(m.parse)", "import src.m as m\nm.parse_city(m.parse)")
    assert dict(_set(module, partly))["v.py"] is EVOLUTION


def test_an_exported_name_is_renamed_with_its_importers() -> None:
    module = ("src/m.ts", "export function a() {}", "export function b() {}")
    near = ("src/u.ts", "import {a} from './m'\na()", "import {b} from './m'\nb()")
    far = ("lib/u.ts", near[1], near[2])
    assert {found for _, found in _set(module, near)} == {REFACTOR}
    assert {found for _, found in _set(module, far)} == {EVOLUTION}
    go = ("p/a.go", "package p\nfunc A() {}", "package p\nfunc B() {}")
    caller = ("q/b.go", 'package q\nimport "x/p"\nfunc f() { p.A() }', 'package q\nimport "x/p"\nfunc f() { p.B() }')
    assert {found for _, found in _set(go, caller)} == {REFACTOR}
    package = ("m/__init__.py", "def a(): return 1", "def b(): return 1")
    user = ("u.py", "from m import a", "from m import b")
    assert {found for _, found in _set(package, user)} == {REFACTOR}


def test_what_the_kind_of_change_or_the_name_decides() -> None:
    edits = [
        FileVersions("a.py", Change.ADD, None, b""),
        FileVersions("a.py", Change.DELETE, b"", None),
        FileVersions("a.py", Change.RENAME, None, None),
        FileVersions("b.py", Change.RENAME, b"x = 1", b"x = 1", "a.py"),
        FileVersions("a.py", Change.MODIFY, b"\0", b"\0\0"),
        FileVersions("a.py", Change.MODIFY, b"x", b"x"),
        FileVersions("a.toml", Change.MODIFY, b"a = 1", b"a = 2"),
    ]
    found = [verdict.mutation_class for verdict in classify_change(edits)]
    assert found[:2] == [MutationClass.FILE_CREATION, MutationClass.FILE_DELETION]
    assert found[2:6] == [EVOLUTION] * 4
    assert found[6] is MutationClass.CONFIGURATION


def test_the_work_is_bounded_in_nodes_and_bytes() -> None:
    edit = FileVersions("a.py", Change.MODIFY, b"x = 1\n" * 500, b"x = 2\n" * 500)
    assert classify_change([edit], nodes=10)[0].reasons == ("too large to be judged",)
    assert classify_change([edit], max_bytes=10)[0].reasons == ("too large to be judged",)
    assert classify_change([edit], max_bytes=10)[0].is_too_large
    assert not classify_change([edit])[0].is_too_large


def test_a_deep_nest_and_many_renames_end_in_an_answer() -> None:
    deep = "(" * 3000 + "1" + ")" * 3000
    assert _judged("a.py", f"x = [{deep}]", f"x = [{deep}, 2]").mutation_class is EVOLUTION
    nested = "[" * 3000 + "]" * 3000
    assert _judged("a.ts", f"x = {nested}", f"x = {nested}  // why").mutation_class is DOCS
    names = [f"n{number}" for number in range(101)]
    before = "def f():\n" + "".join(f" {name} = 1\n" for name in names)
    after = "def f():\n" + "".join(f" {name}_x = 1\n" for name in names)
    assert _judged("a.py", before, after).reasons == ("more than 100 names changed",)


def test_what_did_not_parse_before_either_may_stand_beside_a_comment() -> None:
    broken = "def broken(:\n    pass\n\n\n"
    assert _judged("a.py", f"{broken}x = 1\n", "x = = 2\n").mutation_class is EVOLUTION


def test_without_the_grammars_the_name_decides_and_the_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    canonicalize._parser_factory.cache_clear()
    monkeypatch.setattr(canonicalize.importlib, "import_module", missing)
    found = _judged("a.py", "x = 1", "x = 1 # why")
    canonicalize._parser_factory.cache_clear()
    assert (found.mutation_class, found.is_coarse) == (EVOLUTION, True)
    assert "pip install 'intentls[ast]'" in found.reasons[0]

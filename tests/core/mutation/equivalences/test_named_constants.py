"""Constants that have a name of their own: the name and the value do the same, where nothing else can see the name."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
REASON = "constants with a name of their own"


def _java(plain: str, named: str, constant: str) -> tuple[str, str, str]:
    return "A.java", f"class A {{\n  {plain}\n}}\n", f"class A {{\n  {constant}\n  {named}\n}}\n"


def _rust(plain: str, named: str, constant: str) -> tuple[str, str, str]:
    return "src/a.rs", f"pub fn f() {{ {plain} }}\n", f"{constant}\npub fn f() {{ {named} }}\n"


SAME: dict[str, tuple[str, str, str]] = {
    "a number of Python": (
        "a.py",
        "import b\ndef f(c):\n    return c * 5\n",
        "import b\n_N = 5\ndef f(c):\n    return c * _N\n",
    ),
    "a negative one": ("a.py", "def f():\n    return g(-5)\n", "_N = -5\ndef f():\n    return g(_N)\n"),
    "a text of Python, below what calls nothing": (
        "a.py",
        'X = 1\nclass C:\n    def f(self):\n        return "a"\ng()\n',
        'X = 1\nclass C:\n    def f(self):\n        return _A\n_A = "a"\ng()\n',
    ),
    "a number of Java": _java(
        "int f() { return 7 + 7; }", "int f() { return N + A.N; }", "private static final int N = 7;"
    ),
    "a long one": _java("long f() { return 7L; }", "long f() { return N; }", "private static final long N = 7L;"),
    "a text of Java": _java(
        'Object f() { return g("a"); }', "Object f() { return g(N); }", 'private static final String N = "a";'
    ),
    "a negative one of Java": _java(
        "int f() { return -7; }", "int f() { return N; }", "private static final int N = -7;"
    ),
    "a flag": _java(
        "Object f() { return g(true); }", "Object f() { return g(N); }", "private static final boolean N = true;"
    ),
    "a number in hexadecimal": _java(
        "int f() { return 0x1f; }", "int f() { return N; }", "private static final int N = 0x1f;"
    ),
    "a number of a class in another one": (
        "A.java",
        "class A extends B {\n  class C { int f() { return 7; } }\n}\n",
        "class A extends B {\n  private static final int N = 7;\n  class C { int f() { return N; } }\n}\n",
    ),
    "a number of Go": (
        "a.go",
        "package a\nfunc F() int { return 5 }\n",
        "package a\nconst n = 5\nfunc F() int { return n }\n",
    ),
    "one of several in Go": (
        "a.go",
        'package a\nconst (\n\tm = "x"\n)\nfunc F() int { return 5 }\n',
        'package a\nconst (\n\tm = "x"\n\tn = 5\n)\nfunc F() int { return n }\n',
    ),
    "a key of a map in Go": (
        "a.go",
        "package a\nfunc F() { g(map[int]int{5: 1}) }\n",
        "package a\nconst n = 5\nfunc F() { g(map[int]int{n: 1}) }\n",
    ),
    "one of a function in Go": (
        "a.go",
        "package a\nfunc F() int { return 5 }\n",
        "package a\nfunc F() int {\n\tconst n = 5\n\treturn n\n}\n",
    ),
    "a text of Rust": _rust('g("x");', "g(N);", 'const N: &str = "x";'),
    "a character of Rust": _rust("let a = 'x'; g(a);", "let a = N; g(a);", "const N: char = 'x';"),
    "a number of Rust": _rust("if h() == 5 { g(); }", "if h() == N { g(); }", "const N: i32 = 5;"),
    "a number of JavaScript": (
        "a.js",
        "import b from 'b';\nexport function f() { return 5; }\nb();\n",
        "import b from 'b';\nexport function f() { return N; }\nconst N = 5;\nb();\n",
    ),
    "a text of TypeScript": (
        "a.ts",
        "const g = (a) => a;\nexport function f(): string { return g('x'); }\n",
        "const g = (a) => a;\nconst N = 'x';\nexport function f(): string { return g(N); }\n",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_constant_and_its_value_are_the_same_both_ways(name: str) -> None:
    path, plain, named = SAME[name]
    for versions in ((plain, named), (named, plain)):
        found = judged({path: versions})[path]
        assert (found.mutation_class, found.reasons) == (REFACTOR, (REASON,)), found


OTHER: dict[str, tuple[str, str, str]] = {
    "another value": ("a.py", "def f():\n    return 5\n", "_N = 6\ndef f():\n    return _N\n"),
    "a name that others may import": ("a.py", "def f():\n    return 5\n", "N = 5\ndef f():\n    return N\n"),
    "a name with two values": ("a.py", "def f():\n    return 5\n", "_N = 5\n_N = 5\ndef f():\n    return _N\n"),
    "a name that a function sets": (
        "a.py",
        "def f():\n    return 5\ndef g():\n    pass\n",
        "_N = 5\ndef f():\n    return _N\ndef g():\n    global _N\n",
    ),
    "a name that goes": ("a.py", "def f():\n    return 5\n", "_N = 5\ndef f():\n    return _N\ndel _N\n"),
    "a value that is computed": ("a.py", "def f():\n    return g()\n", "_N = g()\ndef f():\n    return _N\n"),
    "what is asked to be the very same": (
        "a.py",
        "def f(a):\n    return a is 500\n",
        "_N = 500\ndef f(a):\n    return a is _N\n",
    ),
    "a list, which is one": ("a.py", "def f():\n    return [1]\n", "_N = [1]\ndef f():\n    return _N\n"),
    "what is called before": ("a.py", "def f():\n    return 5\nf()\n", "def f():\n    return _N\nf()\n_N = 5\n"),
    "a class that does something before": (
        "a.py",
        "class C:\n    g()\ndef f():\n    return 5\n",
        "class C:\n    g()\n_N = 5\ndef f():\n    return _N\n",
    ),
    "a class that has a base": (
        "a.py",
        "class C(B):\n    pass\ndef f():\n    return 5\n",
        "class C(B):\n    pass\n_N = 5\ndef f():\n    return _N\n",
    ),
    "a text that has the name": (
        "a.py",
        'def f():\n    return 5, g("_N")\n',
        '_N = 5\ndef f():\n    return _N, g("_N")\n',
    ),
    "a name that nothing uses": ("a.py", "def f():\n    return 5\n", "N = 5\ndef f():\n    return 5\n"),
    "another type in Java": _java(
        "Object f() { return g(7); }", "Object f() { return g(N); }", "private static final long N = 7;"
    ),
    "a long number for a short one": _java(
        "long f() { return 7L; }", "long f() { return N; }", "private static final int N = 7;"
    ),
    "a boxed one": _java(
        "Object f() { return g(7); }", "Object f() { return g(N); }", "private static final Integer N = 7;"
    ),
    "a field that may change": _java("int f() { return 7; }", "int f() { return N; }", "private static int N = 7;"),
    "a field of each object": _java("int f() { return 7; }", "int f() { return N; }", "private final int N = 7;"),
    "a field that others see": _java("int f() { return 7; }", "int f() { return N; }", "static final int N = 7;"),
    "a field that is marked": _java(
        "int f() { return 7; }", "int f() { return N; }", "@B private static final int N = 7;"
    ),
    "a field of something else": _java(
        "int f(B b) { return b.N + 7; }", "int f(B b) { return b.N + N; }", "private static final int N = 7;"
    ),
    "a name that a parameter has": _java(
        "int f(int N) { return N; } int g() { return 7; }",
        "int f(int N) { return N; } int g() { return N; }",
        "private static final int N = 7;",
    ),
    "a class that may inherit the name": _java(
        "class B extends C { int f() { return 7; } }",
        "class B extends C { int f() { return N; } }",
        "private static final int N = 7;",
    ),
    "a class without a name that may inherit it": _java(
        "Object f() { return new C() { int g() { return 7; } }; }",
        "Object f() { return new C() { int g() { return N; } }; }",
        "private static final int N = 7;",
    ),
    "what looks for names": (
        "a.py",
        "def f(a):\n    return 5, eval(a)\n",
        "_N = 5\ndef f(a):\n    return _N, eval(a)\n",
    ),
    "a constant with a type in Go": (
        "a.go",
        "package a\nfunc F() { g(5) }\n",
        "package a\nconst n int64 = 5\nfunc F() { g(n) }\n",
    ),
    "a constant that others see": (
        "a.go",
        "package a\nfunc F() { g(5) }\n",
        "package a\nconst N = 5\nfunc F() { g(N) }\n",
    ),
    "a constant that counts": (
        "a.go",
        "package a\nconst (\n\tb = iota\n\tc\n)\nfunc F() { g(5) }\n",
        "package a\nconst (\n\tn = 5\n\tb = iota\n\tc\n)\nfunc F() { g(n) }\n",
    ),
    "a constant that another one counts": (
        "a.go",
        "package a\nconst (\n\tb = iota\n)\nfunc F() { g(5) }\n",
        "package a\nconst (\n\tn = 5\n\tb = iota\n)\nfunc F() { g(n) }\n",
    ),
    "a constant that the next one repeats": (
        "a.go",
        "package a\nconst (\n\tb = 4\n\tc\n)\nfunc F() { g(5) }\n",
        "package a\nconst (\n\tb = 4\n\tn = 5\n\tc\n)\nfunc F() { g(n) }\n",
    ),
    "a name that is a field": (
        "a.go",
        "package a\nfunc F() { g(T{n: 1}, 5) }\n",
        "package a\nconst n = 5\nfunc F() { g(T{n: 1}, n) }\n",
    ),
    "a condition that would be another one's": (
        "src/a.rs",
        '#[cfg(a)]\npub fn f() { g("x"); }\n',
        '#[cfg(a)]\nconst N: &str = "x";\npub fn f() { g(N); }\n',
    ),
    "a number of Rust whose type is not told": _rust("g(5);", "g(N);", "const N: usize = 5;"),
    "a constant of Rust under a condition": _rust('g("x");', "g(N);", '#[cfg(a)]\nconst N: &str = "x";'),
    "a constant that a macro shows": _rust('show!("x");', "show!(N);", 'const N: &str = "x";'),
    "a constant of Rust that others see": (
        "a.rs",
        'pub fn f() { g("x"); }\n',
        'pub const N: &str = "x";\npub fn f() { g(N); }\n',
    ),
    "a path of Rust": _rust('g("x");', "g(self::N);", 'const N: &str = "x";'),
    "what JavaScript may change": (
        "a.js",
        "export function f() { return 5; }\n",
        "let N = 5;\nexport function f() { return N; }\n",
    ),
    "what is exported": (
        "a.js",
        "export function f() { return 5; }\n",
        "const N = 5;\nexport function f() { return N; }\nexport { N };\n",
    ),
    "a script, whose names others see": (
        "a.js",
        "function f() { return 5; }\n",
        "const N = 5;\nfunction f() { return N; }\n",
    ),
    "a key of an object": (
        "a.js",
        "export const f = () => ({ N: 5 });\n",
        "const N = 5;\nexport const f = () => ({ N });\n",
    ),
    "what JavaScript computes before": (
        "a.js",
        "export const b = g();\nexport function f() { return 5; }\n",
        "export const b = g();\nconst N = 5;\nexport function f() { return N; }\n",
    ),
    "a type of its own": (
        "a.ts",
        "export function f(): number { return 5; }\n",
        "const N: unknown = 5;\nexport function f(): number { return N; }\n",
    ),
}


@pytest.mark.parametrize("name", OTHER)
def test_a_name_for_a_value_is_behaviour_where_someone_may_see_it_or_it_is_another(name: str) -> None:
    path, plain, named = OTHER[name]
    assert judged({path: (plain, named)})[path].mutation_class is EVOLUTION
    if name != "a name that nothing uses":
        assert judged({path: (named, plain)})[path].mutation_class is EVOLUTION


def test_another_file_with_the_name_may_mean_this_one() -> None:
    path, plain, named = SAME["a number of Python"]
    for versions in ((plain, named), (named, plain)):
        assert judged({path: versions}, {"b.py": "from a import _N\n"})[path].mutation_class is EVOLUTION


def test_another_package_of_go_may_have_the_name_for_itself() -> None:
    path, plain, named = SAME["a number of Go"]
    for versions in ((plain, named), (named, plain)):
        assert judged({path: versions}, {"q/b.go": "package q\nvar n = 2\n"})[path].mutation_class is REFACTOR
        assert judged({path: versions}, {"b.go": "package a\nvar m = n\n"})[path].mutation_class is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_behaviour_mutant_passes_beside_a_constant() -> None:
    chance = random.Random("constants")
    made = 0
    languages = {"py": "python", "java": "java", "go": "go", "rs": "rust", "js": "javascript", "ts": "typescript"}
    for path, plain, named in SAME.values():
        for mutant in mutants(named, chance, 10, languages[path.rsplit(".", 1)[1]]):
            made += 1
            assert judged({path: (plain, mutant.after)})[path].mutation_class is EVOLUTION, mutant
    assert made > 30

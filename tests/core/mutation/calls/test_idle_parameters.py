"""Parameters that a private function does not ask for, or takes in another order: who calls it follows."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION


def _go(heads: tuple[str, str], calls: tuple[str, str], body: str = "print(a)", before: str = "") -> Versions:
    sources = (
        f"package p\n\n{before}func {head} {{ {body} }}\n\nfunc H(n string) {{ {call} }}\n"
        for head, call in zip(heads, calls, strict=True)
    )
    return {"p/a.go": tuple(sources)}


def _python(heads: tuple[str, str], calls: tuple[str, str], body: str = "return a", before: str = "") -> Versions:
    sources = (
        f"{before}def {head}:\n    {body}\n\ndef g(x):\n    return {call}\n"
        for head, call in zip(heads, calls, strict=True)
    )
    return {"p/a.py": tuple(sources)}


def _java(heads: tuple[str, str], calls: tuple[str, str], body: str = "return a;") -> Versions:
    sources = (
        f"class A {{ {head} {{ {body} }}\n int g(int x) {{ return {call}; }} }}\n"
        for head, call in zip(heads, calls, strict=True)
    )
    return {"p/A.java": tuple(sources)}


def _rust(heads: tuple[str, str], calls: tuple[str, str], body: str = "a.x", before: str = "") -> Versions:
    sources = (
        f"{before}fn {head} -> u8 {{ {body} }}\npub fn g(c: &A) -> u8 {{ {call} }}\n"
        for head, call in zip(heads, calls, strict=True)
    )
    return {"src/a.rs": tuple(sources)}


def _trait(head: str, call: str) -> str:
    return f"pub trait T {{ fn {head} -> u8 {{ a }} }}\npub fn g(t: &A) -> u8 {{ {call} }}\n"


GO, GO_CALLS = ("show(a int, b string)", "show(a int)"), ("show(1, n)", "show(1)")
PYTHON, PYTHON_CALLS = ("_f(a, b)", "_f(a)"), ("_f(x, 1)", "_f(x)")
JAVA, JAVA_CALLS = ("private int f(int a, int b)", "private int f(int a)"), ("f(1, x)", "f(1)")
RUST, RUST_CALLS = ("f(a: &A, b: u8)", "f(a: &A)"), ("f(c, 1)", "f(c)")
IDLE: dict[str, Versions] = {
    "go": _go(GO, GO_CALLS),
    "go, one of two": _go(("show(a, b string)", "show(a string)"), ("show(n, n)", "show(n)")),
    "go, without a name": _go(("show(a int, _ string)", "show(a int)"), GO_CALLS),
    "go, one more": _go(GO[::-1], GO_CALLS[::-1]),
    "go, of a method": _go(("(m M) show(a int, b string)", "(m M) show(a int)"), ("M{}.show(1, n)", "M{}.show(1)")),
    "go, of an interface": _go(
        ("(m M) show(a int, b string)", "(m M) show(a int)"),
        ("var s interface{ show(a int, b string) }; s.show(1, n)", "var s interface{ show(a int) }; s.show(1)"),
    ),
    "go, in another order": _go(("show(a int, b string)", "show(b string, a int)"), ("show(1, n)", "show(n, 1)")),
    "python": _python(PYTHON, PYTHON_CALLS),
    "python, by its name": _python(PYTHON, ("_f(x, b=1)", "_f(x)")),
    "python, of a class": {
        "p/a.py": (
            "class A:\n    def _f(self, a, b):\n        return a\n\n    def g(self):\n        return self._f(1, 2)\n",
            "class A:\n    def _f(self, a):\n        return a\n\n    def g(self):\n        return self._f(1)\n",
        )
    },
    "java": _java(JAVA, JAVA_CALLS),
    "java, in another order": _java(("private int f(int a, B b)", "private int f(B b, int a)"), ("f(1, x)", "f(x, 1)")),
    "rust": _rust(RUST, RUST_CALLS),
    "rust, without a name": _rust(("f(a: &A, _: &u8)", "f(a: &A)"), ("f(c, x)", "f(c)")),
    "rust, of a type": {
        "src/a.rs": (
            "impl A { fn f(&self, a: u8, b: u8) -> u8 { a } pub fn g(&self) -> u8 { self.f(1, 2) } }",
            "impl A { fn f(&self, a: u8) -> u8 { a } pub fn g(&self) -> u8 { self.f(1) } }",
        )
    },
}
ASKED: dict[str, Versions] = {
    "go, which asks": _go(GO, GO_CALLS, "print(a, b)"),
    "go, of others": _go(("Show(a int, b string)", "Show(a int)"), ("Show(1, n)", "Show(1)")),
    "go, by its name": _go(("init(a int, b string)", "init(a int)"), ("init(1, n)", "init(1)")),
    "go, given what does something": _go(GO, ("show(1, f())", "show(1)")),
    "go, with C": _go(GO, GO_CALLS, before="//export show\n"),
    "go, in the order of before": _go(("show(a int, b string)", "show(b string, a int)"), ("show(1, n)", "show(1, n)")),
    "go, called by nobody": _go(("show(a, b string)", "show(b, a string)"), ("n", "n")),
    "go, handed on": _go(GO, ("show(1, n); h(show)", "show(1); h(show)")),
    "go, in another order of what does something": _go(
        ("show(a int, b string)", "show(b string, a int)"), ("show(f(), n)", "show(n, f())")
    ),
    "python, which asks": _python(PYTHON, PYTHON_CALLS, "return a, b"),
    "python, which asks for all": _python(PYTHON, PYTHON_CALLS, "return locals()"),
    "python, of others": _python(("f(a, b)", "f(a)"), ("f(x, 1)", "f(x)")),
    "python, by its name": _python(("__f__(a, b)", "__f__(a)"), ("__f__(x, 1)", "__f__(x)")),
    "python, computed once": _python(("_f(a, b=h())", "_f(a)"), ("_f(x, 1)", "_f(x)")),
    "python, decorated": _python(PYTHON, PYTHON_CALLS, before="@h\n"),
    "python, of a base, maybe": {
        "p/a.py": (
            "class A(B):\n    def _f(self, a, b):\n        return a\n\n    def g(self):\n        self._f(1, 2)\n",
            "class A(B):\n    def _f(self, a):\n        return a\n\n    def g(self):\n        self._f(1)\n",
        )
    },
    "java, which asks": _java(JAVA, JAVA_CALLS, "return a + b;"),
    "java, of others": _java(("int f(int a, int b)", "int f(int a)"), JAVA_CALLS),
    "java, which tells something": _java(("private int f(int a, @N int b)", "private int f(int a)"), JAVA_CALLS),
    "java, annotated": _java(("@Post private int f(int a, int b)", "@Post private int f(int a)"), JAVA_CALLS),
    "java, by its name": _java(
        ("private int readObject(int a, int b)", "private int readObject(int a)"), ("readObject(1, x)", "readObject(1)")
    ),
    "rust, which asks in a text": _rust(RUST, RUST_CALLS, 'h!("{b}")'),
    "rust, of others": _rust(("f(a: &A, b: u8)", "f(a: &A)"), RUST_CALLS, before="pub "),
    "rust, below an attribute": _rust(RUST, RUST_CALLS, before="#[h]\n"),
    "rust, dropped": _rust(("f(a: &A, b: Guard)", "f(a: &A)"), ("f(c, x)", "f(c)")),
    "rust, of two names": _rust(("f(a: &A, (b, d): (u8, u8))", "f(a: &A)"), ("f(c, x)", "f(c)")),
    "rust, of C": _rust(("f(a: &A, b: u8)", "f(a: &A)"), RUST_CALLS, before='extern "C" '),
    "rust, of a trait": {"src/a.rs": (_trait("f(a: u8, b: u8)", "A::f(1, 2)"), _trait("f(a: u8)", "A::f(1)"))},
    "rust, of another trait": {
        "src/a.rs": (
            "impl T for A { fn f(&self, a: u8, b: u8) -> u8 { a } }\npub fn g(c: A) -> u8 { c.f(1, 2) }",
            "impl T for A { fn f(&self, a: u8) -> u8 { a } }\npub fn g(c: A) -> u8 { c.f(1) }",
        )
    },
    "typescript": {
        "p/a.ts": (
            "export class A { f(a: number, b: number) { return a }\n g() { return this.f(1, 2) } }",
            "export class A { f(a: number) { return a }\n g() { return this.f(1) } }",
        )
    },
}


@pytest.mark.parametrize("name", IDLE)
def test_what_is_not_asked_for_may_go(name: str) -> None:
    (verdict,) = judged(IDLE[name], {"README.md": "to show is easy"}).values()
    assert verdict.mutation_class is REFACTOR, verdict.reasons
    said = "takes the same in another order" if "order" in name else "does not ask for what it takes"
    assert any(reason.endswith(f" {said}") for reason in verdict.reasons)


@pytest.mark.parametrize("name", ASKED)
def test_what_may_be_asked_for_stays(name: str) -> None:
    assert set(classes(ASKED[name]).values()) == {EVOLUTION}


def test_each_system_has_its_own() -> None:
    one, two = "package p\n\nfunc lock(f File) { f.lock() }\n", "package p\n\nfunc lock(f File, _ bool) { f.lock() }\n"
    asking = two.replace("_ bool", "now bool").replace("f.lock()", "f.lockAt(now)")
    users = ("package p\n\nfunc H(f File) { lock(f) }\n", "package p\n\nfunc H(f File) { lock(f, true) }\n")
    versions = {"p/a_unix.go": (one, two.replace("_ bool", "now bool")), "p/a_windows.go": (one, two), "p/b.go": users}
    assert set(classes(versions).values()) == {EVOLUTION}  # their parameters have other names
    versions = {"p/a_unix.go": (one, two), "p/a_windows.go": (one, two), "p/b.go": users}
    assert set(classes(versions).values()) == {REFACTOR}
    asking = two.replace("_ bool", "now bool").replace("f.lock()", "f.lockAt(now)")
    ignoring = two.replace("_ bool", "now bool")
    versions = {"p/a_unix.go": (one, asking), "p/a_windows.go": (one, ignoring), "p/b.go": users}
    assert classes(versions) == {"p/a_unix.go": EVOLUTION, "p/a_windows.go": REFACTOR, "p/b.go": EVOLUTION}


def test_who_has_another_such_function_beside_is_no_follower() -> None:
    assert set(classes(IDLE["go"], {"p/b.go": "package p\n\nfunc x() { show(1) }\n"}).values()) == {EVOLUTION}


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize(
    "name", [name for name in IDLE if name != "go, one more"]
)  # what is not asked for may be of any type
def test_no_mutant_passes(name: str) -> None:
    ((path, (before, after)),) = IDLE[name].items()
    for mutant in mutants(after or "", random.Random(name), 15, path.rpartition(".")[2]):
        assert set(classes({path: (before, mutant.after)}).values()) == {EVOLUTION}, mutant

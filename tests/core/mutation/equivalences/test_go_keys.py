"""Fields in literals of Go, and definitions of Go that nothing uses."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

T = "type T struct { b, c int; d *T }\n"
SAME = [
    (f"{T}func f(g int) *T {{ return &T{{b: g, c: 1}} }}", f"{T}func f(g int) *T {{ return &T{{c: 1, b: g}} }}"),
    (f"{T}func f(g int) *T {{ return &T{{b: g, c: 1}} }}", f"{T}func f(b int) *T {{ return &T{{c: 1, b: b}} }}"),
    (f"{T}var a = []T{{{{b: 1, d: nil}}}}", f"{T}var a = []T{{{{d: nil, b: 1}}}}"),
    (
        f"{T}var a = map[T]*T{{{{b: 1, c: 2}}: {{b: 3, c: 4}}}}",
        f"{T}var a = map[T]*T{{{{c: 2, b: 1}}: {{c: 4, b: 3}}}}",
    ),
    (f"{T}var a = [...]T{{0: {{b: 1, c: 2}}}}", f"{T}var a = [...]T{{0: {{c: 2, b: 1}}}}"),
    ("var a = struct{ b, c []T }{b: make([]T, 2), c: nil}", "var a = struct{ b, c []T }{c: nil, b: make([]T, 2)}"),
    (
        "func f() { for _, a := range []struct{ b, res int }{{b: 1, res: 2}} { x := g(a); h(x, x) } }",
        "func f() { for _, a := range []struct{ b, res int }{{b: 1, res: 2}} { res := g(a); h(res, res) } }",
    ),
]
OTHER = [
    (f"{T}var a = T{{b: g(), c: h()}}", f"{T}var a = T{{c: h(), b: g()}}"),
    (f"{T}var a = T{{b: g[1], c: h}}", f"{T}var a = T{{c: h, b: g[1]}}"),
    (f"{T}var a = T{{b: *g, c: *h}}", f"{T}var a = T{{c: *h, b: *g}}"),
    (f"{T}var a = T{{b: g, c: h}}", f"{T}var a = T{{b: h, c: g}}"),
    ("var a = B{b: g, c: h}", "var a = B{c: h, b: g}"),
    ("type B []int\nvar a = B{b: g, c: h}", "type B []int\nvar a = B{c: h, b: g}"),
    (
        f"{T}func f() {{ type T map[int]int; g(T{{b: 1, c: 2}}) }}",
        f"{T}func f() {{ type T map[int]int; g(T{{c: 2, b: 1}}) }}",
    ),
    ("func f(g int) B { return B{b: g} }", "func f(b int) B { return B{b: b} }"),
    (f"{T}var a = T{{1, 2}}", f"{T}var a = T{{2, 1}}"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_fields_in_another_order_are_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_may_be_no_field_stays_in_its_place(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def _class(before: str, after: str, others: dict[str, str] | None = None) -> MutationClass:
    versions = {"p/a.go": (f"package p\n\n{before}\nfunc F() {{}}\n", f"package p\n\n{after}\nfunc F() {{}}\n")}
    return judged(versions, Repository(others or {}))["p/a.go"].mutation_class


@pytest.mark.parametrize(
    "unused",
    [
        'import "regexp"\nvar idle = regexp.MustCompile("^-")',
        'import "errors"\nvar idle = errors.New("a")',
        "const idle = 1",
        "var idle int",
        "var idle = []T{{1, b}}",
        "type idle struct{ b int }",
        "func idle() { other() }\nfunc other() { another(1) }\nfunc another(a int) {}",
    ],
)
def test_what_no_file_of_a_package_uses_may_go(unused: str) -> None:
    assert _class(unused, "") is MutationClass.AST_REFACTOR
    for others in (
        {"p/b.go": "package p\nvar b = idle\n"},
        {"p/b.s": "TEXT \u00b7idle(SB), 0, $0\n"},
        {"q/b.go": "package q\n//go:linkname b m/p.idle\nfunc b()\n"},
    ):
        assert _class(unused, "", others) is MutationClass.INTENT_EVOLUTION
    elsewhere = {"q/b.go": "package q\nfunc idle() {}\nfunc B() { idle() }\n", "p/a.md": "idle"}
    assert _class(unused, "", elsewhere) is MutationClass.AST_REFACTOR
    assert _class("", unused, elsewhere) is MutationClass.INTENT_EVOLUTION


def test_what_only_unused_functions_use_is_looked_for_a_few_times() -> None:
    def chain(count: int) -> str:
        return "\n".join(f"func idle{number}() {{ idle{number + 1}(1) }}" for number in range(count)) + "\nvar Z = 1"

    assert _class(chain(9).replace("idle9(1)", ""), "var Z = 1") is MutationClass.AST_REFACTOR
    assert _class(chain(12).replace("idle12(1)", ""), "var Z = 1") is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(
    "unused",
    [
        "var idle = b()",
        'import "regexp"\nvar idle = regexp.MustCompile(b)',
        "var idle = <-b",
        "var idle = b.c",
        "var Idle = 1",
        "var _ B = 1",
        "var idle, other = 1, 2",
        "const (\n\tidle = iota\n\tother\n)",
    ],
)
def test_what_does_something_when_it_is_computed_stays(unused: str) -> None:
    assert _class(unused, "") is MutationClass.INTENT_EVOLUTION
    assert _class("", unused) is MutationClass.INTENT_EVOLUTION

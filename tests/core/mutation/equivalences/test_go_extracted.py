"""Functions of Go that were taken out of others, or put back, and what only looks like that."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, judged

SAME = {
    "a statement": (
        "func f(w *T) { a(); w.b(1); w.c(2) }",
        "func f(w *T) { a(); g(w) }\nfunc g(w *T) { w.b(1); w.c(2) }",
    ),
    "a statement with names of its own": (
        "func f(w *T) { if a(w) { for i, b := range c { w.d(i, b) }; e := 1; w.d(e, e) }; i := 2; a(i, i) }",
        "func f(w *T) { if a(w) { g(w) }; i := 2; a(i, i) }\n"
        "func g(v *T) { for i, b := range c { v.d(i, b) }; e := 1; v.d(e, e) }",
    ),
    "what is returned": (
        "func f(a []T) (B, error) { if len(a) == 2 { return c(a) }; d(); return e(a), nil }",
        "func f(a []T) (B, error) { if len(a) == 2 { return c(a) }; return g(a) }\n"
        "func g(a []T) (B, error) { d(); return e(a), nil }",
    ),
    "what is returned at several places": (
        "func f(a int) error { if a == 1 { h(); if a == 2 { return b }; return c }; return nil }",
        "func f(a int) error { if a == 1 { return g(a) }; return nil }\n"
        "func g(x int) error { h(); if x == 2 { return b }; return c }",
    ),
    "a value": (
        'func f(a string) { h(a == "b" || c(a)) }',
        'func f(a string) { h(g(a)) }\nfunc g(a string) bool { return a == "b" || c(a) }',
    ),
    "a value after statements": (
        "func f(a string) { d(a); if !c(a) { h() } }",
        "func f(a string) { if !g(a) { h() } }\nfunc g(a string) bool { d(a); return c(a) }",
    ),
    "a new object": (
        "func f(a string) { b := &T{c: a}; h(b, b) }",
        "func f(a string) { b := g(a); h(b, b) }\nfunc g(d string) *T { return &T{c: d} }",
    ),
    "a struct": (
        "func f(a string) { b := T{a}; h(b, b) }",
        "func f(a string) { b := g(a); h(b, b) }\nfunc g(c string) T { return T{c} }",
    ),
    "a number": (
        "func f() { b := len(c) + d(); h(b, b) }",
        "func f() { b := g(); h(b, b) }\nfunc g() int { return len(c) + d() }",
    ),
    "what makes a list": (
        "func f(a []string) { i(1); b := []string{}; for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { i(1); b := g(a); j(b, b) }\n"
        "func g(a []string) []string { d := []string{}; for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "what makes a list of a length": (
        "func f(a []string) { i(1); b := make([]string, 0, len(a)); "
        "for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { i(1); b := g(a); j(b, b) }\n"
        "func g(a []string) []string { d := make([]string, 0, len(a)); "
        "for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "what makes a variable that says its type": (
        "func f(a []string) { i(1); var b []string; for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { i(1); b := g(a); j(b, b) }\n"
        "func g(a []string) []string { var b []string; for _, e := range a { b = append(b, e); h(e) }; return b }",
    ),
    "a method": (
        "func (s *T) f() { s.a = 1; s.b() }",
        "func (s *T) f() { s.g() }\nfunc (t *T) g() { t.a = 1; t.b() }",
    ),
    "two calls": (
        'func f(a int) { b(a, "c", true); b(a, "d", false) }',
        'func f(a int) { g(a, "c", true); g(a, "d", false) }\nfunc g(a int, c string, d bool) { b(a, c, d) }',
    ),
    "a call in a function": (
        "func f(a *T) { h(func() { a.b(); a.c() }) }",
        "func f(a *T) { h(func() { g(a) }) }\nfunc g(a *T) { a.b(); a.c() }",
    ),
    "a variable whose type its value says": (
        "func f() { a, err := b(); c(a, err); d(a); e(a) }",
        "func f() { a, err := b(); c(a, err); g(a) }\nfunc g(a int) { d(a); e(a) }",
    ),
    "a struct that is only read": (
        "func f(a T) { b(a.c); d(a) }",
        "func f(a T) { g(a) }\nfunc g(a T) { b(a.c); d(a) }",
    ),
    "a function in it": (
        "func f(a *T) { a.b(func() int { return 1 }); a.c() }",
        "func f(a *T) { g(a) }\nfunc g(a *T) { a.b(func() int { return 1 }); a.c() }",
    ),
    "a parameter that nothing asks for": (
        "func f(a int) { b() }",
        "func f(a int) { g(a) }\nfunc g(int) { b() }",
    ),
}
OTHER = {
    "a variable that was there before": (
        "func f(a []string) { b := i(1); b = []string{}; for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { b := i(1); b = g(a); j(b, b) }\n"
        "func g(a []string) []string { d := []string{}; for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "a variable that was another one outside": (
        "func f(a []string) { b := i(1); if k() { b := []string{}; i(b) }; "
        "for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { b := i(1); if k() { b := g(a); i(b) }; j(b, b) }\n"
        "func g(a []string) []string { d := []string{}; for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "a variable of a type that is not said": (
        "func f(a []string) { b := k(); for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { b := g(a); j(b, b) }\n"
        "func g(a []string) []string { d := k(); for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "a variable of another type": (
        "func f(a []string) { b := []string{}; for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { b := g(a); j(b, b) }\n"
        "func g(a []string) Names { d := []string{}; for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "a variable that the body has, too": (
        "func f(a []string) { e := []string{}; b := e; for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { e := g(a); b := e; j(b, b) }\n"
        "func g(a []string) []string { d := []string{}; for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "two variables": (
        "func f(a []string) { b, c := []string{}, 1; for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { b, c := g(a), 1; j(b, b) }\n"
        "func g(a []string) []string { d := []string{}; for _, e := range a { d = append(d, e); h(e) }; return d }",
    ),
    "more than a variable": (
        "func f(a []string) { b := append([]string{}, k); for _, e := range a { b = append(b, e); h(e) }; j(b, b) }",
        "func f(a []string) { b := g(a); j(b, b) }\n"
        "func g(a []string) []string { d := []string{}; "
        "for _, e := range a { d = append(d, e); h(e) }; return append(d, k) }",
    ),
    "another body": ("func f(w *T) { w.b(1) }", "func f(w *T) { g(w) }\nfunc g(w *T) { w.b(2) }"),
    "a public function": ("func f(w *T) { w.b(1) }", "func f(w *T) { G(w) }\nfunc G(w *T) { w.b(1) }"),
    "one that is told about": (
        "func f(w *T) { w.b(1) }",
        "func f(w *T) { g(w) }\n//go:noinline\nfunc g(w *T) { w.b(1) }",
    ),
    "one that is a value too": (
        "func f(w *T) { w.b(1); h(g) }",
        "func f(w *T) { g(w); h(g) }\nfunc g(w *T) { w.b(1) }",
    ),
    "one for a variable": (
        "func f(w *T) { w.b(1) }\nvar a = c()",
        "func f(w *T) { g(w) }\nvar a = g(c)\nfunc g(w *T) { w.b(1) }",
    ),
    "a call that is deferred": (
        "func f(w *T) { defer w.b(1) }",
        "func f(w *T) { defer g(w) }\nfunc g(w *T) int { return w.b(1) }",
    ),
    "a call on its own": ("func f(w *T) { go w.b(1) }", "func f(w *T) { go g(w) }\nfunc g(w *T) int { return w.b(1) }"),
    "what is deferred": (
        "func f(w *T) { defer a(); w.b() }",
        "func f(w *T) { g(w); w.b() }\nfunc g(w *T) { defer a() }",
    ),
    "who recovers": ("func f(w *T) { recover() }", "func f(w *T) { g(w) }\nfunc g(w *T) { recover() }"),
    "a helper of a test": (
        "func f(t *T) { t.Helper(); a() }",
        "func f(t *T) { g(t) }\nfunc g(t *T) { t.Helper(); a() }",
    ),
    "an early end": (
        "func f(a int) { if a == 1 { return }; b(); c() }",
        "func f(a int) { g(a); c() }\nfunc g(a int) { if a == 1 { return }; b() }",
    ),
    "another type of a parameter": ("func f(a *T) { b(a) }", "func f(a *T) { g(a) }\nfunc g(a error) { b(a) }"),
    "a type that is not told": (
        "func f() { a := c(); b(a, a); b(a, a) }",
        "func f() { a := c(); g(a); b(a, a) }\nfunc g(a error) { b(a, a) }",
    ),
    "a pointer that is not told": (
        "func f() { a := c(); b(a, a); b(a, a) }",
        "func f() { a := c(); g(a); b(a, a) }\nfunc g(a *T) { b(a, a) }",
    ),
    "a constant that is none": (
        "func f() { const a = 1; b(a / 2.0) }",
        "func f() { const a = 1; g(a) }\nfunc g(a int) { b(a / 2.0) }",
    ),
    "a number for another type": ("func f() { b(5) }", "func f() { g(5) }\nfunc g(a int64) { b(a) }"),
    "what is computed for it": ("func f() { b(c(), c()) }", "func f() { g(c()) }\nfunc g(a int) { b(a, a) }"),
    "a variable of the package": ("func f() { b(); c(a) }", "func f() { g(a) }\nfunc g(a int) { b(); c(a) }"),
    "a variable of the package for once": (
        "func f() { b(); c(a); { a := 1; h(a) } }",
        "func f() { g(a); { a := 1; h(a) } }\nfunc g(a int) { b(); c(a) }",
    ),
    "a variable that is shared": (
        "func f(a int) { b(func() { a = 1 }); c(); d(a) }",
        "func f(a int) { b(func() { a = 1 }); g(a) }\nfunc g(a int) { c(); d(a) }",
    ),
    "a variable whose address is known": (
        "func f(a int) { b(&a); c(); d(a) }",
        "func f(a int) { b(&a); g(a) }\nfunc g(a int) { c(); d(a) }",
    ),
    "a copy that is changed": (
        "func f(a int) { a++; b(a); c(a) }",
        "func f(a int) { g(a); c(a) }\nfunc g(a int) { a++; b(a) }",
    ),
    "a copy that is given away": (
        "func f(a int) { b(&a); c(a) }",
        "func f(a int) { g(a); c(a) }\nfunc g(a int) { b(&a) }",
    ),
    "a part of a copy": ("func f(a T) { a.b = 1; c(a) }", "func f(a T) { g(a); c(a) }\nfunc g(a T) { a.b = 1 }"),
    "a place of a copy": ("func f(a T) { a[0]++; c(a) }", "func f(a T) { g(a); c(a) }\nfunc g(a T) { a[0]++ }"),
    "a method of a copy": ("func f(a T) { a.b(); c(a) }", "func f(a T) { g(a); c(a) }\nfunc g(a T) { a.b() }"),
    "a part of a part of a copy": (
        "func f(a T) { a.b.c++; c(a) }",
        "func f(a T) { g(a); c(a) }\nfunc g(a T) { a.b.c++ }",
    ),
    "values of one call": ("func f() { b(c()) }", "func f() { g(c()) }\nfunc g(a, d int) { b(a, d) }"),
    "a slice of a copy": ("func f(a T) { b(a[:]); c(a) }", "func f(a T) { g(a); c(a) }\nfunc g(a T) { b(a[:]) }"),
    "a method of a value": ("func (s T) f() { s.a = 1 }", "func (s T) f() { s.g() }\nfunc (s T) g() { s.a = 1 }"),
    "a method of another object": (
        "func (s *T) f(o *B) { o.a = 1 }",
        "func (s *T) f(o *B) { o.g() }\nfunc (t *T) g() { t.a = 1 }",
    ),
    "a name that is another one there": (
        "func f(c T) { c.a(); b(c) }",
        "func f(c T) { c.a(); g() }\nfunc g() { b(c) }",
    ),
    "a name that the caller has too": (
        "func f() { e := 2; { e := 1; d(e, e) }; h(e) }",
        "func f() { e := 2; g(); h(e) }\nfunc g() { e := 1; d(e, e) }",
    ),
    "a name that is used after it": (
        "func f() { e, a := b(); d(e, a); h(e) }",
        "func f() { g(); h(e) }\nfunc g() { e, a := b(); d(e, a) }",
    ),
    "a name that a type has": (
        "func f() { type b int; c(b(1)) }",
        "func f() { type b int; g() }\nfunc g() { c(b(1)) }",
    ),
    "a name that is handed over": (
        "func f(i int) { for i := range c { d(i, i) } }",
        "func f(i int) { g(i) }\nfunc g(j int) { for i := range c { d(i, j) } }",
    ),
    "another result": (
        "func f() any { a(); return b() }",
        "func f() any { return g() }\nfunc g() *T { a(); return b() }",
    ),
    "results with names": (
        "func f() (a T) { a = b(); return c() }",
        "func f() (a T) { return g() }\nfunc g() (a T) { a = b(); return c() }",
    ),
    "a value of another type": (
        "func f() { b := c(); h(b, b) }",
        "func f() { b := g(); h(b, b) }\nfunc g() error { return c() }",
    ),
    "a constant of another type": (
        "func f() { b := 1; h(b, b) }",
        "func f() { b := g(); h(b, b) }\nfunc g() int64 { return 1 }",
    ),
    "a shift": (
        "func f() { b := 1 << c(); h(b, b) }",
        "func f() { b := g(); h(b, b) }\nfunc g() int64 { return 1 << c() }",
    ),
    "a pointer to nothing": (
        "func f() { if nil == c { h() } }",
        "func f() { if g() == c { h() } }\nfunc g() *T { return nil }",
    ),
    "a value after another one": (
        "func f() { d(); h(a(), c() == 1) }",
        "func f() { h(a(), g()) }\nfunc g() bool { d(); return c() == 1 }",
    ),
    "a value for each round": (
        "func f() { d(); for c() == 1 { h() } }",
        "func f() { for g() { h() } }\nfunc g() bool { d(); return c() == 1 }",
    ),
    "a value in another branch": (
        "func f() { d(); if a { h() } else if c() == 1 { h() } }",
        "func f() { if a { h() } else if g() { h() } }\nfunc g() bool { d(); return c() == 1 }",
    ),
    "a value that is asked for later": (
        "func f() { d(); if a := b(); c() == 1 { h(a) } }",
        "func f() { if a := b(); g() { h(a) } }\nfunc g() bool { d(); return c() == 1 }",
    ),
    "a field with the name of a parameter": (
        "func f(a string) { b := &T{a: a}; h(b, b) }",
        "func f(a string) { b := g(a); h(b, b) }\nfunc g(c string) *T { return &T{c: c} }",
    ),
    "any number of values": ("func f(a T) { b(a) }", "func f(a T) { g(a) }\nfunc g(a ...T) { b(a) }"),
    "any type": ("func f(a T) { b(a) }", "func f(a T) { g(a) }\nfunc g[B any](a B) { b(a) }"),
    "itself": ("func f(a T) { b(a) }", "func f(a T) { g(a) }\nfunc g(a T) { b(a); g(a) }"),
}


def _class(before: str, after: str, others: Repository | None = None) -> MutationClass:
    versions = {"p/a.go": (f"package p\n\n{before}\n", f"package p\n\n{after}\n")}
    return judged(versions, others)["p/a.go"].mutation_class


@pytest.mark.parametrize("name", SAME)
def test_a_body_in_the_place_of_its_calls_is_a_refactor_both_ways(name: str) -> None:
    before, after = SAME[name]
    assert _class(before, after) is MutationClass.AST_REFACTOR
    assert _class(after, before) is MutationClass.AST_REFACTOR


@pytest.mark.parametrize("name", OTHER)
def test_what_only_looks_like_it_is_none(name: str) -> None:
    before, after = OTHER[name]
    assert _class(before, after) is MutationClass.INTENT_EVOLUTION
    assert _class(after, before) is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", SAME)
def test_no_behaviour_mutant_passes_where_a_function_was_taken_out(name: str) -> None:
    before, after = SAME[name]
    for mutant in mutants(after, random.Random(name), 40, "go"):
        assert _class(before, mutant.after) is MutationClass.INTENT_EVOLUTION, mutant


def test_another_file_that_knows_the_name_may_call_it() -> None:
    before, after = SAME["a statement"]
    assert (
        _class(before, after, Repository({"p/b.go": "package p\n\nfunc h() { g(1) }\n"}))
        is MutationClass.INTENT_EVOLUTION
    )
    assert _class(before, after, Repository({}, can_search=False)) is MutationClass.INTENT_EVOLUTION


def test_more_helpers_than_are_looked_at_are_no_refactor() -> None:
    def text(count: int) -> str:
        calls = "; ".join(f"g{number}()" for number in range(count))
        return f"func f() {{ {calls} }}\n" + "\n".join(
            f"func g{number}() {{ a(); b({number}) }}" for number in range(count)
        )

    def plain(count: int) -> str:
        return "func f() { " + "; ".join(f"a(); b({number})" for number in range(count)) + " }"

    assert _class(plain(20), text(20)) is MutationClass.AST_REFACTOR
    assert _class(plain(21), text(21)) is MutationClass.INTENT_EVOLUTION


def test_a_body_that_would_be_copied_too_often_stays_where_it_is() -> None:
    body = "; ".join("a(1, 2, 3, 4)" for _ in range(120))
    before = "func f() { " + "; ".join(body for _ in range(20)) + " }"
    after = "func f() { " + "; ".join("g()" for _ in range(20)) + f" }}\nfunc g() {{ {body} }}"
    assert _class(before, after) is MutationClass.INTENT_EVOLUTION

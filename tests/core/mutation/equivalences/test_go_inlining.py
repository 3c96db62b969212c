"""Names for values in Go that are used once, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

HTTP = 'import "net/http"\n'
SAME = [
    ("func f() int { a := g()\nreturn a }", "func f() int { return g() }"),
    ("func f() { a := len(b.c); if a == 1 { g() } }", "func f() { if len(b.c) == 1 { g() } }"),
    ("func f() { a := b(); c(a) }", "func f() { c(b()) }"),
    ("func f(d T) { a := b(); a.c(d) }", "func f(d T) { b().c(d) }"),
    ("func f() { a := &T{1}; a.c(d) }", "func f() { (&T{1}).c(d) }"),
    ("func f() { a := b[1]; c(d, a) }", "func f() { c(d, b[1]) }"),
    ("func f(d int) { a := b(); c(d, 1, a, e()) }", "func f(d int) { c(d, 1, b(), e()) }"),
    (f"{HTTP}func f() {{ a := b(); http.Error(a, 1) }}", f"{HTTP}func f() {{ http.Error(b(), 1) }}"),
    ("func f() { a := func() { g() }; defer h(a) }", "func f() { defer h(func() { g() }) }"),
    ("func f() { a := <-b; go c(a) }", "func f() { go c(<-b) }"),
    ("func f() *T { a := make(map[T]B); return &T{c: a} }", "func f() *T { return &T{c: make(map[T]B)} }"),
    ("func f() { a := b(); for _, c := range a { d(c) } }", "func f() { for _, c := range b() { d(c) } }"),
    ("func f() { a := b(); switch a { case 1: c() } }", "func f() { switch b() { case 1: c() } }"),
    ("func f() { if a := b(); a != nil && c { d() } }", "func f() { if b() != nil && c { d() } }"),
    ("func f() { a := b(); c := d(a); e(c, c) }", "func f() { c := d(b()); e(c, c) }"),
    ("func f() (c int) { a := b(); c += a; return c + c }", "func f() (c int) { c += b(); return c + c }"),
    ("func f() { a := b; c = a }", "func f() { c = b }"),
    ('func f() { a := "b"; c(a) }', 'func f() { c("b") }'),
    ("func f() { a := b(); c(a + 1) }", "func f() { c(b() + 1) }"),
    ("func f() { a := b(); c := d(a); e(c) }", "func f() { e(d(b())) }"),
]
SAME += [
    ("func f(d int) { a := b(); c(a, d, 1, func() { g(e) }) }", "func f(d int) { c(b(), d, 1, func() { g(e) }) }"),
    (
        f"{HTTP}func f(d *T) {{ a := b(); c(a, d.e(), http.MethodGet) }}",
        f"{HTTP}func f(d *T) {{ c(b(), d.e(), http.MethodGet) }}",
    ),
    ("func f() (T, error) { a := b(); return a, nil }", "func f() (T, error) { return b(), nil }"),
]
OTHER = [
    # Which of the two is computed first, Go does not say.
    ("func f() { a := b(); c(a, d) }", "func f() { c(b(), d) }"),
    ("func f() { a := b(); c(a, d.e) }", "func f() { c(b(), d.e) }"),
    ("func f(d []int) { a := b(); c(a, d[1]) }", "func f(d []int) { c(b(), d[1]) }"),
    ("func f(d *int) { a := b(); c(a + *d) }", "func f(d *int) { c(b() + *d) }"),
    ("func f() (T, error) { a := b(); return a, d }", "func f() (T, error) { return b(), d }"),
    ("func f() { a := b(); return; c(a) }", "func f() { return; c(b()) }"),
    ("func f() { a := b(); c(); d(a) }", "func f() { c(); d(b()) }"),
    ("func f() { a := b(); c(a, a) }", "func f() { c(b(), b()) }"),
    ("func f() { a := b(); c(d(), a) }", "func f() { c(d(), b()) }"),
    ("func f() { a := b(); c(d.e, a) }", "func f() { c(d.e, b()) }"),
    ("func f() { a := b(); c(d, a) }", "func f() { c(d, b()) }"),
    ("func f(d int) { g(&d); a := b(); c(d, a) }", "func f(d int) { g(&d); c(d, b()) }"),
    (
        "func f(d int) { e := func() { d = 1 }; a := b(e); c(d, a) }",
        "func f(d int) { e := func() { d = 1 }; c(d, b(e)) }",
    ),
    ("func f() { a := b(); if c && a { d() } }", "func f() { if c && b() { d() } }"),
    ("func f() { a := b(); for c { d(a) } }", "func f() { for c { d(b()) } }"),
    ("func f() { a := b(); if c { d(a) } }", "func f() { if c { d(b()) } }"),
    ("func f() { a := b(); defer func() { d(a) }() }", "func f() { defer func() { d(b()) }() }"),
    ("func f() { a := b.c; a.d() }", "func f() { b.c.d() }"),
    ("func f() { a := b[1]; a.d() }", "func f() { b[1].d() }"),
    ("func f() { a := *b; a.d() }", "func f() { (*b).d() }"),
    ("func f() { a := b.c; d(&a) }", "func f() { d(&b.c) }"),
    ("func f() { a := b.c; d(a[:]) }", "func f() { d(b.c[:]) }"),
    ("func f() { a := 5; c(a / 2.0) }", "func f() { c(5 / 2.0) }"),
    ("func f() { a := b; c(a * 2.0) }", "func f() { c(b * 2.0) }"),
    ("func f() { a := 1 << b; c(a) }", "func f() { c(1 << b) }"),
    ("func f() { a := b; c(-a) }", "func f() { c(-b) }"),
    ("func f() { a := b(); c += a }", "func f() { c += b() }"),
    ("func f() { a := b(); c.d = a }", "func f() { c.d = b() }"),
    ("func f() { a := b(); c[d()] = a }", "func f() { c[d()] = b() }"),
    ("func f() { a, c := b(); d(a, c) }", "func f() { d(b()) }"),
    ("func f() { var a T = b(); c(a) }", "func f() { c(b()) }"),
    ("func f() { a := b(); if e := g(); e { c(a) } }", "func f() { if e := g(); e { c(b()) } }"),
    ("func f() { a := b(); c(T(a)) }", "func f() { c(T(d())) }"),
    ("func f() { a := b(); c(a) }", "func f() { c(b) }"),
    ("func f() { a := make(T); return &T{d(): a} }", "func f() { return &T{d(): make(T)} }"),
    ("func f(make T) { a := make(T); c(d, a) }", "func f(make T) { c(d, make(T)) }"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_name_for_a_value_that_is_used_at_once_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert "a value has a name of its own" in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_value_that_may_be_another_one_by_then_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

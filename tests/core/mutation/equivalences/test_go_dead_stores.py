"""Values of Go that nothing reads, and those that something may."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    (
        "func f(a int) int { if b { a = 1; return c() }; return a }",
        "func f(a int) int { if b { return c() }; return a }",
    ),
    (
        "func f() { a, b := c(); d(a, b); _, b = c(); b = e(); d(b, b) }",
        "func f() { a, b := c(); d(a, b); c(); b = e(); d(b, b) }",
    ),
    ("func f() { a := c(); d(a, a); a = g(); h() }", "func f() { a := c(); d(a, a); g(); h() }"),
    (
        "func f() { a := c(); if d(a, a) { a = nil } else { e() }; a = g(); h(a, a) }",
        "func f() { a := c(); if !d(a, a) { e() }; a = g(); h(a, a) }",
    ),
    (
        "func f(a int) { switch b { case 1: a = 2 }; a = c(); d(a, a) }",
        "func f(a int) { switch b { case 1: }; a = c(); d(a, a) }",
    ),
    ("func f() { var a string; b(); _, a = c(); d(a, a) }", "func f() { b(); var a string; _, a = c(); d(a, a) }"),
    ("func f() { a := 1; b(); c(); d(a, a) }", "func f() { b(); a := 1; c(); d(a, a) }"),
    ("func f() { var a T; b(); c(&a); d(a) }", "func f() { b(); var a T; c(&a); d(a) }"),
]
OTHER = [
    ("func f(a int) int { if b { a = 1 }; return a }", "func f(a int) int { if b { }; return a }"),
    (
        "func f(a, b int) { a = 1; if c { b = 2 }; d(b, b); a = 2; d(a, a) }",
        "func f(a, b int) { a = 1; if c { }; d(b, b); a = 2; d(a, a) }",
    ),
    ("func f() (a int) { if b { a = 1; return c() }; return a }", "func f() (a int) { if b { return c() }; return a }"),
    ("func f(a int) { defer func() { c(a) }(); a = 1 }", "func f(a int) { defer func() { c(a) }() }"),
    ("func f(a int) { c(&a); a = 1 }", "func f(a int) { c(&a) }"),
    ("func f(a T) { c(a[:]); a = b }", "func f(a T) { c(a[:]) }"),
    ("func f(a T) { a.c(); a = b }", "func f(a T) { a.c() }"),
    ("func f() { a = 1 }", "func f() { }"),
    ("func f() { a = 1; { a := 2; c(a, a) } }", "func f() { { a := 2; c(a, a) } }"),
    ("func f(a int) { for b { c(a); a = 1 } }", "func f(a int) { for b { c(a) } }"),
    (
        "func f(a int) { for b { a = 1; if d { continue }; a = 2; c(a) }; c(a) }",
        "func f(a int) { for b { if d { continue }; a = 2; c(a) }; c(a) }",
    ),
    ("func f(a int) { a = 1; if b { a = 2 }; c(a, a) }", "func f(a int) { if b { a = 2 }; c(a, a) }"),
    ("func f(a int) { a = 1; a += 2; c(a, a) }", "func f(a int) { a += 2; c(a, a) }"),
    ("func f(a int) { a = 1; a = a + 2; c(a, a) }", "func f(a int) { a = a + 2; c(a, a) }"),
    ("func f(a int) { a = b[1]; a = 2; c(a, a) }", "func f(a int) { a = 2; c(a, a) }"),
    ("func f(a int) { a = b(); a = 2; c(a, a) }", "func f(a int) { a = 2; c(a, a) }"),
    ("func f(a int) { d: for { a = 1; break d }; c(a, a) }", "func f(a int) { d: for { break d }; c(a, a) }"),
    (
        "func f(a int) { switch b { case 1: a = 1; fallthrough; case 2: c(a) } }",
        "func f(a int) { switch b { case 1: fallthrough; case 2: c(a) } }",
    ),
    (
        "func f(a int) { select { case <-b: a = 1; case <-e: }; a = 2; c(a, a) }",
        "func f(a int) { select { case <-b: ; case <-e: }; a = 2; c(a, a) }",
    ),
    ("func f() { a := b(); c(); d(a, a) }", "func f() { c(); a := b(); d(a, a) }"),
    ("func f() { a := 1; b(a); d(a, a) }", "func f() { b(a); a := 1; d(a, a) }"),
    ("func f() { var a T; type T int; d(a, a) }", "func f() { type T int; var a T; d(a, a) }"),
    ("func f() { var a T; T := b(); c(T, T); d(a, a) }", "func f() { T := b(); c(T, T); var a T; d(a, a) }"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_value_that_nothing_reads_may_go(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_value_that_something_may_read_stays(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

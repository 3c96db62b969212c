"""`matches!`, and what asks the same in Rust; results of `std::io`; and what only looks like that."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

WAYS = "the same written in another way"
PATHS = "paths by other imports"
SAME = {
    WAYS: [
        ("fn f(a: E) { if let B = a { g(); } }", "fn f(a: E) { if matches!(a, B) { g(); } }"),
        (
            "fn f(a: E) -> i32 { if let E::A = a { return 1; } 2 }",
            "fn f(a: E) -> i32 { if matches!(a, E::A) { return 1; } 2 }",
        ),
        (
            "fn f(a: &E) { if let E::A | E::B(5) = *a { g(); } }",
            "fn f(a: &E) { if matches!(*a, E::A | E::B(5)) { g(); } }",
        ),
        (
            "fn f(a: E) -> bool { match g(a) { E::A | E::B { .. } => true, _ => false } }",
            "fn f(a: E) -> bool { matches!(g(a), E::A | E::B { .. }) }",
        ),
        (
            "fn f(a: E) -> bool { match g(a) { E::A => false, _ => true } }",
            "fn f(a: E) -> bool { !matches!(g(a), E::A,) }",
        ),
        (
            "fn f(a: E) -> bool { if let Some(b) = a { true } else { false } }",
            "fn f(a: E) -> bool { matches!(a, Some(b)) }",
        ),
        ("fn f(a: E) -> bool { match a { E::A => false, _ => true } }", "fn f(a: E) -> bool { !matches!(a, E::A) }"),
        ("fn f(a: E) -> bool { match a { Some(_) => true, None => false } }", "fn f(a: E) -> bool { a.is_some() }"),
        ("fn f(a: E) { if let 'a' | \"b\" = a { g(); } }", "fn f(a: E) { if matches!(a, 'a' | \"b\") { g(); } }"),
        ("fn f(a: E) { if let Some(_) = a { g(); } }", "fn f(a: E) { if a.is_some() { g(); } }"),
        ("fn f(a: i32) -> i32 { return a + 1; }", "fn f(a: i32) -> i32 { a + 1 }"),
        ("fn f(a: bool) { if a { g(); } }", "fn f(a: bool) { if a { g() } }"),
    ],
    PATHS: [
        (
            "use std::cmp::Ordering;\nfn f(a: Ordering) { if let Ordering::Less = a { g(); } }",
            "use std::cmp;\nfn f(a: cmp::Ordering) { if matches!(a, cmp::Ordering::Less) { g(); } }",
        ),
        ("use std::io;\nfn f() -> Result<u8, io::Error> { g() }", "use std::io;\nfn f() -> io::Result<u8> { g() }"),
        (
            "use std::{io, result};\nfn f() -> result::Result<Vec<u8>, io::Error> { g() }",
            "use std::io;\nfn f() -> io::Result<Vec<u8>> { g() }",
        ),
        (
            "use std::io;\nfn f() -> io::Result<()> { g(io::Error::new(1)) }",
            "use std::io::{Error, Result};\nfn f() -> Result<()> { g(Error::new(1)) }",
        ),
    ],
}
OTHER = [
    ("fn f(a: E) { if let B = a { g(B); } }", "fn f(a: E) { if matches!(a, B) { g(B); } }"),
    ("fn f(a: E) -> bool { matches!(*a, B) }", "fn f(a: E) -> bool { matches!(a, B) }"),
    ("fn f(a: E) -> bool { matches!(*a, E::A(&E::B)) }", "fn f(a: E) -> bool { matches!(a, E::A(&E::B)) }"),
    ("fn f(a: E) { if let E::A = a.b() { g(); } }", "fn f(a: E) { if matches!(a.b(), E::A) { g(); } }"),
    ("fn f(a: E) { if let E::A(b) = a { g(b); } }", "fn f(a: E) { if matches!(a, E::A(b)) { g(b); } }"),
    ("fn f(a: E) { if let b @ E::A = a { g(); } }", "fn f(a: E) { if matches!(a, b @ E::A) { h(); } }"),
    ("fn f(a: E) -> bool { match g(a) { E::A => true, _ => false } }", "fn f(a: E) -> bool { !matches!(g(a), E::A) }"),
    (
        "fn f(a: E) -> bool { match g(a) { E::A => true, E::B => false } }",
        "fn f(a: E) -> bool { matches!(g(a), E::A) }",
    ),
    ("fn f(a: E) -> bool { match g(a) { E::A => true, _ => h() } }", "fn f(a: E) -> bool { matches!(g(a), E::A) }"),
    (
        "fn f(a: E) -> bool { if let E::A = g(a) { true } else { false } }",
        "fn f(a: E) -> bool { matches!(g(a), E::A) }",
    ),
    ("fn f(a: E) -> bool { if a.b().c() { true } else { false } }", "fn f(a: E) -> bool { a.b().c() }"),
    ("fn f(a: E) -> bool { if g(a) { false } else { true } }", "fn f(a: E) -> bool { g(a) }"),
    (
        "macro_rules! matches { () => {} }\nfn f(a: E) { if let E::A = a { g(); } }",
        "macro_rules! matches { () => {} }\nfn f(a: E) { if matches!(a, E::A) { g(); } }",
    ),
    (
        "fn f(a: E) { if matches!(*a + 1, E::A) { g(); } }",
        "fn f(a: E) { if matches!(a + 1, E::A) { g(); } }",
    ),
    ("fn f(a: E) { g(matches!(a)); }", "fn f(a: E) { g(matches!(b)); }"),
    ("fn f(a: i32) -> bool { let b = c(); return a == g(); }", "fn f(a: i32) -> bool { let b = c(); a == g() }"),
    (
        "use b::Result;\nuse std::io;\nfn f() -> Result<u8, io::Error> { g() }",
        "use b::Result;\nuse std::io;\nfn f() -> io::Result<u8> { g() }",
    ),
    (
        "use b::*;\nuse std::io;\nfn f() -> Result<u8, io::Error> { g() }",
        "use b::*;\nuse std::io;\nfn f() -> io::Result<u8> { g() }",
    ),
    (
        "use std::io;\ntype Result<A, B> = C<A, B>;\nfn f() -> Result<u8, io::Error> { g() }",
        "use std::io;\ntype Result<A, B> = C<A, B>;\nfn f() -> io::Result<u8> { g() }",
    ),
    (
        "#[cfg(x)]\nuse b::Result;\nuse std::io;\nfn f() -> Result<u8, io::Error> { g() }",
        "#[cfg(x)]\nuse b::Result;\nuse std::io;\nfn f() -> io::Result<u8> { g() }",
    ),
    ("use std::fmt;\nfn f() -> Result<u8, fmt::Error> { g() }", "use std::io;\nfn f() -> io::Result<u8> { g() }"),
    ("use std::error::Error;\nfn f(a: Error) { a.b(1) }", "fn f(a: std::error::Error) { a.b(1) }"),
]


@pytest.mark.parametrize(("reason", "before", "after"), [(key, *pair) for key, pairs in SAME.items() for pair in pairs])
def test_what_asks_the_same_is_a_refactor(reason: str, before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_asks_something_else_or_drops_it_earlier_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_what_asks_the_same_is_a_refactor() -> None:
    chance = random.Random("patterns of Rust")
    made = 0
    for before, after in (pair for pairs in SAME.values() for pair in pairs):
        for mutant in mutants(f"{after}\n", chance, 12, "rs"):
            made += 1
            verdict = judged({"src/a.rs": (f"{before}\n", mutant.after)})["src/a.rs"]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made

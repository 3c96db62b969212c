"""Paths of Rust by one import or another, and paths that lead elsewhere."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    (
        "use a::b::Order;\nfn f() { c.d(Order::Early, Order::Late) }",
        "use a::b::Order::{Early, Late};\nfn f() { c.d(Early, Late) }",
    ),
    ("use a::b::Order;\nfn f() { c.d(Order::Early) }", "fn f() { c.d(a::b::Order::Early) }"),
    ("use std::fmt;\nfn f<T: fmt::Display>(a: T) {}", "fn f<T: std::fmt::Display>(a: T) {}"),
    (
        "use std::fmt;\nfn f<T: std::fmt::Display>(a: T, b: fmt::A) {}",
        "use std::fmt;\nfn f<T: fmt::Display>(a: T, b: fmt::A) {}",
    ),
    ("use std::mem;\nfn f() { mem::swap(a, b); }", "use std::mem::swap;\nfn f() { swap(a, b); }"),
    ("use std::mem;\nfn f() { mem::size_of::<A>() }", "use std::mem::size_of;\nfn f() { size_of::<A>() }"),
    (
        "use std::time::Duration;\nfn f(a: Duration) { Duration::new(1) }",
        "fn f(a: std::time::Duration) { std::time::Duration::new(1) }",
    ),
    (
        "use std::ops::Range;\nfn f() { Range { start: 1, end: 2 } }",
        "use std::ops;\nfn f() { ops::Range { start: 1, end: 2 } }",
    ),
    (
        "use std::io::{self, Read};\nfn f(a: io::B) { a.read(1) }",
        "use std::io::Read;\nfn f(a: std::io::B) { a.read(1) }",
    ),
    ("use std::vec;\nfn f() { vec::A::<u8>::b() }", "fn f() { std::vec::A::<u8>::b() }"),
    ("use a::b as c;\nfn f() { c::d(1) }", "use a::b;\nfn f() { b::d(1) }"),
    ("use super::a;\nfn f() { a::b(1) }", "fn f() { super::a::b(1) }"),
    ("fn f() { ::std::mem::swap(a, b) }", "fn f() { std::mem::swap(a, b) }"),
    ("fn f() { ::a::b(1) }", "fn f() { a::b(1) }"),
    ("use a;\nfn f() { ::a::b(1) }", "use a;\nfn f() { a::b(1) }"),
    (
        "use std::mem;\nmod a { use std::mem; fn f() { mem::b(1) } }\nfn g() { mem::c(1) }",
        "mod a { fn f() { std::mem::b(1) } }\nfn g() { std::mem::c(1) }",
    ),
    ("use a::B;\nfn f() { use a::B; B::c(1) }", "use a::B;\nfn f() { B::c(1) }"),
    (
        "use std::B;\nmod t { use super::*; use std::B; fn f() { B::c(1) } }",
        "use std::B;\nmod t { use super::*; fn f() { B::c(1) } }",
    ),
    ("fn f() { use std::mem; mem::b(1) }", "use std::mem;\nfn f() { mem::b(1) }"),
]
OTHER = [
    ("use a::b::Order;\nfn f() { c.d(Order::Early) }", "use a::c::Order::Early;\nfn f() { c.d(Early) }"),
    ("use a::b::Order::Early;\nfn f(Early: u8) { c.d(Early) }", "fn f(Early: u8) { c.d(a::b::Order::Early) }"),
    ("use a::b::Order;\nfn f() { c.d(Order::early) }", "fn f() { c.d(a::b::Order::early) }"),
    ("use a::b::Order;\nfn f(c: C) { c.d(Order::Early) }", "use a::b::Order::Early;\nfn f(c: C) { c.d(Late) }"),
    ("use a::B;\nfn f() { use c::a; use a::B; B::c(1) }", "use a::B;\nfn f() { use c::a; B::c(1) }"),
    ("use a::B;\nfn f() { mod a {} use a::B; B::c(1) }", "use a::B;\nfn f() { mod a {} B::c(1) }"),
    ("use std::fmt;\nfn f<T: fmt::Display>(a: T) {}", "fn f<T: fmt::Display>(a: T) {}"),
    ("use std::prelude::v1;\nfn f<T: v1::Clone>(a: T) {}", "use core::prelude::v1;\nfn f<T: v1::Clone>(a: T) {}"),
    ("use std::fmt::Display;\nfn f<T: Display>(a: T) {}", "fn f<T: std::fmt::Display>(a: T) {}"),
    ("use a::B;\nfn f(a: B) { a.c(1) }", "fn f(a: a::B) { a.c(1) }"),
    ("pub use std::mem;\nfn f() { mem::swap(a, b); }", "fn f() { std::mem::swap(a, b); }"),
    ("use std::mem::swap;\nfn f(swap: A) { swap(a, b); }", "fn f(swap: A) { std::mem::swap(a, b); }"),
    ("use std::mem::swap;\nfn f() { let g = |swap| swap(a, b); }", "fn f() { let g = |swap| std::mem::swap(a, b); }"),
    ("use std::mem;\nfn f() { mod mem {} mem::swap(a, b); }", "fn f() { mod mem {} std::mem::swap(a, b); }"),
    ("use std::time::Duration;\nfn f<Duration>(a: Duration) {}", "fn f<Duration>(a: std::time::Duration) {}"),
    (
        "use std::mem;\nfn f() { use a::*; mem::swap(a, b); }",
        "use std::mem;\nfn f() { use a::*; std::mem::swap(a, b); }",
    ),
    ("use std::mem;\nmod a { fn f() { mem::swap(a, b) } }", "use std::mem;\nmod a { fn f() { std::mem::swap(a, b) } }"),
    ("use std::mem;\nfn f() { mem::swap(a, b); c!(mem::d()) }", "fn f() { std::mem::swap(a, b); c!(mem::d()) }"),
    ("use std::mem;\nmod std {}\nfn f() { mem::swap(a, b) }", "mod std {}\nfn f() { std::mem::swap(a, b) }"),
    ("mod a;\nfn f() { ::a::b(1) }", "mod a;\nfn f() { a::b(1) }"),
    ("use c::a;\nfn f() { ::a::b(1) }", "use c::a;\nfn f() { a::b(1) }"),
    ("use c::*;\nfn f() { ::a::b(1) }", "use c::*;\nfn f() { a::b(1) }"),
    ("use super::*;\nfn f() { ::a::b(1) }", "use super::*;\nfn f() { a::b(1) }"),
    ("use c::*;\nuse d::a;\nfn f() { a::b(1) }", "use c::*;\nfn f() { d::a::b(1) }"),
    ("mod d;\nuse d::a;\nfn f() { a::b(1) }", "mod d;\nfn f() { d::a::b(1) }"),
    ("use ::d::a;\nfn f() { a::b(1) }", "fn f() { d::a::b(1) }"),
    ("use std::mem;\nfn f() { g!(mem::swap(a)) }", "use std::mem;\nfn f() { g!(std::mem::swap(a)) }"),
    ("use a::B;\nmod c { fn f() { use a::B; B::c(1) } }", "use a::B;\nmod c { fn f() { B::c(1) } }"),
    (
        "use a::B;\nmod t { use super::*; use a::B; fn f() { B::c(1) } }",
        "use a::B;\nmod t { use super::*; fn f() { B::c(1) } }",
    ),
    (
        "use a::B;\nfn f() { use a::C; use d::*; use a::B; B::c(1) }",
        "use a::B;\nfn f() { use a::C; use d::*; B::c(1) }",
    ),
    ("fn f() { a::<B>::c(1) }", "fn f() { <a<B>>::c(1) }"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_path_by_another_import_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert "paths by other imports" in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_path_that_may_lead_elsewhere_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

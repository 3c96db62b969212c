"""Rust that is spelled in another way: imports, modules, attributes, `extern`, and what a method says shortly."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

SAME = [
    (
        "use std::usize;\nuse core::f32;\nfn f() -> usize { g(f32::MAX, usize::MAX) }",
        "fn f() -> usize { g(f32::MAX, usize::MAX) }",
    ),
    (
        "use core::fmt;\nuse alloc::vec::Vec;\nfn f(x: &fmt::Debug, y: core::cell::Cell<u8>) { core::mem::take(x) }",
        "use std::fmt;\nuse std::vec::Vec;\nfn f(x: &fmt::Debug, y: std::cell::Cell<u8>) { std::mem::take(x) }",
    ),
    (
        "extern crate alloc;\nuse alloc::vec::Vec;\nfn f(x: Vec<u8>) {}",
        "extern crate alloc;\nuse std::vec::Vec;\nfn f(x: Vec<u8>) {}",
    ),
    (
        "fn f(a: &Option<u8>) -> u8 { match *a { Some(ref b) => g(a, b), None => h() } }",
        "fn f(a: &Option<u8>) -> u8 { match a { Some(b) => g(a, b), None => h() } }",
    ),
    (
        "mod b;\npub mod c;\nmod a;\nfn f() {}",
        "mod a;\nmod b;\npub mod c;\nfn f() {}",
    ),
    (
        '#[inline(always)]\n#[must_use = "a"]\npub fn f() -> u8 { 1 }',
        "pub fn f() -> u8 { 1 }",
    ),
    (
        "extern { fn g(); }\nextern fn h() {}",
        'extern "C" { fn g(); }\nextern "C" fn h() {}',
    ),
    (
        "fn f() -> Vec<u8> { vec!(1, 2) }",
        "fn f() -> Vec<u8> { vec![1, 2] }",
    ),
    (
        "fn f(a: Vec<u8>) -> Vec<u8> { a.into_iter().map(|x| g(x)).collect() }\nfn g(a: u8) -> u8 { a }",
        "fn f(a: Vec<u8>) -> Vec<u8> { a.into_iter().map(g).collect() }\nfn g(a: u8) -> u8 { a }",
    ),
    (
        "fn f(a: Option<u8>) -> Result<u8, E> { match a { Some(x) => Ok(x), None => Err(E::A) } }",
        "fn f(a: Option<u8>) -> Result<u8, E> { a.ok_or(E::A) }",
    ),
    (
        "fn f(a: Option<u8>) -> Result<u8, E> { match a { Some(x) => Ok(x), None => Err(g(1)) } }",
        "fn f(a: Option<u8>) -> Result<u8, E> { a.ok_or_else(|| g(1)) }",
    ),
    (
        "use a::b;\nuse a::b::c;\nfn f(x: b::D) { c(x) }",
        "use a::b::{self, c};\nfn f(x: b::D) { c(x) }",
    ),
    (
        "use a;\nfn f(x: a::D) { c(x) }",
        "use a::{self};\nfn f(x: a::D) { c(x) }",
    ),
    (
        "use a::b as z;\nfn f(x: z::D) { c(x) }",
        "use a::b::{self as z};\nfn f(x: z::D) { c(x) }",
    ),
]
OTHER = [
    ("use std::f64;\nfn f() -> f64 { f64::consts::PI }", "fn f() -> f64 { f64::consts::PI }"),
    ("mod std;\nuse std::u8;\nfn f() -> u8 { u8::MAX }", "mod std;\nfn f() -> u8 { u8::MAX }"),
    ("pub use std::u8;\nfn f() -> u8 { u8::MAX }", "fn f() -> u8 { u8::MAX }"),
    ("use std::u8 as a;\nfn f() -> u8 { a::MAX }", "fn f() -> u8 { a::MAX }"),
    ("mod core;\nfn f() {}\nuse core::a;", "mod core;\nfn f() {}\nuse std::a;"),
    ("#[cfg(x)]\nmod b;\nmod a;\nfn f() {}", "#[cfg(x)]\nmod a;\nmod b;\nfn f() {}"),
    ("mod std;\nuse std::io::{self};\nfn f() { io() }", "mod std;\nuse std::io;\nfn f() { io() }"),
    ("use crate::core;\nfn f() { core::a() }", "use crate::core;\nfn f() { std::a() }"),
    ("use b as core;\nuse c::*;\nfn f() { core::a() }", "use b as core;\nuse c::*;\nfn f() { std::a() }"),
    (
        "mod core { pub fn a() {} }\nfn f() { core::a() }",
        "mod core { pub fn a() {} }\nfn f() { std::a() }",
    ),
    (
        "fn f() { alloc::alloc::alloc() }",
        "fn f() { std::alloc::alloc() }",
    ),
    (
        "use core::panic::PanicInfo;\nfn f(x: PanicInfo) {}",
        "use std::panic::PanicInfo;\nfn f(x: PanicInfo) {}",
    ),
    (
        "use core::prelude::v1::*;",
        "use std::prelude::v1::*;",
    ),
    (
        "extern crate b as core;\nfn f() { core::a() }",
        "extern crate b as core;\nfn f() { std::a() }",
    ),
    (
        "fn f(a: &mut Option<u8>) -> u8 { match *a { Some(ref b) => g(b), None => h() } }",
        "fn f(a: &mut Option<u8>) -> u8 { match a { Some(b) => g(b), None => h() } }",
    ),
    (
        "fn f(a: &Option<u8>) -> u8 { let a = k(a); match *a { Some(ref b) => g(b), None => h() } }",
        "fn f(a: &Option<u8>) -> u8 { let a = k(a); match a { Some(b) => g(b), None => h() } }",
    ),
    (
        "fn f(a: &Option<u8>) -> u8 { match *a { Some(b) => g(b), None => h() } }",
        "fn f(a: &Option<u8>) -> u8 { match a { Some(b) => g(b), None => h() } }",
    ),
    (
        "#[macro_use]\nmod b;\nmod a;",
        "mod a;\n#[macro_use]\nmod b;",
    ),
    (
        "mod c;\n#[macro_use]\nmod b;\nmod a;",
        "mod a;\n#[macro_use]\nmod b;\nmod c;",
    ),
    (
        "mod b { m!(1); }\nmod a { m!(2); }",
        "mod a { m!(2); }\nmod b { m!(1); }",
    ),
    (
        "#[track_caller]\npub fn f() -> u8 { 1 }",
        "pub fn f() -> u8 { 1 }",
    ),
    (
        "#[cfg_attr(a, inline)]\npub fn f() -> u8 { 1 }",
        "pub fn f() -> u8 { 1 }",
    ),
    (
        "#[cfg(a)]\nuse a::{b, c};\nfn f() {}",
        "#[cfg(a)]\nuse a::b;\nuse a::c;\nfn f() { c() }",
    ),
    (
        "extern fn h() {}",
        'extern "system" fn h() {}',
    ),
    (
        "fn f() -> Vec<u8> { m!([1]) }",
        "fn f() -> Vec<u8> { m!((1)) }",
    ),
    (
        "fn f() { m!{1} }",
        "fn f() { m!(1) }",
    ),
    (
        "fn f(g: F, a: Vec<u8>) -> Vec<u8> { a.into_iter().map(|x| g(x)).collect() }\nfn g(a: u8) -> u8 { a }",
        "fn f(g: F, a: Vec<u8>) -> Vec<u8> { a.into_iter().map(g).collect() }\nfn g(a: u8) -> u8 { a }",
    ),
    (
        "fn f(a: Vec<u8>) -> Vec<u8> { a.into_iter().map(|x| g(x)).collect() }",
        "fn f(a: Vec<u8>) -> Vec<u8> { a.into_iter().map(g).collect() }",
    ),
    (
        "fn f(a: Option<u8>) -> Result<u8, E> { match a { Some(x) => Ok(x), None => Err(g(1)) } }",
        "fn f(a: Option<u8>) -> Result<u8, E> { a.ok_or(g(1)) }",
    ),
    (
        "fn f(a: Option<u8>) -> Result<u8, E> { match a { Some(x) => Ok(x), None => Err(g(1)?) } }",
        "fn f(a: Option<u8>) -> Result<u8, E> { a.ok_or_else(|| g(1)?) }",
    ),
    (
        "fn f(a: Option<u8>) -> Result<u8, E> { match a { Some(x) => Ok(y), None => Err(E::A) } }",
        "fn f(a: Option<u8>) -> Result<u8, E> { a.ok_or(E::A) }",
    ),
    (
        "use a::b;\nuse a::b::c;\nfn f(x: b::D) { c(b(x)) }",
        "use a::b::{self, c};\nfn f(x: b::D) { c(b(x)) }",
    ),
    (
        "use a::b;\nfn f(x: b::D) { b!(x) }",
        "use a::b::{self};\nfn f(x: b::D) { b!(x) }",
    ),
    (
        "pub use a::b;\nfn f(x: b::D) { c(x) }",
        "pub use a::b::{self};\nfn f(x: b::D) { c(x) }",
    ),
    (
        "use a::b;\nfn f(x: b::D) { m!(b) }",
        "use a::b::{self};\nfn f(x: b::D) { m!(b) }",
    ),
    (
        "use a::b;\nfn f(x: b::D) { m!(b::c, b) }",
        "use a::b::{self};\nfn f(x: b::D) { m!(b::c, b) }",
    ),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_rust_that_is_spelled_in_another_way_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_rust_that_says_something_else_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


MARKED = [
    (
        "#[cfg(a)]\n#[allow(b)]\nuse a::{b::C, d as e, f::*};",
        "#[cfg(a)]\nuse a::b::C;\n#[cfg(a)]\nuse a::d as e;\n#[cfg(a)]\nuse a::f::*;",
    ),
    (
        "#[cfg(a)]\npub use crate::{b, c::{self, D}};",
        "#[cfg(a)]\npub use crate::b;\n#[cfg(a)]\npub use crate::c::{self, D};",
    ),
    ("fn f() {}\n#[cfg(a)]\nuse {a::b, c};", "fn f() {}\n#[cfg(a)]\nuse a::b;\n#[cfg(a)]\nuse c;"),
]


@pytest.mark.parametrize(("before", "after"), MARKED)
def test_an_attribute_belongs_to_each_path_of_a_list(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is not MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#[cfg(a)]\nuse a::{b, c};\nfn f() {}", "#[cfg(a)]\nuse a::b;\n#[cfg(d)]\nuse a::c;\nfn f() {}"),
        ("#[cfg(a)]\nuse a::{b, c};\nfn f() {}", "#[cfg(a)]\nuse a::b;\n#[cfg(a)]\nuse a::d;\nfn f() {}"),
        ("#[cfg(a)]\nuse a::{b as d, c};\nfn f() {}", "#[cfg(a)]\nuse a::b;\n#[cfg(a)]\nuse a::c;\nfn f() {}"),
    ],
)
def test_another_attribute_of_a_path_is_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_rust_that_is_spelled_in_another_way_passes() -> None:
    chance = random.Random("spelling of Rust")
    made = 0
    for before, after in SAME:
        for mutant in mutants(f"{after}\n", chance, 10, "rs"):
            made += 1
            verdict = judged({"src/a.rs": (f"{before}\n", mutant.after)})["src/a.rs"]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made > 20

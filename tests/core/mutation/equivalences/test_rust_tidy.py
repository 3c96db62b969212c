"""Rust as its linters want it, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # Conditions of a build.
    ("#[cfg(any(unix))]\nfn f() {}", "#[cfg(unix)]\nfn f() {}"),
    ('#[cfg(not(all(any(feature = "a",))))]\nfn f() {}', '#[cfg(not(feature = "a"))]\nfn f() {}'),
    ("fn f() { if cfg!(any(unix)) { g() } }", "fn f() { if cfg!(unix) { g() } }"),
    # Branches.
    (
        "fn f() { if a { b() } else { if c { d() } else { e() } } }",
        "fn f() { if a { b() } else if c { d() } else { e() } }",
    ),
    ("fn f() { match a { A => 1, B => 1, C => 2 } }", "fn f() { match a { A | B => 1, C => 2 } }"),
    (
        "fn f() { match a { A(x) | B(x) => x, C(x) | D(x) => x } }",
        "fn f() { match a { A(x) | B(x) | C(x) | D(x) => x } }",
    ),
    ("fn f() { unsafe { a(); b(1); } c() }", "fn f() { a(); b(1); c() }"),
    # Numbers.
    ("fn f() { let a = 0 as u64; g(a, a) }", "fn f() { let a = 0u64; g(a, a) }"),
    ("fn f() { g(<u32>::max_value()) }", "fn f() { g(u32::MAX) }"),
    ("fn f() { g(libc::c_int::max_value()) }", "fn f() { g(libc::c_int::MAX) }"),
    ("use libc;\nfn f() { g(libc::c_int::min_value()) }", "use libc;\nfn f() { g(libc::c_int::MIN) }"),
    # What is left in a place.
    ("use std::mem;\nfn f() { mem::replace(&mut a.b, None); }", "use std::mem;\nfn f() { a.b.take(); }"),
    ("fn f() { std::mem::replace(&mut *a, None); }", "fn f() { (*a).take(); }"),
    ("fn f(a: &mut Option<B>) { std::mem::replace(a, None); }", "fn f(a: &mut Option<B>) { a.take(); }"),
    ("fn f() { std::mem::replace(&mut a, Vec::new()); }", "fn f() { std::mem::take(&mut a); }"),
    ("fn f() { std::mem::replace(&mut *a, &[]); }", "fn f() { std::mem::take(&mut *a); }"),
    ("fn f() { std::mem::replace(&mut a, 0); }", "fn f() { std::mem::take(&mut a); }"),
    # Blocks that give nothing.
    ("fn f() { a(async { () }); }", "fn f() { a(async {}); }"),
    ("fn f() { a(|| { () }); }", "fn f() { a(|| {}); }"),
    ("fn f() { match a { B => {}, C => d() } }", "fn f() { match a { B => (), C => d() } }"),
    ("fn f() { if a { b(); () } else { c(); } }", "fn f() { if a { b(); } else { c(); } }"),
    # What is written for other programs.
    ("fn f() { quote! { #[allow(a)] fn g() {} } }", "fn f() { quote! { fn g() {} } }"),
    ("fn f() { quote! { m { #[allow(a)] #b } } }", "fn f() { quote! { m { #[allow(a, c)] #b } } }"),
    # What a function hands on.
    ("fn f() -> R<A> { a.b(c)?; Ok(()) }", "fn f() -> R<A> { a.b(c) }"),
    ("fn f() -> R<A> { Ok(a.b(c().d())?) }", "fn f() -> R<A> { a.b(c().d()) }"),
    ("fn f() -> R<A> { return Some(a.b(c)?); }", "fn f() -> R<A> { a.b(c) }"),
    (
        "fn f() -> R<A> { match c { A => Ok(a?), B => { g(); d } } }",
        "fn f() -> R<A> { match c { A => a, B => { g(); d } } }",
    ),
    ("fn f() -> R<A> { if c { } else { Ok(a?) } }", "fn f() -> R<A> { if c { } else { a } }"),
    # Lifetimes.
    ("impl<'a> R for &'a T { fn f() {} }", "impl R for &'_ T { fn f() {} }"),
    ("impl<'a> R for String { fn f() {} }", "impl R for String { fn f() {} }"),
    ("fn f(a: u8) -> T<'_> { g() }", "fn f(a: u8) -> T { g() }"),
    ("fn f(a: u8) -> T<'_, U, V> { g() }", "fn f(a: u8) -> T<U, V> { g() }"),
    (
        "impl<'a> A<'a> { fn f(c: C, a: &'a N) -> B { g(a) } }",
        "impl<'a> A<'a> { fn f(c: C, a: &'a N) -> B<'a> { g(a) } }",
    ),
    (
        "impl<'a> A<'a> { fn f(&'a self, a: &N) -> &N { g(a) } }",
        "impl<'a> A<'a> { fn f(&'a self, a: &N) -> &'a N { g(a) } }",
    ),
    ("pub fn f<'a>(a: Q<'a>) -> B<C> { g(a) }", "pub fn f(a: Q) -> B<C> { g(a) }"),
    ("struct A<'a, T: 'a> { b: &'a T }", "struct A<'a, T> { b: &'a T }"),
    ("impl<'a, T: 'a> I for A<'a, T> { fn f() {} }", "impl<'a, T> I for A<'a, T> { fn f() {} }"),
    # The name of a type in its own `impl`.
    ("impl A<'static> { fn f() -> A<'static> { A(1) } }", "impl A<'static> { fn f() -> Self { Self(1) } }"),
    ("impl<T> A<T> { fn f() -> A<T> { A(1) } }", "impl<T> A<T> { fn f() -> Self { A(1) } }"),
    ('impl A { fn f() -> A { println!("a"); A::new() } }', 'impl A { fn f() -> Self { println!("a"); Self::new() } }'),
    # Patterns that borrow.
    (
        "impl A { fn f(&self) { match self { &A(ref b) => b.c(), &B => d(), _ => e() } } }",
        "impl A { fn f(&self) { match *self { A(ref b) => b.c(), B => d(), _ => e() } } }",
    ),
    (
        "impl A { fn f(&self) { match self { A(b) => b.c(), B { c: d } => d.e() } } }",
        "impl A { fn f(&self) { match *self { A(ref b) => b.c(), B { c: ref d } => d.e() } } }",
    ),
    (
        "impl A { fn f(&self) { match *self { C { ref d, .. } => g(d), D(E::F, 1, -1, 'a'..='z', ..) => h() } } }",
        "impl A { fn f(&self) { match self { C { d, .. } => g(d), D(E::F, 1, -1, 'a'..='z', ..) => h() } } }",
    ),
    ("fn f() { if let Some(ref a) = b.c { d(a) } }", "fn f() { if let Some(a) = &b.c { d(a) } }"),
    ("fn f() { match a { X(ref e) => b(), Y => c() } }", "fn f() { match a { X(_) => b(), Y => c() } }"),
    ("fn f() { match *a { X::B => b(), X::C => c() } }", "fn f() { match a { X::B => b(), X::C => c() } }"),
    ("fn f() { match &a { &X::B => b(), _ => c() } }", "fn f() { match a { X::B => b(), _ => c() } }"),
]
OTHER = [
    ("fn f() { std::mem::replace(&mut a, 1); }", "fn f() { std::mem::take(&mut a); }"),
    ("fn f() { let a = { b; () }; }", "fn f() { let a = { b }; }"),
    ("fn f() { a(|| { b() }); }", "fn f() { a(|| {}); }"),
    ("fn f() { quote! { #[inline] fn g() {} } }", "fn f() { quote! { fn g() {} } }"),
    ("fn f() { m! { #[allow(a)] fn g() {} } }", "fn f() { m! { fn g() {} } }"),
    ("#[cfg(any(unix, windows))]\nfn f() {}", "#[cfg(all(unix, windows))]\nfn f() {}"),
    ("#[cfg(not(unix))]\nfn f() {}", "#[cfg(unix)]\nfn f() {}"),
    ("#[cfg(any())]\nfn f() {}", "fn f() {}"),
    ("#[a(any(b))]\nfn f() {}", "#[a(b)]\nfn f() {}"),
    ("fn f() { a!(any(b)) }", "fn f() { a!(b) }"),
    ("fn f() { if a { b() } else { g(); if c { d() } } }", "fn f() { if a { b() } else if c { d() } }"),
    ("fn f() { match a { A => 1, B => 2 } }", "fn f() { match a { A | B => 1 } }"),
    ("fn f() { match a { A if b => 1, B => 1, _ => 2 } }", "fn f() { match a { A | B => 1, _ => 2 } }"),
    ("fn f() { unsafe { let _a = b(); c(); } d() }", "fn f() { let _a = b(); c(); d() }"),
    ("fn f() { #[cfg(x)] unsafe { a(); c(); } b() }", "fn f() { #[cfg(x)] a(); c(); b() }"),
    ("fn f() { let a = 0 as u64; g(a, a) }", "fn f() { let a = 0u32; g(a, a) }"),
    ("fn f() { let a = 0 as f64; g(a, a) }", "fn f() { let a = 0f64; g(a, a) }"),
    ("fn f() { let a = 1u8 as u64; g(a, a) }", "fn f() { let a = 1u8u64; g(a, a) }"),
    ("fn f() { g(<A>::max_value()) }", "fn f() { g(A::MAX) }"),
    ("fn f() { g(a::c_int::max_value()) }", "fn f() { g(a::c_int::MAX) }"),
    (
        "mod libc { pub struct c_int; }\nfn f() { g(libc::c_int::max_value()) }",
        "mod libc { pub struct c_int; }\nfn f() { g(libc::c_int::MAX) }",
    ),
    ("use a::b as libc;\nfn f() { g(libc::c_int::max_value()) }", "use a::b as libc;\nfn f() { g(libc::c_int::MAX) }"),
    ("use a::mem;\nfn f() { mem::replace(&mut a.b, None); }", "use a::mem;\nfn f() { a.b.take(); }"),
    ("const None: A = 1;\nfn f() { std::mem::replace(&mut a, None); }", "const None: A = 1;\nfn f() { a.take(); }"),
    ("fn f() { std::mem::replace(&mut a, Some(1)); }", "fn f() { a.take(); }"),
    ("fn f() { std::mem::replace(&mut g().a, None); }", "fn f() { g().a.take(); }"),
    ("fn f() { std::mem::replace(&mut a, b()); }", "fn f() { std::mem::take(&mut a); }"),
    ("fn f() -> R<A> { a.b().c()?; Ok(()) }", "fn f() -> R<A> { a.b().c() }"),
    ("fn f() -> R<A> { let x = Ok(a?); g(x, x) }", "fn f() -> R<A> { let x = a; g(x, x) }"),
    ("fn f() -> R<A> { a.b(c)?; Ok(1) }", "fn f() -> R<A> { a.b(c) }"),
    ("fn f() -> R<A> { a(b?) }", "fn f() -> R<A> { b }"),
    (
        "impl<'a> A<'a> { fn f(&self, a: &'a N) -> B { g(a) } }",
        "impl<'a> A<'a> { fn f(&self, a: &'a N) -> B<'a> { g(a) } }",
    ),
    (
        "impl<'a> A<'a> { fn f(b: &N, a: &'a N) -> B { g(a) } }",
        "impl<'a> A<'a> { fn f(b: &N, a: &'a N) -> B<'a> { g(a) } }",
    ),
    ("fn f(a: &'static N) -> B { g(a) }", "fn f(a: &'static N) -> B<'static> { g(a) }"),
    (
        "impl<'a> A<'a> { fn f(a: &'a N) -> Box<dyn B> { g(a) } }",
        "impl<'a> A<'a> { fn f(a: &'a N) -> Box<dyn B + 'a> { g(a) } }",
    ),
    ("struct A<'a, T: 'a> { b: &'a u8, c: T }", "struct A<'a, T> { b: &'a u8, c: T }"),
    ("struct A<T: 'static> { b: &'static T }", "struct A<T> { b: &'static T }"),
    ("struct A<'a, T: B> { b: &'a T }", "struct A<'a, T> { b: &'a T }"),
    ("fn f() { g(libc::c_int::default()) }", "fn f() { g(libc::c_int::MAX) }"),
    ("impl<T> A<T> { fn f() -> A<T> { A(1) } }", "impl<T> A<T> { fn f() -> A<T> { Self(1) } }"),
    ("impl A<'_> { fn f(&self) -> A<'_> { g(1) } }", "impl A<'_> { fn f(&self) -> Self { g(1) } }"),
    ("impl A<u8> { fn f() -> A<u16> { g(1) } }", "impl A<u8> { fn f() -> Self { g(1) } }"),
    ("impl A { fn f() { use b::A; A::new() } }", "impl A { fn f() { use b::A; Self::new() } }"),
    ("impl A { fn f() { use b::*; A::new() } }", "impl A { fn f() { use b::*; Self::new() } }"),
    ("impl A { fn f() { a!(A) } }", "impl A { fn f() { a!(Self) } }"),
    ("impl a::A { fn f() -> A { g(1) } }", "impl a::A { fn f() -> Self { g(1) } }"),
    (
        "impl A { fn f(&mut self) { match self { A(b) => b.c(), B => d() } } }",
        "impl A { fn f(&mut self) { match *self { A(ref b) => b.c(), B => d() } } }",
    ),
    (
        "fn f(self: B) { match self { A(b) => b.c(), B => d() } }",
        "fn f(self: B) { match *self { A(ref b) => b.c(), B => d() } }",
    ),
    (
        "impl A { fn f(&self) { match self { A(b) => b.c(), B => d() } } }",
        "impl A { fn f(&self) { match *self { A(b) => b.c(), B => d() } } }",
    ),
    ("fn f() { if let Some(ref a) = b.c { d(a) } }", "fn f() { if let Some(a) = b.c { d(a) } }"),
    ("fn f() { if let Some(ref mut a) = b.c { d(a) } }", "fn f() { if let Some(a) = &b.c { d(a) } }"),
    ("fn f() { if let Some(mut a) = b.c { d(a) } }", "fn f() { if let Some(mut a) = &b.c { d(a) } }"),
    ("fn f() { match a { X(ref e) => b(), Y => c() } }", "fn f() { match a { X(e) => b(), Y => c() } }"),
    ("fn f() { match a { X(ref e) => b(e), Y => c() } }", "fn f() { match a { X(_) => b(e), Y => c() } }"),
    ('fn f() { match a { X(ref e) => b!("{e}"), Y => c() } }', 'fn f() { match a { X(_) => b!("{e}"), Y => c() } }'),
    ("fn f() { match *a { b => c(), D => e() } }", "fn f() { match a { b => c(), D => e() } }"),
    ("fn f() { match *a { X(B) => c(B), _ => e() } }", "fn f() { match a { X(B) => c(B), _ => e() } }"),
    ("fn f() { match *a { X(&B) => c(), _ => e() } }", "fn f() { match a { X(&B) => c(), _ => e() } }"),
    ("fn f() { match a { &X::B => b(), c => d() } }", "fn f() { match *a { X::B => b(), c => d() } }"),
    ("fn f() { match *a { n @ X::B => b(), _ => d() } }", "fn f() { match a { n @ X::B => b(), _ => d() } }"),
    ("fn f() { match *a {} }", "fn f() { match a {} }"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_rust_as_linters_want_it_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert verdict.reasons == ("the same written in another way",)


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_rust_that_only_looks_tidied_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_numbers_spelled_in_another_way_are_formatting() -> None:
    verdict = judged({"src/a.rs": ("fn f() { g(1_000, 0xFF_u8) }\n", "fn f() { g(1000, 0xffu8) }\n")})["src/a.rs"]
    assert verdict.mutation_class is MutationClass.DOCUMENTATION, verdict.reasons


def test_a_number_that_a_macro_may_spell_stays_behaviour() -> None:
    verdict = judged({"src/a.rs": ("fn f() { g!(1_000) }\n", "fn f() { g!(1000) }\n")})["src/a.rs"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

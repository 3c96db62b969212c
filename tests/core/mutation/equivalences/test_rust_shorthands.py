"""Rust in its shorter form, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    (
        "fn g(a: &M) { if let M::A(b) = a { h(b) } }\nfn f(a: &M) { g(&a) }",
        "fn g(a: &M) { if let M::A(b) = a { h(b) } }\nfn f(a: &M) { g(a) }",
    ),
    (
        "fn g(a: &M) { let M { b } = a; h(b) }\nfn f(a: &M) { g(&a) }",
        "fn g(a: &M) { let M { b } = a; h(b) }\nfn f(a: &M) { g(a) }",
    ),
    (
        "fn g(a: &M) { h(n::M { b: 1 }, a) }\nfn f(a: &M) { g(&a) }",
        "fn g(a: &M) { h(n::M { b: 1 }, a) }\nfn f(a: &M) { g(a) }",
    ),
    # A match of one pattern.
    ("fn f(a: B) { match a { Some(b) => g(b), None => {} } }", "fn f(a: B) { if let Some(b) = a { g(b) } }"),
    ("fn f(a: B) { match a.b() { C(b) => { g(b); } _ => () } }", "fn f(a: B) { if let C(b) = a.b() { g(b); } }"),
    ("fn f(a: B) { match a { None => {} Some(b) => g(b) } }", "fn f(a: B) { if let Some(b) = a { g(b) } }"),
    ("fn f(a: B) { match a.b { C(b) => g(b), _ => h(1) } }", "fn f(a: B) { if let C(b) = a.b { g(b) } else { h(1) } }"),
    ("fn f() { loop { match g() { Some(a) => h(a), None => break } } }", "fn f() { while let Some(a) = g() { h(a) } }"),
    (
        "fn f() { loop { let a = match b.next() { Some(a) => a, None => break }; h(a); i(a); } }",
        "fn f() { while let Some(a) = b.next() { h(a); i(a); } }",
    ),
    # A closure that only calls.
    ("fn f() { a.map(|b| C::d(b)).e(|| C::new()) }", "fn f() { a.map(C::d).e(C::new) }"),
    ("fn f() { a.map(|b| Some(b)) }", "fn f() { a.map(Some) }"),
    # Lifetimes that are so anyway.
    ("fn f<'a>(a: &'a str, b: B<'_>) { g(a, b) }", "fn f(a: &str, b: B<'_>) { g(a, b) }"),
    ("pub fn f<'a>(a: &'a str) -> C<'a> { g(a) }", "pub fn f(a: &str) -> C<'_> { g(a) }"),
    ("fn f<'a, T>(a: T, b: &'a str) { g(a, b) }", "fn f<T>(a: T, b: &str) { g(a, b) }"),
    (
        "impl A { fn f<'a>(&'a self, b: &str) -> &'a str { g(self) } }",
        "impl A { fn f(&self, b: &str) -> &str { g(self) } }",
    ),
    ("impl<'a> B for A<'a> { fn f(&self) { g() } }", "impl B for A<'_> { fn f(&self) { g() } }"),
    # What nothing needs.
    ("fn f(mut a: i32) { let mut b = h(a); g(a, b, b) }", "fn f(a: i32) { let b = h(a); g(a, b, b) }"),
    ("impl A { fn f(mut self) { g(self) } }", "impl A { fn f(self) { g(self) } }"),
    ("fn f() { for mut a in b { g(a, a) } }", "fn f() { for a in b { g(a, a) } }"),
    ("fn f() { b.map(|mut a, c| g(a, a, c, c)) }", "fn f() { b.map(|a, c| g(a, a, c, c)) }"),
    ("fn f() -> () { g() }", "fn f() { g() }"),
    ("trait A { fn f() -> (); }", "trait A { fn f(); }"),
    ("fn f() { let _ = g(1); }", "fn f() { g(1); }"),
    ("fn f() -> u32 { std::u32::MAX }", "fn f() -> u32 { u32::MAX }"),
    ("fn f() -> u32 { u32::max_value() }", "fn f() -> u32 { u32::MAX }"),
    ("extern crate a;\nuse a::b;\nfn f() { b() }", "use a::b;\nfn f() { b() }"),
    ("extern crate a;\nfn f() { a::b(1) }", "fn f() { a::b(1) }"),
    ("extern crate a;\nfn g() { a::c() }\nfn f() { h(1) }", "fn g() { a::c() }\nfn f() { h(1) }"),
    # `try!`.
    ("fn f() -> A { let a = try!(g()); h(a, a) }", "fn f() -> A { let a = g()?; h(a, a) }"),
    ("fn f() -> A { try!(g()); Ok(try!(h(try!(i()).j))) }", "fn f() -> A { g()?; Ok(h(i()?.j)?) }"),
    # What `self` is.
    (
        "impl<T> A<T> { fn f(&self) { match *self { A::B(x) => g(x), A::C => h() } if let A::C = self {} } }",
        "impl<T> A<T> { fn f(&self) { match *self { Self::B(x) => g(x), Self::C => h() } if let Self::C = self {} } }",
    ),
    ("fn f() -> bool { match &self.a { B::C => true, _ => false } }", "fn f() -> bool { matches!(&self.a, B::C) }"),
    ("fn f() { if let Poll::Ready(_) = a { g() } }", "fn f() { if a.is_ready() { g() } }"),
    # What is returned at the end, and nothing was declared that is dropped then.
    (
        "fn f() -> T { if c { return a.b().c(); } a.d(); return e.g().h(); }",
        "fn f() -> T { if c { return a.b().c(); } a.d(); e.g().h() }",
    ),
    ("fn f() -> T { match a { B => return x.y().z(), C => 1 } }", "fn f() -> T { match a { B => x.y().z(), C => 1 } }"),
    # What is returned at the end.
    (
        "fn f(a: bool) -> i32 { if a { return 1; } else { return 2; } }",
        "fn f(a: bool) -> i32 { if a { 1 } else { 2 } }",
    ),
    (
        "fn f(a: B) -> C { match a { B => return 1, D => { g(); return 2; } _ => 3 } }",
        "fn f(a: B) -> C { match a { B => 1, D => { g(); 2 } _ => 3 } }",
    ),
    (
        "fn f(a: i32) -> i32 { if a == 1 { return 1; } else if a == 2 { return 2; } else { 3 } }",
        "fn f(a: i32) -> i32 { if a == 1 { 1 } else if a == 2 { 2 } else { 3 } }",
    ),
    # Borrows that are not needed.
    (
        "fn g(a: &str, b: u8) { h(a, b) }\nfn f(a: &str) { g(&a, 1) }",
        "fn g(a: &str, b: u8) { h(a, b) }\nfn f(a: &str) { g(a, 1) }",
    ),
    (
        "struct B;\nfn g(a: &B, b: &[u8], c: &Vec<u8>) {}\nfn f() { g(&a.b(), &c, &d) }",
        "struct B;\nfn g(a: &B, b: &[u8], c: &Vec<u8>) {}\nfn f() { g(a.b(), c, d) }",
    ),
]
OTHER = [
    (
        "fn g(a: &M) { h(M::a(a)) }\nfn f(a: &M) { g(&a) }",
        "fn g(a: &M) { h(M::a(a)) }\nfn f(a: &M) { g(a) }",
    ),
    (
        "fn g(a: &M) { if let n::A(b) = a { h(b) } }\nfn f(a: &M) { g(&a) }",
        "fn g(a: &M) { if let n::A(b) = a { h(b) } }\nfn f(a: &M) { g(a) }",
    ),
    (
        "fn g<M: T>(a: &M) { if let M::A(b) = a { h(b) } }\nfn f(a: &M) { g(&a) }",
        "fn g<M: T>(a: &M) { if let M::A(b) = a { h(b) } }\nfn f(a: &M) { g(a) }",
    ),
    (
        "fn f(a: B) { match a.b() { C(b) => g(b), _ => h(1) } }",
        "fn f(a: B) { if let C(b) = a.b() { g(b) } else { h(1) } }",
    ),
    ("fn f(a: B) { match a { C(b) if b => g(b), _ => {} } }", "fn f(a: B) { if let C(b) = a { g(b) } }"),
    ("fn f(a: B) { match a { C(b) => g(b), D(b) => h(b) } }", "fn f(a: B) { if let C(b) = a { g(b) } else { h(b) } }"),
    ("fn f(a: B) { match a { C(b) => g(b), D => i(), _ => {} } }", "fn f(a: B) { if let C(b) = a { g(b) } }"),
    ("fn f(a: B) { match a { None => g(), _ => {} } }", "fn f(a: B) { if let Some(_) = a { g() } }"),
    (
        "fn f() { loop { let a = match b.lock().next() { Some(a) => a, None => break }; h(a); i(a); } }",
        "fn f() { while let Some(a) = b.lock().next() { h(a); i(a); } }",
    ),
    (
        "fn f() { 'a: loop { match g() { Some(a) => h(a), None => break } } }",
        "fn f() { while let Some(a) = g() { h(a) } }",
    ),
    (
        "fn f() { loop { match g() { Some(a) => h(a), None => break } i(); } }",
        "fn f() { while let Some(a) = g() { h(a) } }",
    ),
    (
        "fn f() { loop { match g() { Some(a) => h(a), None => break 'a } } }",
        "fn f() { while let Some(a) = g() { h(a) } }",
    ),
    (
        "fn f() { loop { let a = match g() { Some(b) => a, None => break }; h(a); } }",
        "fn f() { while let Some(b) = g() { h(a); } }",
    ),
    ("fn f() { a.map(|b| g(b)) }", "fn f() { a.map(g) }"),
    ("fn f() { a.map(|b, c| C::d(c, b)) }", "fn f() { a.map(C::d) }"),
    ("fn f() { a.map(|b| C::d(b, 1)) }", "fn f() { a.map(C::d) }"),
    ("fn f() { a.map(move |b| C::d(b)) }", "fn f() { a.map(C::d) }"),
    ("fn f() { a.map(|&b| C::d(b)) }", "fn f() { a.map(C::d) }"),
    ("fn f() { a.map(|_| C::d()) }", "fn f() { a.map(C::d) }"),
    ("fn f<'a>(a: &'a str, b: &'a str) { g(a, b) }", "fn f(a: &str, b: &str) { g(a, b) }"),
    ("fn f<'a>(&self, a: &'a str) -> &'a str { a }", "fn f(&self, a: &str) -> &str { a }"),
    ("fn f<'a>(a: &'a str) { let b: &'a str = h(a); g(b, b) }", "fn f(a: &str) { let b: &str = h(a); g(b, b) }"),
    ("fn f<'a: 'b, 'b>(a: &'a str) { g(a) }", "fn f<'b>(a: &str) { g(a) }"),
    ("fn f<'a>(a: Box<dyn Fn(&'a str)>) { g(a) }", "fn f(a: Box<dyn Fn(&str)>) { g(a) }"),
    ("impl<'a> B<'a> for A<'a> { fn f(&self) {} }", "impl B<'_> for A<'_> { fn f(&self) {} }"),
    ("fn f(a: &mut i32) { g(a) }", "fn f(a: &i32) { g(a) }"),
    ("impl A { fn f(&mut self) { g(self) } }", "impl A { fn f(&self) { g(self) } }"),
    ("fn f() { let B(mut a) = &b; g(a, a) }", "fn f() { let B(a) = &b; g(a, a) }"),
    ("fn f() { for B(mut a) in &b { g(a, a) } }", "fn f() { for B(a) in &b { g(a, a) } }"),
    ("fn f() { b.map(|&mut a| g(a, a)) }", "fn f() { b.map(|a| g(a, a)) }"),
    ("fn f() { let _ = a.b; }", "fn f() { a.b; }"),
    ("fn f() { let _a = g(1); }", "fn f() { g(1); }"),
    ("fn f() -> u32 { std::u32::MAX }", "fn f() -> u32 { u64::MAX }"),
    ("fn f() -> u32 { u32::max_value() }", "fn f() -> u32 { u32::MIN }"),
    ("fn f() -> u32 { b::u32::MAX }", "fn f() -> u32 { u32::MAX }"),
    ("#[macro_use]\nextern crate a;\nfn f() { a::b() }", "#[c]\nfn f() { a::b() }"),
    ("extern crate a;\nfn f() { b(1) }", "fn f() { b(1) }"),
    ("extern crate a as b;\nfn f() { a::b(1) }", "fn f() { a::b(1) }"),
    ("fn f() -> A { let a = try!(g()); h(a, a) }", "fn f() -> A { let a = g(); h(a, a) }"),
    ("fn f() -> A { let a = b!(g()); h(a, a) }", "fn f() -> A { let a = g()?; h(a, a) }"),
    (
        "fn f(a: bool) -> B { if a { let b = e(); return b.c().d(); } else { 1 } }",
        "fn f(a: bool) -> B { if a { let b = e(); b.c().d() } else { 1 } }",
    ),
    ("fn f() -> B { m!(); return b.c().d(); }", "fn f() -> B { m!(); b.c().d() }"),
    # What a pattern asks of another value may tell its type.
    (
        "impl<T> A<T> { fn f(self) { match b.parse() { A::B(x) => g(x), _ => h() } } }",
        "impl<T> A<T> { fn f(self) { match b.parse() { Self::B(x) => g(x), _ => h() } } }",
    ),
    ("impl<T> A<T> { fn f(self) { g(A(1)) } }", "impl<T> A<T> { fn f(self) { g(Self(1)) } }"),
    ("fn f() { if let Poll::Ready(_) = a { g() } }", "fn f() { if a.is_pending() { g() } }"),
    (
        "enum Poll { Ready } fn f() { if let Poll::Ready(_) = a { g() } }",
        "enum Poll { Ready } fn f() { if a.is_ready() { g() } }",
    ),
    ("fn f(a: bool) -> B { if a { return 1; } else { 2 }; 3 }", "fn f(a: bool) -> B { if a { 1 } else { 2 }; 3 }"),
    ("fn f() { (a.b)(1) }", "fn f() { a.b(1) }"),
    ("fn g<T>(a: &T) {}\nfn f(a: &str) { g(&a) }", "fn g<T>(a: &T) {}\nfn f(a: &str) { g(a) }"),
    ("fn g(a: &dyn B) {}\nfn f(a: &str) { g(&a) }", "fn g(a: &dyn B) {}\nfn f(a: &str) { g(a) }"),
    ("fn g(a: &B) {}\nfn f(a: &str) { g(&a) }", "fn g(a: &B) {}\nfn f(a: &str) { g(a) }"),
    ("fn g(a: &mut u8) {}\nfn f(a: &str) { g(&a) }", "fn g(a: &mut u8) {}\nfn f(a: &str) { g(a) }"),
    ("fn g(a: B) {}\nfn f(a: &str) { g(&a) }", "fn g(a: B) {}\nfn f(a: &str) { g(a) }"),
    ("fn g(a: &str) {}\nfn f() { use b::g; g(&a) }", "fn g(a: &str) {}\nfn f() { use b::g; g(a) }"),
    (
        "fn g(a: &str) {}\nmod b { use c::*; fn f() { g(&a) } }",
        "fn g(a: &str) {}\nmod b { use c::*; fn f() { g(a) } }",
    ),
    ("fn g(a: &str) {}\nfn f(g: B) { g(&a) }", "fn g(a: &str) {}\nfn f(g: B) { g(a) }"),
    ("fn g(a: &str) {}\nfn f(a: B) { c.g(&a) }", "fn g(a: &str) {}\nfn f(a: B) { c.g(a) }"),
    ("mod b { fn g(a: &str) {} }\nfn f(a: B) { g(&a) }", "mod b { fn g(a: &str) {} }\nfn f(a: B) { g(a) }"),
    ("fn g(a: &str) {}\nfn f(a: B) { g(&a, &b) }", "fn g(a: &str) {}\nfn f(a: B) { g(a, b) }"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_rust_in_a_shorter_form_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert verdict.reasons == ("the same written in another way",)


def test_parentheses_of_rust_that_a_tree_does_not_need_are_formatting() -> None:
    verdict = judged({"src/a.rs": ("fn f() { g((a), (b + c) * d) }\n", "fn f() { g(a, (b + c) * d) }\n")})["src/a.rs"]
    assert verdict.mutation_class is MutationClass.DOCUMENTATION, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_rust_that_only_looks_shorter_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

"""What Rust looks for, and what is shorter for a known type; and what only looks like that."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

SAME = [
    # Whether something is there.
    ("fn f() { g(a.iter().find(|&&b| b == c).is_some()); }", "fn f() { g(a.iter().any(|&b| b == c)); }"),
    ("fn f() { g(a.chars().find(|&b| b == c).is_none()); }", "fn f() { g(!a.chars().any(|b| b == c)); }"),
    ("fn f() { g(a.bytes().position(b).is_some()); }", "fn f() { g(a.bytes().any(b)); }"),
    ("fn f() { if a.iter().find(|b| **b == c && b.d).is_some() { g(); } }",
     "fn f() { if a.iter().any(|b| *b == c && b.d) { g(); } }"),
    ("fn f() { let e = a.iter().find(|b| **b == c).is_none(); g(e, e) }",
     "fn f() { let e = !a.iter().any(|b| *b == c); g(e, e) }"),
    ("fn f() { while !a.keys().find(|b| *b == c).is_some() { g(); } }",
     "fn f() { while !a.keys().any(|b| b == c) { g(); } }"),
    # Shorter.
    ("fn f() { g(a.chars().rev().next()); }", "fn f() { g(a.chars().next_back()); }"),
    ("fn f() { g(a.as_ref().map(String::as_str)); }", "fn f() { g(a.as_deref()); }"),
    ("fn f() { g(&[b'a', b'\\n', b'\"']); }", "fn f() { g(b\"a\\n\\\"\"); }"),
    ('fn f() { a.write_all("b\\n".as_bytes()); }', 'fn f() { a.write_all(b"b\\n"); }'),
    ("fn f() { let ref a = b.c; g(a, a) }", "fn f() { let a = &b.c; g(a, a) }"),
    ("fn f() { g(a.or_else(|| Some(b))); }", "fn f() { g(a.or(Some(b))); }"),
    ('fn f() { writeln!(a, ""); }', "fn f() { writeln!(a); }"),
    ("fn f() { g(&a.b() == &c, &a[1] < &c.d); }", "fn f() { g(a.b() == c, a[1] < c.d); }"),
    ("fn f() { write!(a, \"{}{}{}\", '\\0', '\"', '{'); }", "fn f() { write!(a, \"\\0\\\"{{\"); }"),
    ("fn f() { write!(a, \"{}{}\", '\\'', 10); }", "fn f() { write!(a, \"'10\"); }"),
    # Of a known type.
    ("fn f(a: u8, b: &bool) { g(a.clone(), b.clone()); }", "fn f(a: u8, b: &bool) { g(a, *b); }"),
    ("fn f(a: u8, b: u8) { g(a as u8, (a + b) as u8); }", "fn f(a: u8, b: u8) { g(a, a + b); }"),
    ("fn f(a: u8) { let mut b = 1; b = b * a; g(b, b) }", "fn f(a: u8) { let mut b = 1; b *= a; g(b, b) }"),
    ("fn f(a: u8) { let mut b = a; b = h(); b = b & a; g(b, b) }",
     "fn f(a: u8) { let mut b = a; b = h(); b &= a; g(b, b) }"),
    ("fn f(a: f64) { let mut b = 1.5; b = b - 2.5; g(b, a) }", "fn f(a: f64) { let mut b = 1.5; b -= 2.5; g(b, a) }"),
    ('fn f(a: &str, b: String) { g(a == "", b != ""); }',
     "fn f(a: &str, b: String) { g(a.is_empty(), !b.is_empty()); }"),
    ("fn f(a: &[A], b: Vec<A>) { g(a.iter().last(), b.iter().count(), a.iter().next()); }",
     "fn f(a: &[A], b: Vec<A>) { g(a.last(), b.len(), a.first()); }"),
    # Two attributes of a parameter.
    ("fn f(#[rustfmt::skip] #[cfg(x)] a: A) { if a.b() == true { g(); } }",
     "fn f(#[rustfmt::skip] #[cfg(x)] a: A) { if a.b() { g(); } }"),
]  # fmt: skip
OTHER = [
    ("fn f() { g(a.iter().find(|&&b| b == c).is_some()); }", "fn f() { g(!a.iter().any(|&b| b == c)); }"),
    ("fn f() { g(a.iter().find(|&&b| b == c).is_some()); }", "fn f() { g(a.iter().all(|&b| b == c)); }"),
    ("fn f() { g(a.b().find(|&b| b == c).is_some()); }", "fn f() { g(a.b().any(|b| b == c)); }"),
    ("fn f() { g(find(|&b| b == c).is_some()); }", "fn f() { g(any(|b| b == c)); }"),
    ("fn f() { g(iter().find(|&b| b == c).is_some()); }", "fn f() { g(iter().any(|b| b == c)); }"),
    ("fn f() { g(a.iter(1).find(|&b| b == c).is_some()); }", "fn f() { g(a.iter(1).any(|b| b == c)); }"),
    ("impl A { fn any(&self) {} } fn f() { g(a.iter().find(|&b| b == c).is_some()); }",
     "impl A { fn any(&self) {} } fn f() { g(a.iter().any(|b| b == c)); }"),
    ("impl A { fn is_some(&self) {} } fn f() { g(a.iter().find(|&b| b == c).is_some()); }",
     "impl A { fn is_some(&self) {} } fn f() { g(a.iter().any(|b| b == c)); }"),
    ("fn f() { g(a.iter().find(b).is_some()); }", "fn f() { g(a.iter().any(b)); }"),
    ("fn f() { g(a.iter().find(|&(b, c)| b == c).is_some()); }", "fn f() { g(a.iter().any(|(b, c)| b == c)); }"),
    ("fn f() { g(a.iter().find(|&&mut b| b == c).is_some()); }", "fn f() { g(a.iter().any(|&mut b| b == c)); }"),
    ("fn f() { g(a.iter().find(|&mut b| b == c).is_some()); }", "fn f() { g(a.iter().any(|b| b == c)); }"),
    ("fn f() { g(a.iter().find(|b: &&A| **b == c).is_some()); }", "fn f() { g(a.iter().any(|b: &A| *b == c)); }"),
    ("fn f() { g(a.iter().find(|b, c| **b == c).is_some()); }", "fn f() { g(a.iter().any(|b, c| *b == c)); }"),
    ("fn f() { g(a.iter().find(|b| -> bool { **b == c }).is_some()); }",
     "fn f() { g(a.iter().any(|b| -> bool { *b == c })); }"),
    # What `find` gives may be dropped after what follows.
    ("fn f() { g(a.iter().find(|b| **b == c).is_some(), h()); }", "fn f() { g(a.iter().any(|b| *b == c), h()); }"),
    ("fn f() { if a.iter().find(|b| b.len() == c).is_some() { g(); } }",
     "fn f() { if a.iter().any(|b| b.len() == c) { g(); } }"),
    ("fn f() { if a.iter().find(|b| b == c).is_some() { g(); } }", "fn f() { if a.iter().any(|b| b == c) { g(); } }"),
    ("fn f() { if a.iter().find(|b| h(|b| **b) && **b).is_some() { g(); } }",
     "fn f() { if a.iter().any(|b| h(|b| *b) && *b) { g(); } }"),
    ('fn f() { if a.iter().find(|b| **b == h!("{b}")).is_some() { g(); } }',
     'fn f() { if a.iter().any(|b| *b == h!("{b}")) { g(); } }'),
    ("fn f() { g(a.rev(1).next()); }", "fn f() { g(a.next_back()); }"),
    ("impl A { fn next(&mut self) {} } fn f() { g(a.rev().next()); }",
     "impl A { fn next(&mut self) {} } fn f() { g(a.next_back()); }"),
    ("fn f() { g(a.as_ref().map(A::as_str)); }", "fn f() { g(a.as_deref()); }"),
    ("struct String; fn f() { g(a.as_ref().map(String::as_str)); }", "struct String; fn f() { g(a.as_deref()); }"),
    ("fn f() { g(&[b'a', b'b']); }", 'fn f() { g(b"ba"); }'),
    ("fn f() { g(&[b'a', c]); }", 'fn f() { g(b"ac"); }'),
    ("fn f() { g(&[b'a'; 2]); }", 'fn f() { g(b"a"); }'),
    ("fn f() { g(&mut [b'a']); }", 'fn f() { g(b"a"); }'),
    ("fn f() { g(&[]); }", 'fn f() { g(b""); }'),
    ('fn f() { a.write("b".as_bytes()); }', 'fn f() { a.write(b"b"); }'),
    ('fn f() { a.write_all("ä".as_bytes()); }', 'fn f() { a.write_all(b"a"); }'),
    ("fn f() { let ref mut a = b.c; g(a, a) }", "fn f() { let a = &b.c; g(a, a) }"),
    ("fn f() { let ref mut a = b.c; g(a, a) }", "fn f() { let mut a = &b.c; g(a, a) }"),
    ("fn f() { g(a.or_else(|| Some(b()))); }", "fn f() { g(a.or(Some(b()))); }"),
    ('fn f() { writeln!(a, ""); }', "fn f() { write!(a); }"),
    ("fn f() { g(&a == b); }", "fn f() { g(a == b); }"),
    ("fn f() { g(&mut a == &mut b); }", "fn f() { g(a == b); }"),
    ("fn f() { g(&a & &b); }", "fn f() { g(a & b); }"),
    ('fn f() { print!("{}", 007); }', 'fn f() { print!("007"); }'),
    ("fn f() { print!(\"{}\", b'a'); }", 'fn f() { print!("a"); }'),
    ("fn f() { print!(\"{:?}\", 'a'); }", 'fn f() { print!("a"); }'),
    ("fn f() { print!(\"{}\", '\\u{61}'); }", 'fn f() { print!("a"); }'),
    ("fn f(a: u8) { g(&mut a.clone()); }", "fn f(a: u8) { g(&mut a); }"),
    ("fn f(a: u8) { g(a.clone().b()); }", "fn f(a: u8) { g(a.b()); }"),
    ("fn f(a: A) { g(a.clone()); }", "fn f(a: A) { g(a); }"),
    ("fn f(a: &A) { g(a.clone()); }", "fn f(a: &A) { g(*a); }"),
    ("trait B { fn clone(self); } fn f(a: u8) { g(a.clone()); }", "trait B { fn clone(self); } fn f(a: u8) { g(a); }"),
    ("fn f(a: u8) { g(a as u16); }", "fn f(a: u8) { g(a); }"),
    ("fn f(a: u8) { g(&mut (a as u8)); }", "fn f(a: u8) { g(&mut a); }"),
    ("fn f(a: A) { let mut b = 1; b = b + a; g(b, b) }", "fn f(a: A) { let mut b = 1; b += a; g(b, b) }"),
    ("fn f(a: u8) { let mut b = 1; b = a - b; g(b, b) }", "fn f(a: u8) { let mut b = 1; b -= a; g(b, b) }"),
    ("fn f(a: bool) { let mut b = a; b = b == a; g(b, b) }", "fn f(a: bool) { let mut b = a; b = a; g(b, b) }"),
    ('fn f(a: A) { g(a == ""); }', "fn f(a: A) { g(a.is_empty()); }"),
    ('fn f(a: &str) { g(a < ""); }', "fn f(a: &str) { g(a.is_empty()); }"),
    ('fn f(a: &str) { g(a == "b"); }', "fn f(a: &str) { g(a.is_empty()); }"),
    ("fn f(a: A) { g(a.iter().last()); }", "fn f(a: A) { g(a.last()); }"),
    ("fn f(a: &[A]) { g(a.b().last(), a.b.iter().count()); }", "fn f(a: &[A]) { g(a.last(), a.b.len()); }"),
    # A loop over what a method of the file gives.
    ("impl A { fn iter(&self) {} } fn f() { for a in b.iter() { g(a); } }",
     "impl A { fn iter(&self) {} } fn f() { for a in &b { g(a); } }"),
]  # fmt: skip


def _class_of(before: str, after: str) -> MutationClass:
    return judged({"src/a.rs": (before, after)})["src/a.rs"].mutation_class


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_is_looked_for_and_what_is_known_is_a_refactor(before: str, after: str) -> None:
    assert _class_of(before, after) is MutationClass.AST_REFACTOR
    assert _class_of(after, before) is MutationClass.AST_REFACTOR


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_that_is_none(before: str, after: str) -> None:
    assert _class_of(before, after) is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_them_passes() -> None:
    chance = random.Random("searched")
    made = [(before, mutant.after) for before, after in SAME for mutant in mutants(after, chance, 10, "rs")]
    assert made
    assert not [pair for pair in made if _class_of(*pair) is not MutationClass.INTENT_EVOLUTION]

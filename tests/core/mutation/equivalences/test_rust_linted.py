"""Rust as clippy writes it, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ("fn f() { while let Some(_) = a.pop() {} }", "fn f() { while a.pop().is_some() {} }"),
    ("fn f() { while let Some(_) = a.next() {} }", "fn f() { while a.next().is_some() {} }"),
    ("fn f() { b(a.as_ref().unwrap_or(&c)) }", "fn f() { b(a.as_ref().unwrap_or(c)) }"),
    ("fn f() { let a = match b { Some(c) => c, None => return }; }", "fn f() { let Some(a) = b else { return }; }"),
    ("fn f() { let a = match b { Ok(c) => c, Err(_) => return }; }", "fn f() { let Ok(a) = b else { return }; }"),
    ("fn f() { let a = if let Ok(c) = b { c } else { return }; }", "fn f() { let Ok(a) = b else { return }; }"),
    # Conditions.
    ("fn f() { g(a == true, b != true, c == false); }", "fn f() { g(a, !b, !c); }"),
    ("fn f() { g(!(a == b), !a.is_some(), !b.is_err()); }", "fn f() { g(a != b, a.is_none(), b.is_ok()); }"),
    ("fn f() { g(a.len() == 0, b.c.len() > 0, d.len() >= 1); }",
     "fn f() { g(a.is_empty(), !b.c.is_empty(), !d.is_empty()); }"),
    ("fn f() { if let Some(_) = a { g() } if let Err(_) = b.c { h() } }",
     "fn f() { if a.is_some() { g() } if b.c.is_err() { h() } }"),
    ("fn f() { if !a { g() } else { h() } }", "fn f() { if a { h() } else { g() } }"),
    ("fn f() { match a { true => g(), false => { h(); } } }", "fn f() { if a { g() } else { h(); } }"),
    ("fn f() { while true { g(); } }", "fn f() { loop { g(); } }"),
    # What `Option` and `Result` have methods for.
    ("fn f() -> T { let a = match g() { Ok(a) => a, Err(e) => return Err(e) }; a.b() }",
     "fn f() -> T { let a = g()?; a.b() }"),
    ("fn f() -> T { let a = match b { Ok(c) => c, Err(e) => { return Err(e); } }; a.b() }",
     "fn f() -> T { let a = b?; a.b() }"),
    ("fn f() -> T { match a { Some(b) => b, None => 0 } }", "fn f() -> T { a.unwrap_or(0) }"),
    ("fn f() -> T { if let Some(b) = a { b } else { 0 } }", "fn f() -> T { a.unwrap_or_else(|| 0) }"),
    ("fn f() -> T { match a { Some(b) => Some(b + 1), None => None } }", "fn f() -> T { a.map(|b| b + 1) }"),
    ("fn f() -> T { a.and_then(|b| Some(g(b))) }", "fn f() -> T { a.map(|b| g(b)) }"),
    ("fn f() -> T { a.map(|b| g(b)).unwrap_or(1) }", "fn f() -> T { a.map_or(1, |b| g(b)) }"),
    ("fn f() { let a = match b { Some(a) => a, None => return }; g(a, a) }",
     "fn f() { let Some(a) = b else { return; }; g(a, a) }"),
    ("fn f() { let a = if let Some(a) = b { a } else { return 1; }; g(a, a) }",
     "fn f() { let Some(a) = b else { return 1 }; g(a, a) }"),
    # Loops and iterators.
    ("fn f() { for a in b.iter() { g(a) } for c in d.e.iter_mut() { h(c) } }",
     "fn f() { for a in &b { g(a) } for c in &mut d.e { h(c) } }"),
    ("fn f() { for a in b.into_iter() { g(a) } }", "fn f() { for a in b { g(a) } }"),
    ("fn f() { g(a.filter(|b| b.c).next(), d.nth(0)); e.extend(h.into_iter()); }",
     "fn f() { g(a.find(|b| b.c), d.next()); e.extend(h); }"),
    # Texts and lists.
    ('fn f() { g("a".to_string(), String::from("b"), "".to_owned()); }',
     'fn f() { g("a".to_owned(), "b".to_owned(), String::new()); }'),
    ('fn f() { g(a.split("b"), a.replace("c", "\\n")); }', "fn f() { g(a.split('b'), a.replace('c', '\\n')); }"),
    ('fn f() { println!(""); g(vec![]); }', "fn f() { println!(); g(Vec::new()); }"),
    ("fn f() { assert!(a == b.c()); assert!(d != 1); }", "fn f() { assert_eq!(a, b.c()); assert_ne!(d, 1); }"),
    # What says nothing.
    ("fn f() { let mut a = 1; a = a + 2; g((*b).c, a);; h() }", "fn f() { let mut a = 1; a += 2; g(b.c, a); h() }"),
    ("fn f<T, U>(a: T) where T: A, U: B + C { g(a) }", "fn f<T: A, U: B + C>(a: T) { g(a) }"),
    ("impl<T> A<T> where T: B, Vec<T>: C { fn f() {} }", "impl<T: B> A<T> where Vec<T>: C { fn f() {} }"),
]  # fmt: skip
OTHER = [
    ("fn f() { while let Some(_) = a.pop() { b(); } }", "fn f() { while a.pop().is_some() { b(); } }"),
    ("fn f() { while a.pop().is_some() {} }", "fn f() { while a.pop().is_none() {} }"),
    ("fn f() { b(a.as_mut().unwrap_or(&mut c)) }", "fn f() { b(a.as_mut().unwrap_or(c)) }"),
    ("fn f() { b(a.unwrap_or(&c)) }", "fn f() { b(a.unwrap_or(c)) }"),
    ("fn f() { let a = match b { Ok(c) => c, Err(d) => return d }; }", "fn f() { let Ok(a) = b else { return d }; }"),
    ("fn f() { let a = match b { Some(c) => d, None => return }; }", "fn f() { let Some(a) = b else { return }; }"),
    ("fn f() { g(a == true); }", "fn f() { g(!a); }"),
    ("fn f() { g(!(a < b)); }", "fn f() { g(a >= b); }"),
    ("fn f() { g(-a, !a.b()); }", "fn f() { g(a, a.b()); }"),
    ("fn f() { g(!a.is_some(1)); }", "fn f() { g(a.is_none(1)); }"),
    ("fn f() { g(a.len() == 1); }", "fn f() { g(a.is_empty()); }"),
    ("fn f() { g(a.count() == 0); }", "fn f() { g(a.is_empty()); }"),
    ("fn f() { if let Some(_) = a.b() { g() } }", "fn f() { if a.b().is_some() { g() } }"),
    ("fn f() { if let Some(_) = a { g() } }", "fn f() { if a.is_none() { g() } }"),

    ("enum A { Some } fn f() { if let Some(_) = a { g() } }", "enum A { Some } fn f() { if a.is_some() { g() } }"),
    ("fn f() { if !a { g() } else if b { h() } }", "fn f() { if a { h() } else if b { g() } }"),
    ("fn f() { if !a { g() } }", "fn f() { if a { g() } }"),
    ("fn f() { match a { true => g(), false => h() } }", "fn f() { if a { h() } else { g() } }"),
    ("fn f() { match a { true if b => g(), _ => h() } }", "fn f() { if a { g() } else { h() } }"),
    ("fn f() -> T { let a = match g() { Ok(a) => a, Err(e) => return Err(h(e)) }; a.b() }",
     "fn f() -> T { let a = g()?; a.b() }"),
    ("fn f() -> T { let a = match g() { Ok(a) => h(a), Err(e) => return Err(e) }; a.b() }",
     "fn f() -> T { let a = g()?; a.b() }"),
    ("enum A { Ok(B), Err(C) } fn f() -> T { match g() { Ok(a) => a, Err(e) => return Err(e) } }",
     "enum A { Ok(B), Err(C) } fn f() -> T { g()? }"),
    ("fn f() -> T { match a { Some(b) => b, None => g() } }", "fn f() -> T { a.unwrap_or(g()) }"),
    ("fn f() -> T { match a { Some(b) => c, None => 0 } }", "fn f() -> T { a.unwrap_or(0) }"),
    ("fn f() -> T { match a { Some(b) => Some(b?), None => None } }", "fn f() -> T { a.map(|b| b?) }"),
    ("fn f() -> T { match a.b() { Some(b) => Some(c), None => None } }", "fn f() -> T { a.b().map(|b| c) }"),
    ("fn f() -> T { match a { Some(b) => g(b), None => None } }", "fn f() -> T { a.map(|b| b) }"),
    ("fn f() -> T { a.unwrap_or_else(|| g()) }", "fn f() -> T { a.unwrap_or(g()) }"),
    ("fn f() -> T { a.map(|b| g(b)).unwrap_or(h()) }", "fn f() -> T { a.map_or(h(), |b| g(b)) }"),
    ("fn f() -> T { a.and_then(|b| g(b)) }", "fn f() -> T { a.map(|b| g(b)) }"),
    ("fn f() { let a = match b { Some(a) => a, None => 1 }; g(a, a) }",
     "fn f() { let Some(a) = b else { 1 }; g(a, a) }"),
    ("fn f() { let a = match b { Some(c) => c, None => return }; g(a, a) }",
     "fn f() { let Some(c) = b else { return }; g(a, a) }"),
    ("fn f() { for a in b().iter() { g(a) } }", "fn f() { for a in &b() { g(a) } }"),
    ("fn f() { for a in b.iter() { g(a) } }", "fn f() { for a in &mut b { g(a) } }"),
    ("fn f() { for a in b.keys() { g(a) } }", "fn f() { for a in &b { g(a) } }"),
    ("fn f() { g(d.nth(1)); }", "fn f() { g(d.next()); }"),
    ("fn f() { g(a.map(|b| b.c).next()); }", "fn f() { g(a.find(|b| b.c)); }"),
    ("fn f() { g(a.to_string()); }", "fn f() { g(a.to_owned()); }"),
    ('struct String; fn f() { g(String::from("a")); }', 'struct String; fn f() { g("a".to_owned()); }'),
    ('fn f() { g(a.split("bc")); }', "fn f() { g(a.split('b')); }"),
    ('fn f() { g(a.push("b")); }', "fn f() { g(a.push('b')); }"),
    ('fn f() { println!(" "); }', "fn f() { println!(); }"),
    ("macro_rules! vec { () => {} } fn f() { g(vec![]); }", "macro_rules! vec { () => {} } fn f() { g(Vec::new()); }"),
    ("fn f() { assert!(a == b && c); }", "fn f() { assert_eq!(a, b && c); }"),
    ('fn f() { assert!(a == b, "c"); }', 'fn f() { assert_eq!(a, b, "d"); }'),
    ("fn f() { a = b + 2; }", "fn f() { a += 2; }"),
    ("fn f() { a = a + b; }", "fn f() { a += b; }"),
    ("fn f() { g((*b()).c); }", "fn f() { g(b().c); }"),
    ("fn f() { g((*b).clone()); }", "fn f() { g(b.clone()); }"),
    ("#[test]\nfn f() { g(1) }", "fn f() { g(1) }"),
    ("fn f<T>(a: T) where T: A { g(a) }", "fn f<T: B>(a: T) { g(a) }"),
    ("fn f() { let a = b else { g(); return }; h(a, a) }", "fn f() { let a = b else { return }; h(a, a) }"),
    ("fn f() { let a = match b { C(a) => a, _ => return }; h(a) }", "fn f() { let Some(a) = b else { return }; h(a) }"),
    ("fn f() { let a = if let Some(a) = b { a } else { g() }; h(a, a) }",
     "fn f() { let Some(a) = b else { g() }; h(a, a) }"),
    ("fn f<T>(a: T) where Vec<T>: A { g(a) }", "fn f<T: A>(a: T) { g(a) }"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_clippy_writes_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.rs": (f"{old}\n", f"{new}\n")})["a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_clippys_form_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.rs": (f"{old}\n", f"{new}\n")})["a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

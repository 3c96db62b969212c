"""Plain values of Rust: numbers, truths, characters and texts whose types a function tells; and what only looks so."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ("fn f(a: u8) { let b = !(a < 3); g(b, b); }", "fn f(a: u8) { g(a >= 3, 3 <= a); }"),
    ("fn f(a: bool) { let b = !a; g(b, b); }", "fn f(a: bool) { g(!a, !a); }"),
    ("fn f(a: &u8) { let b = *a; g(b, b); }", "fn f(a: &u8) { g(*a, *a); }"),
    ("fn f() { let b = -1i8; g(b, b); }", "fn f() { g(-1i8, -1i8); }"),
    ("fn f(a: u8) { let b = a & 3 | 1; g(b, b); }", "fn f(a: u8) { g(a & 3 | 1, a & 3 | 1); }"),
    ("fn f(a: f64) { let b = a * 2.5; h(); g(b, b); }", "fn f(a: f64) { h(); g(a * 2.5, a * 2.5); }"),
    ("fn f(a: u8) { let b = a as char; g(b, b); }", "fn f(a: u8) { g(a as char, a as char); }"),
    ("fn f() { let d = 'a'; let c = b'a'; g(d, d, c, c); }", "fn f() { g('a', 'a', b'a', b'a'); }"),
    ("fn f(a: char) { if a == 'x' || a == 'y' { g(); } }", "fn f(a: char) { if 'y' == a || a == 'x' { g(); } }"),
    ('fn f(a: &str) { if a == "x" || a == r"y" { g(); } }', 'fn f(a: &str) { if a == "y" || "x" == a { g(); } }'),
    ("fn f(a: Vec<u8>) { let b = a.len(); g(b, b); }", "fn f(a: Vec<u8>) { g(a.len(), a.len()); }"),
    ("fn f(a: bool) { let b = a && true; g(b, b); }", "fn f(a: bool) { g(a && true, a && true); }"),
    ("fn f(a: i32) { let b = 0xff; g(a == b, a == b); }", "fn f(a: i32) { g(a == 0xff, a == 0xff); }"),
    ("fn f(a: i32, b: i32) { g(a * 2 <= b * 2); }", "fn f(a: i32, b: i32) { g(!(a * 2 > b * 2)); }"),
    ("fn f(a: i32) { let x = a * 2; let y = a == 1; g(x, y, x); }", "fn f(a: i32) { g(a * 2, a == 1, a * 2); }"),
    ("fn f(a: i32) { let x = a == 2; h(); }", "fn f(a: i32) { h(); }"),
    (
        "fn f(a: u8) { for i in 0..a { if i < 3 && a == 1 { g(); } } }",
        "fn f(a: u8) { for i in 0..a { if a == 1 && 3 > i { g(); } } }",
    ),
    (
        "fn f(a: &[u8]) { for i in a.iter() { if *i < 3 { g(); } } }",
        "fn f(a: &[u8]) { for i in a.iter() { if 3 > *i { g(); } } }",
    ),
    ("fn f(a: bool, b: u8) { if !(!g(b) || a) { h(); } }", "fn f(a: bool, b: u8) { if g(b) && !a { h(); } }"),
    ("fn f(a: u8) { if a == 1 || a == 1 { g(); } }", "fn f(a: u8) { if a == 1 { g(); } }"),
    (
        "fn f(a: u8) -> u8 { let r; if a == 1 { if a == 2 { r = 1; } else { r = 2; } } else { r = 3; } r }",
        "fn f(a: u8) -> u8 { if a == 1 { if a == 2 { 1 } else { 2 } } else { 3 } }",
    ),
    (
        "fn f(a: u8) { let mut r = 1; if a == 1 { r = 2; } else if a == 2 {} g(r); g(r); }",
        "fn f(a: u8) { let r; if a == 1 { r = 2; } else if a == 2 { r = 1; } else { r = 1; } g(r); g(r); }",
    ),
    (
        "fn f(a: u8) -> u8 { let mut r = 1; match g(a) { A => r = 2, B => {} } r }",
        "fn f(a: u8) -> u8 { let r; match g(a) { A => r = 2, B => { r = 1; } } r }",
    ),
    (
        "fn f(a: u8) { let r: u8; if a == 1 { r = 2; } else { return; } g(r, r); }",
        "fn f(a: u8) { let r: u8 = if a == 1 { 2 } else { return }; g(r, r); }",
    ),
    (
        "fn f(a: u8) { loop { let r; if a == 1 { r = 2; } else { r = 3; } x = r; g(x); } }",
        "fn f(a: u8) { loop { if a == 1 { x = 2; } else { x = 3; } g(x); } }",
    ),
    ("fn f(a: &Vec<T>) { for i in 0..a.len() { g(&a[i]); } }", "fn f(a: &Vec<T>) { for i in a { g(i); } }"),
    ("fn f(a: u8) { if matches!(a, 1) { g(); } }", "fn f(a: u8) { if 1 == a { g(); } }"),
    (
        "fn f(a: u8) { let mut n = 1; if a == 1 { n = 2; g(); } h(|| { n = 3; }); }",
        "fn f(a: u8) { if a == 1 { g(); } h(|| {}); }",
    ),
    ("fn f(mut a: u8) { let b = a == 1; g(b, b, a); }", "fn f(a: u8) { g(a == 1, a == 1, a); }"),
    (
        "fn f(a: u8) { let r = match g(a) { #[cfg(c)] A => 1, B => 2 }; g(r, r); }",
        "fn f(a: u8) { let r; match g(a) { #[cfg(c)] A => r = 1, B => r = 2 } g(r, r); }",
    ),
]
OTHER = [
    (
        "use b::*;\nfn f(a: Vec<u8>) { let b = a.len(); g(b, b); }",
        "use b::*;\nfn f(a: Vec<u8>) { g(a.len(), a.len()); }",
    ),
    (
        "#[cfg(c)]\nuse b::i32;\nfn f(a: i32) { if a < 1 { g(); } }",
        "#[cfg(c)]\nuse b::i32;\nfn f(a: i32) { if 1 > a { g(); } }",
    ),
    ("fn f<u8>(a: u8) { if a < 1 { g(); } }", "fn f<u8>(a: u8) { if 1 > a { g(); } }"),
    (
        "fn f(a: u8, b: T) { let ref mut c = b; if a < 1 { g(c); } }",
        "fn f(a: u8, b: T) { let ref mut c = b; if 1 > a { g(c); } }",
    ),
    ("fn f(a: u8) { h(|a| a < 1); }", "fn f(a: u8) { h(|a| 1 > a); }"),
    ("fn f(a: &mut u8) { let b = *a; h(a); g(b, b); }", "fn f(a: &mut u8) { h(a); g(*a, *a); }"),
    ("fn f(mut a: u8) { let b = a == 1; a = 2; g(b, a); }", "fn f(mut a: u8) { a = 2; g(a == 1, a); }"),
    ("fn f(a: u8) { let b; h(); if a == 1 { b = 2; g(b); } }", "fn f(a: u8) { h(); if a == 1 { g(3); } }"),
    ("fn f(a: u8) { let b = a / 2; h(); g(b, b); }", "fn f(a: u8) { h(); g(a / 2, a / 2); }"),
    ("fn f(a: u8) { let b = -a; h(); g(b, b); }", "fn f(a: u8) { h(); g(-a, -a); }"),
    ("fn f(a: T) { let b = !a; h(); g(b, b); }", "fn f(a: T) { h(); g(!a, !a); }"),
    ("fn f(a: &T) { let b = *a; h(); g(b, b); }", "fn f(a: &T) { h(); g(*a, *a); }"),
    ("fn f(a: E) { let b = a as u8; h(); g(b, b); }", "fn f(a: E) { h(); g(a as u8, a as u8); }"),
    ('fn f() { let b = 0x1u8; let c = b"a"; g(b, b, c, c); }', 'fn f() { g(0x1, 0x1, b"a", b"a"); }'),
    ("fn f(a: T) { let b = a.len(); h(); g(b, b); }", "fn f(a: T) { h(); g(a.len(), a.len()); }"),
    ("fn f(a: bool) { let b = a + 1; h(); g(b, b); }", "fn f(a: bool) { h(); g(a + 1, a + 1); }"),
    ("fn f(a: u8) { m!(a); if a < 1 { g(); } }", "fn f(a: u8) { m!(a); if 1 > a { g(); } }"),
    (
        "fn f(a: u8) { let mut r = 1; match a { r => { g(r); } } g(r, r); }",
        "fn f(a: u8) { let r; match a { r => { g(r); r = 1; } } g(r, r); }",
    ),
    (
        "fn f(a: u8) { let mut r = 1; if r == a { r = 2; } g(r, r); }",
        "fn f(a: u8) { let r; if r == a { r = 2; } else { r = 1; } g(r, r); }",
    ),
    (
        "fn f(a: u8) { let mut r = 1; if a == 1 { h(r); r = 2; } g(r, r); }",
        "fn f(a: u8) { let r; if a == 1 { h(r); r = 2; } else { r = 1; } g(r, r); }",
    ),
    (
        "fn f(a: u8) { let mut r = 1; if a == 1 { r += 2; } g(r, r); }",
        "fn f(a: u8) { let r; if a == 1 { r += 2; } else { r = 1; } g(r, r); }",
    ),
    (
        "fn f(a: u8) { match a { 1..=5 => g(), 7 => h(), _ => {} } }",
        "fn f(a: u8) { if a == 1 { g(); } else if a == 7 { h(); } }",
    ),
    ("fn f(a: u8) { match a { 1 => g(), b => h(b) } }", "fn f(a: u8) { if a == 1 { g(); } else { h(b); } }"),
    ("fn f(a: u8) { if matches!(a) { g(); } }", "fn f(a: u8) { if a == 1 { g(); } }"),
    ("fn f(a: E) { if let 1 = a { g(); } }", "fn f(a: E) { if a == 1 { g(); } }"),
    ("fn f(a: &[u8]) { for i in 0..a.len() { g(&mut a[i]); } }", "fn f(a: &[u8]) { for i in a { g(i); } }"),
    ("fn f(a: &[u8]) { for (i, b) in 0..a.len() { g(&a[i]); } }", "fn f(a: &[u8]) { for i in a { g(i); } }"),
    (
        "fn f(a: u8) { let mut n = 1; h(|| n = 3); g(); }",
        "fn f(a: u8) { h(|| ()); g(); }",
    ),
    ("fn f(a: u8) { let x = a * 2; }", "fn f(a: u8) {}"),
    ("fn f(a: u8) { let r; h(); r = &g(a); }", "fn f(a: u8) { h(); let r = &g(a); }"),
    (
        "#[derive(Parser)]\nstruct S;\nfn f(a: u8) { g(\n/// d\na); if a < 1 { h(); } }",
        "#[derive(Parser)]\nstruct S;\nfn f(a: u8) { g(\n/// d\na); if 1 > a { h(); } }",
    ),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_plain_value_that_is_written_in_another_way_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_is_no_plain_value_stays_as_it_is(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

"""Variables of Rust that have another name in a function are a refactor, and what is anything else never is."""

from __future__ import annotations

import re

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.corpora import CORPORA
from tests.core.mutation.repository import judged

LOCALS = "names of variables in functions"
WRITTEN = "the same written in another way"

Pair = tuple[str, str]

RENAMED: list[Pair] = [
    (
        'fn f(a: u8) { println!("{} {}", (a), a + 1); write!(w, "{a}") }',
        'fn f(b: u8) { println!("{} {}", (b), b + 1); write!(w, "{b}") }',
    ),
    ('fn f(a: u8) { g(a, "a"); println!("a {a}") }', 'fn f(b: u8) { g(b, "a"); println!("a {b}") }'),
    ("fn f(a: u8) { let b = a + 1; g(|c| c + b) }", "fn f(x: u8) { let y = x + 1; g(|z| z + y) }"),
    ("fn f(a: u8) { let b = 1; let b = b + a; vec![b] }", "fn f(a: u8) { let c = 1; let c = c + a; vec![c] }"),
    (
        "fn f(x: u8) { match x { Some(a) if a > 1 => a, _ => 2 } }",
        "fn f(x: u8) { match x { Some(b) if b > 1 => b, _ => 2 } }",
    ),
    ("trait T { fn f(&self, a: u8); }", "trait T { fn f(&self, b: u8); }"),
    (
        "impl A { #[inline] fn f(&self, a: u8) { g(a, self.a) } }",
        "impl A { #[inline] fn f(&self, b: u8) { g(b, self.a) } }",
    ),
    (
        "use c::*; fn f(x: u8) { let (a, b) = x; for (k, v) in a { g(k, v, b) } }",
        "use c::*; fn f(x: u8) { let (aa, bb) = x; for (kk, vv) in aa { g(kk, vv, bb) } }",
    ),
    (
        'fn f(a: A) { while let Some(c) = a.next() { if let B(d) = c && d > 1 { println!("{d:?} {c}") } } }',
        'fn f(a: A) { while let Some(x) = a.next() { if let B(y) = x && y > 1 { println!("{y:?} {x}") } } }',
    ),
    ("fn f(a: A) { let A { b, .. } = a; g(b) }", "fn f(a: A) { let A { b: c, .. } = a; g(c) }"),
    ('fn f(a: A) { g("b a", a) }', 'fn f(b: A) { g("b a", b) }'),
    (
        "fn f(a: u8) { match a { b if let Some(c) = b => c, _ => 1 } }",
        "fn f(a: u8) { match a { x if let Some(y) = x => y, _ => 1 } }",
    ),
    ("fn f(a: u8) { let Some(b) = a else { return }; g(b) }", "fn f(a: u8) { let Some(c) = a else { return }; g(c) }"),
    (
        "#[cfg(a)]\nfn f(a: u8) { g(a) }\n#[cfg(b)]\nfn f(a: u8) { h(a) }",
        "#[cfg(a)]\nfn f(c: u8) { g(c) }\n#[cfg(b)]\nfn f(d: u8) { h(d) }",
    ),
    (
        "mod m { impl<T> A for B<T> { fn f(a: u8) { g(|b: u8| b + a) } } }",
        "mod m { impl<T> A for B<T> { fn f(x: u8) { g(|y: u8| y + x) } } }",
    ),
]
NOT_RENAMED: list[Pair] = [
    ("fn f(#[arg] a: u8) { g(a) }", "fn f(#[arg] b: u8) { g(b) }"),
    ('fn f(a: A) { println!("{}", a.a) }', 'fn f(b: A) { println!("{}", b.b) }'),
    ('fn f(a: u8) { println!("{} {a}", "{a}", ) }', 'fn f(b: u8) { println!("{} {b}", "{b}", ) }'),
    ('static a: u8 = 1; fn f(a: u8) { g(a); panic!("{a}") }', 'static a: u8 = 1; fn f(b: u8) { g(b); panic!("{a}") }'),
    ('fn f(a: u8) { g(a); panic!("{a}") }', 'fn f(b: u8) { g(b); panic!("{a}") }'),
    ('fn f(a: u8) { g(a); println!("{a }") }', 'fn f(b: u8) { g(b); println!("{a }") }'),
    ("fn f(a: u8) { vec![A { a }] }", "fn f(b: u8) { vec![A { b }] }"),
    ("fn f(a: u8) { use m::a; g(a) }", "fn f(b: u8) { use m::b; g(b) }"),
    ("fn f(a: u8, b: u8) { g(a, b) }", "fn f(c: u8, c: u8) { g(c, c) }"),
    ("fn f(x: u8) { match x { a(1) => 1, _ => 2 } }", "fn f(x: u8) { match x { b(1) => 1, _ => 2 } }"),
    ("fn f(x: u8) { match x { 1 if a => 1, _ => 2 } }", "fn f(x: u8) { match x { 1 if b => 1, _ => 2 } }"),
    ("fn f(a: u8) { g(a) } pub fn h() {}", "fn f(b: u8) { g(b) }"),
    ("fn f(a: u8) { #![m(a)] g(a) }", "fn f(b: u8) { #![m(b)] g(b) }"),
    ("fn f(a: u8) { let b = 1; g(a, b) }", "fn f(b: u8) { let a = 1; g(b, b) }"),
    ("fn f(a: u8) { dbg!(a); }", "fn f(b: u8) { dbg!(b); }"),
    ("fn f(a: u8) { assert!(a > 1); }", "fn f(b: u8) { assert!(b > 1); }"),
    ("fn f(a: u8) { stringify!(a); }", "fn f(b: u8) { stringify!(b); }"),
    ('fn f(a: u8) { println!("{}", stringify!(a)); }', 'fn f(b: u8) { println!("{}", stringify!(b)); }'),
    ("fn f(a: u8) { log!(a); }", "fn f(b: u8) { log!(b); }"),
    ('fn f() { println!("{}", a); }', 'fn f() { println!("{}", b); }'),
    ("fn f() { g(a); }", "fn f() { g(b); }"),
    ("fn f() { { let a = 1; h(a); } g(a); }", "fn f() { { let b = 1; h(b); } g(b); }"),
    ("fn f() { g(a); let a = 1; }", "fn f() { g(b); let b = 1; }"),
    ("fn f() { let a = a; g(a) }", "fn f() { let b = b; g(b) }"),
    (
        "fn f(x: u8) { match x { a => 1, _ => 2 } } const a: u8 = 1;",
        "fn f(x: u8) { match x { b => 1, _ => 2 } } const a: u8 = 1;",
    ),
    ("use c::*; fn f(x: u8) { match x { a => 1, _ => 2 } }", "use c::*; fn f(x: u8) { match x { b => 1, _ => 2 } }"),
    ("use c::a; fn f(x: u8) { match x { a => 1, _ => 2 } }", "use c::a; fn f(x: u8) { match x { b => 1, _ => 2 } }"),
    ("#[command]\nfn f(a: u8) { g(a) }", "#[command]\nfn f(b: u8) { g(b) }"),
    ("#[command]\nimpl A { fn f(a: u8) { g(a) } }", "#[command]\nimpl A { fn f(b: u8) { g(b) } }"),
    ("fn f(a: u8) { fn g() { h(a) } g(a) }", "fn f(b: u8) { fn g() { h(b) } g(b) }"),
    ("fn f(a: u8) { g(|c| c + a); h(c) }", "fn f(a: u8) { g(|d| d + a); h(d) }"),
    ("fn f(a: A) { g(a.a) }", "fn f(b: A) { g(b.b) }"),
    ("fn f(a: u8) { A { a } }", "fn f(b: u8) { A { b } }"),
    ("fn f(a: A) { let A { b, .. } = a; g(b) }", "fn f(a: A) { let A { c, .. } = a; g(c) }"),
    ("fn f(a: u8) { b(a) }", "fn f(b: u8) { b(b) }"),
    ("fn f(a: u8) { g(a); h(b::a) }", "fn f(c: u8) { g(c); h(b::c) }"),
    ("fn f<'a>(a: &'a u8) {}", "fn f<'b>(b: &'a u8) {}"),
    (
        "fn f(a: u8) { if let Some(c) = a { g(c) } else { h(c) } }",
        "fn f(a: u8) { if let Some(d) = a { g(d) } else { h(d) } }",
    ),
    ('fn f(a: u8) { panic!("{a}") }', 'fn f(b: u8) { panic!("{b}") }'),
    ('fn f(a: u8) { println!("{:a$}", 1, a = a) }', 'fn f(b: u8) { println!("{:b$}", 1, b = b) }'),
    (
        "macro_rules! vec { ($x:expr) => { stringify!($x) } } fn f(a: u8) { vec![a] }",
        "macro_rules! vec { ($x:expr) => { stringify!($x) } } fn f(b: u8) { vec![b] }",
    ),
    ("use m::vec; fn f(a: u8) { vec![a] }", "use m::vec; fn f(b: u8) { vec![b] }"),
    ("fn f(a: u8) { macro_rules! m { () => { a } } m!() }", "fn f(b: u8) { macro_rules! m { () => { b } } m!() }"),
    ("fn f(a: u8, b: u8) { g(a, b) }", "fn f(b: u8, a: u8) { g(a, b) }"),
    ("fn f(x: u8) { match x { y if y > z => y, z => z } }", "fn f(x: u8) { match x { y if y > w => y, w => w } }"),
    ("fn f(a: u8, c: A) { for i in a { g(i) } h(i) }", "fn f(a: u8, c: A) { for k in a { g(k) } h(k) }"),
    ("fn f(a: [u8; n], n: u8) { g(n) }", "fn f(a: [u8; m], m: u8) { g(m) }"),
    ("fn f(a: u8) { r#b(a) }", "fn f(r#b: u8) { r#b(r#b) }"),
    ("fn f(a: u8) { #[m(a)] let b = a; }", "fn f(c: u8) { #[m(c)] let b = c; }"),
    ("fn f(a: u8) { g(a) }\nfn f(a: u8) { h(a) }", "fn f(b: u8) { g(b) }\nfn f(a: u8) { h(c) }"),
    ("fn f(a: u8) { match a { x @ 1 => x, _ => y } }", "fn f(a: u8) { match a { z @ 1 => z, _ => z } }"),
    ('fn f(a: u8) { println!("{a}") }', 'fn f(b: u8) { println!("{a}") }'),
    ("use c::*; fn f(a: u8) { if let Some(b) = a { g(b) } }", "use c::*; fn f(a: u8) { if let Some(d) = a { g(d) } }"),
    (
        "use c::*; fn f(a: u8) { let Some(b) = a else { h() }; g(b) }",
        "use c::*; fn f(a: u8) { let Some(d) = a else { h() }; g(d) }",
    ),
    ("fn f<const n: usize>(a: u8) { g(n) }", "fn f<const m: usize>(a: u8) { g(m) }"),
]
KEPT: list[Pair] = [
    ("fn f(a: u8) { let _ = g(a); }", "fn f(a: u8) { }"),
    ("fn f(a: A) { let _b = a; h() }", "fn f(a: A) { h() }"),
    ("fn f(a: u8) { g(move || { let _ = a; }) }", "fn f(a: u8) { g(move || { }) }"),
    ("fn f() { let _ = A; h() }", "fn f() { h() }"),
]


@pytest.mark.parametrize("pair", RENAMED)
def test_variables_of_a_function_may_have_other_names(pair: Pair) -> None:
    """Each use changed with its declaration; a file beside it has the old names, so nothing is renamed everywhere."""
    words = "fn elsewhere() { use_of(a, b, c, d, k, v, x, y, aa) }"
    verdict = judged({"m.rs": pair}, {"n.rs": words})["m.rs"]
    assert verdict.mutation_class is MutationClass.AST_REFACTOR
    assert LOCALS in verdict.reasons


@pytest.mark.parametrize("pair", NOT_RENAMED)
def test_a_name_that_may_be_another_ones_is_held_fast(pair: Pair) -> None:
    """Macros, attributes, constants, items within, texts, and names from around know a name by its letters."""
    words = "fn elsewhere() { use_of(a, b, c, d, i, n, x, y) }"
    assert judged({"m.rs": pair}, {"n.rs": words})["m.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_parameter_that_is_only_mentioned_is_one_that_is_not_used() -> None:
    """`let _ = a;` binds nothing and drops nothing."""
    verdict = judged({"m.rs": ("fn f(_a: u8) { g() }", "fn f(a: u8) { let _ = a; g() }")})["m.rs"]
    assert verdict.mutation_class is MutationClass.AST_REFACTOR
    assert WRITTEN in verdict.reasons


@pytest.mark.parametrize("pair", KEPT)
def test_a_statement_that_does_something_is_no_mention(pair: Pair) -> None:
    """A call, a variable that is dropped later, what a closure keeps, and what is no parameter."""
    assert judged({"m.rs": pair})["m.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


VARIABLES = [
    ("parse", "line"),
    ("parse", "most"),
    ("parse", "parts"),
    ("load", "found"),
    ("load", "line"),
    ("load", "city"),
]


def _versions(function: str, name: str) -> tuple[str, list[str], list[str]]:
    """A program whose variable has a new name; the same with one use left, and with each other name of the function."""
    program = CORPORA["rs"]
    start = program.index(f"pub fn {function}(")
    end = program.index("\n}\n", start)
    body = program[start:end]
    uses = [match.start() for match in re.finditer(rf"(?<![.\w]){name}\b", body)]

    def renamed(new: str, left: int = -1) -> str:
        parts = body
        for use in reversed(uses):
            parts = parts if use == left else f"{parts[:use]}{new}{parts[use + len(name) :]}"
        return program[:start] + parts + program[end:]

    others = [other for owner, other in VARIABLES if owner == function and other != name]
    return renamed("renamed"), [renamed("renamed", use) for use in uses], [renamed(other) for other in others]


@pytest.mark.parametrize(("function", "name"), VARIABLES)
def test_one_use_left_or_a_name_that_is_taken_is_no_refactor(function: str, name: str) -> None:
    """Each use but one, for each of them, and each name that the function has already."""
    whole, partly, taken = _versions(function, name)
    other = {"n.rs": f"fn elsewhere() {{ use_of({name}) }}"}
    program = CORPORA["rs"]
    assert judged({"m.rs": (program, whole)}, other)["m.rs"].mutation_class is MutationClass.AST_REFACTOR
    wrong = [*partly, *taken]
    assert len(partly) > 1
    for text in wrong:
        assert judged({"m.rs": (program, text)}, other)["m.rs"].mutation_class is MutationClass.INTENT_EVOLUTION, text

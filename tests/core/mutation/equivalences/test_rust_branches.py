"""Branches of Rust in another form, and what would be dropped at another time."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

REASON = "branches in another form"
SAME = [
    ("-> i32", "if a { return 1; } if b { return 1; } 2", "if a || b { return 1; } 2"),
    ("-> i32", "if a { return 1; } 2", "if a { 1 } else { 2 }"),
    ("-> i32", "if a { return 1; } else { g(); } 2", "if a { return 1; } g(); 2"),
    ("-> i32", "if !a { 1 } else if b { 3 } else { 2 }", "if a { if b { return 3; } return 2; } 1"),
    ("-> i32", "if a { let c = g(); return h(c, c); } k(); 2", "if a { let c = g(); h(c, c) } else { k(); 2 }"),
    ("-> i32", "if a { println!(); g(); } else { return 2; } 1", "if !a { return 2; } println!(); g(); 1"),
    ("-> i32", "if a { return 1; } g().h().k()", "if a { return 1; } else { g().h().k() }"),
    ("-> bool", "if a { return b; } false", "a && b"),
    ("-> i32", "if a { return 1 } 2", "if a { 1 } else { return 2 }"),
    ("-> bool", "if matches!(c, D::E) { return true; } b", "matches!(c, D::E) || b"),
    ("-> bool", "if !(a && b) { return false; } true", "a && b"),
    ("-> bool", "if !a { return true; } !b", "!a || !b"),
    ("", "if a { g(); return; } h();", "if a { g(); } else { h(); }"),
    ("", "for c in d { if a { continue; } g(c); }", "for c in d { if !a { g(c); } }"),
    ("", "loop { if a { break; } if b { break; } g(); }", "loop { if a || b { break; } g(); }"),
    ("", "while a { if b { g(); continue; } else { h(); } }", "while a { if b { g(); } else { h(); } }"),
    ("", "if let Some(c) = d { g(c); return; } h();", "if let Some(c) = d { g(c); } else { h(); }"),
]
OTHER = [
    # Something is dropped at another time.
    ("-> i32", "if a { let c = g(); h(); } else { return 2; } k(); 1", "if a { let c = g(); h(); k(); return 1; } 2"),
    ("-> i32", "if a { m!(); } else { return 2; } k(); 1", "if a { m!(); k(); return 1; } 2"),
    ("-> i32", "if a { fn k() {} k(); } else { return 2; } k(); 1", "if a { fn k() {} k(); k(); return 1; } 2"),
    ("-> i32", "if a { use b::k; } else { return 2; } k(); 1", "if a { use b::k; k(); return 1; } 2"),
    ("-> i32", "let c = g(); return c.d().e();", "let c = g(); c.d().e()"),
    ("-> bool", "if a.b().c() { return true; } false", "a.b().c()"),
    ("-> bool", "if a { return true; } b.c().d() == e()", "a || b.c().d() == e()"),
    ("", "if let Some(c) = d { if a { g(c); } }", "if let Some(c) = d && a { g(c); }"),
    ("-> i32", "if a { return 1; } if let Some(c) = d { return 1; } 2", "if a && let Some(c) = d { return 1; } 2"),
    ("-> i32", "if a { if let Some(c) = d { 1 } else { 2 } } else { 2 }", "if a && let Some(c) = d { 1 } else { 2 }"),
    ("-> bool", "let c = g(); return b && c.d().e();", "let c = g(); b && c.d().e()"),
    ("", "if a { let c = g(); c.d().e(); }", "if a { let c = g(); c.d().e() }"),
    # What is declared is seen elsewhere.
    ("-> i32", "if a { return k(); } fn k() -> i32 { 1 } 2", "if a { k() } else { fn k() -> i32 { 1 } 2 }"),
    ("-> i32", "if a { return k(); } m!(); 2", "if a { k() } else { m!(); 2 }"),
    # Something else is done.
    ("-> i32", "if a { return 1; } if b { return 1; } 2", "if a && b { return 1; } 2"),
    ("-> i32", "if a { return 1; } if b { return 3; } 2", "if a || b { return 1; } 2"),
    ("-> i32", "if a { return 1; } 2", "if a { 2 } else { 1 }"),
    ("", "if a { g(); } h();", "if a { g(); } else { h(); }"),
    ("", "for c in d { if a { break; } g(c); }", "for c in d { if !a { g(c); } }"),
    (
        "",
        "'e: for c in d { for f in c { if a { continue 'e; } g(f); } }",
        "'e: for c in d { for f in c { if !a { g(f); } } }",
    ),
    ("-> i32", "k(|c| { if c { return 1; } 2 }); 3", "k(|c| { if c { return 2; } 1 }); 3"),
    ("-> i32", "match c { D => { if a { return 1; } 2 } }", "match c { D => { if a { return 2; } 1 } }"),
]


def _file(result: str, body: str) -> str:
    return f"pub fn f(a: bool, b: bool) {result} {{ {body} }}\n"


@pytest.mark.parametrize(("result", "before", "after"), SAME)
def test_branches_of_rust_that_take_the_same_way_are_a_refactor(result: str, before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (_file(result, old), _file(result, new))})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert REASON in verdict.reasons


@pytest.mark.parametrize(("result", "before", "after"), OTHER)
def test_branches_of_rust_that_drop_or_do_something_else_stay_behaviour(result: str, before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (_file(result, old), _file(result, new))})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_a_body_that_stays_does_not_hide_another_signature() -> None:
    before, after = (f"pub fn f(a: {kind}) -> i32 {{ if a {{ return 1; }} 2 }}\nfn g() {{}}\n" for kind in ("A", "B"))
    assert judged({"src/a.rs": (before, after)})["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_branches_in_another_form_is_a_refactor() -> None:
    chance = random.Random("branches of Rust")
    made = 0
    for result, before, after in SAME:
        for mutant in mutants(_file(result, after), chance, 12, "rs"):
            made += 1
            verdict = judged({"src/a.rs": (_file(result, before), mutant.after)})["src/a.rs"]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made

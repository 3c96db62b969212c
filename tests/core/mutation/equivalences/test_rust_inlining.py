"""Names for values in Rust that are moved once, and what only looks like that."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

REASON = "a value has a name of its own"
SAME = [
    ("let a = b.len(); c(a);", "c(b.len());"),
    ("let a = b.len(); d.c(1, a)?; e();", "d.c(1, b.len())?; e();"),
    ("let a = b(d); self.c = a; e();", "self.c = b(d); e();"),
    ("let a = b(d); let c = e(a); g(c, c)", "let c = e(b(d)); g(c, c)"),
    ("let a = S { b, c: 1 }; e((a, b))", "e((S { b, c: 1 }, b))"),
    ("let a = b(d); T { c: a, e: 1 }", "T { c: b(d), e: 1 }"),
    ("let a = b(d); return Ok(a);", "return Ok(b(d));"),
    ("let a = b.len(); if a == 0 { c(); }", "if b.len() == 0 { c(); }"),
    ("let a = b.len(); if a > 5 && e() { c(); }", "if b.len() > 5 && e() { c(); }"),
    ("let a = b(d); if a { c(); }", "if b(d) { c(); }"),
    ("let a = b(d); if !a { c(); }", "if !b(d) { c(); }"),
    ("let a = b(d); for e in a { c(e); }", "for e in b(d) { c(e); }"),
    ("let a = b + 1; c(d, a);", "c(d, b + 1);"),
    ("let a = b(d); let c = [1, a]; g(c, c)", "let c = [1, b(d)]; g(c, c)"),
    ("let a = self.b; c(self.d, a);", "c(self.d, self.b);"),
    ("let a = b(d); let e = g(a); c(h, e);", "c(h, g(b(d)));"),
    ("let a = b(d); c(a * 2);", "c(b(d) * 2);"),
]
OTHER = [
    # It is dropped at another time.
    ("let a = b(d); c(&a); e();", "c(&b(d)); e();"),
    ("let a = b(d); a.c(); e();", "b(d).c(); e();"),
    ("let a = b(d); if a == c { e(); }", "if b(d) == c { e(); }"),
    ("let a = b(d).c(); e(a);", "e(b(d).c());"),
    ("let a = b(&d()); e(a);", "e(b(&d()));"),
    ("let a = b(d); match a { Some(c) => e(c), None => g() }", "match b(d) { Some(c) => e(c), None => g() }"),
    ("let a = b(d); if let Some(c) = a { e(c); }", "if let Some(c) = b(d) { e(c); }"),
    ("let a = b(d); let Some(c) = a else { return; }; e(c, c);", "let Some(c) = b(d) else { return; }; e(c, c);"),
    ("let a = b(d); e(*a);", "e(*b(d));"),
    ("let a = b(d); e(a[0]);", "e(b(d)[0]);"),
    ("let a = b(d); e(a.c);", "e(b(d).c);"),
    ("let a = b(d); e(a)(c);", "e(b(c))(d);"),
    # Something else is computed before it, or it is not.
    ("let a = b(d); c(e(), a);", "c(e(), b(d));"),
    ("let a = self.b(); c(self.d, a);", "c(self.d, self.b());"),
    ("let a = self.b(); self.d.max(a);", "self.d.max(self.b());"),
    ("let a = b(&mut d); c(d, a);", "c(d, b(&mut d));"),
    ("let a = b(d); if e && a { c(); }", "if e && b(d) { c(); }"),
    ("let a = b(d); while a { c(); }", "while b(d) { c(); }"),
    ("let a = b(d); h; e(a);", "h; e(b(d));"),
    (f"let a = b(d); c({'!' * 50}a);", f"c({'!' * 50}b(d));"),
    ("let a = b(d); c(); e(a);", "c(); e(b(d));"),
    ("let a = b(d); c(|| e(a));", "c(|| e(b(d)));"),
    ("let a = b(d); c!(a);", "c!(b(d));"),
    ("let a = b(d); c(a, a);", "c(b(d), b(d));"),
    ("let mut a = b(d); c(a); a = e;", "c(b(d)); a = e;"),
    ("let a: u8 = b(d); c(a);", "c(b(d));"),
    ("#[cfg(x)] let a = b(d); c(a);", "c(b(d));"),
    ("let (a, e) = b(d); c(a, e);", "c(b(d));"),
    ("let a = b(d); a(c);", "b(d)(c);"),
    ("let a = b(d); c[a] = e;", "c[b(d)] = e;"),
    ("let a = b(d); c(e!(), a);", "c(e!(), b(d));"),
]


def _file(body: str) -> str:
    return f"pub fn f() {{ {body} }}\n"


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_name_for_a_value_that_is_moved_at_once_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (_file(old), _file(new))})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert REASON in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_value_that_may_be_dropped_at_another_time_or_be_another_one_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (_file(old), _file(new))})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_a_value_without_its_name_is_a_refactor() -> None:
    chance = random.Random("values without names of Rust")
    made = 0
    for before, after in SAME:
        for mutant in mutants(_file(after), chance, 12, "rs"):
            made += 1
            verdict = judged({"src/a.rs": (_file(before), mutant.after)})["src/a.rs"]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made

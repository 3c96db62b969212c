"""Names for values in Java that are used once, and what only looks like that."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

REASON = "a value has a name of its own"
SAME = [
    ("R a = new R(b); c(a, d());", "c(new R(b), d());"),
    ("final R<T> a = new R<T>(b); a.c(d);", "new R<T>(b).c(d);"),
    ("R<T> a = new R<>(b); c(a);", "c(new R<>(b));"),
    ("R a = (R) b; a.c();", "((R) b).c();"),
    ("byte[] a = new byte[5]; c(a);", "c(new byte[5]);"),
    ("int[][] a = new int[][] {{1}, d}; c(a);", "c(new int[][] {{1}, d});"),
    ('String a = "b" + c; d(a);', 'd("b" + c);'),
    ('String a = c + 1 + "b"; d(a);', 'd(c + 1 + "b");'),
    ("String a = b.toString(); throw new IllegalStateException(a);", "throw new IllegalStateException(b.toString());"),
    ('String a = String.format("%s", b); this.c = a;', 'this.c = String.format("%s", b);'),
    ("String a = b.getName(); c = a;", "c = b.getName();"),
    ("String a = b.getName(); boolean c = a.isEmpty(); d(c, c);", "boolean c = b.getName().isEmpty(); d(c, c);"),
    ("String a = b.getName(); Paths.get(a);", "Paths.get(b.getName());"),
    ("boolean a = b.c(); if (a) { d(); }", "if (b.c()) { d(); }"),
    ("boolean a = b.c(); if (!a && d()) { e(); }", "if (!b.c() && d()) { e(); }"),
    ("boolean a = b.c(); d(a ? 1 : 2);", "d(b.c() ? 1 : 2);"),
    ("int a = b.size(); if (a == 0) { d(); }", "if (b.size() == 0) { d(); }"),
    ("int a = b.size(); if (a > e.f()) { d(); }", "if (b.size() > e.f()) { d(); }"),
    ("A[] a = (A[]) b; for (A c : a) { d(c); }", "for (A c : (A[]) b) { d(c); }"),
    ("R a = new R(b); S c = (S) h(a); d(c);", "d((S) h(new R(b)));"),
    ("B b = q(); R a = new R(b.d()); c(b, a);", "B b = q(); c(b, new R(b.d()));"),
    ("R a = new R(b); e = new ArrayList<>(a);", "e = new ArrayList<>(new R(b));"),
    ('String i = j(); String a = i + "c"; e.f(g, a);', 'String i = j(); e.f(g, i + "c");'),
    ('String a = 1 + "c"; e.f(g, a);', 'e.f(g, 1 + "c");'),
    ("switch (z) { case 1: R a = new R(b); c(a); }", "switch (z) { case 1: c(new R(b)); }"),
    ("for (B c : d) { R a = new R(c); e(c, a); }", "for (B c : d) { e(c, new R(c)); }"),
]
OTHER = [
    # Which method is called depends on the type.
    ("S a = new R(b); c(a);", "c(new R(b));"),
    ("S a = b.d(); c(a);", "c(b.d());"),
    ("S a = (R) b; c(a);", "c((R) b);"),
    ("Object a = b.getName(); c(a);", "c(b.getName());"),
    ("String a = b.get(); c(a);", "c(b.get());"),
    ("R a = new R(b) { int d; }; c(a);", "c(new R(b) { int d; });"),
    ("R<T> a = new R<>(b); c(a.d());", "c(new R<>(b).d());"),
    ("R<T> a = new R<>(b); final var c = a; c.d(c);", "final var c = new R<>(b); c.d(c);"),
    ("R a = new R<>(b); c(a);", "c(new R<>(b));"),
    ('String a = "b"; c(a == d);', 'c("b" == d);'),
    ("Object[] a = new String[5]; c(a);", "c(new String[5]);"),
    ("int[][] a = new int[5]; c(a);", "c(new int[5]);"),
    ("int[] a = new int[] {1}; c(a);", "c(new Integer[] {1});"),
    ("boolean a = b.c(); d(a);", "d(b.c());"),
    ("int a = b.size(); d(a);", "d(b.size());"),
    ("int a = b.size(); d(a + 1.5f);", "d(b.size() + 1.5f);"),
    ("int a = b.size(); if (a == c) { d(); }", "if (b.size() == c) { d(); }"),
    ("char a = b.c(); if (a < 5) { d(); }", "if (b.d() < 5) { d(); }"),
    ("S a = x -> x; c(a);", "c(x -> x);"),
    ("S a = B::c; d(a);", "d(B::c);"),
    ("String a = c + 1; d(a);", "d(c + 1);"),
    # Something else is computed before it, or it is not.
    ("R a = new R(b); c(d(), a);", "c(d(), new R(b));"),
    ("R a = new R(b); c(e, a);", "c(e, new R(b));"),
    ("R a = new R(b.d()); c(e.f, a);", "c(e.f, new R(b.d()));"),
    ('String a = b + "c"; e.f(g, a);', 'e.f(g, b + "c");'),
    ('String a = "c" + 1 + b; e.f(g, a);', 'e.f(g, "c" + 1 + b);'),
    ("R a = new R(b.d()); e.f = a;", "e.f = new R(b.d());"),
    ("R a = new R(b.d()); c += a;", "c += new R(b.d());"),
    ("R a = new R(b.d()); c[e] = a;", "c[e] = new R(b.d());"),
    ("R a = new R(b.d()); e.c(a);", "e.c(new R(b.d()));"),
    ("R a = new R(b); e = new S(a);", "e = new S(new R(b));"),
    ("boolean a = b.c(); if (d() && a) { e(); }", "if (d() && b.c()) { e(); }"),
    ("R a = new R(b); c(1 < 2 ? a : d);", "c(1 < 2 ? new R(b) : d);"),
    (f"boolean a = b.c(); if ({'!' * 50}a) {{ d(); }}", f"if ({'!' * 50}b.c()) {{ d(); }}"),
    ("boolean e = g(); boolean a = b.c(); if (e && a) { d(e); }", "boolean e = g(); if (e && b.c()) { d(e); }"),
    ("boolean a = b.c(); while (a) { e(); }", "while (b.c()) { e(); }"),
    ("boolean a = b.c(); assert a;", "assert b.c();"),
    ("boolean a = b.c(); if (d) { e(a ? 1 : 2); }", "if (d) { e(b.c() ? 1 : 2); }"),
    ("boolean a = b.c(); d(e ? 1 : 2, a ? 1 : 2);", "d(e ? 1 : 2, b.c() ? 1 : 2);"),
    ("R a = new R(b); d(() -> c(a));", "d(() -> c(new R(b)));"),
    ("R a = new R(b); c(new S() { R e = a; });", "c(new S() { R e = new R(b); });"),
    ("R a = new R(b); c(); d(a);", "c(); d(new R(b));"),
    ("R a = new R(b); c(a, a);", "c(new R(b), new R(b));"),
    ("R a = new R(b); c(a); a = d;", "c(new R(b)); a = d;"),
    ("R a = new R(i++); c(i, a);", "c(i, new R(i++));"),
    ("R a = new R(b), c = d(); e(a, c);", "R c = d(); e(new R(b), c);"),
    ("@B R a = new R(b); c(a);", "c(new R(b));"),
    ("R a = new R(b.d()); c(e, a); int e = 1; f(e);", "c(e, new R(b.d())); int e = 1; f(e);"),
    ("{ int e = 1; f(e); } R a = new R(b.d()); c(e, a);", "{ int e = 1; f(e); } c(e, new R(b.d()));"),
    (
        "int e = 1; S s = new S() { int e; void g() { R a = new R(b.d()); c(e, a); } }; s.h(e);",
        "int e = 1; S s = new S() { int e; void g() { c(e, new R(b.d())); } }; s.h(e);",
    ),
    (
        "switch (z) { case 1: R a = new R(b); c(a); break; case 2: a = d(); e(a); }",
        "switch (z) { case 1: c(new R(b)); break; case 2: a = d(); e(a); }",
    ),
    ("R a = new R(b.d()); LOG.info(a);", "LOG.info(new R(b.d()));"),
    ("class B { int c; } R a = new R(b.d()); c.e(a);", "class B { int c; } c.e(new R(b.d()));"),
]


def _file(body: str) -> str:
    return f"class A {{\n  void f(B b) {{\n    {body}\n  }}\n}}\n"


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_name_for_a_value_of_its_own_type_that_is_used_at_once_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"A.java": (_file(old), _file(new))})["A.java"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert REASON in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_value_that_may_be_another_one_by_then_or_of_another_type_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"A.java": (_file(old), _file(new))})["A.java"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_a_value_without_its_name_is_a_refactor() -> None:
    chance = random.Random("values without names of Java")
    made = 0
    for before, after in SAME:
        for mutant in mutants(_file(after), chance, 12, "java"):
            made += 1
            verdict = judged({"A.java": (_file(before), mutant.after)})["A.java"]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made

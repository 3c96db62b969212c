"""Java in newer words, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

KEPT = "void k(int a) {} static void s(int a) {} int o() { return 1; } int o(int a) { return a; }"
SAME = [
    # Patterns.
    ("int m(Object a) { if (a instanceof B) { B b = (B) a; return b.c(b); } return 0; }",
     "int m(Object a) { if (a instanceof B b) { return b.c(b); } return 0; }"),
    ("void m(Object a) { if (a instanceof B) { B b = (B) a; d(b, b); } else { e(); } }",
     "void m(Object a) { if (a instanceof B b) { d(b, b); } else { e(); } }"),
    ("void m(Object a) { if (a instanceof B) { B b = (B) a; d(b, b); } }",
     "void m(Object a) { if (a instanceof B b) d(b, b); }"),
    # Arrays.
    ("void m(B[] a) { for (int i = 0; i < a.length; i++) { B b = a[i]; c(b, b); } }",
     "void m(B[] a) { for (B b : a) { c(b, b); } }"),
    ("void m() { B[] a = c(); for (int i = 0; i < a.length; ++i) { B b = a[i]; c(b, b); } d(a); }",
     "void m() { B[] a = c(); for (B b : a) { c(b, b); } d(a); }"),
    # Builders.
    ('void m(int a) { StringBuilder b = new StringBuilder(); b.append("c"); b.append(a).append(a); d(b, b); }',
     'void m(int a) { StringBuilder b = new StringBuilder(); b.append("c").append(a).append(a); d(b, b); }'),
    ('void m(int a) { StringBuffer b = new StringBuffer("d"); b.append(a); c(b.length()); d(b.toString()); }',
     'void m(int a) { StringBuilder b = new StringBuilder("d"); b.append(a); c(b.length()); d(b.toString()); }'),
    ('void m() { StringBuilder b = new StringBuilder(); b.append("c"); b.insert(0, "d"); e(b, b); }',
     'void m() { StringBuilder b = new StringBuilder(); b.append("c").insert(0, "d"); e(b, b); }'),
    ("String m() { StringBuffer b = new StringBuffer(); return b.append(1).reverse().toString(); }",
     "String m() { StringBuilder b = new StringBuilder(); return b.append(1).reverse().toString(); }"),
    # Lambdas.
    ("Runnable m() { return () -> { a(); }; }", "Runnable m() { return () -> a(); }"),
    ("void m() { B b = c -> { d = c; }; e(b, b); }", "void m() { B b = c -> d = c; e(b, b); }"),
    ("void m() { a.forEach(b -> { c(b); }); }", "void m() { a.forEach(b -> c(b)); }"),
    ("void m() { a.map(b -> C.d(b)).filter((b) -> C.e(b)); }", "void m() { a.map(C::d).filter(C::e); }"),
    ("void m() { B b = () -> new C(), d = e -> new C<>(e); f(b, d, b, d); }",
     "void m() { B b = C::new, d = C::new; f(b, d, b, d); }"),
    ("void m() { a.forEach(b -> k(b)); a.forEach(b -> s(b)); c.forEach(b -> this.k(b)); }",
     "void m() { a.forEach(this::k); a.forEach(A::s); c.forEach(this::k); }"),
    ("static void t(int a) { if (a > 1) d(); } void m() { a.forEach(b -> t(b)); }",
     "static void t(int a) { if (a > 1) { d(); } } void m() { a.forEach(A::t); }"),
    ("void m() { a = (b, c) -> D.e(b, c); }", "void m() { a = D::e; }"),
    ("void m() { a.map((B b) -> C.d(b)); }", "void m() { a.map(C::d); }"),
]  # fmt: skip
OTHER = [
    ("void m(Object a) { if (a instanceof B) { C b = (C) a; d(b, b); } }",
     "void m(Object a) { if (a instanceof B b) { d(b, b); } }"),
    ("void m(Object a) { if (a instanceof B) { a = c(); B b = (B) a; d(b, b); } }",
     "void m(Object a) { if (a instanceof B b) { a = c(); d(b, b); } }"),
    ("void m(B[] a) { for (int i = 0; i <= a.length; i++) { B b = a[i]; c(b, b); } }",
     "void m(B[] a) { for (B b : a) { c(b, b); } }"),
    ("void m(B[] a) { for (int i = 1; i < a.length; i++) { B b = a[i]; c(b, b); } }",
     "void m(B[] a) { for (B b : a) { c(b, b); } }"),
    ("void m(B[] a) { for (int i = 0; i < a.length; i += 2) { B b = a[i]; c(b, b); } }",
     "void m(B[] a) { for (B b : a) { c(b, b); } }"),
    ("void m(B[] a, B[] d) { for (int i = 0; i < a.length; i++) { B b = d[i]; c(b, b); } }",
     "void m(B[] a, B[] d) { for (B b : a) { c(b, b); } }"),
    ("void m(B[] a) { for (int i = 0; i < a.length; i++) { B b = a[i]; c(b, b, i); } }",
     "void m(B[] a) { for (B b : a) { c(b, b, i); } }"),
    ("void m(B[] a) { for (int i = 0; i < a.length; i++) { B b = a[i]; a = c(b, b); } }",
     "void m(B[] a) { for (B b : a) { a = c(b, b); } }"),
    ("void m() { for (int i = 0; i < a.length; i++) { B b = a[i]; c(b, b); } }",
     "void m() { for (B b : a) { c(b, b); } }"),
    ("void m(B[] a) { for (int i = 0; i < a.length; i++) { c(); B b = a[i]; d(b, b); } }",
     "void m(B[] a) { for (B b : a) { c(); d(b, b); } }"),
    ('void m(B b) { b.append("c"); b.append("d"); }', 'void m(B b) { b.append("c").append("d"); }'),
    ('void m() { StringBuilder b = new StringBuilder(); b.append("c"); b.insert(0, "d"); e(b); }',
     'void m() { StringBuilder b = new StringBuilder(); b.append("c").append("d"); e(b); }'),
    ('void m() { StringBuilder b = new StringBuilder(); b.append("c"); b.length(); e(b); }',
     'void m() { StringBuilder b = new StringBuilder(); b.append("c").length(); e(b); }'),
    ("void m() { StringBuffer b = new StringBuffer(); a(b); }",
     "void m() { StringBuilder b = new StringBuilder(); a(b); }"),
    ("B m() { StringBuffer b = new StringBuffer(); return b.append(1); }",
     "B m() { StringBuilder b = new StringBuilder(); return b.append(1); }"),
    ("void m() { StringBuffer b = new StringBuffer(); c(() -> { b.append(1); }); }",
     "void m() { StringBuilder b = new StringBuilder(); c(() -> { b.append(1); }); }"),
    ("void m() { StringBuffer b = new StringBuffer(); c(() -> b.length()); }",
     "void m() { StringBuilder b = new StringBuilder(); c(() -> b.length()); }"),
    ("void m() { StringBuffer b = new StringBuffer(); b.setSize(1); }",
     "void m() { StringBuilder b = new StringBuilder(); b.setSize(1); }"),
    ("class StringBuilder {} int m() { StringBuffer b = new StringBuffer(); return b.length(); }",
     "class StringBuilder {} int m() { StringBuilder b = new StringBuilder(); return b.length(); }"),
    ("void m() { a.submit(() -> { b(); }); }", "void m() { a.submit(() -> b()); }"),
    ("void m() { new B(() -> { b(); }); }", "void m() { new B(() -> b()); }"),
    ("void forEach() {} void m() { a.forEach(b -> { c(b); }); }",
     "void forEach() {} void m() { a.forEach(b -> c(b)); }"),
    ("void m() { a.map(b -> C.d(b, b)); }", "void m() { a.map(C::d); }"),
    ("void m() { a = (b, c) -> D.e(c, b); }", "void m() { a = D::e; }"),
    ("void m() { a.map(b -> c.d(b)); }", "void m() { a.map(c::d); }"),
    ("void m() { int C = 1; a.map(b -> C.d(b)); }", "void m() { int C = 1; a.map(C::d); }"),
    ("void m() { a.map(b -> C.<D>d(b)); }", "void m() { a.map(C::d); }"),
    ("void m() { a.map(b -> new C(b) { }); }", "void m() { a.map(C::new); }"),
    ("void m() { a.map(b -> new C<D>(b)); }", "void m() { a.map(C::new); }"),
    ("void m() { a.map(b -> n(b)); }", "void m() { a.map(this::n); }"),
    ("void m() { a.map(b -> o(b)); }", "void m() { a.map(this::o); }"),
    ("void m() { B b = new B() { void p() { a.forEach(c -> k(c)); } }; b.p(b); }",
     "void m() { B b = new B() { void p() { a.forEach(this::k); } }; b.p(b); }"),
    ("void m() { a.map(b -> C.d(e(b))); }", "void m() { a.map(C::d); }"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_java_in_newer_words_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"A.java": tuple(f"class A {{ {text} {KEPT} }}\n" for text in (old, new))})["A.java"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_java_that_does_something_else_is_none(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"A.java": tuple(f"class A {{ {text} {KEPT} }}\n" for text in (old, new))})["A.java"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

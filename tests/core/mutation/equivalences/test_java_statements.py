"""Statements of Java in one step or in several, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # Loops over all there is.
    (
        "void m() { for (Iterator<B> i = c.iterator(); i.hasNext();) { B d = i.next(); e(d, d); } }",
        "void m() { for (B d : c) { e(d, d); } }",
    ),
    (
        "void m() { for (Iterator i = c(1).d().iterator(); i.hasNext();) { B d = (B) i.next(); e(d, d); } }",
        "void m() { for (B d : c(1).d()) e(d, d); }",
    ),
    (
        "void m() { Iterator<B> i = c.iterator(); while (i.hasNext()) { final B d = i.next(); e(d, d); } g(); }",
        "void m() { for (B d : c) { e(d, d); } g(); }",
    ),
    (
        "void m(B[] c) { for (int i = 0; i < c.length; i++) { B d = c[i]; e(d, d); } }",
        "void m(B[] c) { for (B d : c) { e(d, d); } }",
    ),
    (
        "void m() { long b; B[] c = g(); for (int i = 0; i < c.length; ++i) { B d = c[i]; if (d.h()) continue; } }",
        "void m() { long b; B[] c = g(); for (B d : c) { if (d.h()) continue; } }",
    ),
    # One variable at a time, and its first value.
    (
        "void m() { String c = b(), e = d(); g(c, e, c, e); }",
        "void m() { String c = b(); String e = d(); g(c, e, c, e); }",
    ),
    ("@B private int b = 1, c;", "@B private int b = 1; @B private int c;"),
    ("void m() { int b; b = c(); d(b, b); }", "void m() { int b = c(); d(b, b); }"),
    # The last case ends anyway.
    ("void m() { switch (b) { case 1: c(); break; default: break; } }", "void m() { switch (b) { case 1: c(); } }"),
    ("void m() { switch (b) { default: c(); break; } }", "void m() { switch (b) { default: c(); } }"),
    ("void m() { c(); switch (b) { default: break; } }", "void m() { c(); switch (b) { } }"),
    # One catch for several types.
    (
        "void m() { try { b(); } catch (C e) { throw new IllegalStateException(e); } "
        "catch (D e) { throw new IllegalStateException(e); } }",
        "void m() { try { b(); } catch (C | D e) { throw new IllegalStateException(e); } }",
    ),
    (
        "void m() { try (B b = c()) { b(); } catch (C e) { c(); e.printStackTrace(); throw e; } "
        "catch (D e) { c(); e.printStackTrace(); throw e; } }",
        "void m() { try (B b = c()) { b(); } catch (C | D e) { c(); e.printStackTrace(); throw e; } }",
    ),
    ("void m() { try { b(); } catch (C e) { } catch (D e) { } }", "void m() { try { b(); } catch (C | D e) { } }"),
    # A method that returns a truth.
    ("boolean m() { if (g(x)) { return true; } return false; }", "boolean m() { return g(x); }"),
    ("boolean m() { return a ? true : false; }", "boolean m() { return a; }"),
    (
        "boolean m() { if (a == null) { if (b != null) return false; } else if (!a.c(b)) return false; return true; }",
        "boolean m() { if (a == null) { return b == null; } else return a.c(b); }",
    ),
    ("Boolean m() { if (!b()) { return true; } return false; }", "Boolean m() { return !b(); }"),
    (
        "boolean m() { if (a()) { if (b()) { return true; } c(); } return false; }",
        "boolean m() { if (a()) { if (b()) { return true; } c(); return false; } return false; }",
    ),
    # What a creation without arguments is told of its types.
    ("void m() { List b = new ArrayList(); c(b, b); }", "void m() { List b = new ArrayList<>(); c(b, b); }"),
    ("List<B> b = new ArrayList<B>();", "List<B> b = new ArrayList<>();"),
    ("Object m() { return new B<C>(); }", "Object m() { return new B<>(); }"),
    ("void m() { b = new B<C>(); }", "void m() { b = new B(); }"),
    # `final` of what is no constant, or of one that is only handed on.
    ("void m() { B b = (B) c(); d(b, b); }", "void m() { final B b = (B) c(); d(b, b); }"),
    ("void m() { B[] b = {null}; d(b, b); }", "void m() { final B[] b = {null}; d(b, b); }"),
    ('void m() { String b = "c" + d() + "e"; f(b + b); }', 'void m() { final String b = "c" + d() + "e"; f(b + b); }'),
    (
        'void m() { String b = "c"; int d = 1; e(b, d, b, d); }',
        'void m() { final String b = "c"; final int d = 1; e(b, d, b, d); }',
    ),
    ("private final class B { }", "private class B { }"),
    # Names of the class's own, and private methods that need no object.
    (
        "static int c = 1; static A d; static void b(int a) { } void m() { A.b(A.c); A.d.e(); }",
        "static int c = 1; static A d; static void b(int a) { } void m() { b(c); d.e(); }",
    ),
    (
        "static int b; static void c(int a) { d(1); } void m(int b) { A.c(b, A.b); }",
        "static int b; static void c(int a) { d(1); } void m(int b) { c(b, A.b); }",
    ),
    (
        "@B static void c(int a) { d(); } void m() { A.c(1); A.e(); }",
        "@B static void c(int a) { this.d(); } void m() { c(1); A.e(); }",
    ),
    (
        "private int b(int c) { return c; } int m() { return b(1); }",
        "private static int b(int c) { return c; } int m() { return b(1); }",
    ),
    # What is asked twice, or named to be returned.
    ("boolean m(Object b) { return b != null && b instanceof C; }", "boolean m(Object b) { return b instanceof C; }"),
    (
        "void m() { if (b() && c != null && c instanceof D && e()) { f(); } }",
        "void m() { if (b() && c instanceof D && e()) { f(); } }",
    ),
    (
        "Collection<B> m() { List<B> b = new ArrayList<>(); return b; }",
        "Collection<B> m() { return new ArrayList<>(); }",
    ),
    ("B m() { final C b = new C(d); return b; }", "B m() { return new C(d); }"),
]
OTHER = [
    ("class B extends C { void m() { B.d(); } }", "class B extends C { void m() { d(); } }"),
    ("class B { void m() { A.d(); } }", "class B { void m() { d(); } }"),
    ("static int b; void m(int b) { c(A.b); }", "static int b; void m(int b) { c(b); }"),
    ("int b; void m() { c(A.b); }", "int b; void m() { c(b); }"),
    ("static int d; int b = 1; void m() { c(A.b); }", "static int d; int b = 1; void m() { c(b); }"),
    ("static void c() { } void m(B A) { A.c(); }", "static void c() { } void m(B A) { c(); }"),
    ("B A; void m() { A.c(); }", "B A; void m() { c(); }"),
    ("B A = b; void m() { A.c(); }", "B A = d; void m() { c(); }"),
    (
        "void m() { Runnable b = new Runnable() { public void run() { A.c(); } }; b.d(b); }",
        "void m() { Runnable b = new Runnable() { public void run() { c(); } }; b.d(b); }",
    ),
    (
        "private int b() { return 1; } int m(A c) { return c.b(); }",
        "private static int b() { return 1; } int m(A c) { return c.b(); }",
    ),
    (
        "private int b() { return 1; } void m() { c(this::b); }",
        "private static int b() { return 1; } void m() { c(this::b); }",
    ),
    (
        'private int b() { return 1; } int m() { c("b"); return b(); }',
        'private static int b() { return 1; } int m() { c("b"); return b(); }',
    ),
    ("@C private int b() { return 1; }", "@C private static int b() { return 1; }"),
    ("private synchronized int b() { return c; }", "private static synchronized int b() { return c; }"),
    ("private Object readResolve() { return c; }", "private static Object readResolve() { return c; }"),
    ("int b() { return 1; }", "static int b() { return 1; }"),
    (
        "boolean m(Object b) { return b() != null && b() instanceof C; }",
        "boolean m(Object b) { return b() instanceof C; }",
    ),
    ("boolean m(Object b) { return d != null && b instanceof C; }", "boolean m(Object b) { return b instanceof C; }"),
    ("boolean m(Object b) { return b != null || b instanceof C; }", "boolean m(Object b) { return b instanceof C; }"),
    ("B m() { C b = new C<>(d); return b; }", "B m() { return new C<>(d); }"),
    ("int m() { Integer b = c(); return b; }", "int m() { return c(); }"),
    ("void m() { for (Iterator<B> i = c.iterator();;) { B d = i.next(); e(d); } }", "void m() { for (B d : c) e(d); }"),
    (
        "void m(B[] c) { for (int i = 0; i < c.length; i++) { B d = this.c[i]; e(d); } }",
        "void m(B[] c) { for (B d : this.c) e(d); }",
    ),
    ("void m() { switch (b) { case 1 -> c(); default -> d(); } }", "void m() { switch (b) { case 1 -> c(); } }"),
    (
        "void m() { for (Iterator<B> i = c.iterator(); i.hasNext();) { B d = i.next(); i.remove(); e(d); } }",
        "void m() { for (B d : c) { e(d); } }",
    ),
    (
        "void m() { for (Iterator<B> i = c.iterator(); i.hasNext();) { B d = i.next(); e(i, d); } }",
        "void m() { for (B d : c) { e(i, d); } }",
    ),
    (
        "void m() { for (Iterator<B> i = c.listIterator(); i.hasNext();) { B d = i.next(); e(d, d); } }",
        "void m() { for (B d : c) { e(d, d); } }",
    ),
    (
        "void m() { for (Iterator<B> i = c.iterator(); i.hasNext();) { C d = (C) f(i.next()); e(d, d); } }",
        "void m() { for (C d : c) { e(d, d); } }",
    ),
    (
        "void m() { for (Iterator<B> i = this.iterator(); i.hasNext();) { B d = i.next(); e(d, d); } }",
        "void m() { for (B d : this) { e(d, d); } }",
    ),
    (
        "void m() { for (Iterator<B> i = c.iterator(); i.hasNext() && d();) { B d = i.next(); e(d, d); } }",
        "void m() { for (B d : c) { e(d, d); } }",
    ),
    (
        "void m() { Iterator<B> i = c.iterator(); while (i.hasNext()) { B d = i.next(); e(d, d); } g(i); }",
        "void m() { for (B d : c) { e(d, d); } g(i); }",
    ),
    (
        "void m() { f(1); while (i.hasNext()) { B d = i.next(); e(d, d); } }",
        "void m() { f(1); for (B d : i) { e(d, d); } }",
    ),
    (  # A field may be another array in the next round.
        "void m() { for (int i = 0; i < c.length; i++) { B d = c[i]; e(d, d); } }",
        "void m() { for (B d : c) { e(d, d); } }",
    ),
    (
        "void m(B[] c) { for (int i = 0; i < c.length; i++) { B d = c[i]; c = e(d); } }",
        "void m(B[] c) { for (B d : c) { c = e(d); } }",
    ),
    (
        "void m(B[] c) { for (int i = 1; i < c.length; i++) { B d = c[i]; e(d, d); } }",
        "void m(B[] c) { for (B d : c) { e(d, d); } }",
    ),
    (
        "void m(B[] c) { for (int i = 0; i < c.length; i++) { B d = c[i]; e(i, d); } }",
        "void m(B[] c) { for (B d : c) { e(i, d); } }",
    ),
    (
        "void m(B[] c, B[] b) { for (int i = 0; i < c.length; i++) { B d = b[i]; e(d, d); } }",
        "void m(B[] c, B[] b) { for (B d : b) { e(d, d); } }",
    ),
    ("void m() { int b; c(); b = c(); d(b, b); }", "void m() { int b = c(); c(); d(b, b); }"),
    ("void m() { int b = 1; b += 2; d(b, b); }", "void m() { int b = 2; d(b, b); }"),
    (
        "void m() { int b[] = c(), d = e(); f(b, d, b, d); }",
        "void m() { int b[] = c(); int d[] = e(); f(b, d, b, d); }",
    ),
    (
        "void m() { switch (b) { case 1: c(); break; default: d(); } }",
        "void m() { switch (b) { case 1: c(); default: d(); } }",
    ),
    ("void m() { for (;;) { switch (b) { case 1: break e; } } }", "void m() { for (;;) { switch (b) { case 1: } } }"),
    (
        "void m() { try { b(); } catch (C e) { d(e); } catch (D e) { d(e); } }",
        "void m() { try { b(); } catch (C | D e) { d(e); } }",
    ),
    (
        "void m() { try { b(); } catch (C e) { throw new E(e); } catch (D e) { throw new E(e); } }",
        "void m() { try { b(); } catch (C | D e) { throw new E(e); } }",
    ),
    (
        "class Error { } void m() { try { b(); } catch (C e) { throw new Error(e); } "
        "catch (D e) { throw new Error(e); } }",
        "class Error { } void m() { try { b(); } catch (C | D e) { throw new Error(e); } }",
    ),
    (
        "void m() { try { b(); } catch (C e) { d(); } catch (D e) { } }",
        "void m() { try { b(); } catch (C | D e) { d(); } }",
    ),
    ("Boolean m() { if (g(x)) { return true; } return false; }", "Boolean m() { return g(x); }"),
    (
        "boolean m() { h(() -> { if (g(x)) { return true; } return false; }); return a; }",
        "boolean m() { h(() -> { return g(x); }); return a; }",
    ),
    ("boolean m() { if (a) { b(); } return true; }", "boolean m() { if (a) { b(); return true; } return false; }"),
    ("List<B> b = new ArrayList<B>(c);", "List<B> b = new ArrayList(c);"),
    ("void m() { var b = new A<B>(); c(b, b); }", "void m() { var b = new A<C>(); c(b, b); }"),
    ("void m() { b(new A<B>()); }", "void m() { b(new A<C>()); }"),
    ('void m() { final String b = "c"; d(b + "e" == f); }', 'void m() { String b = "c"; d(b + "e" == f); }'),
    ("void m() { final int b = 1; c(d ? b : 'e'); }", "void m() { int b = 1; c(d ? b : 'e'); }"),
    ("final class B { }", "class B { }"),
    ("final void m() { }", "void m() { }"),
]


def _class(text: str) -> str:
    return f"package p;\nclass A {{ {text} }}\n"


@pytest.mark.parametrize(("before", "after"), SAME)
def test_java_that_takes_the_same_steps_in_another_form_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.java": (_class(old), _class(new))})["a.java"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_java_that_takes_other_steps_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.java": (_class(old), _class(new))})["a.java"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_an_exception_that_is_imported_under_a_name_of_the_language_is_another_one() -> None:
    caught = "void m() { try { b(); } catch (C e) { throw new Error(e); } catch (D e) { throw new Error(e); } }"
    together = "void m() { try { b(); } catch (C | D e) { throw new Error(e); } }"
    old, new = (_class(text).replace("class", "import b.Error;\nclass") for text in (caught, together))
    assert judged({"a.java": (old, new)})["a.java"].mutation_class is MutationClass.INTENT_EVOLUTION

"""Java that a compiler reads as the same: words that are so anyway, `a += 1`, `var`, texts that are joined."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ("public String toString() { return b(); }", "@Override public String toString() { return b(); }"),
    ("String toString() { return b(); }", "@Override String toString() { return b(); }"),
    ("void f() throws IOException { g(); }", "void f() { g(); }"),
    ("A() throws IOException { g(); }", "A() { g(); }"),
    ("private static void f() throws IOException { g(); }", "private static void f() { g(); }"),
    ("@Test public void f() throws IOException { g(); }", "@Test public void f() { g(); }"),
    ("@BeforeAll public static void f() throws Throwable { g(1); }", "@BeforeAll public static void f() { g(1); }"),
    ("enum B { C(1); private B(int a) { d = a; } }", "enum B { C(1); B(int a) { d = a; } }"),
    ("@interface B { public boolean c() default true; }", "@interface B { boolean c() default true; }"),
    ("@interface B { public static final int C = 1; }", "@interface B { int C = 1; }"),
    ("interface B { public static class C { } }", "interface B { class C { } }"),
    ("interface B { public enum C { D } static interface E { } }", "interface B { enum C { D } interface E { } }"),
    ("abstract interface B { void c(); }", "interface B { void c(); }"),
    ("void f() { if (false == a) { g(); } }", "void f() { if (!a) { g(); } }"),
    ("void f() { g(a == false); }", "void f() { g(!a); }"),
    ("boolean f(int a) { return !(a == 1); }", "boolean f(int a) { return a != 1; }"),
    ("boolean f(int a) { return !(a != b(c)); }", "boolean f(int a) { return a == b(c); }"),
    ("void f() { a++; --b; }", "void f() { a += 1; b -= 1; }"),
    ("void f() { a.b++; c[d()]++; }", "void f() { a.b += 1; c[d()] += 1; }"),
    ("void f() { for (int a = 0; a < b; a++) { c(a); } }", "void f() { for (int a = 0; a < b; ++a) { c(a); } }"),
    ("void f() { a = a + b(); a = a >>> 2; }", "void f() { a += b(); a >>>= 2; }"),
    ('String f() { return "a" + "b" + "c"; }', 'String f() { return "abc"; }'),
    ('String f(int a) { return a + "b" + "c" + d; }', 'String f(int a) { return a + "bc" + d; }'),
    ('String f(int a) { return a + ("b" + "c"); }', 'String f(int a) { return a + "bc"; }'),
    ("long f() { return 0XFFl + 1_000; }", "long f() { return 0xffL + 1000; }"),
    ("double f() { return 1.5E3D; }", "double f() { return 1.5e3d; }"),
    ("void f() { B a = new B(c); d(a, a); }", "void f() { var a = new B(c); d(a, a); }"),
    ('void f() { String a = "b"; d(a, a); }', 'void f() { var a = "b"; d(a, a); }'),
    (
        "void f() { boolean a = true; char c = 'd'; g(a, a, c, c); }",
        "void f() { var a = true; var c = 'd'; g(a, a, c, c); }",
    ),
    ("void f() { B a = (B) c(); d(a, a); }", "void f() { var a = (B) c(); d(a, a); }"),
]
OTHER = [
    ("interface B { void c() throws IOException; }", "interface B { void c(); }"),
    ("abstract void c() throws IOException;", "abstract void c();"),
    ("public void c() throws IOException { g(); }", "public void c() { g(); }"),
    ("protected void c() throws Throwable { }", "protected void c() { }"),
    ("public A() throws IOException { g(); }", "public A() { g(); }"),
    ("private A(int a) { b = a; }", "A(int a) { b = a; }"),
    ("@Deprecated void f() { }", "void f() { }"),
    ("@interface Override { } @Override void f() { }", "@interface Override { } void f() { }"),
    ("abstract class B { }", "class B { }"),
    ("interface B { default void c() { } }", "interface B { static void c() { } }"),
    ("void f() { g(a == true); }", "void f() { g(a); }"),
    ("void f() { g(a != false); }", "void f() { g(!a); }"),
    ("boolean f() { return !(a < b); }", "boolean f() { return a >= b; }"),
    ("boolean f() { return !(a == b); }", "boolean f() { return a == b; }"),
    ("boolean f() { return -(a - b); }", "boolean f() { return a - b; }"),
    ("void f() { g(a++); }", "void f() { g(++a); }"),
    ("void f() { a++; }", "void f() { a--; }"),
    ("void f() { a = 1 - a; }", "void f() { a -= 1; }"),
    ("void f() { a = b + 1; }", "void f() { a += 1; }"),
    ("void f() { a = a < b; }", "void f() { a <<= b; }"),
    ('String f() { return 1 + 2 + "b"; }', 'String f() { return 1 + "2b"; }'),
    ('String f() { return a + (b + "c"); }', 'String f() { return a + b + "c"; }'),
    (r'String f() { return "\1" + "2"; }', r'String f() { return "\12"; }'),
    ('String f() { return "a" + "b"; }', 'String f() { return "ba"; }'),
    ('String f() { return """\na""" + "b"; }', 'String f() { return """\nab"; }'),
    ("void f() { long a = 1; g(a, a); }", "void f() { var a = 1; g(a, a); }"),
    ("void f() { B a = new C(); d(a, a); }", "void f() { var a = new C(); d(a, a); }"),
    ("void f() { B a = new B() { }; d(a, a); }", "void f() { var a = new B() { }; d(a, a); }"),
    ("void f() { List<B> a = new List<>(); d(a, a); }", "void f() { var a = new List<>(); d(a, a); }"),
    ("void f() { B a = b(); d(a, a); }", "void f() { var a = b(); d(a, a); }"),
    ("void f() { B a; a = b(); d(a, a); }", "void f() { var a; a = b(); d(a, a); }"),
    ("void f() { int a = 1, b = 2; d(a, b, a, b); }", "void f() { var a = 1, b = 2; d(a, b, a, b); }"),
]


def _class(text: str) -> str:
    return f"package b;\nclass A {{ {text} }}\n"


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_a_java_compiler_reads_as_the_same_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.java": (_class(old), _class(new))})["a.java"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert "the same written in another way" in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_shorter_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.java": (_class(old), _class(new))})["a.java"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

"""Conditions of Java, what `Objects` asks, what methods throw, and enums: in other words, and what only looks alike."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
OBJECTS = "import java.util.Objects;\n"

SAME = [
    # What is denied.
    ("void m() { if (!(a && b.c())) d(); }", "void m() { if (!a || !b.c()) d(); }"),
    ("void m() { e(!(a == b || !c)); }", "void m() { e(a != b && c); }"),
    ("void m() { e(!(a || b && !(c || d))); }", "void m() { e(!a && (!b || (c || d))); }"),
    ("void m() { b = !c ? d() : e(); }", "void m() { b = c ? e() : d(); }"),
    ("void m() { b = c != d ? e : f; }", "void m() { b = c == d ? f : e; }"),
    # What is compared with a truth.
    ("void m() { if (b == true) c(); }", "void m() { if (b) c(); }"),
    ("void m() { while (b() && true == c()) d(); }", "void m() { while (b() && c()) d(); }"),
    ("void m() { b = c != false ? d : e; }", "void m() { b = c ? d : e; }"),
    ("void m() { d(b != true); }", "void m() { d(!b); }"),
    # Types that a declaration says, of a value that a condition chooses.
    ("List<B> b = c ? null : new ArrayList<B>(d);", "List<B> b = c ? null : new ArrayList<>(d);"),
    ("List<B> m() { return c ? new A<B>(d) : new E<B>(f); }", "List<B> m() { return c ? new A<>(d) : new E<>(f); }"),
    # What no one has to catch, or is said anyway.
    ("public void m() throws IllegalStateException, Error { }", "public void m() { }"),
    ("public A(B b) throws NullPointerException { c(); c(); }", "public A(B b) { c(); c(); }"),
    ("public abstract void m() throws B, C;", "public abstract void m() throws C, B;"),
    (
        "B b = new B() { public void m() throws C { } };",
        "B b = new B() { public void m() { } };",
    ),
    ("private class B { public void m() throws C { } }", "private class B { public void m() { } }"),
    ("void m() { class B { public void m() throws C { } } }", "void m() { class B { public void m() { } } }"),
    ("enum B { C { public void m() throws D { } } }", "enum B { C { public void m() { } } }"),
    # Enums are classes.
    ("enum B { C, D; B m() { return B.C; } }", "enum B { C, D; B m() { return C; } }"),
    ("enum B { C; private final String d; }", "enum B { C; private String d; }"),
]


def _class(text: str) -> str:
    return f"package p;\nclass A {{ {text} }}\n"


@pytest.mark.parametrize(("before", "after"), SAME)
def test_java_that_asks_the_same_in_other_words_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.java": (_class(old), _class(new))})["a.java"]
        assert verdict.mutation_class is REFACTOR, verdict.reasons


OTHER = [
    ("void m() { e(!(a && b)); }", "void m() { e(!a && !b); }"),
    ("void m() { e(!(a & b)); }", "void m() { e(!a | !b); }"),
    ("void m() { e(!(a < b)); }", "void m() { e(a >= b); }"),
    # A comment that counts.
    ("void m() { b = c != d ? /* coding: e */ f : g; }", "void m() { b = c == d ? g : /* coding: e */ f; }"),
    ("void m() { e(! /* coding: e */ (a && b)); }", "void m() { e(!a || !b); }"),
    ("void m() { e(!(a && /* coding: e */ b)); }", "void m() { e(!a || !b); }"),
    ("void m() { e(-(a == b ? c : d)); }", "void m() { e(-(a != b ? c : d)); }"),
    ("void m() { b = c ? d : e; }", "void m() { b = c ? e : d; }"),
    ("void m() { d(b == true); }", "void m() { d(b); }"),
    ("void m() { if (b == true) c(); }", "void m() { if (!b) c(); }"),
    ("void m() { if (b == c) c(); }", "void m() { if (b) c(); }"),
    ("List<B> b = c ? null : new ArrayList<C>(d);", "List<B> b = c ? null : new ArrayList<>(d);"),
    ("public void m() throws B { }", "public void m() { }"),
    ("public void m() throws java.io.IOException, EOFException { }", "public void m() throws java.io.IOException { }"),
    ("public class B { public void m() throws C { } }", "public class B { public void m() { } }"),
    (
        "private class B { public void m() throws C { } } public class D extends B { }",
        "private class B { public void m() { } } public class D extends B { }",
    ),
    (
        "static class IllegalStateException extends Exception { } public void m() throws IllegalStateException { }",
        "static class IllegalStateException extends Exception { } public void m() { }",
    ),
    ("enum B { C, D; B m(B C) { return B.C; } }", "enum B { C, D; B m(B C) { return C; } }"),
    ("enum B implements E { C, D; B m() { return B.C; } }", "enum B implements E { C, D; B m() { return C; } }"),
    ("enum B { C; public final String d; }", "enum B { C; public String d; }"),
]


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_java_that_asks_something_else_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.java": (_class(old), _class(new))})["a.java"]
        assert verdict.mutation_class is EVOLUTION, verdict.reasons


ASKED = [
    ("void m(B a, B b) { f(Objects.equals(a, b)); }", "void m(B a, B b) { f(a == b || (a != null && a.equals(b))); }"),
    (
        "void m(B a) { for (B b : c) f(!Objects.equals(a, b)); }",
        "void m(B a) { for (B b : c) f(a != b && (a == null || !a.equals(b))); }",
    ),
    ("void m(B a) { f(Objects.toString(a, null)); }", "void m(B a) { f(a == null ? null : a.toString()); }"),
    (
        'void m() { B a = g(); f(Objects.toString(a, "")); }',
        'void m() { B a = g(); f(a != null ? a.toString() : ""); }',
    ),
    ("void m(B a, C c) { f(Objects.toString(a, c)); }", "void m(B a, C c) { f(a == null ? c : a.toString()); }"),
    (
        'void m(B a) { Objects.requireNonNull(a, "b"); f(a); }',
        'void m(B a) { if (a == null) { throw new NullPointerException("b"); } f(a); }',
    ),
    ("A(B a) { Objects.requireNonNull(a); }", "A(B a) { if (a == null) throw new NullPointerException(); }"),
]


@pytest.mark.parametrize(("before", "after"), ASKED)
def test_what_objects_asks_may_be_asked_in_so_many_words(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        contents = [(OBJECTS if "Objects" in text else "") + _class(text) for text in (old, new)]
        verdict = judged({"a.java": (contents[0], contents[1])})["a.java"]
        assert verdict.mutation_class is REFACTOR, verdict.reasons


NOT_ASKED = [
    # A number may not be missing, a field may change meanwhile, and a call is made twice.
    (
        "void m(B a, int b) { f(Objects.equals(a, b)); }",
        "void m(B a, int b) { f(a == b || (a != null && a.equals(b))); }",
    ),
    (
        "void m(B a, var b) { f(Objects.equals(a, b)); }",
        "void m(B a, var b) { f(a == b || (a != null && a.equals(b))); }",
    ),
    ("B a; void m(B b) { f(Objects.equals(a, b)); }", "B a; void m(B b) { f(a == b || (a != null && a.equals(b))); }"),
    ("void m(B b) { f(Objects.equals(a(), b)); }", "void m(B b) { f(a() == b || (a() != null && a().equals(b))); }"),
    (
        "void m(B a, B b) { f(Objects.equals(a, b)); g(b -> b); }",
        "void m(B a, B b) { f(a == b || (a != null && a.equals(b))); g(b -> b); }",
    ),
    ("void m(B a, B b) { f(Objects.equals(a, b)); }", "void m(B a, B b) { f(a.equals(b)); }"),
    ("void m(B a) { f(Objects.toString(a, g())); }", "void m(B a) { f(a == null ? g() : a.toString()); }"),
    ("B a; void m() { f(Objects.toString(a, null)); }", "B a; void m() { f(a == null ? null : a.toString()); }"),
    ("void m(B a) { f(Objects.toString(a)); }", "void m(B a) { f(a == null ? null : a.toString()); }"),
    (
        "void m(B a) { Objects.requireNonNull(a, g()); }",
        "void m(B a) { if (a == null) throw new NullPointerException(g()); }",
    ),
    (
        'void m(B a) { Objects.requireNonNull(a, "b"); }',
        'void m(B a) { if (a == null) throw new NullPointerException("c"); }',
    ),
    (
        "void m(B a) { Objects.requireNonNull(a); } class Objects { }",
        "void m(B a) { if (a == null) throw new NullPointerException(); } class Objects { }",
    ),
]


@pytest.mark.parametrize(("before", "after"), NOT_ASKED)
def test_what_objects_does_not_ask_so_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.java": (OBJECTS + _class(old), OBJECTS + _class(new))})["a.java"]
        assert verdict.mutation_class is EVOLUTION, verdict.reasons


def test_objects_of_another_package_may_do_anything() -> None:
    old, new = (OBJECTS.replace("java.util", "b") + _class(text) for text in ASKED[-1])
    assert judged({"a.java": (old, new)})["a.java"].mutation_class is EVOLUTION


INPUT = "import java.io.IOException;\nimport java.io.EOFException;\nimport java.net.MalformedURLException;\n"
THROWING = "public void m() throws {} {{ }}"


@pytest.mark.parametrize("imports", [INPUT, "import java.io.*;\nimport java.net.*;\n"])
def test_what_is_a_kind_of_what_is_thrown_need_not_be_said(imports: str) -> None:
    all_of_them = "EOFException, IOException, MalformedURLException, B"
    old, new = (imports + _class(THROWING.format(text)) for text in (all_of_them, "IOException, B"))
    assert judged({"a.java": (old, new)})["a.java"].mutation_class is REFACTOR


def test_an_exception_of_the_same_name_is_another_one() -> None:
    other = INPUT.replace("java.io.EOF", "b.EOF")
    old, new = (other + _class(THROWING.format(text)) for text in ("EOFException, IOException", "IOException"))
    assert judged({"a.java": (old, new)})["a.java"].mutation_class is EVOLUTION


def test_an_annotation_for_a_linter_is_like_a_comment_if_it_is_that_one() -> None:
    text = '@SuppressFBWarnings(value = "B") void m() { }'
    known = "import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;\n"
    assert judged({"a.java": (known + _class(text), _class("void m() { }"))})["a.java"].mutation_class is REFACTOR
    other = "import b.SuppressFBWarnings;\n"
    assert judged({"a.java": (other + _class(text), _class("void m() { }"))})["a.java"].mutation_class is EVOLUTION

"""Java as inspections suggest it, and what only looks like that; the catalogue of linters has more."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    (
        "void f() { while (a()) { if (!b()) break; if (c()) { break; } d(); } }",
        "void f() { while (a() && b() && !c()) { d(); } }",
    ),
    ("void f() { for (;;) { if (b()) break; } }", "void f() { while (!b()) { } }"),
    ("void f() { boolean x; if (a()) { x = true; } else { x = false; } g(x); }", "void f() { boolean x = a(); g(x); }"),
    ("void f() { boolean x = true; if (a()) x = false; g(x); }", "void f() { boolean x = !a(); g(x); }"),
    ("void f() { try { a(); } catch (A | B e) { throw e; } finally { } }", "void f() { a(); }"),
    ("void f() { try { int x = a(); g(x); } finally { } h(); }", "void f() { { int x = a(); g(x); } h(); }"),
    (
        "void f() { try { a(); } catch (A e) { g(e); } catch (B e) { throw e; } }",
        "void f() { try { a(); } catch (A e) { g(e); } }",
    ),
    (
        "void f(int n) { StringBuilder b = new StringBuilder(); g(b); b.append(n).append('\"').append('\\''); }",
        'void f(int n) { StringBuilder b = new StringBuilder(); g(b); b.append(n).append("\\"").append("\'"); }',
    ),
    ("String f(long a) { return Long.toString(a); }", "String f(long a) { return String.valueOf(a); }"),
    ('boolean f(String a) { return a.trim().equals(""); }', "boolean f(String a) { return a.trim().isEmpty(); }"),
    ("boolean f(A a) { return a.toString().length() == 0; }", "boolean f(A a) { return a.toString().isEmpty(); }"),
    ("int[] f()[] { return g(); }", "int[] f()[] { return (g()); }"),
    ("int f(Integer a) { return a.intValue(); }", "int f(Integer a) { return a; }"),
]
OTHER = [
    ("void f() { while (a()) { if (b()) { break; } else { c(); } } }", "void f() { while (a() && !b()) { c(); } }"),
    ("void f() { boolean x = a(); if (b()) { x = true; } else { x = false; } }", "void f() { boolean x = b(); g(x); }"),
    ("void f() { try { a(); } catch (A e) { throw (e); } finally { g(); } }", "void f() { a(); g(1); }"),
    ("void f(B b) { b.append('a'); }", 'void f(B b) { b.append("a"); }'),
    ("void f(B b) { b.make().append('a'); }", 'void f(B b) { b.make().append("a"); }'),
    ("void f(StringBuilder b) { append('a'); g(b); }", 'void f(StringBuilder b) { append("a"); g(b); }'),
    ("String f(long a) { return Integer.toString(a); }", "String f(long a) { return String.valueOf(a); }"),
    ("String f(A a) { return Color.toString(a); }", "String f(A a) { return String.valueOf(a); }"),
    ("boolean f() { return trim().length() == 0; }", "boolean f() { return trim().isEmpty(); }"),
    ("boolean f(String a) { return a.lines().length() == 0; }", "boolean f(String a) { return a.lines().isEmpty(); }"),
    ("int f()[] { return g(); }", "int f() { return g(); }"),
    ("long f(Integer a) { return a.longValue(); }", "long f(Integer a) { return a.intValue(); }"),
]


def _class(before: str, after: str) -> MutationClass:
    files = [f"package p;\npublic class Shop {{\n{text}\n}}\n" for text in (before, after)]
    return judged({"p/Shop.java": (files[0], files[1])})["p/Shop.java"].mutation_class


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_is_suggested_is_the_same(before: str, after: str) -> None:
    assert _class(before, after) is not MutationClass.INTENT_EVOLUTION
    assert _class(after, before) is not MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_so_is_not(before: str, after: str) -> None:
    assert _class(before, after) is MutationClass.INTENT_EVOLUTION
    assert _class(after, before) is MutationClass.INTENT_EVOLUTION

"""Java as inspections write it, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # Conditions.
    ("boolean m() { return f(a == b ? true : false, c ? false : true); }", "boolean m() { return f(a == b, !c); }"),
    ("void m(Object o) { if (o instanceof B) { B b = (B) o; f(b, b); } }",
     "void m(Object o) { if (o instanceof B b) { f(b, b); } }"),
    ("void m() { f(Objects.nonNull(a), Objects.isNull(b)); }", "void m() { f(a != null, b == null); }"),
    # What a type is sure to do.
    ("void m(List<B> a, String b) { f(a.size() == 0, b.length() > 0); }",
     "void m(List<B> a, String b) { f(a.isEmpty(), !b.isEmpty()); }"),
    ("Map<B, C> a; void m() { f(a.size() >= 1, a.size() < 1); }",
     "Map<B, C> a; void m() { f(!a.isEmpty(), a.isEmpty()); }"),
    ('void m(String a) { f(a.equals("")); }', "void m(String a) { f(a.isEmpty()); }"),
    ('void m(String a, List<B> b, String c) { f(a.indexOf("d") != -1, b.indexOf(c) < 0, a.indexOf(c) >= 0); }',
     'void m(String a, List<B> b, String c) { f(a.contains("d"), !b.contains(c), a.contains(c)); }'),
    ("void m(List<B> a) { Collections.sort(a); Collections.sort(a, b); }",
     "void m(List<B> a) { a.sort(null); a.sort(b); }"),
    ("void m(List<B> a) { f(a.toArray(new B[a.size()])); }", "void m(List<B> a) { f(a.toArray(new B[0])); }"),
    # What a compiler reads alike.
    ("void m() { f(Collections.EMPTY_LIST, Collections.EMPTY_MAP); }",
     "void m() { f(Collections.emptyList(), Collections.emptyMap()); }"),
    ('void m() { f(Charset.forName("utf-8")); }', "void m() { f(StandardCharsets.UTF_8); }"),
    ("void m() { for (; a; ) { f(); } for (;;) { g(); } }", "void m() { while (a) { f(); } while (true) { g(); } }"),
    ("void m() { f((B b, C c) -> b, (D d) -> d); }", "void m() { f((b, c) -> b, d -> d); }"),
    ("@B final public static int c = 1;", "@B public static final int c = 1;"),
    ("@B({\"c\"}) void m() { f(); }", "@B(\"c\") void m() { f(); }"),
    # What a class has anyway.
    ("static class B extends Object { int c; }", "static class B { int c; }"),
    ("public static class B { public B() { super(); } int c; }", "public static class B { int c; }"),
]  # fmt: skip
OTHER = [
    ("boolean m() { return f(a ? true : b); }", "boolean m() { return f(a); }"),
    ("void m(Object o) { if (o instanceof B) { B b = (B) p; f(b, b); } }",
     "void m(Object o) { if (o instanceof B b) { f(b, b); } }"),
    ("void m(Object o) { if (o instanceof B) { C b = (C) o; f(b, b); } }",
     "void m(Object o) { if (o instanceof B b) { f(b, b); } }"),
    ("void m(Object o) { if (f().a instanceof B) { B b = (B) f().a; f(b, b); } }",
     "void m(Object o) { if (f().a instanceof B b) { f(b, b); } }"),
    ("void m(B a) { f(a.size() == 0); }", "void m(B a) { f(a.isEmpty()); }"),
    ("List<B> a; void m(B a) { f(a.size() == 0); }", "List<B> a; void m(B a) { f(a.isEmpty()); }"),
    ("String a[]; void m() { f(a.length() == 0); }", "String a[]; void m() { f(a.isEmpty()); }"),
    ("B a; void m(List<B> a) { f(a.size() == 0); }", "B a; void m(List<B> a) { f(a.isEmpty()); }"),
    ("void m(List<B> a) { f(a.size() == 1); }", "void m(List<B> a) { f(a.isEmpty()); }"),
    ("void m(String[] a) { f(a.length() == 0); }", "void m(String[] a) { f(a.isEmpty()); }"),
    ("void m() { String a[] = b; f(a.length() == 0); }", "void m() { String a[] = b; f(a.isEmpty()); }"),
    ("class List { } void m(List a) { f(a.size() == 0); }", "class List { } void m(List a) { f(a.isEmpty()); }"),
    ('void m(Object a) { f(a.equals("")); }', "void m(Object a) { f(a.isEmpty()); }"),
    ('void m(String a) { f(a.equals("b")); }', "void m(String a) { f(a.isEmpty()); }"),
    ("void m(String a) { f(a.indexOf('b') != -1); }", "void m(String a) { f(a.contains('b')); }"),
    ("void m(Set<B> a) { f(a.indexOf(b) != -1); }", "void m(Set<B> a) { f(a.contains(b)); }"),
    ("void m(String a) { f(a.indexOf(\"b\") > 0); }", "void m(String a) { f(a.contains(\"b\")); }"),
    ("void m(B[] a) { Collections.sort(a); }", "void m(B[] a) { a.sort(null); }"),
    ("void m(List<B> a) { f(a.toArray(new B[3])); }", "void m(List<B> a) { f(a.toArray(new B[0])); }"),
    ("void m() { f(Collections.EMPTY_LIST); }", "void m() { f(Collections.emptySet()); }"),
    ('void m() { f(Charset.forName("utf-16")); }', "void m() { f(StandardCharsets.UTF_8); }"),
    ("class Objects { } void m() { f(Objects.nonNull(a)); }", "class Objects { } void m() { f(a != null); }"),
    ("void m() { for (; a; b++) { f(); } }", "void m() { while (a) { f(); } }"),
    ("void m() { f((B b) -> b); }", "void m() { f((b, c) -> b); }"),
    ("@B public static int c = 1;", "@B public static final int c = 1;"),
    ("@B({\"c\", \"d\"}) void m() { f(); }", "@B(\"c\") void m() { f(); }"),
    ("class Object { } static class B extends Object { int c; }", "class Object { } static class B { int c; }"),
    ("static class B { private B() { } int c; }", "static class B { int c; }"),
    ("static class B { B() { f(); } int c; }", "static class B { int c; }"),
    ("static class B { B() { } B(int d) { } int c; }", "static class B { B(int d) { } int c; }"),
    ("static class B { @C B() { } int c; }", "static class B { int c; }"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_an_inspection_writes_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"A.java": (f"class A {{ {old} }}\n", f"class A {{ {new} }}\n")})["A.java"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_an_inspections_form_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"A.java": (f"class A {{ {old} }}\n", f"class A {{ {new} }}\n")})["A.java"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_a_class_of_a_package_that_is_not_javas_is_another_one() -> None:
    head = "import b.Collections;\nclass A { void m() { f("
    edit = {"A.java": (f"{head}Collections.EMPTY_LIST); }} }}\n", f"{head}Collections.emptyList()); }} }}\n")}
    assert judged(edit)["A.java"].mutation_class is MutationClass.INTENT_EVOLUTION

"""Casts, boxes and first values of Java that are there anyway, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # What a library takes for granted.
    ("void m() { f(new B[] {}, new AtomicBoolean(false), new AtomicReference<B>(null)); }",
     "void m() { f(new B[0], new AtomicBoolean(), new AtomicReference<B>()); }"),
    ('void m() { f(String.format("b"), Charset.forName("iso-8859-1")); }',
     'void m() { f("b", StandardCharsets.ISO_8859_1); }'),
    # Casts.
    ("B m() { return (B) c(); }", "B m() { return c(); }"),
    ("B<C> m() { if (d) { return (B<C>) c.e(); } return null; }", "B<C> m() { if (d) { return c.e(); } return null; }"),
    ("void m(D d) { B c = (B) d.e(); f(c, c); }", "void m(D d) { B c = d.e(); f(c, c); }"),
    ("B c = (B) d();", "B c = d();"),
    ("int m(String a) { return (int) a.charAt(0); }", "int m(String a) { return a.charAt(0); }"),
    ("void m(int a, String b) { f((int) a, (int) 0x1F, (String) b, (double) 1.5, (long) 2L, (boolean) true); }",
     "void m(int a, String b) { f(a, 0x1F, b, 1.5, 2L, true); }"),
    ("void m(int a) { long b = (long) a; f(b, b); }", "void m(int a) { long b = a; f(b, b); }"),
    # Boxes.
    ("void m(Integer a, Boolean b) { f(a.intValue() < 1, 2 - a.intValue(), a.intValue() == 3, !b.booleanValue()); }",
     "void m(Integer a, Boolean b) { f(a < 1, 2 - a, a == 3, !b); }"),
    ("void m(Boolean b, boolean c) { if (b.booleanValue()) f(b.booleanValue() && c, b.booleanValue() != c); }",
     "void m(Boolean b, boolean c) { if (b) f(b && c, b != c); }"),
    ("Integer m(int a) { Integer b = Integer.valueOf(1); f(b, b); return Integer.valueOf(a); }",
     "Integer m(int a) { Integer b = 1; f(b, b); return a; }"),
    # What is asked for before.
    ("Set<B> a; void m(B b) { if (!a.contains(b)) a.add(b); f(); }", "Set<B> a; void m(B b) { a.add(b); f(); }"),
    ("void m(Map<B, C> a, Set<B> d) { if (a.containsKey(b)) { a.remove(b); } if (d.contains(b)) d.remove(b); }",
     "void m(Map<B, C> a, Set<B> d) { a.remove(b); d.remove(b); }"),
    # First values.
    ("private int a = 0; boolean b = false; static B c = null; double d = 0.0; long e = 0L;",
     "private int a; boolean b; static B c; double d; long e;"),
    ("List<B> b = new ArrayList<>(); static int c = 1; B d = C.e(1); int a = 0;",
     "List<B> b = new ArrayList<>(); static int c = 1; B d = C.e(1); int a;"),
    ("final class B { public final void m() { f(1); } static final void n() { f(2); } }",
     "final class B { public void m() { f(1); } static void n() { f(2); } }"),
]  # fmt: skip
OTHER = [
    ("void m() { f(new B[] {c}, new B[][] {}); }", "void m() { f(new B[0], new B[0]); }"),
    ("void m() { f(new AtomicBoolean(true)); }", "void m() { f(new AtomicBoolean()); }"),
    ("void m() { f(new AtomicInteger(1)); }", "void m() { f(new AtomicInteger()); }"),
    ("class AtomicInteger {} void m() { f(new AtomicInteger(0)); }",
     "class AtomicInteger {} void m() { f(new AtomicInteger()); }"),
    ('void m() { f(String.format("b%n")); }', 'void m() { f("b%n"); }'),
    ('void m() { f(String.format("b", c)); }', 'void m() { f("b"); }'),
    ('void m() { f(Charset.forName("b")); }', "void m() { f(StandardCharsets.UTF_8); }"),
    ("void m() { verify(a, times(1)).b(); }", "void m() { verify(a).b(); }"),
    # Casts.
    ("B m() { return (C) c(); }", "B m() { return c(); }"),
    ("int m(long a) { return (int) a; }", "int m(long a) { return a; }"),
    ("int m() { return (int) a(); }", "int m() { return a(); }"),
    ("B m() { return (B) (c ? d : e); }", "B m() { return c ? d : e; }"),
    ("B m() { return (B) c(() -> d); }", "B m() { return c(() -> d); }"),
    ("B m() { return (B) c(new D<>()); }", "B m() { return c(new D<>()); }"),
    ("B[] m() { return (B[]) c(d); }", "B[] m() { return c(d); }"),
    ("B m() { f(() -> { return (B) c(); }); return d; }", "B m() { f(() -> { return c(); }); return d; }"),
    ("void m() { f((B) c()); }", "void m() { f(c()); }"),
    ("void m(int a) { f((long) a); }", "void m(int a) { f(a); }"),
    ("void m() { f((long) 1); }", "void m() { f(1); }"),
    ("void m(int a, B b) { c = (B) b; }", "void m(int a, B b) { c = b; }"),
    ("class Integer {} void m(Integer a) { f((Integer) a); }", "class Integer {} void m(Integer a) { f(a); }"),
    ("B m(C c) { return (B) c; }", "B m(C c) { return c; }"),
    # Boxes.
    ("void m(Integer a) { f(~a.intValue()); }", "void m(Integer a) { f(~a); }"),
    ("void m(Integer a, Integer b) { f(a.intValue() == b.intValue()); }",
     "void m(Integer a, Integer b) { f(a == b); }"),
    ("void m(Integer a) { f(a.intValue()); }", "void m(Integer a) { f(a); }"),
    ("void m(Double a) { f(a.intValue() < 1); }", "void m(Double a) { f(a < 1); }"),
    ('void m(Integer a) { f("b" + a.intValue()); }', 'void m(Integer a) { f("b" + a); }'),
    ("void m(B a) { f(a.intValue() < 1); }", "void m(B a) { f(a < 1); }"),
    ("Object m(int a) { return Integer.valueOf(a); }", "Object m(int a) { return a; }"),
    ("Integer m(String a) { return Integer.valueOf(a); }", "Integer m(String a) { return a; }"),
    # What is asked for before.
    ("void m(List<B> a) { if (!a.contains(b)) a.add(b); }", "void m(List<B> a) { a.add(b); }"),
    ("void m(Set<B> a) { if (a.contains(b)) a.add(b); }", "void m(Set<B> a) { a.add(b); }"),
    ("void m(Set<B> a) { if (!a.contains(b)) a.add(c); }", "void m(Set<B> a) { a.add(c); }"),
    ("void m(Set<B> a) { if (!a.contains(b())) a.add(b()); }", "void m(Set<B> a) { a.add(b()); }"),
    ("void m(Set<B> a) { if (!a.contains(b)) a.add(b); else c(); }", "void m(Set<B> a) { a.add(b); }"),
    ("void m(Set<B> a) { if (!a.contains(b)) { a.add(b); c(); } }", "void m(Set<B> a) { a.add(b); }"),
    ("void m(Map<B, C> a) { if (!a.containsKey(b)) a.put(b, c); }", "void m(Map<B, C> a) { a.put(b, c); }"),
    # First values.
    ("int a = 1; boolean b = true; B c = d;", "int a; boolean b; B c;"),
    ("Integer a = 0; Boolean b = false;", "Integer a; Boolean b;"),
    ("{ b(); } int a = 0; void b() { a = 1; }", "{ b(); } int a; void b() { a = 1; }"),
    ("int c = b(); int a = 0; int b() { a = 1; return 2; }", "int c = b(); int a; int b() { a = 1; return 2; }"),
    ("C c = new C(this); int a = 0;", "C c = new C(this); int a;"),
    ("C c = new C(() -> a = 1); int a = 0;", "C c = new C(() -> a = 1); int a;"),
    ("class C { C() { a = 1; } } C c = new C(); int a = 0;", "class C { C() { a = 1; } } C c = new C(); int a;"),
    ("C c = new C() { { a = 1; } }; int a = 0;", "C c = new C() { { a = 1; } }; int a;"),
    ("static A b = new A(); static int a = 0;", "static A b = new A(); static int a;"),
    ("static B b = C.d(); static int a = 0;", "static B b = C.d(); static int a;"),
    ("static { b(); } static int a = 0;", "static { b(); } static int a;"),
    ("class B extends C { int a = 0; }", "class B extends C { int a; }"),
    ("void m() { int a = 0; f(a, a); }", "void m() { int a; f(a, a); }"),
    ("class B { public final void m() { f(1); } }", "class B { public void m() { f(1); } }"),
]  # fmt: skip


def _class(before: str, after: str, imports: str = "") -> MutationClass:
    texts = (f"{imports}class A {{ {text} }}\n" for text in (before, after))
    return judged({"A.java": tuple(texts)})["A.java"].mutation_class


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_changes_nothing_may_go_and_come(before: str, after: str) -> None:
    assert _class(before, after) is _class(after, before) is MutationClass.AST_REFACTOR


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_changes_something_stays_behaviour(before: str, after: str) -> None:
    assert _class(before, after) is _class(after, before) is MutationClass.INTENT_EVOLUTION


def test_once_is_how_often_mockito_expects_a_call() -> None:
    calls = ("void m() { verify(a, times(1)).b(); verify(c).b(); }", "void m() { verify(a).b(); verify(c).b(); }")
    static = "import static org.mockito.Mockito.{};\n"
    assert _class(*calls, static.format("verify") + static.format("times")) is MutationClass.AST_REFACTOR
    assert _class(*calls, static.format("verify") + "import static b.C.times;\n") is MutationClass.INTENT_EVOLUTION
    twice = tuple(text.replace("(1)", "(2)") for text in calls)
    assert _class(*twice, static.format("verify") + static.format("times")) is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(
    ("rest", "is_same"),
    [
        ("B b = new B(C.d(), 1);", True),
        ("static B b = new B();", True),
        ("B b = c();", False),
        ("C b = new C();", False),
        ("B b = new B(this);", False),
        ("{ c(); }", False),
    ],
)
def test_what_stands_before_a_field_tells_although_it_did_not_change(rest: str, *, is_same: bool) -> None:
    body = "{} {} class C {{ C() {{ a = 1; }} }} B c() {{ a = 1; return null; }}"
    versions = tuple(body.format(rest, field) for field in ("private int a = 0;", "private int a;"))
    assert (_class(*versions) is MutationClass.AST_REFACTOR) is is_same

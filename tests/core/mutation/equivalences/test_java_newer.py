"""Java in newer words, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository, judged

KEPT = (
    "void k(int a) {} static void s(int a) {} int o() { return 1; } int o(int a) { return a; }"
    " void p() {} static void p(A a) {}"
)
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
    ("void m() { assertThrows(B.class, () -> { c(); }); }", "void m() { assertThrows(B.class, () -> c()); }"),
    ("void m() { new Thread(() -> { c(); }).start(); }", "void m() { new Thread(() -> c()).start(); }"),
    ("void m() { a.map(b -> b.length()).map(c -> c.getName()); }",
     "void m() { a.map(String::length).map(Class::getName); }"),
    ("class T { void t() {} int u(B b) { return 1; } } void m() { a.map(b -> b.t()).map((b, c) -> b.u(c)); }",
     "class T { void t() {} int u(B b) { return 1; } } void m() { a.map(T::t).map(T::u); }"),
    ("class T { static int s(T t) { return 1; } } void m() { a.map(b -> T.s(b)); }",
     "class T { static int s(T t) { return 1; } } void m() { a.map(T::s); }"),
    # References, whatever takes them.
    ("void m() { a.map(b -> o(b)); f(() -> o()); f(() -> o(), c -> s(c)); }",
     "void m() { a.map(this::o); f(this::o); f(this::o, A::s); }"),
    ("void m() { a.submit(() -> C.d()); new B((c, d) -> C.e(c, d)); }",
     "void m() { a.submit(C::d); new B(C::e); }"),
    ("class T { void t() {} } void m() { f(() -> new T(), b -> b.t()); }",
     "class T { void t() {} } void m() { f(T::new, T::t); }"),
    ("void m() { f((B) () -> C.d(), (B<E>) () -> { C.d(); }); }", "void m() { f((B) C::d, (B<E>) C::d); }"),
    ("void m() { final B b = new B(1); a.map(c -> b.d(c)); b.e(); }",
     "void m() { final B b = new B(1); a.map(b::d); b.e(); }"),
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
    ("void m() { a.submit(() -> { C.d(); }); }", "void m() { a.submit(C::d); }"),
    ("void m() { a.map(b -> p(b)); }", "void m() { a.map(this::p); }"),
    ("void m() { a.map(b -> p(b)); }", "void m() { a.map(A::p); }"),
    ("void m() { B b = new B() { void p() { a.forEach(c -> k(c)); } }; b.p(b); }",
     "void m() { B b = new B() { void p() { a.forEach(this::k); } }; b.p(b); }"),
    ("void m() { a.map(b -> b.size()); }", "void m() { a.map(List::size); }"),
    ("void m() { a.map(b -> b.toString()); }", "void m() { a.map(Integer::toString); }"),
    ("void m() { a.map(b -> b.length()); }", "void m() { a.map(C::length); }"),
    ("void m() { int String = 1; a.map(b -> b.length()); }", "void m() { int String = 1; a.map(String::length); }"),
    ("class T { void t() {} } void m() { a.map(b -> b.t()); }", "class T { void t() {} } void m() { a.map(T::u); }"),
    ("class T extends U { void t() {} } void m() { a.map(b -> b.t()); }",
     "class T extends U { void t() {} } void m() { a.map(T::t); }"),
    ("class T { static void t(T a) {} } void m() { a.map(b -> b.t()); }",
     "class T { static void t(T a) {} } void m() { a.map(T::t); }"),
    ("class T { void t() {} } class V { class T {} } void m() { a.map(b -> b.t()); }",
     "class T { void t() {} } class V { class T {} } void m() { a.map(T::t); }"),
    ("class T { void t(T a) {} } void m() { a.map(b -> b.t(b)); }",
     "class T { void t(T a) {} } void m() { a.map(T::t); }"),
    ("class T { void t() {} } void m() { a.map(b -> c.t()); }", "class T { void t() {} } void m() { a.map(T::t); }"),
    ("class T { <V> void t() {} } void m() { a.map(b -> b.<B>t()); }",
     "class T { <V> void t() {} } void m() { a.map(T::t); }"),
    ("void m() { B b = c(); a.map(d -> b.e(d)); b.e(); }", "void m() { B b = c(); a.map(b::e); b.e(); }"),
    ("B b = new B(); void m() { a.map(d -> b.e(d)); b.e(); }", "B b = new B(); void m() { a.map(b::e); b.e(); }"),
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


ASSERTIONS = "package q; public class Told {{ {} }}\n"
ONE_WAY = (
    "static void gone(final Executable a) { } static void gone(Executable a, String b) { } void other(int... a) { }"
)
CALLS = {
    "by its class": ("import q.Told;\n", "Told.gone(() -> { b(); });", "Told.gone(() -> b());"),
    "by its name": ("import static q.Told.gone;\n", 'gone(() -> { b(); }, "c");', 'gone(() -> b(), "c");'),
    "in the same package": ("", "Told.gone(() -> { b(); });", "Told.gone(() -> b());"),
}


def _versions(imports: str, *calls: str) -> tuple[str, ...]:
    return tuple(f"package p;\n{imports}class A {{ void m() {{ {call} }} }}\n" for call in calls)


def _told(imports: str, before: str, after: str, others: dict[str, str] | Repository | None) -> MutationClass:
    old, new = _versions(imports, before, after)
    return judged({"src/p/A.java": (old, new)}, others)["src/p/A.java"].mutation_class


@pytest.mark.parametrize("name", CALLS)
def test_a_method_of_the_repository_may_take_one_kind_of_function(name: str) -> None:
    others = {"src/q/Told.java": ASSERTIONS.format(ONE_WAY)}
    assert _told(*CALLS[name], others) is MutationClass.AST_REFACTOR
    for unknown in (Repository(others, can_search=False), None):
        assert _told(*CALLS[name], unknown) is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(
    "others",
    [
        pytest.param({}, id="no class"),
        pytest.param({"src/q/Told.java": ASSERTIONS.format("void other(A a) { }")}, id="no method"),
        pytest.param(
            {"src/q/Told.java": ASSERTIONS.format(f"{ONE_WAY} static void gone(Callable<A> a) {{ }}")}, id="two methods"
        ),
        pytest.param(
            {"src/q/Told.java": ASSERTIONS.format(f"{ONE_WAY} static void gone(Callable... a) {{ }}")}, id="any number"
        ),
        pytest.param(
            {"src/q/Told.java": ASSERTIONS.format(ONE_WAY).replace("Told", "Told extends B")}, id="what it inherits"
        ),
        pytest.param({f"src/{part}q/Told.java": ASSERTIONS.format(ONE_WAY) for part in ("", "b/")}, id="two classes"),
        pytest.param({"src/q/Told.java": "class Told { void gone( }\n"}, id="what does not parse"),
    ],
)
def test_a_lambda_that_another_method_may_take_stays_as_it_is(others: dict[str, str]) -> None:
    assert _told(*CALLS["by its class"], others) is MutationClass.INTENT_EVOLUTION


def test_a_lambda_stays_as_it_is_where_no_repository_is_at_hand() -> None:
    old, new = (version.encode() for version in _versions(*CALLS["by its class"]))
    (verdict,) = classify_change([FileVersions("src/p/A.java", Change.MODIFY, old, new)])
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_method_that_the_change_has_too_may_have_been_another_one() -> None:
    told = ASSERTIONS.format(ONE_WAY)
    old, new = _versions(*CALLS["by its class"])
    versions = {"src/p/A.java": (old, new), "src/q/Told.java": (told, told.replace("{ }", "{ int c = 1; }"))}
    assert judged(versions, {})["src/p/A.java"].mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b.gone(() -> { b(); });", "b.gone(() -> b());"),
        ("gone(() -> { b(); });", "gone(() -> b());"),
        ("b(x[() -> { b(); }]);", "b(x[() -> b()]);"),
        ("gone(() -> { b(); }); } void gone(A a) {", "gone(() -> b()); } void gone(A a) {"),
    ],
)
def test_a_lambda_of_which_nobody_knows_who_takes_it_stays_as_it_is(before: str, after: str) -> None:
    others = {"src/q/Told.java": ASSERTIONS.format(ONE_WAY)}
    imports = "import static q.Told.gone;\n" if "void" in before else ""
    assert _told(imports, before, after, others) is MutationClass.INTENT_EVOLUTION


ASKED = "class A {{ void m() {{ a.map({}); }} static class T {{ {} }} {} }}\n"
OF_EACH = "void t(B b) { c(b); }"


@pytest.mark.parametrize(
    ("rest", "others", "is_same"),
    [
        ("", {}, True),
        ("", {"src/p/B.java": "class B extends A.T { void t(C c) { } }\n"}, False),
        ("static class U extends T { void t(C c) { } }", {}, False),
        ("void o() { class V extends T { void t(C c) { } } }", {}, False),
    ],
)
def test_what_each_is_asked_for_with_arguments_is_not_asked_in_another_way_by_heirs(
    rest: str, others: dict[str, str], *, is_same: bool
) -> None:
    for one, other in (("(b, c) -> b.t(c)", "T::t"), ("T::t", "(b, c) -> b.t(c)")):
        versions = (ASKED.format(one, OF_EACH, rest), ASKED.format(other, OF_EACH, rest))
        verdict = judged({"src/p/A.java": versions}, others)["src/p/A.java"]
        assert (verdict.mutation_class is MutationClass.AST_REFACTOR) is is_same, verdict.reasons


LIBRARY = ["import java.util.List;\n", "import java.util.*;\n", "import a.b.List;\n"]


@pytest.mark.parametrize(("imports", "is_same"), [*zip(LIBRARY, (True, False, False), strict=True)])
def test_what_a_list_of_the_library_is_asked_for_is_told_by_its_import(imports: str, *, is_same: bool) -> None:
    head = imports + "class A { List<B> b; void m() { a.map("
    verdict = judged({"A.java": (head + "c -> c.size()); } }", head + "List::size); } }")})["A.java"]
    assert (verdict.mutation_class is MutationClass.AST_REFACTOR) is is_same, verdict.reasons

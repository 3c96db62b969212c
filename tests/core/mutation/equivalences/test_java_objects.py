"""Java: a new object that nothing asks for needs no name, a resource no `final`, and a block no empty statement."""

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions

UNUSED = "unused variables"
WRITTEN = "the same written in another way"


def _both_ways(one: str, other: str) -> list[FileClass]:
    texts = [f"class A {{ {text} }}\n".encode() for text in (one, other)]
    return [
        classify_change([FileVersions("A.java", Change.MODIFY, before, after)])[0]
        for before, after in (texts, texts[::-1])
    ]


@pytest.mark.parametrize(
    ("reason", "one", "other"),
    [
        (UNUSED, "void f() { B a = new B(c); g(); }", "void f() { new B(c); g(); }"),
        (UNUSED, "void f() { final B a = new B(c); }", "void f() { new B(c); }"),
        (UNUSED, "void f() { if (b) { B a = new B(); g(); } }", "void f() { if (b) { new B(); g(); } }"),
        (UNUSED, "A() { B a = new B(c); g(); }", "A() { new B(c); g(); }"),
        (UNUSED, "void f() { B a = new B() { int b; }; }", "void f() { new B() { int b; }; }"),
        (UNUSED, "void f() { B a = new B(); C d = new C(); }", "void f() { new B(); new C(); }"),
        (
            WRITTEN,
            "void f() { try (final B a = b(); C d = c()) { g(a, d); } }",
            "void f() { try (B a = b(); final C d = c()) { g(a, d); } }",
        ),
    ],
)
def test_a_new_object_without_a_name_and_a_resource_without_final_are_refactors(
    reason: str, one: str, other: str
) -> None:
    for verdict in _both_ways(one, other):
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("void f() { B a = new B(c); g(a); }", "void f() { new B(c); g(a); }"),
        ("void f() { B a = new B(c); g(() -> a); }", "void f() { new B(c); g(() -> a); }"),
        ("void f() { B a = new B(c); }", "void f() { }"),
        ("void f() { B a = new B(c); }", "void f() { new B(d()); }"),
        ("void f() { B a = c(); }", "void f() { c(); }"),
        ("void f() { B<C> a = new B<>(d); }", "void f() { new B<>(d); }"),
        ("void f() { @C B a = new B(); }", "void f() { new B(); }"),
        ("void f() { B a = new B(), b = c(); }", "void f() { new B(); }"),
        ("B a = new B(c);", "{ new B(c); }"),
        ("void f() { B a; }", "void f() { new B(); }"),
        ("void f() { try (B a = new B()) { g(); } }", "void f() { new B(); g(); }"),
    ],
)
def test_a_name_that_something_asks_for_and_an_object_that_goes_are_behaviour(one: str, other: str) -> None:
    for verdict in _both_ways(one, other):
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("void f() { g();; h(); }", "void f() { g(); h(); }"),
        ("void f() { while (a) { ; } }", "void f() { while (a) { } }"),
    ],
)
def test_an_empty_statement_in_a_block_is_formatting(one: str, other: str) -> None:
    for verdict in _both_ways(one, other):
        assert verdict.mutation_class is MutationClass.DOCUMENTATION, verdict.reasons


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("void f() { while (a); g(); }", "void f() { while (a) g(); }"),
        ("void f() { if (a); g(); }", "void f() { if (a) g(); }"),
        ("void f() { for (;a;); { g(); } }", "void f() { for (;a;) { g(); } }"),
    ],
)
def test_an_empty_statement_that_is_a_body_is_behaviour(one: str, other: str) -> None:
    for verdict in _both_ways(one, other):
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

"""Functions of C that store what nothing reads, cast what needs no cast, or are compiled where nothing calls them."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, judged

UNUSED = "unused variables"
CASTS = "casts that change nothing"
POINTERS = "pointers that are only handed on"
GUARDED = "functions compiled only where they are used"

Pair = tuple[str, str]
READ = "static int read_all(int a) { return a; }\n"
USER = "int f(int b) {\n#if !A\n return read_all(b);\n#else\n return 1;\n#endif\n}\n"
ELSE = "#if B\n#elif !A\nint c = read_all(1);\n#endif\n"
WITHOUT = "#if defined(B)\n#else\nint b = read_all(1);\n#endif\n"
ABOVE = "#if A > 2\nint c = read_all(1);\n#endif\n"

SAME: dict[str, list[Pair]] = {
    UNUSED: [
        ("int f(int a) { int n = 0; n += g(a); return 1; }", "int f(int a) { g(a); return 1; }"),
        ("int f(int a) { unsigned int n; n = 1; a->n = 2; n++; --n; }", "int f(int a) { a->n = 2; }"),
        (
            "int f(int a) { if (a) n(); int m = g(a, 1); if (a) m = h(); }",
            "int f(int a) { if (a) n(); g(a, 1); if (a) h(); }",
        ),
        ("int f(int a) { int n = -1; if (a) n = a; else h(); }", "int f(int a) { if (a) ; else h(); }"),
        (
            "int f(int a) {\n#if A\n int n = 1; n = 2; h();\n#endif\n g(); }",
            "int f(int a) {\n#if A\n h();\n#endif\n g(); }",
        ),
        (
            "int f(int a) { do { int n = 1; g(); n |= h(); } while (a); }",
            "int f(int a) { do { g(); h(); } while (a); }",
        ),
    ],
    CASTS: [
        (
            "int f(int c) { struct a *b = (struct a *)malloc(c); h(b); }",
            "int f(int c) { struct a *b = malloc(c); h(b); }",
        ),
        ("int f(int c) { long b = (long)c->d[1].e; h(b); }", "int f(int c) { long b = c->d[1].e; h(b); }"),
        ("static char *f(int c) { return (char *)g(c, 1); }", "static char *f(int c) { return g(c, 1); }"),
        ("int f(struct a *b) { return h(1, (struct c *)b); }", "int f(struct a *b) { return h(1, b); }"),
        (
            "int f(int b) { (void)b; (void)g(b); if (b) (void)b; return 1; }",
            "int f(int b) { g(b); if (b) b; return 1; }",
        ),
        (
            "int f(char *b) { return g((const char *)b) && *b && b[1]; }",
            "int f(char *b) { return g(b) && *b && b[1]; }",
        ),
    ],
    POINTERS: [
        (
            "static void f(struct a *b) { if (b) { g((struct a *)b); h(b, 1); } }",
            "static void f(void *b) { if (b) { g(b); h(b, 1); } }",
        ),
        ("static int f(const char *b) { return (b == NULL); }", "static int f(const void *b) { return (b == NULL); }"),
        ("static int f(struct seen *made) { g(made); }", "static int f(void *made) { g(made); }"),
    ],
    GUARDED: [
        (f"#if !A\n{READ}#endif\n{USER}", f"{READ}{USER}"),
        (f"#ifndef B\n{READ}#endif\n{WITHOUT}", f"{READ}{WITHOUT}"),
        (f"int b;\n#if A > 2\n{READ}#endif\n{ABOVE}", f"int b;\n{READ}{ABOVE}"),
    ],
}
OTHER: list[Pair] = [
    ("int f(int a) { int n = 0; n += g(a); return n; }", "int f(int a) { g(a); return 0; }"),
    ("int f(int a) { int n = 0; n += g(a); return 1; }", "int f(int a) { h(a); return 1; }"),
    ("int f(int a) { int n = 0; n += g(a); return 1; }", "int f(int a) { return 1; }"),
    ("int f(int a) { int n = 0; n += in_macro(a); return 1; }", "int f(int a) { return 1; }"),
    ("int f(int a) { static int n = 0; n += g(a); }", "int f(int a) { g(a); }"),
    ("int f(int a) { volatile int n; n = 1; }", "int f(int a) { }"),
    ("int f(int a) { int n = 0; n /= a; }", "int f(int a) { a; }"),
    ("int f(int a) { int n = 1, m = g(); n = 3; }", "int f(int a) { }"),
    ("int f(int a) { int n = (1, 2), m; n = 3; h(m); }", "int f(int a) { h(m); }"),
    ("int f(int a) { int made = 1; made = a; }", "int f(int a) { }"),
    ("int f(int a) { int *n = a; *n = 0; }", "int f(int a) { }"),
    ("int f(int a) { int n; if (n = g(a)) h(); }", "int f(int a) { if (g(a)) h(); }"),
    ("int f(int a) { int n; for (n = 0; ; n++) h(); }", "int f(int a) { for (; ; ) h(); }"),
    ("int f(int a) { { int n = 1; n = g(a); } n = 2; }", "int f(int a) { { g(a); } }"),
    ("int f(int n) { { int n = 1; h(n); } n = 2; }", "int f(int n) { { h(n); } }"),
    ("int f(int a) { n = 1; int n = 2; }", "int f(int a) { }"),
    ("int f(int a) { int n = 1; l: n = 2; }", "int f(int a) { l: ; }"),
    ("int f(int a) { int n = 1; a = 1 +\n#if A\n n = 2;\n#endif\n }", "int f(int a) { a = 1 +\n#if A\n 2;\n#endif\n }"),
    ("int f(int a) { int n = 1; X({ n = 2; }); }", "int f(int a) { X({ ; }); }"),
    ("int f(int c) { long b = (long)c + d; h(b); }", "int f(int c) { long b = c + d; h(b); }"),
    ("int f(double c) { long b = (int)c; h(b); }", "int f(double c) { long b = c; h(b); }"),
    ("int f(int c) { long b = (int)1.5; h(b); }", "int f(int c) { long b = 1.5; h(b); }"),
    ("int f(int c) { int b = (int)LIMIT; h(b); }", "int f(int c) { int b = LIMIT; h(b); }"),
    ("int f(int c) { long b = (int)in_macro; h(b); }", "int f(int c) { long b = in_macro; h(b); }"),
    ("int f(int c) { return (int)g(c) * 2.5; }", "int f(int c) { return g(c) * 2.5; }"),
    ("double f(double c) { return (int)g(c); }", "double f(double c) { return g(c); }"),
    ("int f(long c) { int b; b = (int)c; h(b); }", "int f(long c) { int b; b = c; h(b); }"),
    ("int f(int c) { return h((long)c); }", "int f(int c) { return h(c); }"),
    ("int f(int *c) { return h((long)c); }", "int f(int *c) { return h(c); }"),
    ("int f(int *c) { return h((char *)c + 1); }", "int f(int *c) { return h(c + 1); }"),
    ("int f(int *c) { return *(char *)c; }", "int f(int *c) { return *c; }"),
    ("int f(int *c) { return sizeof((char *)c); }", "int f(int *c) { return sizeof(c); }"),
    ("int f(int *c) { return in_macro((char *)c); }", "int f(int *c) { return in_macro(c); }"),
    ("int f(int *c) { return LEN((char *)c); }", "int f(int *c) { return LEN(c); }"),
    ("int f(int *c) { return atomic_load((char *)c); }", "int f(int *c) { return atomic_load(c); }"),
    ("int f(int *c) { return assert_it((char *)c); }", "int f(int *c) { return assert_it(c); }"),
    ("int f(int *c) { { int c = 1; h((char *)c); } }", "int f(int *c) { { int c = 1; h(c); } }"),
    ("int f(int *c) { { int *c = 1; h((char *)c); } }", "int f(int *c) { { int *c = 1; h(c); } }"),
    ("int f(int (*g)(int *c)) { return h((char *)c); }", "int f(int (*g)(int *c)) { return h(c); }"),
    ("int f(int *c) { return h((a * b *)c); }", "int f(int *c) { return h(c); }"),
    ("int f(int *c) { return h((a b *)c); }", "int f(int *c) { return h(c); }"),
    ("int f(int *c) { return h()c; }", "int f(int *c) { return h(c); }"),
    ("int f(int *b) { (void)g(b); return 1; }", "int f(int *b) { return 1; }"),
    ("int f(int *b) { (void)in_macro; return 1; }", "int f(int *b) { return 1; }"),
    ("static int f(struct a *b) { return b->c; }", "static int f(void *b) { return b->c; }"),
    ("static int f(struct a *b) { return g(b + 1); }", "static int f(void *b) { return g(b + 1); }"),
    ("static int f(struct a *b) { return g(*b); }", "static int f(void *b) { return g(*b); }"),
    ("static int f(struct a **b) { return g(b); }", "static int f(void *b) { return g(b); }"),
    ("static int f(struct a *b) { return in_macro(b); }", "static int f(void *b) { return in_macro(b); }"),
    ("static int f(struct a *made) { in_macro; g(made); }", "static int f(void *made) { in_macro; g(made); }"),
    ("int f(struct a *b) { return g(b); }", "int f(void *b) { return g(b); }"),
    (f"#if A\n{READ}#endif\n{USER}", f"{READ}{USER}"),
    (f"#if !A\n{READ}#endif\nint b = read_all(2);\n{USER}", f"{READ}int b = read_all(2);\n{USER}"),
    (f"#if !A\n{READ.replace('static ', '')}#endif\n{USER}", f"{READ.replace('static ', '')}{USER}"),
    (f"#if !A\n{READ}#endif\n#define A 1\n{USER}", f"{READ}#define A 1\n{USER}"),
    (f'#if !A\n{READ}#endif\n#include "a.h"\n{USER}', f'{READ}#include "a.h"\n{USER}'),
    (f"#if !A\n{READ}int c;\n#endif\n{USER}", f"{READ}int c;\n{USER}"),
    (f"#if !A\n#if !A\n{READ}#endif\n#endif\n{USER}", f"#if A\n{READ}#endif\n{USER}"),
    (f"#if !A\n{READ}#endif\n{ELSE}", f"{READ}{ELSE}"),
    (
        "#if A\nstatic int in_macro(int a) { return a; }\n#endif\n#if A\nint b = in_macro(1);\n#endif\n",
        "static int in_macro(int a) { return a; }\n#if A\nint b = in_macro(1);\n#endif\n",
    ),
    ("#if A\nstatic int (f)(int a) { return a; }\n#endif\n", "static int (f)(int a) { return a; }\n"),
]
MACROS = {"a.h": "#define in_macro(x) \\\n  (made + x)\n"}


@pytest.mark.parametrize(("reason", "pair"), [(reason, pair) for reason, pairs in SAME.items() for pair in pairs])
def test_another_form_of_a_function_is_a_refactor_and_says_which(reason: str, pair: Pair) -> None:
    for old, new in (pair, pair[::-1]):
        verdict = judged({"a.c": (f"{old}\n", f"{new}\n")}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_may_do_something_else_stays_behaviour(old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        verdict = judged({"a.c": (f"{before}\n", f"{after}\n")}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize("reason", SAME)
def test_no_form_is_proven_where_the_macros_are_not_known(reason: str) -> None:
    old, new = SAME[reason][0]
    verdict = judged({"a.c": (old, new)}, Repository({}, can_search=False))["a.c"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize("reason", [CASTS, POINTERS])
def test_a_cast_in_a_header_may_be_one_of_another_language(reason: str) -> None:
    for old, new in SAME[reason]:
        verdict = judged({"a.h": (f"{old}\n", f"{new}\n")})["a.h"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("reason", [UNUSED, CASTS, GUARDED])
def test_no_behaviour_mutant_passes_beside_another_form(reason: str) -> None:
    """What has no store, cast or condition more than it needs is changed: there, each change is one of behaviour."""
    chance = random.Random(reason)
    made = 0
    for before, after in SAME[reason]:
        for mutant in mutants(f"{after}\n", chance, 20, "c"):
            for old, new in ((f"{before}\n", mutant.after), (mutant.after, f"{before}\n")):
                made += 1
                verdict = judged({"a.c": (old, new)}, MACROS)["a.c"]
                assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made > 50


MARKED = ("int f(int a) { MARK(a); return 1; }\n", "int f(int a) { return 1; }\n")
MARKS = {"#define MARK(x) ((void)(x))\n": True, "#define MARK(x) (void)x\n": True, "#define MARK(x) x = 0\n": False}
MARKS |= {"#define MARK(x) ((void)(y))\n": False, "#define MARK(x, y) ((void)(x))\n": False, "#define MARK g\n": False}
MARKS |= {"#if A\n#define MARK(x) ((void)(x))\n#else\n#define MARK(x) g(x)\n#endif\n": False, "int n;\n": False}


@pytest.mark.parametrize("macro", MARKS)
def test_a_macro_that_marks_a_variable_as_unread_does_nothing(macro: str) -> None:
    for before, after in (MARKED, MARKED[::-1]):
        verdict = judged({"a.c": (before, after)}, {"m.h": macro})["a.c"]
        assert (verdict.mutation_class is MutationClass.AST_REFACTOR) is MARKS[macro], verdict.reasons


@pytest.mark.parametrize("code", ["MARK(g());", "MARK(A);", "MARK(a + 1);"])
def test_a_mark_on_what_is_no_variable_stays(code: str) -> None:
    before = MARKED[0].replace("MARK(a);", code)
    found = judged({"a.c": (before, MARKED[1])}, {"m.h": "#define MARK(x) ((void)(x))\n#define A g()\n"})["a.c"]
    assert found.mutation_class is MutationClass.INTENT_EVOLUTION

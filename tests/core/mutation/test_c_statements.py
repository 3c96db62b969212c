"""Statements and expressions of C in another form: braces, brackets, steps, what is compared with nothing."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository, judged, no_mutant_of_c_passes

BRACES = "braces around one statement"
BLOCKS = "blocks that hold nothing apart"
ENDS = "no more at the end of a switch"
STEPS = "the same written in another way"
BRACKETS = "brackets that change nothing"
NOTHING = "nothing is compared with by its name"

Pair = tuple[str, str]
MACROS = {
    "m.h": "#define TWO(x) g(x); h(x)\n#define HALF(x) if (x) return\n#define ONE(x) do { g(x); } while (0)\n"
    "#define SUM a | b\n#define NUMBER (1 + 2)\n#define GIVEN(x) x\n#define DECLARE(x) int x\n"
    "#define SHOW(x) puts(#x)\n#define VALUE b->c(1)\n#define NESTED(x) TWO(x)\n#define OPEN (\n"
    "#define LOOP(x) for (;;) x\n#define BLOCK { g(); }\n#define CALLS_SHOW(x) SHOW(x)\n#define BAD(\n"
    "#define ITSELF(x) ITSELF(x)\n#define NONE\n#define SPACED \\ \n\n#define ODD ??/\n"
}


def _in(body: str) -> str:
    return f"int f(int a, struct s *b) {{ {body} }}\n"


SAME: dict[str, list[Pair]] = {
    BRACES: [
        ("if (a) g(); h();", "if (a) { g(); } h();"),
        ("if (a) g(); else h();", "if (a) { g(); } else { h(); }"),
        ("if (a) { g(); } else { if (b) h(); }", "if (a) g(); else if (b) h();"),
        (
            "\n#if A\n if (a) {\n#else\n if (b) {\n#endif\n if (a) g(); }",
            "\n#if A\n if (a) {\n#else\n if (b) {\n#endif\n if (a) { g(); } }",
        ),
        ("for (; a; ) if (b) g(); else h();", "for (; a; ) { if (b) { g(); } else h(); }"),
        ("while (a) ONE(b);", "while (a) { ONE(b); }"),
        ("if (a) for (a = 1; a < 2; a++) g();", "if (a) { for (a = 1; a < 2; a++) { g(); } }"),
        ("if (a) do { g(); } while (b); else h();", "if (a) { do { g(); } while (b); } else { h(); }"),
        ("if (a) NONE; h();", "if (a) { NONE; } h();"),
        ("if (a) ITSELF(b); h();", "if (a) { ITSELF(b); } h();"),
        ("if (a) { int c[] = {1}; g(c); } if (b) c = g;", "if (a) { int c[] = {1}; g(c); } if (b) { c = g; }"),
    ],
    BLOCKS: [
        ("b->c = 1;; { ; g(); }", "b->c = 1; { g(); }"),
        ("do { g(); if (a) h(); else k(); } while (0); k();", "g(); if (a) h(); else k(); k();"),
        ("g(); { h(a); b->c = a ? 1 : 2; } k();", "g(); h(a); b->c = a ? 1 : 2; k();"),
        ("if (a) { ; } g();", "if (a) { } g();"),
        ("g(); { ONE(a); goto end; } end: h();", "g(); ONE(a); goto end; end: h();"),
    ],
    ENDS: [
        ("switch (a) { case 1: g(); break; }", "switch (a) { case 1: g(); }"),
        ("switch (a) { case 1: g(); break; default: break; }", "switch (a) { case 1: g(); break; }"),
        ("switch (a) { case 1: { g(); } default: break; }", "switch (a) { case 1: { g(); } }"),
    ],
    STEPS: [
        ("g(); a++;", "g(); ++a;"),
        ("g(); --b->c[1]; h();", "g(); b->c[1]--; h();"),
        ("for (a = 0; a < 2; a++) { g(); }", "for (a = 0; a < 2; ++a) { g(); }"),
        ("g(); a = a + 2;", "g(); a += 2;"),
        ("g(); a = a << b->c;", "g(); a <<= b->c;"),
        ("g(); a = a - (b->c + 1);", "g(); a -= (b->c + 1);"),
    ],
    BRACKETS: [
        ("return (a);", "return a;"),
        ("if ((a == 2) && (b->c)) g((a), (b));", "if (a == 2 && b->c) g(a, b);"),
        ("a = (b->c * 2) + 1; a = 1 + (a * 2);", "a = b->c * 2 + 1; a = 1 + a * 2;"),
        ("a = (b->c)[1]; b = &(b->c); a = (*b); a = -(a);", "a = b->c[1]; b = &b->c; a = *b; a = -a;"),
        ("a = sizeof b; a = sizeof *b->c + 1;", "a = sizeof(b); a = sizeof(*b->c) + 1;"),
        ("a = (a == 2 ? 1 : 2); a = a ? (1) : (a);", "a = a == 2 ? 1 : 2; a = a ? 1 : a;"),
        ("if ((a = g())) h();", "if (a = g()) h();"),
        ("a = b && (a && g()); (a) = 1;", "a = b && a && g(); a = 1;"),
        ("a = ((struct s *) b); a = !(a); a = (NUMBER);", "a = (struct s *) b; a = !a; a = NUMBER;"),
        ("switch (a) { case (1): g(); }", "switch (a) { case 1: g(); }"),
        ("a = (VALUE) == 2;", "a = VALUE == 2;"),
        ("a = (a * 2);", "a = a * 2;"),
        ("a = ((((((((((((b)))))))))))) + 1;", "a = ((b)) + 1;"),
        (
            "\n#if A\n if ((a)) {\n#else\n if (b) {\n#endif\n g((a)); }",
            "\n#if A\n if (a) {\n#else\n if (b) {\n#endif\n g(a); }",
        ),
        ("a = (-a) + (*b);", "a = -a + *b;"),
        ("a = ((char) a); a = 1 + GIVEN(2 + (a * 2) + 1);", "a = (char) a; a = 1 + GIVEN(2 + a * 2 + 1);"),
        ("b = (struct s *)(void *)(&c[a]); b = (char *)(c);", "b = (struct s *)(void *)&c[a]; b = (char *)c;"),
    ],
    NOTHING: [
        ("return a > 1 ? 1 : 0;", "return a > 1;"),
        ("int c = (a == 1 || b->d) ? 1 : 0; return h(c, c);", "int c = a == 1 || b->d; return h(c, c);"),
        ("h(a, g(a) == 2 ? 1 : 0);", "h(a, g(a) == 2);"),
        ("if (b == NULL) g();", "if (!b) g();"),
        ("if (NULL == b && a != 0) g();", "if (!b && a) g();"),
        ("while (*b != '\\0') g();", "while (*b) g();"),
        ("a = b->c(1) == NULL; return 0 == **b;", "a = !b->c(1); return !**b;"),
        ("return a != 0 ? 1 : 2;", "return a ? 1 : 2;"),
        ("if (VALUE != NULL) g();", "if (VALUE) g();"),
    ],
}
OTHER: list[Pair] = [
    ("if (({ g(); a; })) h();", "if (({ a; })) { h(); }"),
    ("return a & 1 ? 1 : 0;", "return a & 1;"),
    ("return a > 1 ? 2 : 0;", "return a > 1;"),
    ("return a > 1 ? 1 : 0 + a;", "return a > 1 + a;"),
    ("return a ? 1 : 0;", "return a;"),
    ("return SUM > 1 ? 1 : 0;", "return a > 1;"),
    ("SHOW(a > 1 ? 1 : 0);", "SHOW(a > 1);"),
    ("if (a) ; g();", "if (a) g();"),
    ("c: ; g(); goto c;", "g(); goto c;"),
    ("b = (char *)(a + 1);", "b = (char *)a + 1;"),
    ("b = (a * b)(a);", "b = (a * b) a;"),
    ("b = (void (*)(int))c;", "b = (void (*)int)c;"),
    ("if (a) g(); h();", "if (a) { g(); h(); }"),
    ("if (a) TWO(b);", "if (a) { TWO(b); }"),
    ("if (a) NESTED(b);", "if (a) { NESTED(b); }"),
    ("if (a) HALF(b);", "if (a) { HALF(b); }"),
    ("if (a) LOOP(b);", "if (a) { LOOP(b); }"),
    ("if (a) GIVEN(g(); h());", "if (a) { GIVEN(g(); h()); }"),
    ("if (a) OPEN;", "if (a) { OPEN; }"),
    ("if (a) BLOCK;", "if (a) { BLOCK; }"),
    ("if (a) BAD;", "if (a) { BAD; }"),
    ("if (a) { if (b) g(); } else h();", "if (a) if (b) g(); else h();"),
    ("if (a) x: g();", "if (a) { x: g(); }"),
    ("if (a)\n#if A\n g();\n#endif\n h();", "if (a) {\n#if A\n g();\n#endif\n h(); }"),
    ("if (a) g(); else { if (b) h(); k(); }", "if (a) g(); else if (b) h(); k();"),
    ("do { g(); if (a) break; h(); } while (0);", "g(); if (a) break; h();"),
    ("do { g(); } while (a);", "g();"),
    ("{ int c = 1; g(&c); } g(c);", "int c = 1; g(&c); g(c);"),
    ("{ typeof(a) c; g(&c); } g(c);", "typeof(a) c; g(&c); g(c);"),
    ("{ s *c; g(&c); } g(c);", "s *c; g(&c); g(c);"),
    ("{ DECLARE(c); g(&c); } g(c);", "DECLARE(c); g(&c); g(c);"),
    ("{ x: g(&c); } goto x;", "x: g(&c); goto x;"),
    ("int c[] = { 1 };", "int c[] = 1;"),
    ("switch (a) { case 1: if (b) break; }", "switch (a) { case 1: if (b) ; }"),
    ("switch (a) { case 1: g(); break; case 2: h(); }", "switch (a) { case 1: g(); case 2: h(); }"),
    ("switch (a) { case 1: g(); default: h(); }", "switch (a) { case 1: g(); h(); }"),
    ("switch (a) case 1: break;", "switch (a) case 1: ;"),
    ("h(a++);", "h(++a);"),
    ("if (a) ODD;", "if (a) { ODD; }"),
    ("a = (ODD);", "a = ODD;"),
    ("if (ODD(a == 0)) g();", "if (ODD(!a)) g();"),
    ("g(); a++; }", "g(); ++a; } }"),
    ("g(); a = (b; }", "g(); a = b; }"),
    ("g(); other = other + 1;", "g(); other += 1;"),
    ("_Atomic int c; g(); c = c + 1;", "_Atomic int c; g(); c += 1;"),
    ("if (a) g()", "if (a) { g() }"),
    ("if (a", "if (a) {"),
    ("if (a) {", "if (a)"),
    ("for (a) { g(); a++; }", "for (a) { g(); ++a; } h();"),
    ("a = 1 == NULL;", "a = !1;"),
    ("a = NULL == 1;", "a = !1;"),
    ("a = )b == 0;", "a = )!b;"),
    ("if (a == 0 == 0) g();", "if (!!a) g();"),
    ("for (; a++; ) g();", "for (; ++a; ) g();"),
    ("a = b++;", "a = ++b;"),
    ("g(); a = a - 2 - b;", "g(); a -= 2 + b;"),
    ("g(); a = a * 2 + 1;", "g(); a *= 2 + 1;"),
    ("g(); a = a + SUM;", "g(); a += SUM;"),
    ("g(); a = a + h();", "g(); a += h();"),
    ("g(); a = b + 1;", "g(); a += 1;"),
    ("a = (a + 1) * 2;", "a = a + 1 * 2;"),
    ("a = a - (b->c - 1);", "a = a - b->c - 1;"),
    ("a = (a & 1) == 0;", "a = a & 1 == 0;"),
    ("a = (SUM) & 1;", "a = SUM & 1;"),
    ("a = GIVEN((a + 1)) * 2;", "a = GIVEN(a + 1) * 2;"),
    ("SHOW((a));", "SHOW(a);"),
    ("CALLS_SHOW((a));", "CALLS_SHOW(a);"),
    ("assert((a));", "assert(a);"),
    ("g((a, b));", "g(a, b);"),
    ("a = (s)(b);", "a = (s) b + 1;"),
    ("a = (s)(b) + 1;", "a = s(b) + 1;"),
    ("a = (b) -1;", "a = b (-1);"),
    ("a = !(a && b);", "a = !a && b;"),
    ("a = (a || b) && a;", "a = a || b && a;"),
    ("a = (a ? 1 : 2) ? 3 : 4;", "a = a ? 1 : 2 ? 3 : 4;"),
    ("*(b + 1) = 2;", "*b + 1 = 2;"),
    ("a = sizeof(a) * 2;", "a = sizeof(a * 2);"),
    ("a = sizeof -a;", "a = -sizeof(a);"),
    ("if (b == NULL) g();", "if (b) g();"),
    ("if (b != NULL) g();", "if (!b) g();"),
    ("if (a & a == 0) g();", "if (a & !a) g() ; else h();"),
    ("a = b != NULL;", "a = b;"),
    ("if (a * *b == 0) g();", "if (a * !*b) g();"),
    ("if (SUM == 0) g();", "if (!SUM) g();"),
    ("SHOW(a == 0);", "SHOW(!a);"),
    ("a = GIVEN(a == 0) + 1;", "a = GIVEN(!a) + 1;"),
    ("if (a == 1) g();", "if (!a) g();"),
    ("\n#if a == 0\n g();\n#endif\n", "\n#if !a\n g();\n#endif\n"),
]


@pytest.mark.parametrize(("reason", "pair"), [(reason, pair) for reason, pairs in SAME.items() for pair in pairs])
def test_statements_in_another_form_are_a_refactor_and_say_which(reason: str, pair: Pair) -> None:
    for old, new in (pair, pair[::-1]):
        verdict = judged({"a.c": (_in(old), _in(new))}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert reason in verdict.reasons


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_statements_that_do_something_else_stay_behaviour(old: str, new: str) -> None:
    for before, after in ((old, new), (new, old)):
        verdict = judged({"a.c": (_in(before), _in(after))}, MACROS)["a.c"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.parametrize("reason", [BRACES, BLOCKS, ENDS, BRACKETS, NOTHING])
def test_no_statement_is_another_form_where_the_macros_are_not_known(reason: str) -> None:
    old, new = SAME[reason][0]
    verdict = judged({"a.c": (_in(old), _in(new))}, Repository({}, can_search=False))["a.c"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize("reason", SAME)
def test_a_header_may_be_one_of_another_language(reason: str) -> None:
    old, new = SAME[reason][0]
    assert judged({"a.h": (_in(old), _in(new))})["a.h"].mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("reason", SAME)
def test_no_mutant_of_a_statement_passes(reason: str) -> None:
    """Numbers and operators of one form are changed on top of the other form."""
    no_mutant_of_c_passes([(_in(before), _in(after)) for before, after in SAME[reason]], MACROS, reason)


@pytest.mark.parametrize("text", ["if (a) g();", "int c = g(); h(c);\n#define GONE 1\n"])
def test_without_a_repository_no_form_is_proven(text: str) -> None:
    other = text.replace("g();", "{ g(); }").replace("#define GONE 1\n", "").replace("= { g(); }", "= g();")
    edit = FileVersions("a.c", Change.MODIFY, _in(text).encode(), _in(other).encode())
    assert classify_change([edit])[0].mutation_class is MutationClass.INTENT_EVOLUTION

"""Branches of C in another form: nested, joined, returned as what they are; and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged, no_mutant_of_c_passes

BRANCHES = "branches in another form"
STEPS = "the same written in another way"
OTHERS = {
    "m.h": "#define SUM 1 | b\n#define ONCE(x) do { static int seen; if (!seen++) g(x); } while (0)\n"
    "#define ONE(x) do { g(x); } while (0)\n#define NUMBER __COUNTER__\n#define BOTH x && y\n"
    "#define TWO(x) g(x); h(x)\n"
}


def _in(body: str) -> str:
    return f"int f(int a, struct s *b, int c) {{ {body} }}\n"


SAME: dict[str, list[tuple[str, str]]] = {
    BRANCHES: [
        ("if (a) { if (c) g(); } h();", "if (a && c) { g(); } h();"),
        ("if (a || b) { if (c) g(); } h();", "if ((a || b) && c) { g(); } h();"),
        (
            "if (a) { if (c) g(); else k(); } else if (b) { if (c) h(); }",
            "if (a) { if (c) g(); else k(); } else if (b && c) h();",
        ),
        ("if (a) { if ((c = g()) < 0) h(); }", "if (a && (c = g()) < 0) h();"),
        ("if (a) return 1; if (c) return 1; return 2;", "if (a || c) return 1; return 2;"),
        ("if (a) return 1; if (b) return 1; if (c) return 1; return 2;", "if (a || b || c) return 1; return 2;"),
        (
            "if (a == 1) { g(); goto out; } if (!h(b) && c) { g(); goto out; } k(); out: return 2;",
            "if (a == 1 || (!h(b) && c)) { g(); goto out; } k(); out: return 2;",
        ),
        ("if (a) { g(); } else if (c) { g(); } else { h(); }", "if (a || c) { g(); } else { h(); }"),
        (
            "if (a) { ONE(c); return 1; } if (c) { ONE(c); return 1; } return 2;",
            "if (a || c) { ONE(c); return 1; } return 2;",
        ),
        ("for (; a; a++) { if (b) continue; if (c) continue; g(); }", "for (; a; a++) { if (b || c) continue; g(); }"),
        (
            "if (a) { if (b) { g(); } return 1; } if (c) { if (b) { g(); } return 1; } return 2;",
            "if (a || c) { if (b) g(); return 1; } return 2;",
        ),
        ("if (a = c) return 1; if (c) return 1; return 2;", "if ((a = c) || c) return 1; return 2;"),
        ("if (a == SUM) return 1; if (c) return 1; return 2;", "if ((a == SUM) || c) return 1; return 2;"),
        ("if (a == c) return 1; return 0;", "return a == c;"),
        ("if (a == c) return 0; return 1;", "return a != c;"),
        ("if (a == c || a > 5) return 1; else return 0;", "return a == c || a > 5;"),
        ("if (a) return 2; else return 3;", "return a ? 2 : 3;"),
        ('if (a == 1 && b) return "x"; return "y";', 'return a == 1 && b ? "x" : "y";'),
        ("if (a = c) return 2; return 3;", "return (a = c) ? 2 : 3;"),
        ("if (a) free(a);", "free(a);"),
        ("if (b->d[1] != NULL) { free(b->d[1]); } g();", "free(b->d[1]); g();"),
    ],
    STEPS: [
        ("while (1) { if (a) return 1; }", "for (;;) { if (a) return 1; }"),
        ("while (1) g();", "for (;;) g();"),
        ("return (*b).c;", "return b->c;"),
        ("return (*g(a)).c;", "return g(a)->c;"),
        ("if (!(a == c)) g();", "if (a != c) g();"),
        ("return !(a + 1 != c);", "return a + 1 == c;"),
        ("if (!((*b).d == c)) g();", "if (b->d != c) g();"),
        ("(*b->c).d[0].e = a;", "b->c->d[0].e = a;"),
    ],
}
OTHER = [
    ("if (a) { if (c) g(); else h(); }", "if (a && c) g(); else h();"),
    ("if (a) { if (c) g(); } else h();", "if (a && c) g(); else h();"),
    ("if (a) { if (c) TWO(b); }", "if (a && c) TWO(b);"),
    ("if (a) { if (c) g(); h(); }", "if (a && c) { g(); h(); }"),
    ("if (a) g(); if (c) g();", "if (a || c) g();"),
    ("if (a) return 1; if (c) return 1; return 2;", "if (a && c) return 1; return 2;"),
    ("if (a) return 1; if (c) return 3; return 2;", "if (a || c) return 1; return 2;"),
    ("if (a) return 1; g(); if (c) return 1; return 2;", "g(); if (a || c) return 1; return 2;"),
    (
        "if (b) g(); else if (a) return 1; if (c) return 1; return 2;",
        "if (b) g(); else if (a || c) return 1; return 2;",
    ),
    (
        "if (a) { static int d; return d++; } if (c) { static int d; return d++; } return 2;",
        "if (a || c) { static int d; return d++; } return 2;",
    ),
    (
        "if (a) { ONCE(c); return 1; } if (c) { ONCE(c); return 1; } return 2;",
        "if (a || c) { ONCE(c); return 1; } return 2;",
    ),
    ("if (a) return NUMBER; if (c) return NUMBER; return 2;", "if (a || c) return NUMBER; return 2;"),
    ("if (a = c) return 1; if (c) return 1; return 2;", "if (a = c || c) return 1; return 2;"),
    ("if (BOTH) return 1; if (c) return 1; return 2;", "if (BOTH && c) return 1; return 2;"),
    ("if (a) return 1; return 0;", "return a;"),
    ("if (a) return c; return 3;", "return a ? c : 3;"),
    ("if (a) return 2; return 3u;", "return a ? 2 : 3u;"),
    ("if (a) return 2; g(); return 3;", "return a ? 2 : 3;"),
    ("if (b) g(); else if (a) return 2; return 3;", "if (b) g(); else return a ? 2 : 3;"),
    ("if (!(a == c && b)) g();", "if (a != c && b) g();"),
    ("if (!(a < c)) g();", "if (a > c) g();"),
    ("if (!(a == c, b)) g();", "if (a != c, b) g();"),
    ("if (!(a = c == 1)) g();", "if (a = c != 1) g();"),
    ("if (!(a == SUM)) g();", "if (a != SUM) g();"),
    ("if (!(a == SUM)) g();", "if ((a != SUM)) g();"),
    ("if (!(a == c)) g();", "if (a == c) g();"),
    ("if (a) return 0; return 1;", "return a != 1;"),
    ("if (a == SUM) return 1; return 0;", "return a == SUM;"),
    ("if (a == c ? a : c) return 1; return 0;", "return a == c ? a : c;"),
    ("if (a == c) return 1; return 2;", "return a == c;"),
    ("if (a == c || c == 1) return 0; return 1;", "return a != c || c == 1;"),
    ("if (c) g(); else if (a == c) return 1; return 0;", "if (c) g(); else return a == c;"),
    ("if (a) free(c);", "free(c);"),
    ("if (g()) free(g());", "free(g());"),
    ("if (a) free(a); else g();", "free(a);"),
    ("if (a) { free(a); g(); }", "free(a);"),
    ("if (a) b_free(a);", "b_free(a);"),
    ("do { g(); } while (1);", "do { g(); } for (;;);"),
    ("while (2) g();", "for (;;) g();"),
    ("return (*b(a)).c;", "return b(a)->d;"),
    ("return (*SUM).c;", "return SUM->c;"),
]


def _judged(old: str, new: str, others: dict[str, str]) -> tuple[MutationClass, tuple[str, ...]]:
    verdict = judged({"a.c": (_in(old), _in(new))}, others)["a.c"]
    return verdict.mutation_class, verdict.reasons


@pytest.mark.parametrize(("reason", "before", "after"), [(key, *pair) for key, pairs in SAME.items() for pair in pairs])
def test_branches_of_c_that_take_the_same_way_are_a_refactor(reason: str, before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        mutation_class, reasons = _judged(old, new, OTHERS)
        assert mutation_class is MutationClass.AST_REFACTOR, reasons
        assert reason in reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_branches_of_c_that_only_look_alike_stay_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        mutation_class, reasons = _judged(old, new, OTHERS)
        assert mutation_class is MutationClass.INTENT_EVOLUTION, reasons


@pytest.mark.parametrize("word", ["if", "else", "return", "free", "while", "for"])
def test_words_that_a_macro_has_are_not_the_language_s(word: str) -> None:
    forms = {"while": SAME[STEPS][0], "for": SAME[STEPS][1]}
    old, new = forms.get(word, SAME[BRANCHES][16] if word == "free" else SAME[BRANCHES][4])
    assert _judged(old, new, {"m.h": f"#define {word} g();\n"})[0] is MutationClass.INTENT_EVOLUTION


def test_branches_under_a_directive_stay_as_they_are() -> None:
    body = "{\n#ifdef X\n    return 2;\n#endif\n    return 1;\n  }\n"
    before = f"int f(int a) {{\n  if (a) {body}  if (b) {body}}}\n"
    after = f"int f(int a) {{\n  if (a || b) {body}}}\n"
    assert judged({"a.c": (before, after)})["a.c"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_an_if_whose_braces_a_directive_chooses_stays_as_it_is() -> None:
    before = "int f(int a) {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n    if (c) { g(); } } }\n"
    after = before.replace("if (c) { g(); }", "if (c) { h(); }")
    assert judged({"a.c": (before, after)})["a.c"].mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_another_form_of_branches_passes() -> None:
    pairs = [(_in(old), _in(new)) for pairs in SAME.values() for old, new in pairs]
    no_mutant_of_c_passes(pairs, OTHERS, "branches of C")

"""What linters mend in C: constants on the left, idle names of a chain, signs after blocks; and what only looks so."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged, no_mutant_of_c_passes

OTHERS = {
    "m.h": "#define LIMIT 4\n#define LOWEST (-1)\n#define NEXT next(2)\n#define SUM 1 | b\n#define SHOW(x) print(#x)\n"
    "#define TWICE(x) x * 2\n#define EITHER (4 + 5)\n#define GIVE(x) 4\n"
}


def _in(body: str) -> str:
    return f"int f(int a, struct s *b, int c) {{ {body} }}\n"


SAME = [
    ("if (3 == a) g();", "if (a == 3) g();"),
    ("return 3 <= a + c;", "return a + c >= 3;"),
    ("if (c && -1 != g(a) && 'x' == b->n[1]) h();", "if (c && g(a) != -1 && b->n[1] == 'x') h();"),
    ("h(0 < b->n, c);", "h(b->n > 0, c);"),
    ("if (LIMIT == g(a)) h();", "if (g(a) == LIMIT) h();"),
    ("if (LOWEST == g(a)) h();", "if (g(a) == LOWEST) h();"),
    ("if (UNKNOWN == a) h();", "if (a == UNKNOWN) h();"),
    ("if (NEXT == a) h();", "if (a == NEXT) h();"),
    ("while (NULL != b->next) h();", "while (b->next != NULL) h();"),
    ("return b->next != NULL;", "return b->next != 0;"),
    ("return NULL != b->next;", "return b->next != 0;"),
    ("if ((a = g()) == 0) return 1; return a;", "a = g(); if (a == 0) return 1; return a;"),
    ("const static int d = 1; return d;", "static const int d = 1; return d;"),
    ("if (a) { g(); }; while (c) { h(); }; return 1;", "if (a) { g(); } while (c) { h(); } return 1;"),
    ("if (a) { g(); } else { h(); }; return 1;", "if (a) { g(); } else { h(); } return 1;"),
    ("char *d = (char *) NULL; return g(&d);", "char *d = NULL; return g(&d);"),
    ("free((void *) b->n); return 1;", "free(b->n); return 1;"),
    ("char *d, *e; d = e = g(a); return h(d, d);", "char *d; d = g(a); return h(d, d);"),
    (
        "if (a != 3) { g(c); goto out; } g(c); return 0; out: return 1;",
        "g(c); if (a != 3) goto out; return 0; out: return 1;",
    ),
    (
        "if (a) { g(c); c = 1; return 0; } g(c); c = 1; h(); out: return 1;",
        "g(c); c = 1; if (a) return 0; h(); out: return 1;",
    ),
]
OTHER = [
    ("if (3 == a) g();", "if (3 != a) g();"),
    ("if (3 <= a) g();", "if (a <= 3) g();"),
    ("return 3 == (a & c);", "return (a & 3) == c;"),
    ("return 3 == a == c;", "return (a == c) == 3;"),
    ("return 3 == a | c;", "return (a | c) == 3;"),
    ("return 3 + 4 == a;", "return 3 + a == 4;"),
    ("if (UNKNOWN == g(a)) h();", "if (g(a) == UNKNOWN) h();"),
    ("if (NEXT == g(a)) h();", "if (g(a) == NEXT) h();"),
    ("if (EITHER == g(a)) h();", "if (g(a) == EITHER) h();"),
    ("if (GIVE == g(a)) h();", "if (g(a) == GIVE) h();"),
    ("if (UNKNOWN == b->n) h();", "if (b->n == UNKNOWN) h();"),
    ("if (3 == SUM) h();", "if (SUM == 3) h();"),
    ("SHOW(3 == a); return 1;", "SHOW(a == 3); return 1;"),
    ("return TWICE(3 == a);", "return TWICE(a == 3);"),
    ("return (struct t){3 == a}.n;", "return (struct t){a == 4}.n;"),
    ("return 3 == (struct t){a}.n;", "return (struct t){3}.n == a;"),
    ("return b->next != NULL;", "return b->next;"),
    ("SHOW(b != NULL); return 1;", "SHOW(b != 0); return 1;"),
    ("while (a) ; { g(); }; return 1;", "while (a) { g(); }; return 1;"),
    ("long d = (long) NULL; return g(&d);", "long d = 0; return g(&d);"),
    ("b->free((void *) b->n); return 1;", "b->free(b->n); return 1;"),
    ("int (*free)(long) = g; free((char *) b->n); return 1;", "int (*free)(long) = g; free(b->n); return 1;"),
    ("free((long) b->n); return 1;", "free(b->n); return 1;"),
    ("free((char *) SUM); return 1;", "free(SUM); return 1;"),
    ("free((char *) b->n + a); return 1;", "free(b->n + a); return 1;"),
    ("int d; char e; d = e = g(a); return h(d, d);", "int d; d = g(a); return h(d, d);"),
    ("int d, e; d = e = g(a); return h(d, e);", "int d, e; d = g(a); return h(d, e);"),
    ("int d; volatile int e; d = e = g(a); return h(d, d);", "int d; d = g(a); return h(d, d);"),
    ("int e; b->n = e = g(a); return h(c);", "int e; b->n = g(a); return h(c);"),
    ("{ long d; h(&d); } { int e; d = e = g(a); return h(d, d); }", "{ long d; h(&d); } { d = g(a); return h(d, d); }"),
    (
        "if (g(a)) { g(c); goto out; } g(c); return 0; out: return 1;",
        "g(c); if (g(a)) goto out; return 0; out: return 1;",
    ),
    (
        "if (c) { c = g(a); goto out; } c = g(a); return 0; out: return c;",
        "c = g(a); if (c) goto out; return 0; out: return c;",
    ),
    (
        "if (a) { int d = g(c); goto out; } int d = g(c); return 0; out: return 1;",
        "int d = g(c); if (a) goto out; return 0; out: return 2;",
    ),
    ("if (a) { g(c); h(); } g(c); out: return 1;", "g(c); if (a) { h(); } out: return 1;"),
]


def _class_of(before: str, after: str) -> MutationClass:
    return judged({"m.c": (_in(before), _in(after))}, OTHERS)["m.c"].mutation_class


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_is_mended_is_a_refactor_there_and_back(before: str, after: str) -> None:
    assert _class_of(before, after) is MutationClass.AST_REFACTOR
    assert _class_of(after, before) is MutationClass.AST_REFACTOR


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_so_is_none(before: str, after: str) -> None:
    assert _class_of(before, after) is MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_a_mend_with_another_change_is_none() -> None:
    no_mutant_of_c_passes([(_in(before), _in(after)) for before, after in SAME], OTHERS, "mends of C")

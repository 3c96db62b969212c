"""Branches, loops and names of values in C, whichever form they have; and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

OTHERS = {
    "m.h": "#define ONCE(x) do { static int seen; if (!seen++) g(x); } while (0)\n#define OF_N (n + 1)\n"
    "#define OPEN {\n#define EACH(x) for (x = 0; x < 3; x++)\n#define CHANGE(x) ((x) = 1)\n#define TWO(x) g(x); g(x)\n"
    "#define BOTH a && c\n"
}


def _in(body: str) -> str:
    return f"int g(int a);\nint f(int a, char **b, int c) {{ {body} }}\n"


SAME: list[tuple[str, str]] = [
    ("if (a) { g(1); return 1; } else { g(2); } g(3); return 2;", "if (a) { g(1); return 1; } g(2); g(3); return 2;"),
    ("if (a) { g(1); } else { return 1; } g(3); return 2;", "if (!a) return 1; g(1); g(3); return 2;"),
    (
        "if (a) { g(1); } else if (c) { return 1; } g(3); return 2;",
        "if (a) { g(1); } else { if (c) { return 1; } } g(3); return 2;",
    ),
    ("do { if (a) continue; g(a); } while (c--); return a;", "do { if (!a) { g(a); } } while (c--); return a;"),
    ("if (a != c) { } else { g(a); } return a;", "if (a == c) g(a); return a;"),
    ("if (a > c) { g(a); } else { g(c); } return a;", "if (c >= a) { g(c); } else { g(a); } return a;"),
    ("if (!(*b)) { g(a); } else { g(c); } return a;", "if (*b) { g(c); } else { g(a); } return a;"),
    ("if (a & 1) { g(a); } else { g(c); } return a;", "if (!(a & 1)) { g(c); } else { g(a); } return a;"),
    ("if (a = c) { g(a); } else { g(c); } return a;", "if (!(a = c)) { g(c); } else { g(a); } return a;"),
    (
        "if (a && (c || b)) { g(a); } else { g(c); } return a;",
        "if (!a || (!c && !b)) { g(c); } else { g(a); } return a;",
    ),
    ("if (a == 1 || c == 2) g(a); return a;", "if (c == 2 || a == 1 || c == 2) g(a); return a;"),
    ("if ((c = g(a))) { g(1); } return 2;", "c = g(a); if (c) g(1); return 2;"),
    ("if ((c = g(a)) == 3 && *b) g(1); return 2;", "c = g(a); if (c == 3 && *b) g(1); return 2;"),
    ("if ((c = g(a)) == LIMIT) g(1); return 2;", "c = g(a); if (c == LIMIT) g(1); return 2;"),
    ("for (; a; a--) { if (c) break; } return c;", "for (; a; a--) { if (c) return c; } return c;"),
    (
        "for (; a; a--) { switch (c) { case 1: g(a); } if (c) break; } return NULL;",
        "for (; a; a--) { switch (c) { case 1: g(a); } if (c) return NULL; } return NULL;",
    ),
    ("for (g(1); a; ) { g(c); } return a;", "g(1); while (a) { g(c); } return a;"),
    ("for (;;) { if (a--) return c; }", "while (1) { if (a--) return c; }"),
    (
        "switch (a) { case 1: g(1); return 1; case 2: { g(2); } break; } return c;",
        "if (a == 1) { g(1); return 1; } else if (a == 2) { g(2); } return c;",
    ),
    (
        "switch (a) { case 'x': g(1); break; default: g(2); if (c) g(3); } return c;",
        "if (a == 'x') { g(1); } else { g(2); if (c) g(3); } return c;",
    ),
    ("int n = g(a); n = g(n); return n;", "int n = g(a); return g(n);"),
    ("int n; if (a) { n = 1; return n; } g(2); return c;", "if (a) { return 1; } g(2); return c;"),
    ("int n = 1; if (a) { n = 2; } g(n); return c;", "int n = a ? 2 : 1; g(n); return c;"),
    ("int n; n = a + c; g(n); g(c); return n;", "g(a + c); g(c); return a + c;"),
    ("int n = a; int m = n * 2; g(m); return m;", "g(a * 2); return a * 2;"),
    ("char *d = *b; if (!d) return 1; return *d;", "if (!*b) return 1; return **b;"),
    ("char *d = b[1]; c = d == 0; g(*d); return c;", "c = b[1] == 0; g(*b[1]); return c;"),
    (
        "int n = g(a); switch (n + 1) { case 4: g(5); g(6); } return c;",
        "switch (g(a) + 1) { case 4: g(5); g(6); } return c;",
    ),
    ("int n = g(a); c = n + 1; g(c); return c;", "c = g(a) + 1; g(c); return c;"),
    ("int n = a && c; if (n) { g(1); g(2); } return n;", "if (a && c) { g(1); g(2); } return a && c;"),
    (
        "if (a) { g(1); goto out; } g(2); g(3); out: return c;",
        "if (a) { g(1); goto out; } else { g(2); } g(3); out: return c;",
    ),
    (
        "\n#if X\ng(9);\n#endif\nif (a) { g(1); } else { g(2); } return a;",
        "\n#if X\ng(9);\n#endif\nif (!a) { g(2); } else { g(1); } return a;",
    ),
    (
        "if (a != 2) { c = a; } else { c = 3; } g(c); return c;",
        "if (a == 2) { c = 3; } else { c = a; } g(c); return c;",
    ),
    ("int n = (a + c); g(c ? n : 1); return n;", "g(c ? a + c : 1); return a + c;"),
    ("if ((a & 1) == c && a) { g(1); } else { g(2); }", "if ((a & 1) != c || !a) { g(2); } else { g(1); }"),
]
OTHER: list[tuple[str, str]] = [
    (
        "if (a) { g(1); return 1; } g(2); back: g(3); if (c--) goto back; return 2;",
        "if (!a) { g(2); back: g(3); if (c--) goto back; return 2; } g(1); return 2;",
    ),
    (
        "if (a) { ONCE(1); g(2); } else { ONCE(1); g(3); } return a;",
        "ONCE(1); if (a) { g(2); } else { g(3); } return a;",
    ),
    ("EACH(a) { if (c) continue; g(a); } return a;", "EACH(a) { if (c) { } g(a); } return a;"),
    ("EACH(a) { if (c) break; g(a); } return a;", "EACH(a) { if (c) return a; g(a); } return a + 1;"),
    ("if (BOTH == 1) { g(1); } else { g(2); } return a;", "if (BOTH != 1) { g(2); } else { g(1); } return a;"),
    ("for (; a; a--) { if (c) continue; g(a); } return a;", "for (; a; ) { if (c) continue; g(a); a--; } return a;"),
    ("for (; a; a--) { int a = c; g(a); } return a;", "for (; a; ) { int a = c; g(a); a--; } return a;"),
    (
        "switch (c) { case 1: while (a) { break; } g(1); break; case 2: g(2); }",
        "if (c == 1) { while (a) { } g(1); } else if (c == 2) { g(2); }",
    ),
    (
        "switch (c) { case 1: if (a) break; g(1); break; case 2: g(2); }",
        "if (c == 1) { if (a) { } g(1); } else if (c == 2) { g(2); }",
    ),
    ("switch (c) { default: g(1); break; case 2: g(2); }", "if (c == 2) { g(1); } else { g(2); }"),
    (
        "switch (c) { g(3); case 1: g(1); break; case 2: g(2); }",
        "if (c == 1) { g(3); g(1); } else if (c == 2) { g(2); }",
    ),
    ("switch (c) { case 1: g(1); break; inner: case 2: g(2); }", "if (c == 1) { g(1); } else if (c == 3) { g(2); }"),
    ("int n = a; CHANGE(n); return n;", "CHANGE(a); return a;"),
    ("int n = a; g(&n); return n;", "g(&a); return a;"),
    ("int n = a; g(OF_N); return c;", "g(OF_N); return c;"),
    ("int n = a; g(n); n++; return n;", "g(a); return a;"),
    ("int n = a; again: g(n); a++; if (c--) goto again; return n;", "again: g(a); a++; if (c--) goto again; return a;"),
    ('int n = a; asm("" : "+r"(n)); return n;', 'asm("" : "+r"(a)); return a;'),
    ("static int n = 1; g(n); return n;", "g(1); return 1;"),
    ("char *d = *b; g(1); return *d;", "g(1); return **b;"),
    ("char *d = *b; *b = 0; return *d;", "*b = 0; return **b;"),
    ("char *d = *b; while (a--) g(*d); return *d;", "while (a--) g(**b); return **b;"),
    ("int n = g(a); g(c++ + n); return c;", "g(c++ + g(a)); return c;"),
    ("int n = g(c++); g(n + c); return c;", "g(g(c++) + c); return c;"),
    ("int n = g(a); b[n] = 0; return c;", "b[g(a)] = 0; return c;"),
    ("int n = g(a); unknown(n); return c;", "unknown(g(a)); return c;"),
    ("long n = a; g(sizeof(n)); return c;", "g(sizeof(a)); return c;"),
    (
        "float n = a; if (n < c) { g(1); } else { g(2); } return c;",
        "float n = a; if (n >= c) { g(2); } else { g(1); } return c;",
    ),
    ("int n; if (a) { n = 1; } else { n = 2; } TWO(n); return n;", "int n = a ? 1 : 3; TWO(n); return n;"),
    ("if (a) OPEN g(1); } else { g(2); } return a;", "if (!a) { g(2); } else OPEN g(1); } return c;"),
    *(
        (
            f"{before} if (a) {{ g(1); }} else {{ g(2); }} {after}",
            f"{before} if (!a) {{ g(2); }} else {{ g(1); }} {after}",
        )
        for before, after in (
            ("while (a) {" * 42, "}" * 42),
            ("if (c) TWO(1);", "return a;"),
            ("do { g(3); } WHILE(a);", "return a;"),
            ("do { g(3); } while (a) UNTIL(c);", "return a;"),
            ("switch (a) { case X ? 1 : 2: g(1); }", "return a;"),
            ("BEGIN if (a) { g(1); }", "return a;"),
        )
    ),
    (
        "DECLARE(n); if (a) { g(1); return n; } g(n); return 2;",
        "DECLARE(n); if (a) { g(1); return n; } g(1); return 2;",
    ),
    ("int n = a; goto n; n: return n;", "goto n; n: return a;"),
    (
        "".join(f"int n{index} = a; g(n{index} + c);" for index in range(14)),
        "g(a + c);" * 14,
    ),
    ("switch (c) { case 1: case 3: int d = 2; g(d); break; case 2: g(2); }", "if (c == 1 || c == 3) { g(2); }"),
]


def _class(old: str, new: str) -> tuple[MutationClass, tuple[str, ...]]:
    verdict = judged({"a.c": (_in(old), _in(new))}, OTHERS)["a.c"]
    return verdict.mutation_class, verdict.reasons


@pytest.mark.parametrize("pair", SAME)
def test_what_takes_the_same_ways_is_a_refactor(pair: tuple[str, str]) -> None:
    for old, new in (pair, pair[::-1]):
        mutation_class, reasons = _class(old, new)
        assert mutation_class is MutationClass.AST_REFACTOR, reasons


@pytest.mark.parametrize("pair", OTHER)
def test_what_may_take_another_way_is_none(pair: tuple[str, str]) -> None:
    for old, new in (pair, pair[::-1]):
        mutation_class, reasons = _class(old, new)
        assert mutation_class is MutationClass.INTENT_EVOLUTION, reasons

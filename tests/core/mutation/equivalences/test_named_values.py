"""Names for values that are used several times, where the catalogue of refactorings would be too long for a case."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

JAVA = "class A {{\n  private int most;\n  int f(int a, int b, boolean c, String d) {{\n    {}\n  }}\n}}\n"
GO = "package p\n\nfunc f(a int, b int, c bool, d []string) int {{\n\t{}\n}}\n"
SAME = [
    (JAVA, "double e = 2.5; g(e, e); return 1;", "g(2.5, 2.5); return 1;"),
    (JAVA, "float e = 2.5f; g(e, e); return 1;", "g(2.5f, 2.5f); return 1;"),
    (JAVA, "boolean e = !c; g(e, e); return 1;", "g(!c, !c); return 1;"),
    (JAVA, 'String e = "h"; g(e, e); return 1;', 'g("h", "h"); return 1;'),
    (
        JAVA,
        "if ((c || a == 1 || b == 2) && c) { g(); } return 1;",
        "if (c && (b == 2 || c || a == 1)) { g(); } return 1;",
    ),
    (JAVA, "int e = most; this.g[a].h = e * e; return 1;", "this.g[a].h = most * most; return 1;"),
    (JAVA, "int e = most; int h = g.most * e; return h * h * e;", "int h = g.most * most; return h * h * most;"),
    (GO, "e := -a; g(e, e); return 1", "g(-a, -a); return 1"),
    (GO, "e := !c; if e { g(e) }; return 1", "if !c { g(!c) }; return 1"),
    (GO, "e := d[a]; if e == d[b] { return 2 }; h(e); return 1", "if d[a] == d[b] { return 2 }; h(d[a]); return 1"),
]
OTHER = [
    (JAVA, 'String e = "h"; g(e == d, e); return 1;', 'g("h" == d, "h"); return 1;'),
    (JAVA, "int e = most; int h = G.most; return h + h + e;", "int h = G.most; return h + h + most;"),
    (JAVA, f"int e = {'-(' * 90}a{')' * 90}; g(e, e); return 1;", f"g({'-(' * 90}a{')' * 90}, a); return 1;"),
    (
        JAVA,
        f"int e = a * 2; g({'h(' * 90}e{')' * 90}, e); return 1;",
        f"g({'h(' * 90}a * 2{')' * 90}, a * 2); return 1;",
    ),
    (
        JAVA,
        f"int e = most; g(e, e); {'{' * 90} h(); {'}' * 90} return e;",
        f"g(most, most); {'{' * 90} h(); {'}' * 90} return most;",
    ),
    (GO, "e := a * 2; g(T{e: e}); return e", "g(T{e: a * 2}); return a * 2"),
    (GO, "e := h(); i := e.k; i[1].l = a; g(i, e)", "e := h(); e.k[1].l = a; g(e.k, e)"),
]


@pytest.mark.parametrize(("around", "before", "after"), SAME)
def test_a_name_for_a_value_is_no_other_behaviour(around: str, before: str, after: str) -> None:
    path = "A.java" if around is JAVA else "a.go"
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (around.format(old), around.format(new))})[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("around", "before", "after"), OTHER)
def test_what_is_not_sure_to_be_the_same_value_stays_behaviour(around: str, before: str, after: str) -> None:
    path = "A.java" if around is JAVA else "a.go"
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (around.format(old), around.format(new))})[path]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

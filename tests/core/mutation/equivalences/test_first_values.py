"""Variables that have no value where they are declared, and those that something may read before they have one."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.equivalences.values.first_values import REASON
from tests.core.mutation.repository import judged

JAVA = "class A {{ void m(int p) {{ {} }} }}\n"
RUST = "fn f(p: u8) {{ {} }}\n"
BRANCHES = "if (c()) { a = 1; } else if (d()) { return; } else { e(); a = 2; } g(a, a);"
SAME = [
    ("A.java", JAVA, f"long a; {BRANCHES}", f"long a = 0; {BRANCHES}"),
    ("A.java", JAVA, "if (p) { B a; b(); a = c(); g(a, a); }", "if (p) { B a = null; b(); a = c(); g(a, a); }"),
    (
        "A.java",
        JAVA,
        "B a; if (c()) { throw d; } { a = e(); } g(a, a);",
        "B a = 1; if (c()) { throw d; } { a = e(); } g(a, a);",
    ),
    (
        "a.rs",
        RUST,
        "let a; if c { a = 1; } else { a = 2; } g(a, a)",
        "let mut a = 0; if c { a = 1; } else { a = 2; } g(a, a)",
    ),
    (
        "a.rs",
        RUST,
        "let a; match c { B => a = d(), _ => { e(); return; } } g(a, a)",
        "let mut a = true; match c { B => a = d(), _ => { e(); return; } } g(a, a)",
    ),
]
OTHER = [
    ("A.java", JAVA, "long a; g(a, a);", "long a = 5; g(a, a);"),
    ("A.java", JAVA, "long a; if (c()) { a = 1; } g(a, a);", "long a = 0; if (c()) { a = 1; } g(a, a);"),
    (
        "A.java",
        JAVA,
        "long a; if (c(a)) { a = 1; } else { a = 2; }",
        "long a = 0; if (c(a)) { a = 1; } else { a = 2; }",
    ),
    ("A.java", JAVA, "long a; for (;;) { a = 1; b(); } g(a);", "long a = 0; for (;;) { a = 1; b(); } g(a);"),
    ("A.java", JAVA, "long a; a += 1; g(a, a);", "long a = 0; a += 1; g(a, a);"),
    ("A.java", JAVA, "long a; a = a + 1; g(a, a);", "long a = 0; a = a + 1; g(a, a);"),
    ("A.java", JAVA, f"long a; {BRANCHES}", f"long a = b(); {BRANCHES}"),
    (
        "A.java",
        JAVA,
        "{ long a; a = 1; b(a, a); } { long a; a = 2; c(a, a); }",
        "{ long a = 3; a = 1; b(a, a); } { long a = 0; c(a, a); }",
    ),
    ("A.java", "class A {{ long {} void n() {{ a = 1; }} }}\n", "a;", "a = 3;"),
    (
        "a.rs",
        RUST,
        "let a; match c { B => a = 1, _ => e() } g(a, a)",
        "let mut a = 0; match c { B => a = 1, _ => e() } g(a, a)",
    ),
    (
        "a.rs",
        RUST,
        "let a; match a { B => a = 1, _ => a = 2 } g(a, a)",
        "let mut a = 0; match a { B => a = 1, _ => a = 2 } g(a, a)",
    ),
    ("a.rs", RUST, "let (a, b); g(a, b)", "let (a, b) = 1; g(a, b)"),
]


@pytest.mark.parametrize(("path", "around", "before", "after"), SAME)
def test_a_first_value_that_nothing_reads_may_come_and_go(path: str, around: str, before: str, after: str) -> None:
    texts = [around.format(text) for text in (before, after)]
    for old, new in (texts, texts[::-1]):
        verdict = judged({path: (old, new)})[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert REASON in verdict.reasons


@pytest.mark.parametrize(("path", "around", "before", "after"), OTHER)
def test_a_first_value_that_something_may_read_stays(path: str, around: str, before: str, after: str) -> None:
    texts = [around.format(text) for text in (before, after)]
    for old, new in (texts, texts[::-1]):
        assert judged({path: (old, new)})[path].mutation_class is MutationClass.INTENT_EVOLUTION

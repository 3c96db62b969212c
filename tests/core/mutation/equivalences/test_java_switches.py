"""Switches of Java by rules and by groups, and texts over several lines."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

GROUPS = "switch (a) { case 1: b(); break; case 2: case 3: c(); break; default: throw d; }"
RETURNS = "switch (a) { case 1: return b(); case 2: c(); return 3; default: throw d; }"
SAME = [
    (GROUPS, "switch (a) { case 1 -> b(); case 2, 3 -> c(); default -> throw d; }"),
    (
        "switch (a) { case E: b(); return; case F: c(); break; }",
        "switch (a) { case E -> { b(); return; } case F -> c(); }",
    ),
    (
        "switch (a) { case 1: switch (b) { case 2: c(); break; } break; }",
        "switch (a) { case 1 -> { switch (b) { case 2 -> c(); } } }",
    ),
    ("switch (a) { case 1: break; }", "switch (a) { case 1 -> { } }"),
    (RETURNS, "return switch (a) { case 1 -> b(); case 2 -> { c(); yield 3; } default -> throw d; };"),
    ('b("a\\n" + "  b\\n");', 'b("""\n    a\n      b  \n    """);'),
    ('b("a \\"b\\"\\tc");', 'b("""\n    a "b"\\tc""");'),
    ('b("a b \\n\\nc\\n");', 'b("""\n    a \\\n    b\\s\n\n    c\n    """);'),
    ('b("");', 'b("""\n    """);'),
]
OTHER = [
    (GROUPS, "switch (a) { case 1 -> b(); case 2 -> c(); case 3 -> c(); default -> throw e; }"),
    ("switch (a) { case 1: b(); default: c(); }", "switch (a) { case 1 -> b(); default -> c(); }"),
    (GROUPS, "switch (a) { case 1 -> c(); case 2, 3 -> b(); default -> throw d; }"),
    ("switch (a) { case B: c(); break; }", "switch (a) { case B b -> c(); }"),
    ("switch (a) { case 1: return b(); } return c();", "return switch (a) { case 1 -> b(); default -> d(); };"),
    (
        "switch (a) { case 1: if (b) { return c; } return d; default: return e; }",
        "return switch (a) { case 1 -> { if (b) { yield c; } yield d; } default -> e; };",
    ),
    ("switch (a) { case 1: { int b = c(); d(b, b); break; } }", "switch (a) { case 1 -> { int b = c(); d(b, c); } }"),
    ("switch (a) { case 1: return 2; default: b(); }", "return switch (a) { case 1 -> 2; default -> { b(); } };"),
    ("b(c(a));", "b(switch (a) { case 1 -> c(a); default -> c(a); });"),
    ('b("a\\n  b");', 'b("""\n    a\n      b\n    """);'),
    ('b("a\\nb\\n");', 'b("""\n    a\n      b\n    """);'),
    ('b("a");', 'b("""\n    b""");'),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_switch_by_rules_and_a_text_over_lines_are_refactors(before: str, after: str) -> None:
    texts = [f"class A {{ int m(int a) {{ {text} }} }}\n" for text in (before, after)]
    for old, new in (texts, texts[::-1]):
        verdict = judged({"A.java": (old, new)})["A.java"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_them_stays_behaviour(before: str, after: str) -> None:
    texts = [f"class A {{ int m(int a) {{ {text} }} }}\n" for text in (before, after)]
    for old, new in (texts, texts[::-1]):
        assert judged({"A.java": (old, new)})["A.java"].mutation_class is MutationClass.INTENT_EVOLUTION

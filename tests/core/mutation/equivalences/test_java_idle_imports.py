"""Imports of Java that nothing asks for though their names stand in the file, and those that only look like these."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
PATH = "src/org/a/Town.java"
LEAF = "import static org.b.Kind.LEAF;\n"
STAR = "import static org.b.Check.*;\n"


def _file(imports: str, body: str, head: str = "class Town") -> str:
    return f"package org.a;\n{imports}{head} {{ private int m(Kind k) {{ {body} }} }}\n"


RULES = "return switch (k) { case ROOT, LEAF -> 1; default -> 2; };"
GROUPS = "switch (k) { case ROOT: case LEAF: return 1; default: return 2; }"
OPEN = _file("", GROUPS).replace("private ", "")

SAME = {
    "a constant of the enum in a rule": (_file(LEAF, RULES), _file("", RULES)),
    "a constant of the enum in a group": (_file(LEAF, GROUPS), _file("", GROUPS)),
    "a member of that name": (_file(LEAF, "return k.LEAF + Kind.LEAF.a;"), _file("", "return k.LEAF + Kind.LEAF.a;")),
    "a class after its package": (
        _file("import org.b.Leaf;\n", "return new org.c.Leaf().a;"),
        _file("", "return new org.c.Leaf().a;"),
    ),
    "a class in a class": (
        _file("import org.b.Leaf;\n", "Kind.Leaf a; f(Tree::Leaf);"),
        _file("", "Kind.Leaf a; f(Tree::Leaf);"),
    ),
    "parts that were not walked": (
        OPEN.replace("class", "import org.b.Leaf;\nclass").replace("return 2", "return k.Leaf"),
        OPEN.replace("return 2", "return k.Leaf"),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_what_no_import_is_asked_for_needs_none(name: str) -> None:
    for old, new in (SAME[name], SAME[name][::-1]):
        verdict = judged({PATH: (old, new)})[PATH]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert verdict.reasons == ("unused imports",)


OTHER = {
    "a value of that name": (_file(LEAF, RULES + " f(LEAF);"), _file("", RULES + " f(LEAF);")),
    "a value after a comment": (_file(LEAF, "// so it is.\nf(LEAF);"), _file("", "// so it is.\nf(LEAF);")),
    "a constant of two classes": (_file(LEAF, RULES), _file(LEAF.replace("Kind", "Sort"), RULES)),
    "a label that all of a class may give": (_file(LEAF + STAR, RULES), _file(STAR, RULES)),
    "a class in a label": (_file("import org.b.LEAF;\n", RULES), _file("", RULES)),
    "a class that a case is of": (
        _file("import org.b.Leaf;\n", "return switch (k) { case Leaf a -> 1; default -> 2; };"),
        _file("", "return switch (k) { case Leaf a -> 1; default -> 2; };"),
    ),
    "a class": (_file("import org.b.Leaf;\n", "return Leaf.a;"), _file("", "return Leaf.a;")),
    "a list of a class": (_file("import org.b.Leaf;\n", "} void n(Leaf...a) {"), _file("", "} void n(Leaf...a) {")),
    "all of a class": (_file(STAR, "return a(k);"), _file("", "return a(k);")),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_an_import_may_mean_keeps_it(name: str) -> None:
    for old, new in (OTHER[name], OTHER[name][::-1]):
        verdict = judged({PATH: (old, new)})[PATH]
        assert verdict.mutation_class is EVOLUTION, verdict.reasons


def test_parts_that_were_not_walked_say_what_they_say() -> None:
    text = "class Town { int n() { return /* it is. */ Leaf.a; } int m() { return 1; } }"
    old, new = f"import org.b.Leaf;\n{text}", text
    assert judged({PATH: (old, new)})[PATH].mutation_class is EVOLUTION

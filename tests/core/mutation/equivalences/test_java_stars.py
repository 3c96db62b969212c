"""Java's imports of all names and those of single ones."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
PATH = "src/org/a/Town.java"
STATIC = "import static org.b.Check.*;"
EACH = "import static org.b.Check.isTrue;\nimport static org.b.Check.isNull;"
TYPES = ("import java.util.*;", "import java.util.List;\nimport java.util.Map;")


def _file(imports: str, body: str = "List<Map> m = isTrue(isNull());") -> str:
    return f"package org.a;\n{imports}\nclass Town {{ {body} }}\n"


SAME = {
    "static ones": (STATIC, EACH),
    "static ones beside others": (
        f"import c.D;\n{STATIC}\nimport static e.F.g;",
        f"{EACH}\nimport static e.F.g;\nimport c.D;",
    ),
    "types": TYPES,
    "types beside all those of another package": (f"import c.*;\n{TYPES[0]}", f"import c.*;\n{TYPES[1]}"),
    "both": (f"{TYPES[0]}\n{STATIC}", f"{TYPES[1]}\n{EACH}"),
}


@pytest.mark.parametrize("name", SAME)
def test_all_names_or_each_of_them_is_a_refactor(name: str) -> None:
    for old, new in (SAME[name], SAME[name][::-1]):
        verdict = judged({PATH: (_file(old), _file(new))}, {"src/java/util/List.java": "class List {}"})[PATH]
        assert verdict.mutation_class is REFACTOR
        assert "imports of all names" in verdict.reasons


OTHER = {
    "another class": (STATIC, EACH.replace("b.Check", "b.Checks")),
    "none of them": (STATIC, ""),
    "a method of that name of another class": (
        f"{STATIC}\nimport static c.D.isTrue;",
        f"{EACH}\nimport static c.D.isTrue;",
    ),
    "a method of that name of another class, which comes first": (
        f"import static c.D.isTrue;\n{STATIC}",
        f"import static c.D.isTrue;\n{EACH}",
    ),
    "all methods of another class": (f"{STATIC}\nimport static c.D.*;", f"{EACH}\nimport static c.D.*;"),
    "a class instead of what is in it": ("import org.b.Check.*;", EACH),
    "more than imports": (STATIC, f"{EACH}\nclass Other {{}}"),
}


@pytest.mark.parametrize("name", OTHER)
def test_other_names_or_names_that_another_class_has_are_behaviour(name: str) -> None:
    for old, new in (OTHER[name], OTHER[name][::-1]):
        assert judged({PATH: (_file(old), _file(new))})[PATH].mutation_class is EVOLUTION


@pytest.mark.parametrize("path", ["src/org/a/List.java", "test/org/a/Others.java"])
def test_a_type_that_the_package_may_have_too_is_imported_by_its_name(path: str) -> None:
    files = {PATH: (_file(TYPES[0]), _file(TYPES[1]))}
    assert judged(files, {path: "interface List { }"})[PATH].mutation_class is EVOLUTION
    assert judged(files, {path: "class Towns { List l; }"})[PATH].mutation_class is REFACTOR
    assert judged(files, Repository({}, can_search=False))[PATH].mutation_class is EVOLUTION
    gone = {**files, path: ("enum Map { }", "class Towns { }")}
    assert judged(gone)[PATH].mutation_class is EVOLUTION

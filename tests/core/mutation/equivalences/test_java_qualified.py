"""Classes of Java by their whole names: an import says the same, if the short name is nothing else."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
IMPORT = "import java.util.List;\n"


def _file(body: str, imports: str = "") -> str:
    return f"package p;\n{imports}class T {{\n  {body}\n}}\n"


SAME: dict[str, tuple[str, str]] = {
    "a type": (_file("java.util.List<String> a;"), _file("List<String> a;", IMPORT)),
    "a class whose method is called": (
        _file("Object a() { return java.util.List.of(1); }"),
        _file("Object a() { return List.of(1); }", IMPORT),
    ),
    "in several places": (
        _file("java.util.List<String> a() { return new java.util.List<>(); }"),
        _file("List<String> a() { return new List<>(); }", IMPORT),
    ),
    "where it is imported anyway": (
        _file("List<String> a; Object b = java.util.List.of();", IMPORT),
        _file("List<String> a; Object b = List.of();", IMPORT),
    ),
    "beside other imports": (
        _file("java.util.List<Map> a;", "import java.util.Map;\n"),
        _file("List<Map> a;", "import java.util.Map;\n" + IMPORT),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_whole_name_and_an_import_are_the_same_both_ways(name: str) -> None:
    plain, imported = SAME[name]
    for versions in ((plain, imported), (imported, plain)):
        found = judged({"T.java": versions})["T.java"]
        assert (found.mutation_class, found.reasons) == (REFACTOR, ("classes by their whole names",)), found


OTHER: dict[str, tuple[str, str]] = {
    "another class": (_file("java.util.List<String> a;"), _file("List<String> a;", "import java.awt.List;\n")),
    "a class of the package has the name": (
        _file("java.util.List<String> a; List b;"),
        _file("List<String> a; List b;", IMPORT),
    ),
    "a class of the file has the name": (
        _file("java.util.List<String> a;") + "class List {}\n",
        _file("List<String> a;", IMPORT) + "class List {}\n",
    ),
    "a type parameter has the name": (
        _file("<List> void b(java.util.List<String> a) { }"),
        _file("<List> void b(List<String> a) { }", IMPORT),
    ),
    "a variable is called as the package": (
        _file("Object b(A java) { return java.util.List.of(1); }"),
        _file("Object b(A java) { return List.of(1); }", IMPORT),
    ),
    "a class that may inherit the name": (
        _file("class U extends V { java.util.List<String> a; }"),
        _file("class U extends V { List<String> a; }", IMPORT),
    ),
    "a member of something": (
        _file("Object b() { return a.java.util.List; }"),
        _file("Object b() { return List; }", IMPORT),
    ),
    "a static import": (
        _file("Object b() { return p.A.c(); }"),
        _file("Object b() { return c(); }", "import static p.A.d;\n"),
    ),
    "two imports of the name": (
        _file("java.util.List<String> a; List b;", "import java.awt.List;\n"),
        _file("List<String> a; List b;", IMPORT),
    ),
}


@pytest.mark.parametrize("name", OTHER)
def test_a_whole_name_is_behaviour_where_the_short_one_may_be_another(name: str) -> None:
    plain, imported = OTHER[name]
    assert judged({"T.java": (plain, imported)})["T.java"].mutation_class is EVOLUTION
    assert judged({"T.java": (imported, plain)})["T.java"].mutation_class is EVOLUTION


BASES = {
    "a base of the repository": ({"V.java": "package p;\nclass V { int a; }\n"}, REFACTOR),
    "a base that has a base from elsewhere": ({"V.java": "package p;\nclass V extends W { int a; }\n"}, EVOLUTION),
    "a base with a class of the name": ({"V.java": "package p;\nclass V { class List { } }\n"}, EVOLUTION),
}


@pytest.mark.parametrize("name", BASES)
def test_a_base_of_the_repository_is_read(name: str) -> None:
    others, expected = BASES[name]
    plain, imported = OTHER["a class that may inherit the name"]
    for versions in ((plain, imported), (imported, plain)):
        assert judged({"T.java": versions}, others)["T.java"].mutation_class is expected

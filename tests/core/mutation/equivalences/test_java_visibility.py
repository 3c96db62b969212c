"""Words of Java for who sees a member, where someone else may ask for it and where no one does."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
PATH = "src/org/a/Town.java"
OTHERS = {"src/org/a/Lake.java": "package org.a;\nclass Lake { void wet() { } }\n"}
RUN = "void run() { new Runnable() { public void run() { grow(1); } }; }"
JUPITER = "import org.junit.jupiter.api.Test;\n"


def _file(body: str, imports: str = "", head: str = "class Town") -> str:
    return f"package org.a;\n{imports}{head} {{ {body} }}\n"


SAME = {
    "a method": (f"private void grow(int b) {{ c(); c(); }} {RUN}", f"void grow(int b) {{ c(); c(); }} {RUN}"),
    "a static method": (
        f"private static void grow(int b) {{ c(); }} {RUN}",
        f"static void grow(int b) {{ c(); }} {RUN}",
    ),
    "one that needs no object": (
        f"private void grow(int b) {{ c(); c(); }} {RUN}",
        f"static void grow(int b) {{ c(); c(); }} {RUN}",
    ),
    "several of one class": (
        f"private void grow(int b) {{ c(); }} private void grow(long b) {{ d(); }} {RUN}",
        f"void grow(int b) {{ c(); }} void grow(long b) {{ d(); }} {RUN}",
    ),
    "one of an object's own class": (
        "Runnable a = new Runnable() { private void grow() { c(); } public void run() { grow(); } };",
        "Runnable a = new Runnable() { void grow() { c(); } public void run() { grow(); } };",
    ),
    "one of an enum": (
        "enum B { C; private void grow() { c(); } void d() { grow(); } }",
        "enum B { C; void grow() { c(); } void d() { grow(); } }",
    ),
    "a class": ("private static class Mill { } Mill a;", "static class Mill { } Mill a;"),
    "the constructor of a class in another": (
        "static class Mill { private Mill(int b) { c(); } } Mill a = new Mill(1);",
        "static class Mill { Mill(int b) { c(); } } Mill a = new Mill(1);",
    ),
    "the constructors of a private class": (
        "private static class Mill { private Mill(int b) { } private Mill(long b) { } } Mill a = new Mill(1);",
        "private static class Mill { Mill(int b) { } Mill(long b) { } } Mill a = new Mill(1);",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_who_sees_what_no_other_file_names_makes_no_difference(name: str) -> None:
    for before, after in (SAME[name], SAME[name][::-1]):
        verdict = judged({PATH: (_file(before), _file(after))}, OTHERS)[PATH]
        assert verdict.mutation_class is REFACTOR, verdict.reasons


OTHER = {
    "a method that a class of the file inherits": (
        f"private void grow(int b) {{ c(); c(); }} {RUN} static class Mill extends Town {{ void d() {{ grow(1); }} }}",
        f"void grow(int b) {{ c(); c(); }} {RUN} static class Mill extends Town {{ void d() {{ grow(1); }} }}",
    ),
    "a method that an object of the class inherits": (
        f"private void grow(int b) {{ c(); c(); }} {RUN} Town a = new Town() {{ void d() {{ grow(1); }} }};",
        f"void grow(int b) {{ c(); c(); }} {RUN} Town a = new Town() {{ void d() {{ grow(1); }} }};",
    ),
    "a method that a constant inherits": (
        "enum B { C { void e() { grow(); } }; private void grow() { c(); } void d() { grow(); } }",
        "enum B { C { void e() { grow(); } }; void grow() { c(); } void d() { grow(); } }",
    ),
    "two of one name": (
        f"private static void grow(int b) {{ c(); }} {RUN} static class Mill {{ void grow(int b) {{ d(); }} }}",
        f"static void grow(int b) {{ c(); }} {RUN} static class Mill {{ void grow(int b) {{ d(); }} }}",
    ),
    "a method that streams look for": (
        "private void readObject(B b) { c(); c(); } void d() { readObject(e); }",
        "void readObject(B b) { c(); c(); } void d() { readObject(e); }",
    ),
    "an annotation": (
        f"@B private void grow(int b) {{ c(); c(); }} {RUN}",
        f"@B void grow(int b) {{ c(); c(); }} {RUN}",
    ),
    "a public one": (f"public void grow(int b) {{ c(); }} {RUN}", f"void grow(int b) {{ c(); }} {RUN}"),
    "one that is used nowhere": ("private void grow(int b) { c(); c(); }", "void grow(int b) { c(); c(); }"),
    "one of two constructors": (
        "static class Mill { private Mill(int b) { } Mill(Object b) { } } Mill a = new Mill(1);",
        "static class Mill { Mill(int b) { } Mill(Object b) { } } Mill a = new Mill(1);",
    ),
    "the constructor of a public class": (
        "public static class Mill { private Mill(int b) { c(); } } Mill a = new Mill(1);",
        "public static class Mill { Mill(int b) { c(); } } Mill a = new Mill(1);",
    ),
    "static of an interface": (
        "interface B { static int grow() { return 1; } } int a = grow();",
        "interface B { int grow() { return 1; } } int a = grow();",
    ),
}


@pytest.mark.parametrize("name", OTHER)
def test_who_sees_what_may_be_inherited_or_looked_for_is_behaviour(name: str) -> None:
    for before, after in (OTHER[name], OTHER[name][::-1]):
        verdict = judged({PATH: (_file(before), _file(after))}, OTHERS)[PATH]
        assert verdict.mutation_class is EVOLUTION, verdict.reasons


@pytest.mark.parametrize("name", ["a method", "a static method", "a class"])
def test_who_sees_what_another_file_names_is_behaviour(name: str) -> None:
    before, after = SAME[name]
    others = [
        {"src/org/a/Lake.java": "package org.a;\nclass Lake { void wet() { grow(1); Mill.a(); } }\n"},
        {"src/org/a/Lake.java": 'package org.a;\nclass Lake { String a = "grow Mill"; }\n'},
        Repository(OTHERS, can_search=False),
    ]
    for files in others:
        assert judged({PATH: (_file(before), _file(after))}, files)[PATH].mutation_class is EVOLUTION


TESTS = "{0}class TownTest {{ @Test {0}void grows() {{ a(); }} @Test void b() {{ c(); }} int d() {{ return 1; }} }}"


def test_tests_that_are_found_by_their_annotations_need_not_be_public() -> None:
    before, after = (f"package org.a;\n{JUPITER}{TESTS.format(word)}" for word in ("public ", ""))
    for old, new in ((before, after), (after, before)):
        assert judged({PATH: (old, new)}, OTHERS)[PATH].mutation_class is REFACTOR


@pytest.mark.parametrize(
    ("old", "new", "others"),
    [
        (JUPITER, JUPITER, {"src/org/b/Suite.java": "class Suite { Object a = TownTest.class; }\n"}),
        ("import org.junit.Test;\n", "import org.junit.Test;\n", OTHERS),
        (JUPITER + "import org.junit.Rule;\n", JUPITER + "import org.junit.Rule;\n", OTHERS),
        ("import org.b.Test;\n", "import org.b.Test;\n", OTHERS),
    ],
)
def test_tests_that_others_name_or_another_runner_looks_for_stay_public(
    old: str, new: str, others: dict[str, str]
) -> None:
    before, after = (
        f"package org.a;\n{imports}{TESTS.format(word)}" for imports, word in ((old, "public "), (new, ""))
    )
    assert judged({PATH: (before, after)}, others)[PATH].mutation_class is EVOLUTION


def test_what_is_no_test_stays_public() -> None:
    before, after = (
        f"package org.a;\n{JUPITER}class TownTest {{ @Test void b() {{ c(); }} {word}int d() {{ return 1; }} }}"
        for word in ("public ", "")
    )
    assert judged({PATH: (before, after)}, OTHERS)[PATH].mutation_class is EVOLUTION
    before, after = (
        f"package org.a;\n{JUPITER}{word}class TownTest {{ int d() {{ return 1; }} }}" for word in ("public ", "")
    )
    assert judged({PATH: (before, after)}, OTHERS)[PATH].mutation_class is EVOLUTION

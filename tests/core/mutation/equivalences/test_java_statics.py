"""Members of Java classes that are imported by their own names, and those that only look like these."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
PATH = "src/org/a/Town.java"
STATIC = "import static org.b.Check.isTrue;\n"
WHOLE = "import org.b.Check;\n"
OWN = "import static org.a.Sizes.MANY;\n"


def _file(imports: str, body: str, head: str = "class Town") -> str:
    return f"package org.a;\n{imports}{head} {{ void m() {{ {body} }} }}\n"


SAME = {
    "a method": (_file(WHOLE, "Check.isTrue(b);"), _file(STATIC, "isTrue(b);")),
    "a method of a class that is asked for more": (
        _file(WHOLE, "Check.isTrue(b); Check.isFalse(c);"),
        _file(STATIC + WHOLE, "isTrue(b); Check.isFalse(c);"),
    ),
    "a value of a class of the package": (_file(OWN, "f(Sizes.MANY);"), _file(OWN, "f(MANY);")),
    "a value that comes with an import": (_file("", "f(Sizes.MANY);"), _file(OWN, "f(MANY);")),
    "a class that inherits nothing of the name": (
        _file(OWN, "f(Sizes.MANY);", "class Town implements Closeable, Comparable<Town>"),
        _file(OWN, "f(MANY);", "class Town implements Closeable, Comparable<Town>"),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_member_with_its_class_is_the_one_that_is_imported(name: str) -> None:
    for old, new in (SAME[name], SAME[name][::-1]):
        verdict = judged({PATH: (old, new)})[PATH]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert "static imports" in verdict.reasons


OTHER = {
    "another class": (_file(WHOLE.replace("org.b", "org.c"), "Check.isTrue(b);"), _file(STATIC, "isTrue(b);")),
    "another package": (_file("", "Check.isTrue(b);"), _file(STATIC, "isTrue(b);")),
    "another member": (_file(WHOLE, "Check.isTrue(b);"), _file(STATIC.replace("True", "False"), "isFalse(b);")),
    "a variable of that name": (_file(OWN, "int MANY = 1; f(Sizes.MANY);"), _file(OWN, "int MANY = 1; f(MANY);")),
    "a variable of the class's name": (_file(OWN, "B Sizes = c; f(Sizes.MANY);"), _file(OWN, "B Sizes = c; f(MANY);")),
    "a method of that name": (
        _file(STATIC + WHOLE, "Check.isTrue(b); } void isTrue(B b) {"),
        _file(STATIC + WHOLE, "isTrue(b); } void isTrue(B b) {"),
    ),
    "a class that inherits": (
        _file(OWN, "f(Sizes.MANY);", "class Town extends City"),
        _file(OWN, "f(MANY);", "class Town extends City"),
    ),
    "a class in the file that inherits": (
        _file(OWN, "} class U extends V { int k() { return Sizes.MANY; } } void n() {"),
        _file(OWN, "} class U extends V { int k() { return MANY; } } void n() {"),
    ),
    "a class that inherits from one in another": (
        _file(OWN, "f(Sizes.MANY);", "class Town implements B.C"),
        _file(OWN, "f(MANY);", "class Town implements B.C"),
    ),
    "an object of a class that inherits": (
        _file(OWN, "f(new B() { int c() { return Sizes.MANY; } });"),
        _file(OWN, "f(new B() { int c() { return MANY; } });"),
    ),
    "a method of the language's interface": (
        _file(
            "import org.b.Check;\nimport static org.b.Check.close;\n",
            "Check.close();",
            "class Town implements Closeable",
        ),
        _file("import org.b.Check;\nimport static org.b.Check.close;\n", "close();", "class Town implements Closeable"),
    ),
    "two imports of one name": (
        _file(STATIC + WHOLE + "import static c.D.isTrue;\n", "Check.isTrue(b);"),
        _file(STATIC + WHOLE + "import static c.D.isTrue;\n", "isTrue(b);"),
    ),
    "a method of what it gives": (_file(WHOLE, "Check.isTrue(b).isTrue(c);"), _file(STATIC, "isTrue(c);")),
    "a type": (_file(OWN, "Sizes.MANY b = c(d); e(b, b);"), _file(OWN, "MANY b = c(d); e(b, b);")),
    "a method that is told a type": (_file(WHOLE, "Check.<B>isTrue(b);"), _file(STATIC, "isTrue(b);")),
}


@pytest.mark.parametrize("name", OTHER)
def test_a_member_that_may_be_another_one_stays_behaviour(name: str) -> None:
    for old, new in (OTHER[name], OTHER[name][::-1]):
        verdict = judged({PATH: (old, new)})[PATH]
        assert verdict.mutation_class is EVOLUTION, verdict.reasons


def test_an_import_of_a_name_that_is_written_wholly_is_unused() -> None:
    old, new = (_file(text, "Check.isTrue(b);") for text in (WHOLE, WHOLE + "import static org.b.Check.isFalse;\n"))
    assert judged({PATH: (old, new)})[PATH].mutation_class is REFACTOR


def test_a_type_that_another_class_has_within_is_not_one_of_its_package() -> None:
    old, new = (
        f"package org.a;\n{imports}class Town {{ List<Map> m; }}\n"
        for imports in ("import java.util.*;\n", "import java.util.List;\nimport java.util.Map;\n")
    )
    within = {"src/org/c/Other.java": "package org.c;\nclass Other { int a; static class List { } }\n"}
    assert judged({PATH: (old, new)}, within)[PATH].mutation_class is REFACTOR
    beside = {"src/org/c/Other.java": "package org.c;\nclass Other { } class List { }\n"}
    assert judged({PATH: (old, new)}, beside)[PATH].mutation_class is EVOLUTION
    broken = {"src/org/c/Other.java": "package org.c;\nclass Other { int a = ; static class List { } }\n"}
    assert judged({PATH: (old, new)}, broken)[PATH].mutation_class is EVOLUTION

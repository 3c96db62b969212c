"""Imports of Java that say what is so anyway."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.syntax.languages.java.needless_imports import REASON
from tests.core.mutation.repository import Repository, judged

AFTER = "package a;\nclass T { B b; String c; }\n"
LANG = AFTER.replace(";", ";\nimport java.lang.String;", 1)
SAME_PACKAGE = AFTER.replace(";", ";\nimport a.B;", 1)


def _class(before: str, after: str, others: dict[str, str] | Repository | None = None) -> MutationClass:
    return judged({"a/T.java": (before, after)}, others)["a/T.java"].mutation_class


ALL = [AFTER.replace(";", f";\nimport {package}.*;", 1) for package in ("a", "java.lang")]


@pytest.mark.parametrize("before", [LANG, SAME_PACKAGE, *ALL])
def test_an_import_of_what_the_file_means_anyway_may_go_and_come(before: str) -> None:
    for old, new in ((before, AFTER), (AFTER, before)):
        verdict = judged({"a/T.java": (old, new)})["a/T.java"]
        assert (verdict.mutation_class, verdict.reasons) == (MutationClass.AST_REFACTOR, (REASON,))


@pytest.mark.parametrize(
    "line",
    [
        "import b.B;",
        "import a.b.B;",
        "import static a.B.String;",
        "import java.lang.annotation.B;",
        "import java.lang.reflect.*;",
    ],
)
def test_an_import_of_something_else_is_behaviour(line: str) -> None:
    before = AFTER.replace(";", f";\n{line}", 1)
    for old, new in ((before, AFTER), (AFTER, before)):
        assert _class(old, new) is MutationClass.INTENT_EVOLUTION


def test_an_import_of_the_language_stays_where_a_class_of_the_repository_has_the_name() -> None:
    assert _class(LANG, AFTER, {"a/String.java": "package a;\nclass String {}\n"}) is MutationClass.INTENT_EVOLUTION
    assert _class(LANG, AFTER, Repository({}, can_search=False)) is MutationClass.INTENT_EVOLUTION


def test_a_file_of_no_package_has_no_neighbours() -> None:
    before = "import B;\nclass T { B b; }\n"
    assert _class(before, before.replace("import B;\n", "")) is MutationClass.INTENT_EVOLUTION

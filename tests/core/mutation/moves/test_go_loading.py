"""What a package of Go loads: an import that comes or goes with a definition that moved may do something by itself."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository

MODULE = {"go.mod": "module example.com/m\n"}
SHOP = "package shop\n\nfunc one() int { return 1 }\n\nfunc Total() int { return one() }\n"
NOW = 'package shop\n\nimport "example.com/m/money"\n\nfunc Total() int { return money.One() }\n'
CAME = "\nfunc One() int { return 1 }\n"
PROGRAM = 'package main\n\nimport (\n\t"example.com/m/money"\n\t"example.com/m/shop"\n)\n\nfunc main() {}\n'

Texts = dict[str, str]


def _class_in(files: dict[str, tuple[str, str]], others: Texts, path: str) -> str:
    edits = [
        FileVersions(place, Change.MODIFY, before.encode(), after.encode()) for place, (before, after) in files.items()
    ]
    found = classify_change(edits, others=Repository({**MODULE, **others}))
    return {verdict.path: verdict.mutation_class.value for verdict in found}[path]


def _is_same(money: str, others: Texts | None = None, *, shop: tuple[str, str] = (SHOP, NOW)) -> bool:
    """Whether it is a refactor that the first package has a function of the second one now, and imports it."""
    files = {"shop/a.go": shop, "money/b.go": (money, money + CAME)}
    return {_class_in(files, others or {}, path) for path in files} == {"AST_REFACTOR"}


QUIET = {
    "nothing": "package money\n",
    "variables of literals": 'package money\n\nimport "errors"\n\nvar A, B = 1, errors.New("b")\n\nvar _ I = T{}\n',
    "a package of Go": 'package money\n\nimport "strings"\n\nvar A = strings.ToUpper\n',
}


@pytest.mark.parametrize("case", QUIET)
def test_a_package_that_does_nothing_when_it_is_loaded_may_be_imported(case: str) -> None:
    assert _is_same(QUIET[case].replace("var A = strings.ToUpper", "func f() { strings.ToUpper() }"))


ACTING = {
    "a function that begins it": "package money\n\nfunc init() { register() }\n",
    "a call for a variable": "package money\n\nvar a = f()\n",
    "a call for no variable": "package money\n\nvar _ = f()\n",
    "an import for what it does": 'package money\n\nimport _ "example.com/m/deep"\n',
    "a package of Go that acts": 'package money\n\nimport "image/png"\n\nfunc f() { png.Decode() }\n',
    "a package of others": 'package money\n\nimport "example.com/m/far"\n\nfunc f() { far.Do() }\n',
    "a package that is not found": 'package money\n\nimport "example.com/m/none"\n\nfunc f() { none.Do() }\n',
    "another one that acts": 'package money\n\nimport "example.com/m/deep"\n\nfunc f() { deep.Do() }\n',
}
DEEP = {"deep/d.go": "package deep\n\nfunc init() { register() }\n"}
FAR = {"far/f.go": 'package far\n\nimport "a.b/c"\n\nfunc Do() { c.Do() }\n'}


@pytest.mark.parametrize("case", ACTING)
def test_a_package_that_may_do_something_when_it_is_loaded_is_no_detail(case: str) -> None:
    assert not _is_same(ACTING[case], {**DEEP, **FAR})


def test_only_what_is_loaded_counts() -> None:
    money = ACTING["another one that acts"]
    assert _is_same(money, {"deep/d.go": "package deep\n", "deep/d_test.go": "package deep\n\nfunc init() {}\n"})
    assert not _is_same(money, {"deep/d.go": "package deep\n\nfunc (\n"})
    assert _is_same(
        money, DEEP, shop=tuple(text.replace("\n", '\nimport "example.com/m/deep"\n', 1) for text in (SHOP, NOW))
    )  # type: ignore[arg-type]


def test_a_package_of_others_that_the_change_has_before_and_after_is_known() -> None:
    shop, now = (text.replace("\n", '\nimport "a.b/c"\n', 1) + "\nfunc f() { c.Do() }\n" for text in (SHOP, NOW))
    assert _is_same(ACTING["a package of others"], FAR, shop=(shop, now))


@pytest.mark.parametrize(
    ("money", "others", "is_same"),
    [
        ("a call for a variable", {"main.go": PROGRAM}, True),
        ("a call for a variable", {"main.go": PROGRAM.replace('\t"example.com/m/money"\n', "")}, False),
        ("a call for a variable", {"main.go": PROGRAM.replace('\t"example.com/m/shop"\n', "")}, False),
        ("a call for a variable", {"main.go": PROGRAM.replace("package main", "package other")}, False),
        ("a call for a variable", {"main_test.go": PROGRAM}, False),
        ("a function that begins it", {"main.go": PROGRAM}, False),
        ("a call for no variable", {"main.go": PROGRAM}, False),
        ("an import for what it does", {"main.go": PROGRAM}, False),
    ],
)
def test_what_each_program_of_the_package_loads_anyway_gets_its_values_as_before(
    money: str, others: Texts, is_same: bool
) -> None:
    assert _is_same(ACTING[money], {**others, "deep/d.go": "package deep\n"}) is is_same


@pytest.mark.parametrize(("first", "is_same"), [("func other() {}", True), ("func init() { register() }", False)])
def test_a_package_that_is_loaded_no_more_may_have_done_something(first: str, is_same: bool) -> None:
    files = {
        "shop/a.go": (SHOP.replace("one()", "One()"), "package shop\n\nfunc Total() int { return 1 }\n"),
        "money/b.go": ("package money\n", "package money\n" + CAME),
        "u/u.go": (
            'package u\n\nimport "example.com/m/shop"\n\nvar a = shop.One\n',
            'package u\n\nimport "example.com/m/money"\n\nvar a = money.One\n',
        ),
    }
    assert (_class_in(files, {"shop/z.go": f"package shop\n\n{first}\n"}, "u/u.go") == "AST_REFACTOR") is is_same


def test_what_only_tests_load_is_new_to_their_package() -> None:
    test = {"shop/z_test.go": 'package shop\n\nimport "example.com/m/money"\n'}
    assert not _is_same(ACTING["a call for a variable"], test)


DEEP_USER = 'package u\n\nimport "example.com/m/deep"\n\nvar a = deep.One\n'


def test_tests_may_load_what_their_package_does() -> None:
    """What only a test loads is judged for itself, and what its package loads with that."""

    def user(others: Texts, test: tuple[str, str]) -> str:
        money = "package money\n\nvar a = f()\n"
        files = {"shop/a.go": (SHOP, NOW), "money/b.go": (money, money + CAME), "shop/a_test.go": test}
        files["u/u.go"] = (DEEP_USER, DEEP_USER + "\nfunc f() {}\n")  # so the change has this import before and after
        return _class_in(files, others, "shop/a_test.go")

    own = (
        "package shop\n\nfunc TestOne(t *T) { one() }\n",
        'package shop\n\nimport "example.com/m/money"\n\nfunc TestOne(t *T) { money.One() }\n',
    )
    assert user({"main.go": PROGRAM}, own) == "AST_REFACTOR"
    assert user({}, own) == "INTENT_EVOLUTION"
    more = (own[0], own[1].replace("import ", 'import "example.com/m/deep"\nimport '))
    assert user({"main.go": PROGRAM, **DEEP}, more) == "INTENT_EVOLUTION"

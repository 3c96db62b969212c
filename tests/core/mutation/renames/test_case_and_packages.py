"""Names of Java whose first letter changes its case, and members of Go beside names of packages."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
SHOP = "package p;\npublic class Shop {{ {words} Logger {name} = get(1); void f({more}) {{ {use}.info(1); }} }}\n"
CHAIN = "package p\n\ntype Chain []int\n\nfunc (c Chain) {name}() int {{ return len(c) }}\n"
USER = "package p\n\nfunc use(c Chain) int {{ return c.{name}() }}\n"


def _shop(others: dict[str, str] | None = None, **said: str) -> MutationClass:
    values = {"words": "private static final", "more": "", "use": "{name}", **said}
    files = [
        SHOP.format(**{**values, "name": name, "use": values["use"].format(name=name)}) for name in ("logger", "LOGGER")
    ]
    return judged({"p/Shop.java": (files[0], files[1])}, others or {})["p/Shop.java"].mutation_class


@pytest.mark.parametrize("use", ["{name}", "this.{name}", "Shop.{name}"])
@pytest.mark.parametrize("words", ["private static final", "private", "static final"])
def test_a_field_of_java_may_be_spelled_as_a_constant(words: str, use: str) -> None:
    assert _shop(words=words, use=use) is REFACTOR


@pytest.mark.parametrize(
    "other",
    [
        "class B { int LOGGER; int g() { return LOGGER; } }",
        "class B { Object g() { return Shop.logger; } }",
        'class B { Object g() { return get("logger"); } }',
        'class B { Object g() { return get("LOGGER"); } }',
        "class LOGGER { }",
    ],
)
def test_a_field_that_may_be_another_one_keeps_its_case(other: str) -> None:
    assert _shop({"p/B.java": f"package p;\n{other}\n"}) is EVOLUTION


def test_a_field_beside_a_variable_of_its_name_keeps_its_case() -> None:
    assert _shop(more="Logger logger") is EVOLUTION


@pytest.mark.parametrize(
    "inner", ["class In extends Base {{ void f() {{ {0}.info(1); }} }}", "Object o = new Base() {{ Object f = {0}; }};"]
)
def test_a_field_that_another_base_may_have_keeps_its_case(inner: str) -> None:
    text = f"package p;\nimport org.x.Base;\nclass Shop {{{{ private static final Logger {{0}} = get(1); {inner} }}}}\n"
    files = {"p/Shop.java": (text.format("logger"), text.format("LOGGER"))}
    assert judged(files)["p/Shop.java"].mutation_class is EVOLUTION


@pytest.mark.parametrize(
    ("made", "expected"),
    [("Base() { void h() { g(count); } }", EVOLUTION), ("Runnable() { public void run() { g(count); } }", REFACTOR)],
)
def test_a_local_name_stays_in_a_class_whose_base_may_have_the_new_one(made: str, expected: MutationClass) -> None:
    text = f"class A {{ void f(int a) {{ int count = a; g(new {made}); }} }}\n"
    verdict = judged({"A.java": (text, text.replace("count", "total"))})["A.java"]
    assert verdict.mutation_class is expected


def test_a_local_name_may_change_its_case() -> None:
    for path, text in (
        ("p/Shop.java", "package p;\nclass Shop {{ void f() {{ int {0} = g(); h({0}, {0}); }} }}\n"),
        ("a.go", "package p\n\nfunc f() {{ {0} := g(); h({0}, {0}) }}\n"),
    ):
        versions = text.format("MaxSize"), text.format("maxSize")
        assert judged({path: versions})[path].mutation_class is REFACTOR


def test_a_class_of_java_keeps_its_case() -> None:
    versions = (
        "package p;\nclass foo { foo g() { return null; } }\n",
        "package p;\nclass Foo { Foo g() { return null; } }\n",
    )
    assert judged({"p/foo.java": versions})["p/foo.java"].mutation_class is EVOLUTION


def _chain(other: str) -> set[MutationClass]:
    files = {
        path: (text.format(name="Then"), text.format(name="Handler"))
        for path, text in (("a.go", CHAIN), ("b.go", USER))
    }
    return {found.mutation_class for found in judged(files, {"c.go": f"package p\n\n{other}\n"}).values()}


@pytest.mark.parametrize(
    "other",
    [
        'import "net/http/pprof"\n\nfunc f() { g(pprof.Handler("x")) }',
        'import web "net/http"\n\nfunc f(h web.Handler) { g(web.Handler(h)) }',
        'import "net/http"\n\ntype A struct{ http.Client }\n\nfunc f(h http.Handler) { g(http.Handler(h)) }',
    ],
)
def test_a_method_of_go_gets_a_name_that_packages_have(other: str) -> None:
    assert _chain(other) == {REFACTOR}


@pytest.mark.parametrize(
    "other",
    [
        "func f(h Hat) { g(h.Handler()) }",
        'import "net/http/pprof"\n\nfunc f(pprof Hat) { g(pprof.Handler()) }',
        'import "net/http/pprof"\n\nfunc f(a any) { switch pprof := a.(type) { case Hat: g(pprof.Handler()) } }',
        'import "example.com/go-hat"\n\nfunc f() { g(hat.Handler()) }',
        'import . "net/http/pprof"\n\nfunc f() { g(pprof.Handler()) }',
        "type Hat interface { Handler() int }",
        'import "net/http"\n\ntype A struct { http.Handler }',
        'import "net/http/pprof"\n\nfunc f() { g(pprof.Index, pprof.Handler.Handler) }',
    ],
)
def test_a_method_of_go_that_may_be_asked_for_elsewhere_keeps_its_name(other: str) -> None:
    assert _chain(other) == {EVOLUTION}


def test_a_function_that_another_package_calls_is_no_name_of_any_package() -> None:
    text = "package p\n\nfunc {name}() int {{ return 1 }}\n\nvar a = {name}()\n"
    files = {"p/a.go": (text.format(name="Then"), text.format(name="Handler"))}
    other = {"q/b.go": 'package q\n\nimport "x/p"\n\nvar b = p.Then()\n'}
    assert judged(files, other)["p/a.go"].mutation_class is EVOLUTION

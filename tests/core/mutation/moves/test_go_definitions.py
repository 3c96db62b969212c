"""Definitions of Go that move to another package: proven if each name in them means the same and all users follow."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
MODULE = {"go.mod": "module example.com/m\n"}
SUM = "func sum(all []int) int {\n\tn := 0\n\tfor _, one := range all {\n\t\tn += one\n\t}\n\treturn n\n}\n"
SHOP = f"package shop\n\n{SUM}\nfunc Total(all []int) int {{ return sum(all) }}\n"
NOW = 'package shop\n\nimport "example.com/m/money"\n\nfunc Total(all []int) int { return money.Sum(all) }\n'
MONEY = "package money\n\nfunc Zero() int { return 0 }\n"
CAME = MONEY + "\n" + SUM.replace("func sum", "func Sum")

Texts = dict[str, str]
Files = dict[str, tuple[str, str]]
"""By the path, the contents before and after; a path that changes has both, with an arrow between them."""


def _verdicts(files: Files, others: Texts | None = None, added: Texts | None = None) -> dict[str, FileClass]:
    edits = []
    for path, (before, after) in files.items():
        old, _, new = path.partition(" -> ")
        change = Change.RENAME if new else Change.MODIFY
        edits.append(FileVersions(new or old, change, before.encode(), after.encode(), old))
    edits += [FileVersions(path, Change.ADD, None, text.encode()) for path, text in (added or {}).items()]
    repository = Repository({**MODULE, **(others or {})})
    return {verdict.path: verdict for verdict in classify_change(edits, others=repository)}


def _classes(files: Files, others: Texts | None = None, added: Texts | None = None) -> set[str]:
    found = {verdict.mutation_class for verdict in _verdicts(files, others, added).values()}
    return {name.value for name in found - {MutationClass.FILE_CREATION}}


def _files(shop: str = SHOP, now: str = NOW, money: str = MONEY, came: str = CAME, **more: tuple[str, str]) -> Files:
    return {
        "shop/a.go": (shop, now),
        "money/b.go": (money, came),
        **{f"{key}/c.go": pair for key, pair in more.items()},
    }


def test_a_function_that_moved_to_another_package_is_followed_by_who_calls_it() -> None:
    found = _verdicts(_files())
    assert {verdict.mutation_class for verdict in found.values()} == {REFACTOR}
    assert found["shop/a.go"].reasons == ("follows example.com/m/money.Sum", "moved sum to money/b.go")
    assert found["money/b.go"].reasons == ("moved Sum from shop/a.go",)


def _moved(definition: str, came: str | None = None, use: str = "", now: str = "", head: str = "") -> Files:
    """A definition that moves from `shop` to `money`, and what else the first file has, before and after."""
    imports = 'import "example.com/m/money"\n\n' if "money." in now else ""
    return _files(
        f"package shop\n\n{head}{definition}\n{use}",
        f"package shop\n\n{imports}{now or use}",
        "package money\n",
        f"package money\n\n{head}{definition if came is None else came}",
    )


USER = 'package u\n\nimport "example.com/m/shop"\n\nvar a = shop.Total(nil)\n'
SAME: dict[str, Files] = {
    "the new file is a new one": {"shop/a.go": (SHOP, NOW)},
    "a local name is another one": _files(came=CAME.replace(" one", " each").replace("all", "them")),
    "what it calls moved, too": _moved(
        "func f() int { return g() }\nfunc g() int { return 1 }\n",
        "func F() int { return g() }\nfunc g() int { return 1 }\n",
        "var a = f() + 1\n",
        "var a = money.F() + 1\n",
    ),
    "what it calls is of the new package": _files(
        'package shop\n\nimport "example.com/m/money"\n\nfunc f() int { return money.Zero() }\n',
        "package shop\n",
        came=MONEY + "func F() int { return Zero() }\n",
    ),
    "what it calls is of the old package": _files(
        "package shop\n\nfunc G() int { return 1 }\n\nfunc F() int { return G() }\n",
        "package shop\n\nfunc G() int { return 1 }\n",
        came='package money\n\nimport "example.com/m/shop"\n\n'
        "func Zero() int { return 0 }\nfunc F() int { return shop.G() }\n",
    ),
    "a package of Go moves along": _moved(
        'import "os"\n\nfunc F() { os.Exit(1) }\n', use="func g() { F() }\n", now="func g() { money.F() }\n"
    ),
    "a type, and its methods": _moved(
        "type T struct{ A int }\n\nfunc (t *T) Get() int { return t.A }\nfunc (t T) own() {}\n",
        use="var a = (&T{A: 1}).Get()\n\nfunc f(t T) *T { return &t }\n",
        now="var a = (&money.T{A: 1}).Get()\n\nfunc f(t money.T) *money.T { return &t }\n",
    ),
    "a type with parameters": _moved("type T[K any] struct{ A K }\n", use="var a T[int]\n", now="var a money.T[int]\n"),
    "a constant and a variable": _moved(
        'import "errors"\n\nconst a = 1\n\nvar B = errors.New("b")\n',
        'import "errors"\n\nconst A = 1\n\nvar B = errors.New("b")\n',
        "func f() error { return g(a, B) }\n",
        "func f() error { return g(money.A, money.B) }\n",
    ),
    "a group of constants that are counted": _moved(
        "const (\n\tA = iota\n\tB\n)\n", use="var a = B\n", now="var a = money.B\n"
    ),
    "a test, too": {
        "shop/a.go": ("package shop\n\nfunc F() int { return 1 }\n", "package shop\n"),
        "money/b.go": ("package money\n", "package money\n\nfunc F() int { return 1 }\n"),
        "shop/a_test.go": ("package shop\n\nfunc TestF(t *T) { F() }\n", "package shop\n"),
        "money/b_test.go": ("package money\n", "package money\n\nfunc TestF(t *T) { F() }\n"),
        "u/u_test.go": (
            'package u_test\n\nimport "example.com/m/shop"\n\nfunc g() { shop.F() }\n',
            'package u_test\n\nimport "example.com/m/money"\n\nfunc g() { money.F() }\n',
        ),
    },
    "two that are the same become one": _files(
        u=(
            f"package u\n\n{SUM}\nfunc f() int {{ return sum(nil) }}\n",
            'package u\n\nimport "example.com/m/money"\n\nfunc f() int { return money.Sum(nil) }\n',
        )
    ),
    "a file goes whole": {
        "shop/sum.go -> money/sum.go": (
            f"package shop\n\n{SUM}",
            "package money\n\n" + SUM.replace("func s", "func S"),
        ),
        "shop/a.go": (SHOP.replace(SUM, ""), NOW),
    },
    "the import has another name": _files(
        now=NOW.replace('import "', 'import cash "').replace("money.Sum", "cash.Sum")
    ),
    "a package of the same name": {
        "a/util/u.go": ("package util\n\nfunc F() {}\nfunc G() {}\n", "package util\n\nfunc G() {}\n"),
        "b/util/u.go": ("package util\n", "package util\n\nfunc F() {}\n"),
        "c.go": (
            'package c\n\nimport "example.com/m/a/util"\n\nfunc f() { util.F() }\n',
            'package c\n\nimport "example.com/m/b/util"\n\nfunc f() { util.F() }\n',
        ),
    },
    "a local name that is called so": _files(
        SHOP + "\nfunc f() int { sum := 1; return sum }\n", NOW + "\nfunc f() int { sum := 1; return sum }\n"
    ),
    "a field that is called so": _files(SHOP + "\nvar a = T{sum: b.sum}\n", NOW + "\nvar a = T{sum: b.sum}\n"),
    "the name in a switch over types": _moved(
        "func F(a any) int {\n\tswitch b := a.(type) {\n\tcase T:\n\t\treturn b.N\n\t}\n\treturn 0\n}\n"
        "type T struct{ N int }\n",
        use="var a = F(T{})\n",
        now="var a = money.F(money.T{})\n",
    ),
    "a member that all call otherwise": _moved(
        "type T struct{ wide int }\n",
        "type T struct{ broad int }\n",
        "func f(t T) int {\n\treturn 1 +\n\t\tt.wide\n}\n",
        "func f(t money.T) int {\n\treturn 1 +\n\t\tt.broad\n}\n",
    ),
    "a package whose path does not tell its name": _moved(
        'import "example.com/go-yaml.v2"\n\nfunc F() int { return yaml.One() }\n',
        use="var a = F\n",
        now="var a = money.F\n",
    ),
    "a test in a directory of tests": {
        "shop/a_test.go": ("package shop\n\nfunc F() { g() }\n", "package shop\n"),
        "money/b_test.go": ("package money\n", "package money\n\nfunc F() { g() }\n"),
    },
    "a local name that is declared with it": _files(
        SHOP + "\nfunc f() int { sum := sum(nil); return sum }\n",
        NOW + "\nfunc f() int { sum := money.Sum(nil); return sum }\n",
    ),
    "a field in it that is called like what moved": _moved(
        "func f() T { return T{f: 1} }\ntype T struct{ f int }\n",
        "func F() T { return T{f: 1} }\ntype T struct{ f int }\n",
        "var _ = f()\n",
        "var _ = money.F()\n",
    ),
    "a name that is none": _moved(
        "func F() int { _ = g; return 1 }\nfunc g() (int, int) { return 1, 2 }\n",
        use="var _ = F()\n",
        now="var _ = money.F()\n",
    ),
    "another package has a type of that name": _files(
        'package shop\n\nimport "a.b/q"\n\ntype T struct{}\n\nfunc f(a T, b q.T) {}\n',
        'package shop\n\nimport (\n\t"a.b/q"\n\t"example.com/m/money"\n)\n\nfunc f(a money.T, b q.T) {}\n',
        came=MONEY + "\ntype T struct{}\n",
    ),
}


def _had_alias(definition: str, alias: str, came: str = "", use: str = "", now: str = "") -> Files:
    """What moves from `shop` to `money`, where it had another name before, with who uses that there."""
    return {
        "shop/a.go": (f"package shop\n\n{definition}", "package shop\n"),
        "money/b.go": (
            f'package money\n\nimport "example.com/m/shop"\n\n{alias}{use}',
            f"package money\n\n{came or definition}{now or use}",
        ),
    }


NAMED = 'type Kind string\n\nconst (\n\tOne = Kind("one")\n\tTwo = Kind("two")\n)\n'
ALIASED = _had_alias(
    NAMED,
    "const (\n\tOne = shop.One\n\tTwo = shop.Two\n)\n",
    use="func f(k shop.Kind) bool { return k == One || k == shop.Two }\n",
    now="func f(k Kind) bool { return k == One || k == Two }\n",
)
SAME |= {
    "constants that had other names there": ALIASED,
    "a type that had another name there": _had_alias(
        "type T struct{ A int }\n", "type T = shop.T\n", use="var a = T{A: 1}\n"
    ),
    "who took the one takes the other": ALIASED
    | {
        "u/c.go": (
            'package u\n\nimport "example.com/m/shop"\n\nvar a = string(shop.One)\n',
            'package u\n\nimport "example.com/m/money"\n\nvar a = string(money.One)\n',
        )
    },
}


@pytest.mark.parametrize("case", SAME)
def test_what_means_the_same_in_the_other_package_is_a_refactor(case: str) -> None:
    added = {"money/b.go": CAME} if case == "the new file is a new one" else None
    assert _classes(SAME[case], added=added) == {"AST_REFACTOR"}, _verdicts(SAME[case], added=added)


STOP = "func stop() { runtime.Caller(0) }\n"
HEAD = 'import "runtime"\n\n'
OTHER: dict[str, Files] = {
    "it does something else": _files(came=CAME.replace("+=", "-=")),
    "a name in it is another one there": _moved(
        "func F() int { return g() }\n",
        "func F() int { return g() }\nfunc g() int { return 2 }\n",
        "func g() int { return 1 }\nvar a = F()\n",
        "func g() int { return 1 }\nvar a = money.F()\n",
    ),
    "a name of Go is declared there": _moved(
        "func F() int { return len(nil) }\n",
        "func F() int { return len(nil) }\nvar a, len = 1, g\n",
        "var a = F()\n",
        "var a = money.F()\n",
    ),
    "it uses another package of that name": _files(
        'package shop\n\nimport "text/template"\n\nfunc F() { template.New() }\n',
        "package shop\n",
        came=MONEY.replace("\n\n", '\n\nimport "html/template"\n\n', 1) + "\nfunc F() { template.New() }\n",
    ),
    "names of what is in it change places": _moved(
        "func F(a, b int) T { return T{a: a} }\ntype T struct{ a, b int }\n",
        "func F(b, a int) T { return T{b: b} }\ntype T struct{ a, b int }\n",
        "var a = F\n",
        "var a = money.F\n",
    ),
    "it knows where it stands": _moved(
        HEAD + STOP.replace("stop", "Stop"), use="var a = Stop\n", now="var a = money.Stop\n"
    ),
    "a program shows what a type is called": _moved(
        "type T struct{}\n", use='var a = f("%T", T{})\n', now='var a = f("%T", money.T{})\n'
    ),
    "an interface asks for a method of the package": _moved(
        "type T struct{}\n\nfunc (t T) own() {}\n",
        use="type I interface{ own() }\n\nvar a T\n",
        now="type I interface{ own() }\n\nvar a money.T\n",
    ),
    "an interface with such a method moves": _moved(
        "type I interface{ own() }\n", use="var a I\n", now="var a money.I\n"
    ),
    "a struct has a type of another name": _moved(
        "type t struct{}\n", "type T struct{}\n", "type B struct{ t }\n", "type B struct{ money.T }\n"
    ),
    "a variable gets its value by a call": _moved(
        'import "os"\n\nvar A = os.Getenv("A")\n', use="var b = A\n", now="var b = money.A\n"
    ),
    "it is what a package does first": _moved("func init() { register() }\n"),
    "it has no name": _moved('var _ = "a"\n'),
    "the old package goes on": _files(now=NOW + f"\n{SUM}"),
    "it comes twice": _files(u=("package u\n", f"package u\n\n{SUM}\nvar Add = sum\n")),
    "a type was there twice": _moved("type T struct{}\n", use="var a T\n", now="var a money.T\n")
    | {"u/c.go": ("package u\n\ntype T struct{}\n", "package u\n")},
    "it becomes something else": _moved(
        "func F() int { return 1 }\n", "var F = func() int { return 1 }\n", "var a = F()\n", "var a = money.F()\n"
    ),
    "all of a package is taken in": _files(
        SHOP.replace("\n\n", '\n\nimport . "os"\n\n', 1),
        NOW.replace("\n\n", '\n\nimport . "os"\n\n', 1),
        came=CAME,
    ),
    "it is built for one system where it was": _files(*("//go:build linux\n\n" + text for text in (SHOP, NOW))),
    "it is built for one system": _files(came="//go:build linux\n\n" + CAME),
    "a comment before it counts": _moved(
        "//go:noinline\nfunc F() {}\n", use="func g() { F() }\n", now="func g() { money.F() }\n"
    ),
    "a comment before it counts for the next one then": _moved(
        "//go:noinline\nfunc F() {}\n",
        "func F() {}\n",
        "func g() {}\n",
        "//go:noinline\nfunc g() {}\n",
    ),
    "a test reads what lies beside it": {
        "shop/a_test.go": ('package shop\n\nfunc F() { read("testdata/a.json") }\n', "package shop\n"),
        "money/b_test.go": ("package money\n", 'package money\n\nfunc F() { read("testdata/a.json") }\n'),
    },
    "the old package is no more": {
        "shop/a.go -> money/a.go": ("package shop\n\nfunc F() {}\n", "package money\n\nfunc F() {}\n"),
        "shop/a_test.go": ("package shop_test\n\nvar a = 1\n", "package shop_test\n\nvar a = 2\n"),
    },
    "a test asks for it by a name of its own": {
        "shop/a.go": ("package shop\n\nfunc F() int { return 1 }\n", "package shop\n"),
        "money/b_test.go": ("package money\n", "package money\n\nfunc F() int { return 1 }\n"),
    },
    "a file goes whole, with what it does first": {
        "shop/sum.go -> money/sum.go": (
            f"package shop\n\n{SUM}\nfunc init() {{}}\n",
            "package money\n\n" + SUM.replace("func s", "func S") + "\nfunc init() {}\n",
        ),
        "shop/a.go": (SHOP.replace(SUM, ""), NOW),
    },
    "a file goes whole, with what it loads": {
        "shop/sum.go -> money/sum.go": (
            f'package shop\n\nimport _ "embed"\n\n{SUM}',
            'package money\n\nimport _ "embed"\n\n' + SUM.replace("func s", "func S"),
        ),
        "shop/a.go": (SHOP.replace(SUM, ""), NOW),
    },
    "one file can't be read": _files(u=("package u\n", "package u\n\nfunc (\n")),
    "two packages may have the name": _moved(
        'import (\n\t"a.b/yaml.v2"\n\t"a.c/yaml.v2"\n)\n\nfunc F() int { return yaml.One() }\n',
        use="var a = F\n",
        now="var a = money.F\n",
    ),
}


OTHER |= {
    "a constant of that name was another one": _had_alias(
        'const (\n\tOne = "one"\n\tTwo = "two"\n)\n', "const One = shop.Two\nconst Two = shop.One\n"
    ),
    "a type of that name was its own": _had_alias("type T struct{ A int }\n", "type T shop.T\n"),
    "a constant of that name had a type": _had_alias("const One = 1\n", "const One int = shop.One\n"),
    "a variable of that name was a copy": _had_alias("var A = 1\n", "var A = shop.A\n"),
    "the other name is of another package": _had_alias("const One = 1\n", "const One = other.One\n"),
}


@pytest.mark.parametrize("case", OTHER)
def test_what_may_mean_something_else_in_the_other_package_is_no_refactor(case: str) -> None:
    assert _classes(OTHER[case]) == {"INTENT_EVOLUTION"}


def test_what_had_another_name_where_it_is_now_says_where_it_came_from() -> None:
    found = _verdicts(ALIASED)
    assert found["shop/a.go"].reasons == (
        "moved Kind to money/b.go",
        "moved One to money/b.go",
        "moved Two to money/b.go",
    )
    assert {"moved One from shop/a.go", "follows example.com/m/money.Kind"} <= {*found["money/b.go"].reasons}


def test_who_had_the_other_name_and_keeps_it_does_the_same() -> None:
    user = 'package u\n\nimport "example.com/m/money"\n\nvar a = money.{}\n'
    files = ALIASED | {"u/c.go": (user.format("One") + "var b = 1\n", user.format("Two") + "var b = 1\n")}
    assert _verdicts(files)["u/c.go"].mutation_class is EVOLUTION
    assert _verdicts(ALIASED, {"u/d.go": user.format("One")})["money/b.go"].mutation_class is REFACTOR


USERS: dict[str, tuple[Files, str]] = {
    "it takes another one": (_files(now=NOW.replace("money.Sum", "money.Zero")), "shop/a.go"),
    "it takes another one of a package that is called so": (
        {
            "a/util/u.go": ("package util\n\nfunc F() {}\nfunc G() {}\n", "package util\n\nfunc G() {}\n"),
            "b/util/u.go": ("package util\n\nfunc G() {}\n", "package util\n\nfunc F() {}\nfunc G() {}\n"),
            "c.go": (
                'package c\n\nimport "example.com/m/a/util"\n\nfunc f() { util.F(); util.G() }\n',
                'package c\n\nimport "example.com/m/b/util"\n\nfunc f() { util.F(); util.G() }\n',
            ),
        },
        "c.go",
    ),
    "it loads a package for what that does": (
        _files(now=NOW.replace("import ", 'import _ "example.com/m/money"\nimport ')),
        "shop/a.go",
    ),
    "it has another type of that name": (
        {
            **_moved("type T struct{}\n"),
            "shop/c.go": (
                'package shop\n\nimport "a.b/q"\n\nfunc f(a T, b q.T) {}\n',
                'package shop\n\nimport (\n\t"a.b/q"\n\t"example.com/m/money"\n)\n\nfunc f(a, b money.T) {}\n',
            ),
        },
        "shop/c.go",
    ),
}


@pytest.mark.parametrize("case", USERS)
def test_who_uses_it_takes_the_same_one(case: str) -> None:
    files, path = USERS[case]
    verdicts = _verdicts(files)
    assert verdicts.pop(path).mutation_class is EVOLUTION
    assert {verdict.mutation_class for verdict in verdicts.values()} == {REFACTOR}


def test_what_stays_has_not_moved_though_another_one_did() -> None:
    more = "\nfunc one() int { return 1 }\n"
    found = _verdicts(_files(SHOP + more, NOW + f"\n{SUM}", came=CAME + more.replace("one", "One")))
    assert {verdict.mutation_class for verdict in found.values()} == {EVOLUTION}


LEFT = {
    "a file of the package": {"shop/z.go": "package shop\n\nvar z = sum(nil)\n"},
    "who imports it": {"z/z.go": 'package z\n\nimport "example.com/m/shop"\n\nvar z = shop.sum\n'},
    "the linker": {"Makefile": "LD = -X example.com/m/shop.sum=1\n"},
    "the linker of a program": {"build.sh": "go build -ldflags '-X main.sum=1'\n"},
    "what can't be read": {"z/z.go": "package z\n\nfunc sum(\n"},
    "what is in no module": {"go.mod": "", "x/go.mod": "module x\n", "z.go": "package z\n\nvar z = sum\n"},
}


@pytest.mark.parametrize("case", LEFT)
def test_what_still_asks_for_a_definition_keeps_it_from_being_a_move(case: str) -> None:
    assert _classes(_files(), LEFT[case]) == {"INTENT_EVOLUTION"}


FREE = {
    "another package has one of that name": {"z/z.go": "package z\n\nfunc sum() {}\n\nvar z = sum\n"},
    "a text for people": {"README.md": "shop.sum and main.sum\n"},
    "a file of no code": {"notes.txt": "sum\n"},
    "a local name of the package": {"shop/z.go": "package shop\n\nfunc z() { sum := 1; f(sum) }\n"},
}


@pytest.mark.parametrize("case", FREE)
def test_what_only_has_the_name_does_not_ask_for_the_definition(case: str) -> None:
    assert _classes(_files(), FREE[case]) == {"AST_REFACTOR"}


@pytest.mark.parametrize("path", ["money/b_linux.go", "money/b_linux_test.go"])
def test_what_comes_to_a_file_for_one_system_has_not_just_moved(path: str) -> None:
    assert "INTENT_EVOLUTION" in _classes({"shop/a.go": (SHOP, NOW), path: (MONEY, CAME)})


class _Hesitant(Repository):
    """It can't be searched for one of its words."""

    def __init__(self, word: str) -> None:
        super().__init__({**MODULE, "main.go": "package main\n\nfunc main() {}\n"})
        self._word = word

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        is_asked = self._word in words and (self._word != "package main" or len(words) == 1)
        return None if is_asked else super().mentioning(words)


@pytest.mark.parametrize("word", ["sum", "package money", "package main", "module"])
def test_where_too_many_files_have_a_word_nothing_moved(word: str) -> None:
    files = _files(came=CAME + "\nvar a = f()\n" if word == "package main" else CAME)
    edits = [FileVersions(path, Change.MODIFY, *map(str.encode, texts)) for path, texts in files.items()]
    found = classify_change(edits, others=_Hesitant(word))
    assert EVOLUTION in {verdict.mutation_class for verdict in found}


def test_an_interface_in_a_file_that_can_not_be_read_may_ask_for_any_method() -> None:
    method = _moved("type T struct{}\n\nfunc (t T) own() {}\n", use="var a T\n", now="var a money.T\n")
    assert _classes(method) == {"AST_REFACTOR"}
    assert {"AST_REFACTOR"} == _classes(method, {"shop/z_test.go": "package shop_test\n\ntype I interface{ own() }\n"})
    assert {"INTENT_EVOLUTION"} == _classes(method, {"shop/z.go": "package shop\n\nfunc (\n"})
    assert {"INTENT_EVOLUTION"} == _classes(method, {"shop/z.go": "package shop\n\ntype I interface{ own() }\n"})

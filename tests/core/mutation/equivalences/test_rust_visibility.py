"""Who sees what Rust declares: where that means nothing, and where others are told or a name means another thing."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

_PRIVATE = {"src/lib.rs": "mod a;\n"}
_PUBLIC = {"src/lib.rs": "pub mod a;\n"}

SAME = [
    ("tests/a.rs", "pub struct A { pub b: u8 }", "struct A { pub(crate) b: u8 }", {}),
    ("src/main.rs", "pub fn f() { g(1) }", "fn f() { g(1) }", {}),
    (
        "examples/a.rs",
        "struct A(pub u8);\nimpl A { pub fn f() {} }",
        "struct A(pub(crate) u8);\nimpl A { fn f() {} }",
        {},
    ),
    ("src/a.rs", "pub fn f() { g(1) }", "pub(crate) fn f() { g(1) }", _PRIVATE),
    ("src/a/mod.rs", "pub const F: u8 = 1;", "pub(super) const F: u8 = 1;", {"src/lib.rs": "pub(crate) mod a { }\n"}),
    ("src/a.rs", "pub(crate) fn f() { g(1) }", "fn f() { g(1) }", {"src/b.rs": "use crate::a::f;\n"}),
    (
        "src/a.rs",
        "#[cfg(unix)]\npub fn f() {}\n#[cfg(windows)]\npub fn f() { g() }",
        "#[cfg(unix)]\nfn f() {}\n#[cfg(windows)]\nfn f() { g() }",
        {"src/main.rs": "mod a;\n"},
    ),
]
OTHER = [
    ("src/a.rs", "pub fn f() { g(1) }", "pub(crate) fn f() { g(1) }", _PUBLIC),
    ("src/a.rs", "pub fn f() { g(1) }", "pub(crate) fn f() { g(1) }", {}),
    ("src/a.rs", "pub fn f() { g(1) }", "pub(crate) fn f() { g(1) }", {"src/lib.rs": "mod a;\npub use a::{f, g};\n"}),
    ("src/a.rs", "pub fn f() { g(1) }", "pub(crate) fn f() { g(1) }", {"src/lib.rs": "mod a;\npub use a::*;\n"}),
    (
        "src/a.rs",
        "pub fn f() { g(1) }",
        "pub(crate) fn f() { g(1) }",
        {"src/lib.rs": "mod a;\npub use self::a as b;\n"},
    ),
    (
        "src/a.rs",
        "pub fn f() { g(1) }",
        "pub(crate) fn f() { g(1) }",
        {"src/lib.rs": "mod a;\npub use a::{g, self};\n"},
    ),
    ("src/lib.rs", "pub fn f() { g(1) }", "pub(crate) fn f() { g(1) }", {"src/b.rs": "mod lib;\n"}),
    ("src/a.rs", "impl A { pub fn f() {} }", "impl A { pub(crate) fn f() {} }", _PRIVATE),
    ("src/a.rs", "pub struct A { pub b: u8 }", "pub struct A { b: u8 }", _PRIVATE),
    ("src/a.rs", "pub(crate) fn f() {}", "fn f() {}", {"src/b.rs": "pub fn f() {}\n"}),
    ("src/a.rs", "pub(crate) fn drop() {}", "fn drop() {}", {}),
    ("src/a.rs", "pub(crate) fn f() {}\nmod b { fn f() {} }", "fn f() {}\nmod b { fn f() {} }", {}),
    ("tests/a.rs", "struct A { pub(crate) b: u8 }", "struct A { b: u8 }", {}),
]


@pytest.mark.parametrize(("path", "before", "after", "others"), SAME)
def test_a_visibility_that_means_nothing_is_a_refactor(
    path: str, before: str, after: str, others: dict[str, str]
) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (f"{old}\n", f"{new}\n")}, others)[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert verdict.reasons == ("seen by no other crate",)


@pytest.mark.parametrize(("path", "before", "after", "others"), OTHER)
def test_a_visibility_that_others_are_told_stays_behaviour(
    path: str, before: str, after: str, others: dict[str, str]
) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (f"{old}\n", f"{new}\n")}, others)[path]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_what_no_one_can_search_is_seen_by_anyone() -> None:
    for before, after in (("pub fn f() {}", "pub(crate) fn f() {}"), ("pub(crate) fn f() {}", "fn f() {}")):
        changed = {"src/a.rs": (f"{before}\n", f"{after}\n")}
        verdict = judged(changed, Repository(_PRIVATE, can_search=False))["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


UNUSED = [
    ("src/a.rs", "type A = u8;", {}),
    ("src/a.rs", "const A: u8 = 1;", {"src/b.rs": "const A: u8 = 2;\nfn f() { g(A) }\n"}),
    ("src/a.rs", "struct A { b: u8 }", {"src/ab/c.rs": "use d::A;\nfn f() { A::g() }\n"}),
    ("src/a/mod.rs", "trait A {}", {"src/c.rs": "use d::A;\nfn f() { A::g() }\n"}),
    ("src/lib.rs", "static A: u8 = 1;", {"c.rs": "use d::A;\nfn f() { A::g() }\n"}),
]
UNUSED_WITHIN = [
    ("src/a.rs", "pub fn f() { g(1) }", _PRIVATE),
    ("src/a.rs", "pub(crate) fn f() { g(1) }", _PUBLIC),
    ("src/main.rs", "pub fn f() { g(1) }", {}),
]
USED = [
    ("src/a.rs", "pub type A = u8;", {}),
    ("src/a.rs", "pub type A = u8;", _PUBLIC),
    ("src/a.rs", "pub fn f() { g(1) }", {**_PRIVATE, "src/b.rs": "use crate::a;\nfn k() { a::f() }\n"}),
    ("src/a.rs", "pub(crate) fn f() { g(1) }", {**_PRIVATE, "src/b.rs": "use super::a::f;\nfn k() { f() }\n"}),
    ("src/main.rs", "pub fn f() { g(1) }", {"src/b.rs": "fn k() { super::f() }\n"}),
    ("src/a.rs", "#[b]\nstruct A;", {}),
    ("src/a.rs", "type A = u8;", {"src/a/b.rs": "use super::*;\nfn f() -> A { g(1) }\n"}),
    ("src/lib.rs", "type A = u8;", {"src/b.rs": "use super::*;\nfn f() -> A { g(1) }\n"}),
    ("src/a/mod.rs", "type A = u8;", {"src/a/b.rs": "use super::*;\nfn f() -> A { g(1) }\n"}),
    ("tests/a.rs", "type A = u8;", {"tests/b.rs": "use super::*;\nfn f() -> A { g(1) }\n"}),
    ("a.rs", "type A = u8;", {"b/b.rs": "use super::*;\nfn f() -> A { g(1) }\n"}),
    ("src/a.rs", 'type A = u8;\n#[path = "../b.rs"]\nmod b;', {"b.rs": "fn f() -> A { g(1) }\n"}),
    ("src/a.rs", "const _: () = g(1);", {}),
    ("src/a.rs", "type A = u8;\nfn f() -> A { g(1) }", {}),
]
_REST = "fn h() { i(1) }"


@pytest.mark.parametrize(("path", "text", "others"), UNUSED)
def test_a_private_item_that_nothing_uses_may_go(path: str, text: str, others: dict[str, str]) -> None:
    for old, new in ((f"{text}\n{_REST}\n", f"{_REST}\n"), (f"{_REST}\n", f"{text}\n{_REST}\n")):
        verdict = judged({path: (old, new)}, others)[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert verdict.reasons == ("unused private definitions",)


@pytest.mark.parametrize(("path", "text", "others"), UNUSED_WITHIN)
def test_an_item_that_the_crate_alone_sees_and_never_names_may_go(path: str, text: str, others: dict[str, str]) -> None:
    verdict = judged({path: (f"{text}\n{_REST}\n", f"{_REST}\n")}, others)[path]
    assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("path", "text", "others"), USED)
def test_an_item_that_something_may_use_stays(path: str, text: str, others: dict[str, str]) -> None:
    item, _, rest = text.partition("\n") if not text.startswith("#") else (text, "", "")
    for old, new in ((f"{text}\n{_REST}\n", f"{rest}\n{_REST}\n"), (f"{rest}\n{_REST}\n", f"{text}\n{_REST}\n")):
        verdict = judged({path: (old, new)}, others)[path]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, (item, verdict.reasons)


def test_a_private_item_stays_where_nothing_can_be_searched() -> None:
    changed = {"src/a.rs": (f"type A = u8;\n{_REST}\n", f"{_REST}\n")}
    verdict = judged(changed, Repository({}, can_search=False))["src/a.rs"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


ORDER = [
    (
        "use a::B;\n#[cfg(x)]\nuse c::D;\nuse e::F;\nfn f() { B::g(F, 1) }",
        "use a::B;\nuse e::F;\n#[cfg(x)]\nuse c::D;\nfn f() { B::g(F, 1) }",
    ),
    ("fn f() { B::g(1, 1) }\nuse a::B;", "use a::B;\nfn f() { B::g(1, 1) }"),
    ("fn f() { let a = 1; use a::B; B::g(a, a) }", "fn f() { use a::B; let a = 1; B::g(a, a) }"),
    (
        "#[cfg(x)]\nuse c::D;\n#[cfg(y)]\nuse d::E;\nfn f() {}\n#[g]\nfn h() {}",
        "#[cfg(y)]\nuse d::E;\n#[cfg(x)]\nuse c::D;\nfn f() {}\n#[g]\nfn h() {}",
    ),
]
DISORDER = [
    ("#[cfg(x)]\nuse c::D;\n#[cfg(y)]\nuse d::D;", "#[cfg(x)]\nuse d::D;\n#[cfg(y)]\nuse c::D;"),
    ("#[cfg(x)]\nuse c::D;\nfn f() {}", "use c::D;\n#[cfg(x)]\nfn f() {}"),
]


@pytest.mark.parametrize(("before", "after"), ORDER)
def test_imports_of_rust_stand_in_any_place(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert verdict.reasons[0] == "import order"


@pytest.mark.parametrize(("before", "after"), DISORDER)
def test_an_attribute_goes_with_its_import(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"src/a.rs": (f"{old}\n", f"{new}\n")})["src/a.rs"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons

"""Constants and functions of a type of Rust that are renamed, and names that others have as well."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
TYPE = "pub struct Count(usize);\n"


def _both(text: str) -> tuple[str, str]:
    """The text with `LEAST`, and with `MOST` instead."""
    return text, text.replace("LEAST", "MOST")


HOME = _both(
    TYPE + "impl Count {\n    pub const LEAST: Count = Count(1);\n    fn f(self) -> usize { g(Self::LEAST) }\n}\n"
)
USER = _both("use crate::count::Count;\nfn f(a: u8) -> bool { a == usize::MOST && h(Count::LEAST) }\n")
CHANGED: Versions = {"src/count.rs": HOME, "src/idle.rs": USER}
OTHERS = {
    "src/page.rs": "struct Page;\nimpl Page { const LEAST: u8 = 1; fn f() { g(Self::LEAST, usize::MOST) } }\n",
    "src/taken.rs": "use crate::plain::LEAST;\nuse a::b as MOST;\n",
    "src/plain.rs": "const LEAST: u8 = 1;\nfn f() -> u8 { LEAST + a.MOST }\n",
    "src/kinds.rs": "trait Kind { const MOST: u8; fn f() -> u8 { Self::MOST } }\nfn g<K: Kind>() -> u8 { K::MOST }\n",
    "src/made.rs": "macro_rules! all { ($t:ty) => { $t::LEAST + <$t>::MOST }; }\n",
    "src/said.rs": "fn f() { assert_eq!(usize::LEAST, Count(1)); assert!(LEAST) }\n",
    "src/whole.rs": "fn f() -> u8 { <Page as Kind>::MOST + crate::page::Page::LEAST + ::MOST + Page::<u8>::LEAST }\n",
    "notes.md": "Count::LEAST\n",
}


def test_a_constant_of_a_type_is_followed_by_all_who_name_it() -> None:
    for verdict in judged(CHANGED, OTHERS).values():
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert verdict.reasons == ("rename LEAST->MOST",)


@pytest.mark.parametrize(
    "text",
    [
        TYPE + "impl Count {\n    fn LEAST() -> Count { Count(1) }\n}\nfn f() { Count::LEAST(); }\n",
        "struct Count<T>(T);\nimpl<T> Count<T> { const LEAST: u8 = 1; }\nfn f() { g(Count::<u8>::LEAST) }\n",
        "enum Count { A }\nimpl Count { const LEAST: u8 = 1; }\nfn f() { assert!(a == Count::LEAST) }\n",
        TYPE + "impl Count { const LEAST: u8 = 1; }\nimpl fmt::Kind for Count { fn f() { g(Self::LEAST) } }\n",
        TYPE + "impl Count { const LEAST: u8 = 1; }\nimpl m::Count { fn f() { assert!(Self::LEAST) } }\n",
    ],
)
def test_what_a_type_has_is_renamed_however_it_is_asked_for(text: str) -> None:
    found = classes({"src/count.rs": _both(text)}, {"src/page.rs": OTHERS["src/page.rs"]})
    assert found == {"src/count.rs": REFACTOR}


def test_who_names_it_is_a_refactor_if_its_function_does_something_else() -> None:
    text = TYPE + "impl Count { fn LEAST() -> u8 { 1 } }\n"
    before, after = _both(text)
    found = classes({"src/count.rs": (before, after.replace("1", "2")), "src/idle.rs": USER}, OTHERS)
    assert found == {"src/count.rs": EVOLUTION, "src/idle.rs": REFACTOR}


OWN = "impl Count { const LEAST: u8 = 1; }\n"


@pytest.mark.parametrize(
    ("changed", "others"),
    [
        pytest.param({}, {"src/b.rs": "fn f() { g(crate::Count::LEAST) }\n"}, id="one is left"),
        pytest.param({}, {"src/b.rs": "fn f() { assert!(a == Count::LEAST) }\n"}, id="one is left in a macro"),
        pytest.param({}, {"src/b.rs": "fn f() { g(Count::MOST) }\n"}, id="it was there"),
        pytest.param({}, {"src/b.rs": "impl Kind for Count { const MOST: u8 = 2; }\n"}, id="a trait gives it"),
        pytest.param(
            {}, {"src/b.rs": "impl Kind for Count { const LEAST: u8 = 2; }\n"}, id="a trait gives the old one"
        ),
        pytest.param({}, {"src/b.rs": "impl Kind for Count { fn f() { g(Self::MOST) } }\n"}, id="it was asked for"),
        pytest.param({}, {"src/b.rs": "type Other = Count;\nfn f() { g(Other::LEAST) }\n"}, id="another name for it"),
        pytest.param(
            {}, {"src/b.rs": "use crate::Count as Other;\nfn f() { g(Other::LEAST) }\n"}, id="taken under another name"
        ),
        pytest.param({}, {"src/b.rs": "struct Count;\n"}, id="two types of that name"),
        pytest.param({}, {"src/b.rs": "fn f<Count: Kind>() { g(Count::LEAST) }\n"}, id="a parameter of that name"),
        pytest.param({}, {"src/b.rs": "fn f() { all!(Count); }\n"}, id="a macro is given the type"),
        pytest.param(
            {}, {"src/b.rs": "macro_rules! all { () => { Count::LEAST }; }\n"}, id="a macro of the repository"
        ),
        pytest.param({}, {"src/b.rs": "fn f(a: Count) { g(<Count>::LEAST) }\n"}, id="in brackets"),
        pytest.param({}, {"src/b.rs": "fn f() { g(Count::LEAST {{{ \n"}, id="what does not parse"),
        pytest.param(
            {"src/idle.rs": (USER[0] + "struct P;\nimpl P { const LEAST: u8 = 1; }\n", USER[1])},
            {},
            id="both in one file",
        ),
        pytest.param({"src/count.rs": (HOME[0], HOME[1].replace("Count(1)", "Count(2)"))}, {}, id="another value"),
        pytest.param({"src/count.rs": _both(f"{TYPE}#[napi]\n{OWN}")}, {}, id="an attribute knows it"),
        pytest.param(
            {"src/idle.rs": _both("fn f() { quote! { Count::LEAST } }\n")}, {}, id="written into other programs"
        ),
        pytest.param(
            {"src/count.rs": _both(TYPE + "impl Kind for Count { const LEAST: u8 = 1; }\n")}, {}, id="a trait's"
        ),
        pytest.param({"src/count.rs": _both(TYPE + "impl Count { fn LEAST(&self) {} }\n")}, {}, id="a method"),
        pytest.param({"src/count.rs": _both("const LEAST: u8 = 1;\n" + TYPE)}, {}, id="of no type"),
        pytest.param({"src/count.rs": _both("impl Count { const LEAST: u8 = 1; }\n")}, {}, id="the type is elsewhere"),
    ],
)
def test_what_may_be_of_the_type_keeps_its_name(changed: Versions, others: dict[str, str]) -> None:
    found = classes({**CHANGED, **changed}, {**OTHERS, **others})
    assert found["src/idle.rs"] is EVOLUTION


def test_a_file_that_comes_or_goes_names_it_too() -> None:
    changed = {**CHANGED, "src/new.rs": (None, USER[1]), "src/gone.rs": (USER[0], None)}
    assert classes(changed, OTHERS)["src/idle.rs"] is REFACTOR
    assert classes({**CHANGED, "src/new.rs": (None, USER[0])}, OTHERS)["src/idle.rs"] is EVOLUTION


def test_who_names_it_by_a_path_is_followed() -> None:
    changed = {**CHANGED, "src/idle.rs": _both("fn f() -> bool { a == crate::count::Count::LEAST || crate::LEAST }\n")}
    assert classes(changed, OTHERS)["src/idle.rs"] is EVOLUTION  # one is of a module
    changed = {**CHANGED, "src/idle.rs": _both("fn f() { assert!(a == crate::count::Count::LEAST) }\n")}
    assert classes(changed, OTHERS)["src/idle.rs"] is REFACTOR


def test_what_a_macro_makes_of_a_type_is_not_told() -> None:
    for made in (
        "all! { fn f() { g(Count::<u8>::LEAST) } }\n",
        "fn h(a: Count) {}\nall! { fn f() { g(Self::LEAST) } }\n",
    ):
        assert classes(CHANGED, {**OTHERS, "src/b.rs": made})["src/idle.rs"] is EVOLUTION


def test_without_the_repository_none_is_renamed() -> None:
    assert set(classes(CHANGED, Repository(OTHERS, can_search=False)).values()) == {EVOLUTION}


def test_a_use_that_takes_another_one_is_behaviour() -> None:
    user = (USER[0], USER[1].replace("Count::MOST", "Count::LAST"))
    assert classes({**CHANGED, "src/idle.rs": user}, OTHERS)["src/idle.rs"] is EVOLUTION


KIND = _both(
    "#[derive(Debug, PartialEq)]\npub enum Count { LEAST, Other(u8) }\n"
    "impl Count {\n    fn f(&self) -> bool { matches!(self, Self::LEAST) }\n"
    "    fn g() -> Self { if h() { Count::LEAST } else { Self::Other(1) } }\n}\n"
)
ASKING = _both(
    "use crate::count::Count;\nfn f(a: Count) -> u8 {\n    match a { Count::LEAST => 1, Count::Other(b) => b }\n}\n"
)
OTHER_KINDS = {
    **OTHERS,
    "src/signs.rs": "enum Sign { LEAST, MOST }\nuse Sign::*;\nfn f(a: Sign) { g(LEAST, MOST) }\n",
}


def test_a_variant_is_followed_by_all_who_name_it() -> None:
    for verdict in judged({"src/count.rs": KIND, "src/idle.rs": ASKING}, OTHER_KINDS).values():
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert verdict.reasons == ("rename LEAST->MOST",)
    taken = _both("use crate::count::Count::LEAST as First;\nfn f(a: Count) -> bool { a == First }\n")
    assert classes({"src/count.rs": KIND, "src/idle.rs": taken}, OTHER_KINDS)["src/idle.rs"] is REFACTOR


@pytest.mark.parametrize(
    ("home", "others"),
    [
        pytest.param(KIND, {"src/b.rs": "fn f() { g(crate::Count::LEAST) }\n"}, id="one is left"),
        pytest.param(KIND, {"src/b.rs": "use crate::Count::*;\nfn f() { g(LEAST) }\n"}, id="all are taken"),
        pytest.param(KIND, {"src/b.rs": "#[cfg(a)]\nuse crate::Count::*;\nfn f() { g(LEAST) }\n"}, id="all, maybe"),
        pytest.param(KIND, {"src/b.rs": "use crate::Count::LEAST;\nfn f() { g(LEAST) }\n"}, id="it is taken by name"),
        pytest.param(KIND, {"src/b.rs": "impl Count { const MOST: u8 = 1; }\n"}, id="it was there"),
        pytest.param(tuple("#[derive(Serialize)]\n" + text for text in KIND), {}, id="it is written out"),
        pytest.param((KIND[0], KIND[1].replace("MOST, ", "MOST(u8), ")), {}, id="it holds something"),
        pytest.param((KIND[0], KIND[1].replace("MOST, ", "MOST = 2, ")), {}, id="it has another number"),
    ],
)
def test_a_variant_that_may_be_named_otherwise_keeps_its_name(home: tuple[str, str], others: dict[str, str]) -> None:
    found = classes({"src/count.rs": home, "src/idle.rs": ASKING}, {**OTHER_KINDS, **others})
    assert found["src/idle.rs"] is EVOLUTION


def test_a_file_that_names_a_variant_alone_is_not_followed() -> None:
    taken = _both("use crate::count::Count::LEAST;\nfn f(a: Count) -> bool { a == LEAST }\n")
    assert classes({"src/count.rs": KIND, "src/idle.rs": taken}, OTHER_KINDS)["src/idle.rs"] is EVOLUTION

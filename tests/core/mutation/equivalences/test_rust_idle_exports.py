"""Imports of Rust that hand a name on: those that no one takes it from, and those that someone may."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
Change = tuple[str, str, str]
LIB = "mod lib {{\n    pub use std::ops::{{Range{}}};\n}}\nuse lib::*;\npub fn f(a: Range<u8>) {{}}\n"
MOD = "mod plan;\n\npub(crate) use self::plan::{{{}Plan}};\n"
WITHIN: Change = ("src/lib.rs", LIB.format(", RangeFull"), LIB.format(""))
CRATE: Change = ("src/town/mod.rs", MOD.format("Size, "), MOD.format(""))
OPEN: Change = ("src/town.rs", "pub use plan::{Plan, Size};\n", "pub use plan::Plan;\n")
PLAN = "pub(crate) struct Plan;\npub(crate) enum Size { A }\nfn f(a: Size) -> Plan { Plan }\n"

GONE: dict[str, tuple[Change, dict[str, str]]] = {
    "of a private module in the file": (WITHIN, {}),
    "of the crate alone": (CRATE, {"src/lib.rs": "mod town;\n", "src/town/plan.rs": PLAN}),
    "of a file that is a private module": (OPEN, {"src/lib.rs": "mod town;\npub mod city;\n", "src/plan.rs": PLAN}),
    "of the crate's own file": (
        ("src/lib.rs", "mod plan;\npub(crate) use plan::Size;\n", "mod plan;\n"),
        {"src/plan.rs": PLAN},
    ),
    "of a name that another file declares": (
        CRATE,
        {"src/b.rs": "use super::*;\nenum Size { B }\nfn f(a: Size) {}\n"},
    ),
    "of a name that another file has from elsewhere": (
        CRATE,
        {"src/b.rs": "use crate::city::{town, Size};\nfn f(a: Size) {}\n"},
    ),
}


@pytest.mark.parametrize("name", GONE)
def test_what_no_one_takes_from_a_module_may_go(name: str) -> None:
    (path, old, new), others = GONE[name]
    for versions in ((old, new), (new, old)):
        verdict = judged({path: versions}, others)[path]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert verdict.reasons == ("unused imports",)


KEPT: dict[str, tuple[Change, dict[str, str]]] = {
    "by its path": (CRATE, {"src/b.rs": "use crate::town::Size;\n"}),
    "by its path among others": (CRATE, {"src/b.rs": "use crate::{city, town::{Plan, Size}};\n"}),
    "in a function": (CRATE, {"src/b.rs": "fn f() { town::Size::A }\n"}),
    "by the module around": (CRATE, {"src/town/b.rs": "use super::Size;\n"}),
    "by all names of it": (CRATE, {"src/b.rs": "use crate::town::*;\nfn f(a: Size) {}\n"}),
    "by all names of one around": (CRATE, {"src/town/b.rs": "use super::*;\nfn f(a: Size) {}\n"}),
    "by what exports all names of it": (CRATE, {"src/lib.rs": "mod town;\npub use town::*;\n"}),
    "by another name of it": (CRATE, {"src/b.rs": "use crate::town as t;\nfn f(a: t::Size) {}\n"}),
    "by another name among others": (CRATE, {"src/b.rs": "use crate::town::{self as t, Plan};\nfn f(a: t::Size) {}\n"}),
    "in a macro": (CRATE, {"src/b.rs": "macro_rules! m { () => { $crate::town::Size } }\n"}),
    "in the file": (
        ("src/town/mod.rs", CRATE[1] + "fn g(a: Size) {}\n", CRATE[2] + "fn g(a: Size) {}\n"),
        {"src/lib.rs": "mod town;\n"},
    ),
    "what all see": (OPEN, {"src/lib.rs": "pub mod town;\n"}),
    "what is exported": (OPEN, {"src/lib.rs": "mod town;\npub use town::Size;\n"}),
    "a module that is exported": (OPEN, {"src/lib.rs": "mod town;\npub use town as places;\n"}),
    "a module of which nothing is known": (OPEN, {}),
    "of another file": (
        ("src/town/mod.rs", CRATE[1], CRATE[2].replace("self::plan::{", "self::plan::{Side, ")),
        {"src/lib.rs": "mod town;\n"},
    ),
    "in what is a part of the file": (
        ("src/lib.rs", 'include!("p.rs");\npub(crate) use plan::Size;\n', 'include!("p.rs");\n'),
        {},
    ),
    "a module that has its file elsewhere": (
        ("src/town.rs", "pub(crate) use plan::Size;\nmod plan;\n", "mod plan;\n"),
        {"src/lib.rs": '#[path = "town.rs"]\nmod city;\nuse city::Size;\n'},
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_someone_may_take_from_a_module_stays(name: str) -> None:
    (path, old, new), others = KEPT[name]
    assert judged({path: (old, new)}, others)[path].mutation_class is EVOLUTION


def test_without_the_repository_nothing_is_known() -> None:
    path, old, new = CRATE
    assert judged({path: (old, new)}, Repository({}, can_search=False))[path].mutation_class is EVOLUTION


def test_a_file_of_the_change_that_lost_the_name_takes_it_no_more() -> None:
    path, old, new = CRATE
    other = ("use super::*;\nfn f(a: Size) {}\n", "use super::*;\nfn f(a: u8) {}\n")
    assert judged({path: (old, new), "src/town/b.rs": other})[path].mutation_class is REFACTOR

"""Items of Rust that one module renamed, and names that other modules have as well."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository, classes, judged

_HOME = (
    "pub struct Lock<T> { a: T }\nimpl<T> Lock<T> { fn f() -> Lock<T> { Lock { a: 1 } } }\n",
    "pub struct Spin<T> { a: T }\nimpl<T> Spin<T> { fn f() -> Spin<T> { Spin { a: 1 } } }\n",
)
_USER = ("use crate::utils::Lock;\nfn f(a: Lock) {}\n", "use crate::utils::Spin;\nfn f(a: Spin) {}\n")
_OTHER = {
    "src/b.rs": "use std::sync::Lock;\nfn f(a: Lock) -> std::sync::Spin { Lock::g(a) }\n",
    "src/c.rs": "struct Spin;\nmod t { use super::*; fn f(a: Spin) {} }\n",
    "notes.txt": "Lock and Spin\n",
    "a.h": "Lock\n",
}


def test_an_item_is_renamed_in_its_module_and_in_those_that_take_it_from_there() -> None:
    verdicts = judged({"src/utils.rs": _HOME, "src/a.rs": _USER}, _OTHER)
    for verdict in verdicts.values():
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert verdict.reasons == ("rename Lock->Spin",)


def test_a_module_that_hands_an_item_on_is_followed() -> None:
    changed = {
        "src/utils.rs": _HOME,
        "src/lib.rs": ("mod utils;\npub use utils::Lock;\n", "mod utils;\npub use utils::Spin;\n"),
        "src/a.rs": ("use crate::Lock;\nfn f(a: crate::Lock) {}\n", "use crate::Spin;\nfn f(a: crate::Spin) {}\n"),
    }
    assert set(classes(changed, _OTHER).values()) == {MutationClass.AST_REFACTOR}


_STAR = "use crate::utils::*;\n"


@pytest.mark.parametrize(
    ("changed", "others"),
    [
        ({}, {"src/b.rs": "use crate::utils::Lock;\nfn f(a: Lock) {}\n"}),
        ({}, {"src/b.rs": "fn f(a: crate::utils::Lock) {}\n"}),
        ({}, {"src/b.rs": f"{_STAR}use std::Spin;\nfn f(a: Spin) {{}}\n"}),
        ({}, {"src/b.rs": "fn f(a: Lock) {}\n"}),
        ({}, {"src/b.rs": "use super::Lock;\nfn f(a: Lock) {}\n"}),
        ({}, {"src/b.rs": "use std::Lock;\nfn f() { use std::*; g(Lock) }\n"}),
        ({}, {"src/b.rs": "fn f( {{{ Lock\n"}),
        ({}, {"b/utils.rs": "struct Lock;\nstruct Spin;\n"}),
        ({"src/utils.rs": (_HOME[0], _HOME[1] + "fn g(a: Lock) {}\n")}, {}),
        ({"src/utils.rs": (_HOME[0] + "struct Spin;\n", _HOME[1] + "struct Spin;\n")}, {}),
        ({"src/utils.rs": (_HOME[0], _HOME[1].replace("a: T", "b: T"))}, {}),
        ({"src/utils.rs": ("#[derive(Serialize)]\n" + _HOME[0], "#[derive(Serialize)]\n" + _HOME[1])}, {}),
        ({"src/utils.rs": (_HOME[0] + "enum E { Lock }\n", _HOME[1] + "enum E { Spin }\n")}, {}),
        ({"src/utils.rs": (_HOME[0] + "fn g() { h(E::Lock) }\n", _HOME[1] + "fn g() { h(E::Spin) }\n")}, {}),
        ({"src/utils.rs": (_HOME[0] + 'fn g() { h("Lock") }\n', _HOME[1] + 'fn g() { h("Lock") }\n')}, {}),
        (
            {"src/utils.rs": (_HOME[0] + "fn g() { stringify!(Lock) }\n", _HOME[1] + "fn g() { stringify!(Spin) }\n")},
            {},
        ),
        (
            {
                "src/utils.rs": (
                    _HOME[0] + "fn g() { use b::*; h(Lock) }\n",
                    _HOME[1] + "fn g() { use b::*; h(Spin) }\n",
                )
            },
            {},
        ),
        ({"src/d.rs": ("use std::Lock;\nfn f(a: Lock) {}\n", "use std::Spin;\nfn f(a: Spin, b: Lock) {}\n")}, {}),
        ({"src/d.rs": (None, "use crate::utils::Lock;\nfn f(a: Lock) {}\n")}, {}),
        ({"src/d.rs": ("use crate::utils::Lock;\nfn f(a: Lock) {}\n", None)}, {}),
    ],
)
def test_an_item_that_is_left_somewhere_or_is_another_stays_behaviour(
    changed: dict[str, tuple[str | None, str | None]], others: dict[str, str]
) -> None:
    verdicts = classes({"src/utils.rs": _HOME, "src/a.rs": _USER, **changed}, {**_OTHER, **others})
    assert verdicts["src/utils.rs"] is MutationClass.INTENT_EVOLUTION
    assert verdicts["src/a.rs"] is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(("old", "new"), [("Lock", "spin"), ("Option", "Spin"), ("Lock", "Vec")])
def test_names_that_all_files_know_stay_behaviour(old: str, new: str) -> None:
    changed = {
        path: (before.replace("Lock", old), after.replace("Spin", new))
        for path, (before, after) in {"src/utils.rs": _HOME, "src/a.rs": _USER}.items()
    }
    others = {"src/b.rs": f"use std::{old};\nuse std::{new};\nfn f(a: {old}) -> {new} {{ g(a) }}\n"}
    assert set(classes(changed, others).values()) == {MutationClass.INTENT_EVOLUTION}


def test_items_are_not_followed_where_nothing_can_be_searched() -> None:
    verdicts = classes({"src/utils.rs": _HOME, "src/a.rs": _USER}, Repository(_OTHER, can_search=False))
    assert set(verdicts.values()) == {MutationClass.INTENT_EVOLUTION}


def test_an_item_of_a_file_that_moved_is_known_by_its_old_module_too() -> None:
    old, new = ("use monitor::Monitor;\nfn f(a: Monitor) {}\n", "use waker::Waker;\nfn f(a: Waker) {}\n")
    edits = [
        FileVersions("src/waker.rs", Change.RENAME, b"struct Monitor;\n", b"struct Waker;\n", "src/monitor.rs"),
        FileVersions("src/a.rs", Change.MODIFY, old.encode(), new.encode()),
        FileVersions("src/lib.rs", Change.MODIFY, b"mod a;\nmod monitor;\n", b"mod a;\nmod waker;\n"),
    ]
    for others in ({}, {"src/b.rs": "use std::Waker;\nfn f(a: Waker) {}\n"}):
        verdicts = classify_change(edits, others=Repository(others))
        assert {verdict.mutation_class for verdict in verdicts} == {MutationClass.AST_REFACTOR}, verdicts

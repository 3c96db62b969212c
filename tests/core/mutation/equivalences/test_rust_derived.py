"""`Default` of Rust, derived or written by hand."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION


def _class(fields: str, values: str, head: str = "", derived: str = "#[derive(Default)]\n") -> set[MutationClass]:
    kind = f"pub struct A {{ {fields} }}\n"
    by_hand = f"{head}{kind}impl Default for A {{ fn default() -> Self {{ A {{ {values} }} }} }}\n"
    by_macro = f"{head}{derived}{kind}"
    pairs = ((by_hand, by_macro), (by_macro, by_hand))
    return {judged({"a.rs": pair})["a.rs"].mutation_class for pair in pairs}


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        ("a: u8, b: i64, c: usize", "a: 0, b: 0, c: 0"),
        ("a: bool, b: Option<Vec<u8>>", "b: None, a: false"),
        ("a: Vec<u8>, b: Vec<u8>, c: Vec<u8>", "a: Vec::new(), b: vec![], c: Vec::default()"),
        ("a: String, b: String, c: String", 'a: String::new(), b: "".to_string(), c: String::from("")'),
        ("a: HashMap<B, C>, b: D", "a: HashMap::new(), b: Default::default()"),
        ("pub a: u8", "a: 0,"),
    ],
)
def test_a_default_that_gives_each_field_what_its_type_gives_may_be_derived(fields: str, values: str) -> None:
    assert _class(fields, values) == {REFACTOR}


@pytest.mark.parametrize(
    ("head", "derived"),
    [
        ("#[repr(C)]\n", "#[derive(Default)]\n"),
        ("#[serde(default)]\nuse a::b;\n", "#[derive(Default)]\n"),
    ],
)
def test_other_attributes_may_stand_before_it(head: str, derived: str) -> None:
    assert _class("a: u8", "a: 0", head, derived) == {REFACTOR}


def test_it_may_join_what_is_derived_already() -> None:
    before = "#[derive(Debug, Clone)]\nstruct A { a: u8 }\nimpl Default for A { fn default() -> A { Self { a: 0 } } }\n"
    for after in (
        "#[derive(Debug, Clone, Default)]\nstruct A { a: u8 }\n",
        "#[derive(Default, Clone, Debug,)]\nstruct A { a: u8 }\n",
    ):
        assert judged({"a.rs": (before, after)})["a.rs"].mutation_class is REFACTOR
        assert judged({"a.rs": (after, before)})["a.rs"].mutation_class is REFACTOR


@pytest.mark.parametrize(
    ("fields", "values", "head"),
    [
        ("a: u8", "a: 1", ""),
        ("a: bool", "a: true", ""),
        ("a: f64", "a: 1.0", ""),
        ("a: B", "a: B::new()", ""),
        ("a: B", "a: B::default()", ""),
        ("a: Vec<u8>", "a: Vec::with_capacity(8)", ""),
        ("a: Vec<u8>", "a: vec![0]", ""),
        ("a: Option<u8>", "a: Some(0)", ""),
        ("a: String", 'a: "b".to_string()', ""),
        ("a: u8, b: u8", "a: 0, ..B::c()", ""),
        ("a: u8", "a: 0, ..B::c()", ""),
        ("a: Vec<u8>", "a: Vec::new()", "struct Vec;\n"),
        ("a: u8", "a: 0", "trait Default {}\n"),
        ("a: u8", "a: 0", "#[macro_attribute]\n"),
    ],
)
def test_what_may_give_something_else_is_none(fields: str, values: str, head: str) -> None:
    assert _class(fields, values, head) == {EVOLUTION}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("struct A<T> { a: Option<T> }\nimpl<T> Default for A<T> { fn default() -> Self { A { a: None } } }\n",
         "#[derive(Default)]\nstruct A<T> { a: Option<T> }\n"),
        ("struct A { a: u8 }\nimpl Default for A { fn default() -> Self { b(); A { a: 0 } } }\n",
         "#[derive(Default)]\nstruct A { a: u8 }\n"),
        ("struct A { a: u8 }\n#[cfg(b)]\nimpl Default for A { fn default() -> Self { A { a: 0 } } }\n",
         "#[derive(Default)]\nstruct A { a: u8 }\n"),
        ("struct A { a: u8 }\n#[cfg(b)]\nimpl Default for A { fn default() -> Self { A { a: 0 } } }\nstruct C;\n",
         "#[derive(Default)]\nstruct A { a: u8 }\n#[cfg(b)]\nstruct C;\n"),
        ("struct A { a: u8 }\nimpl Clone for A { fn clone(&self) -> Self { A { a: 0 } } }\n",
         "#[derive(Clone)]\nstruct A { a: u8 }\n"),
        ("struct A { a: u8 }\nimpl Default for A { fn default() -> Self { B { a: 0 } } }\n",
         "#[derive(Default)]\nstruct A { a: u8 }\n"),
        ("struct A { a: u8 }\nimpl Default for A { fn other() -> Self { A { a: 0 } } }\n",
         "#[derive(Default)]\nstruct A { a: u8 }\n"),
        ("struct A(u8);\nimpl Default for A { fn default() -> Self { A(0) } }\n",
         "#[derive(Default)]\nstruct A(u8);\n"),
        ("mod b { struct A { a: u8 } }\nimpl Default for A { fn default() -> Self { A { a: 0 } } }\n",
         "mod b { #[derive(Default)] struct A { a: u8 } }\n"),
        ("struct A { a: u8 }\nimpl Default for A { fn default() -> Self { A { a: 0 } } fn b() {} }\n",
         "#[derive(Default)]\nstruct A { a: u8 }\n"),
    ],
)  # fmt: skip
def test_another_impl_is_none(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        assert judged({"a.rs": (old, new)})["a.rs"].mutation_class is EVOLUTION


_ENUM = "enum A { B, #[x] C, D(u8) }\nimpl Default for A { fn default() -> Self { %s } }\n"
_MARKED = "#[derive(Default)]\nenum A { B, #[x] #[default] C, D(u8) }\n"


@pytest.mark.parametrize("given", ["A::C", "Self::C"])
def test_the_variant_that_is_given_may_be_marked(given: str) -> None:
    for pair in ((_ENUM % given, _MARKED), (_MARKED, _ENUM % given)):
        assert judged({"a.rs": pair})["a.rs"].mutation_class is REFACTOR


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_ENUM % "A::B", _MARKED),
        (_ENUM % "E::C", _MARKED),
        (_ENUM % "A::D(0)", _MARKED),
        (_ENUM % "A::D", _MARKED.replace("#[default] C, D", "C, #[default] D")),
        (_ENUM % "A::E", _MARKED),
        (_ENUM % "{ g(); A::C }", _MARKED),
        (_ENUM % "A::C", _MARKED.replace("#[default] ", "")),
        ("#[other]\n" + _ENUM % "A::C", "#[other]\n" + _MARKED),
        (_ENUM.replace("impl", "#[cfg(x)]\nimpl") % "A::C", _MARKED),
    ],
)
def test_another_variant_or_one_that_is_made_may_not(before: str, after: str) -> None:
    for pair in ((before, after), (after, before)):
        assert judged({"a.rs": pair})["a.rs"].mutation_class is EVOLUTION

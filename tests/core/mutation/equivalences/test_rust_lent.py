"""Arguments of Rust that are lent anyway: which functions are meant, and what they take, the repository tells."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

USER = "use super::b::{all, every, near, show, told, Tale, Unit}; use other::shown; fn f(a: &Unit) { %s }"
OTHERS = {
    "src/b.rs": """
pub struct Unit;
pub trait Tale {}
pub fn show(a: &Unit, b: &mut Vec<u8>) {}
pub fn all(a: &Tale, b: Unit, c: &Far, d: &far::Unit) {}
pub fn every<T>(a: &T, b: &Vec<T>, c: &dyn Tale) {}
pub fn shown(a: &Unit) {}
use super::kinds::Near;
use far::Away;
pub fn near(a: &Near, b: &Away) {}
pub fn told(a: &Kind) { if let Kind::One(b) = a {} }
impl Unit {
    pub fn new(a: &str) -> Unit {}
    pub fn size(&self, a: &[u8]) -> usize {}
}
impl<T> Tale for Other<T> {
    fn new(a: T) {}
}
pub mod inner {
    pub fn deep(a: &[u8]) {}
}
""",
    "src/kinds.rs": "pub struct Near; pub struct Away;",
    "src/c.md": "fn show(a: Unit)",
}
OWN = """struct A; struct B; impl A {{ fn f(&self, a: &B) {{ {0} }} fn g(&self, b: &B) {{}} fn h<T>(&self, t: &T) {{}}
fn m(b: &mut B, c: &Self) {{}} }} trait C {{ fn k(&self, b: &B); fn l(&self, b: &B) {{ {1} }} }}"""
LENT = [
    (USER, "show(&a, &mut b);", "show(a, b);"),
    (USER, "show(&a.b, c); show(&*a, c); show(*d, c);", "show(a.b, c); show(&a, c); show(d, c);"),
    (USER, "Unit::new(&a);", "Unit::new(a);"),
    (USER, "told(&a);", "told(a);"),
    (USER, "near(&a, b);", "near(a, b);"),
    (USER, "told(&a.kind().own()); told(&a[0]);", "told(a.kind().own()); told(a[0]);"),
    (USER, "crate::b::show(&a, c);", "crate::b::show(a, c);"),
    (USER, "super::b::inner::deep(&a);", "super::b::inner::deep(a);"),
    ("use super::b::show as shown; fn f() { %s }", "shown(&a, b);", "shown(a, b);"),
]
NOT_LENT = [
    (USER, "show(&a, b);", "show(b, a);"),
    (USER, "show(&mut a, b);", "show(a, b);"),
    (USER, "near(a, &b);", "near(a, b);"),
    (USER, "show(&a.into(), b);", "show(a.into(), b);"),
    (USER, "show(&a.parse().unwrap(), b);", "show(a.parse().unwrap(), b);"),
    (USER, "show(&a.b(c), b);", "show(a.b(c), b);"),
    (USER, "show(&make(), b);", "show(make(), b);"),
    (USER, "show(a, &b);", "show(a, b);"),
    (USER, "all(&a, b, c, d);", "all(a, b, c, d);"),
    (USER, "all(a, &b, c, d);", "all(a, b, c, d);"),
    (USER, "all(a, b, &c, d);", "all(a, b, c, d);"),
    (USER, "all(a, b, c, &d);", "all(a, b, c, d);"),
    (USER, "every(&a, b, c);", "every(a, b, c);"),
    (USER, "every(a, &b, c);", "every(a, b, c);"),
    (USER, "every(a, b, &c);", "every(a, b, c);"),
    (USER, "show(a, b, &c);", "show(a, b, c);"),
    (USER, "Tale::new(&a);", "Tale::new(a);"),
    (USER, "Unit::size(&a, b);", "Unit::size(a, b);"),
    (USER, "none(&a);", "none(a);"),
    (USER, "Unit::none(&a);", "Unit::none(a);"),
    (USER, "shown(&a);", "shown(a);"),
    (USER, "shown::<A>(&a);", "shown::<A>(a);"),
    (USER, "let show = c; show(&a, b);", "let show = c; show(a, b);"),
    (USER, "a.new(&b);", "a.new(b);"),
    (USER, "show(-a, b);", "show(a, b);"),
    (USER, "Vec::<u8>::new(&b);", "Vec::<u8>::new(b);"),
    ("use super::b::Unit; mod c { use d::*; fn f() { %s } }", "show(&a, b);", "show(a, b);"),
    ("use d::*; fn f() { %s }", "show(&a, b);", "show(a, b);"),
]


@pytest.mark.parametrize(("file", "before", "after"), LENT)
def test_what_is_lent_anyway_needs_no_sign(file: str, before: str, after: str) -> None:
    for pair in ((file % before, file % after), (file % after, file % before)):
        verdict = judged({"src/a.rs": pair}, OTHERS)["src/a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert judged({"src/a.rs": pair})["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION
        blind = Repository(OTHERS, can_search=False)
        assert judged({"src/a.rs": pair}, blind)["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(("file", "before", "after"), NOT_LENT)
def test_what_may_be_another_function_or_take_anything_keeps_its_sign(file: str, before: str, after: str) -> None:
    for pair in ((file % before, file % after), (file % after, file % before)):
        assert judged({"src/a.rs": pair}, OTHERS)["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(
    ("before", "after"),
    [("self.g(&a);", "self.g(a);"), ("Self::m(&mut *a, c);", "Self::m(a, c);"), ("A::m(&mut a, c);", "A::m(a, c);")],
)
def test_methods_of_self_are_those_of_the_type(before: str, after: str) -> None:
    pair = (OWN.format(before, ""), OWN.format(after, ""))
    verdict = judged({"src/a.rs": pair}, OTHERS)["src/a.rs"]
    assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("self.h(&a);", "self.h(a);"),
        ("self.x(&a);", "self.x(a);"),
        ("Self::m(a, &c);", "Self::m(a, c);"),
        ("self.m(&mut a);", "self.m(a);"),
        ("a.g(&a);", "a.g(a);"),
    ],
)
def test_other_methods_are_not_known(before: str, after: str) -> None:
    pair = (OWN.format(before, ""), OWN.format(after, ""))
    assert judged({"src/a.rs": pair}, OTHERS)["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_methods_of_a_trait_are_its_own() -> None:
    pair = (OWN.format("", "self.k(&a);"), OWN.format("", "self.k(a);"))
    assert judged({"src/a.rs": pair}, OTHERS)["src/a.rs"].mutation_class is MutationClass.AST_REFACTOR


def test_a_module_that_takes_all_from_around_it_calls_what_stands_there() -> None:
    file = "struct A; fn g(a: &A) {} mod tests { use super::*; fn f() { %s } }"
    pair = (file % "g(&a);", file % "g(a);")
    assert judged({"src/a.rs": pair})["src/a.rs"].mutation_class is MutationClass.AST_REFACTOR
    alone = (pair[0].replace("use super::*;", ""), pair[1].replace("use super::*;", ""))
    assert judged({"src/a.rs": alone})["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_since_the_edition_of_2021_no_trait_is_a_type() -> None:
    pair = (USER % "all(a, b, &c, &d);", USER % "all(a, b, c, d);")
    settings = {**OTHERS, "Cargo.toml": '[package]\nedition = "2021"\n'}
    assert judged({"src/a.rs": pair}, settings)["src/a.rs"].mutation_class is MutationClass.AST_REFACTOR


def test_a_function_that_takes_something_else_before_or_after_the_change_proves_nothing() -> None:
    pair = (USER % "show(&a, b);", USER % "show(a, b);")
    other = ("pub struct Unit; pub fn show<T>(a: &T, b: u8) {}", "pub struct Unit; pub fn show(a: &Unit, b: u8) {}")
    for versions in (other, other[::-1]):
        verdicts = judged({"src/a.rs": pair, "src/b.rs": versions})
        assert verdicts["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_too_many_functions_of_a_name_are_not_looked_at() -> None:
    pair = (USER % "show(&a, b);", USER % "show(a, b);")
    many = {f"src/d{number}.rs": "struct Unit; fn show(a: &Unit, b: u8) {}" for number in range(13)}
    assert judged({"src/a.rs": pair}, many)["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION
    few = dict(list(many.items())[:12])
    assert judged({"src/a.rs": pair}, few)["src/a.rs"].mutation_class is MutationClass.AST_REFACTOR
    broken = {**dict(list(few.items())[:3]), "src/e.rs": "fn show( {"}
    assert judged({"src/a.rs": pair}, broken)["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION

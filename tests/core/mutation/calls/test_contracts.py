"""Methods that an interface, an abstract class or a trait asks for, and that take something else now."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION


def _rust(
    heads: tuple[str, str], own: tuple[str, str], body: str = "g(self.tx.clone())", impl: str = "impl S<A> for T"
) -> Versions:
    one, two = (f"pub trait S<R> {{ fn call{head}; }}" for head in heads)
    before, after = (f"{impl} {{ type X = Y; fn call{head} {{ {body} }} }}" for head in own)
    return {"a.rs": (one, two), "b.rs": (before, after)}


def _java(heads: tuple[str, str], own: tuple[str, str], head: str = "interface A", more: str = "") -> Versions:
    one, two = (f"{head} {{ {each}; }}" for each in heads)
    before, after = (f"class B extends A {{ {each} {{ return g(1); }} {more} }}" for each in own)
    return {"A.java": (one, two), "B.java": (before, after)}


def _go(heads: tuple[str, str], own: tuple[str, str], body: str = "g()") -> Versions:
    one, two = (f"package p\n\ntype S interface {{\n\t{head}\n}}\n" for head in heads)
    before, after = (f"package p\n\nfunc {head} {{ {body} }}\n" for head in own)
    return {"a.go": (one, two), "b.go": (before, after)}


MUT, SHARED = "(&mut self, r: R) -> F", "(&self, r: R) -> F"
BORROWED = (MUT, SHARED), ("(&mut self, r: A) -> F", "(&self, r: A) -> F")
TOLD = ("int f(int a)", "int f(int a, X b)")
OVER = ("@Override public int f(int a)", "@Override public int f(int a, X b)")
GO = ("Draw(a int)", "Draw(a int, b string)")
FOLLOWED: dict[str, Versions] = {
    "borrowed otherwise": _rust(*BORROWED),
    "borrowed by what does nothing": _rust(*BORROWED, body="F"),
    "by its path": _rust(*BORROWED, impl="impl crate::a::S<A> for T"),
    "without what stands in brackets": _rust(*BORROWED, impl="impl S for T"),
    "one more in rust": _rust(
        (SHARED, "(&self, r: R, c: &C) -> F"), ("(&self, r: A) -> F", "(&self, r: A, _: &C) -> F")
    ),
    "one more by name": _rust(
        (SHARED, "(&self, c: C, r: R) -> F"), ("(&self, r: A) -> F", "(&self, _c: C, r: A) -> F")
    ),
    "one less": _rust(
        ("(self, r: R, c: C) -> F", "(self, r: R) -> F"), ("(self, r: A, c: C) -> F", "(self, r: A) -> F")
    ),
    "of an interface": _java(TOLD, OVER),
    "of an abstract class": _java(
        ("abstract int f(int a)", "abstract int f(long a)"),
        ("@Override int f(int a)", "@Override int f(long a)"),
        head="abstract class A",
    ),
    "in go": _go(GO, ("(s square) Draw(a int)", "(s square) Draw(a int, b string)")),
    "in go without names": _go(GO, ("(square) Draw(int)", "(square) Draw(int, string)")),
}
UNFOLLOWED: dict[str, Versions] = {
    "borrowed by what calls its own": _rust(*BORROWED, body="self.go()"),
    "handed on": _rust(*BORROWED, body="g(self)"),
    "handed to a macro": _rust(*BORROWED, body="g!(self.tx)"),
    "of another trait": _rust(*BORROWED, impl="impl Q<S> for T"),
    "of its own": _rust(*BORROWED, impl="impl T"),
    "asked for": _rust(
        (SHARED, "(&self, r: R, c: &C) -> F"), ("(&self, r: A) -> F", "(&self, r: A, c: &C) -> F"), "g(c)"
    ),
    "of several names": _rust(
        (SHARED, "(&self, r: R, c: C) -> F"), ("(&self, r: A) -> F", "(&self, r: A, (c, d): C) -> F")
    ),
    "which asks for the same": _rust((MUT, MUT), BORROWED[1]),
    "twice": _rust(
        ("(&self) -> F; fn call(&self, a: A) -> F", "(&self, r: R) -> F; fn call(&self) -> F"),
        ("(&self) -> F", "(&self, _: A) -> F"),
    ),
    "not for it": _java(TOLD, ("public int f(int a)", "public int f(int a, X b)")),
    "one of two": _java(TOLD, OVER, more="@Override public int f() { return 1; }"),
    "of a method that is there": _java(
        ("int f(int a) { return 1; }", "int f(long a) { return 1; }"),
        ("@Override int f(int a)", "@Override int f(long a)"),
        head="class A",
    ),
    "more than it has to": _java(TOLD, ("@Override public int f(int a)", "@Override public int f(long a, X b)")),
    "any number": _java(("int f(int... a)", "int f(X b, int... a)"), OVER),
    "marked": _java(TOLD, ("@Override public int f(int a)", "@Override public int f(int a, @N X b)")),
    "in go for all": _go(GO, ("(s Square) Draw(a int)", "(s Square) Draw(a int, b string)")),
    "in go of none": _go(GO, ("Draw(a int)", "Draw(a int, b string)")),
    "in go, asked for": _go(GO, ("(s square) Draw(a int)", "(s square) Draw(a int, b string)"), "g(b)"),
    "in another way": _go(GO, ("(s square) Draw(a int)", "(s square) Draw(a int, b string) error")),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_who_takes_what_it_has_to_follows(name: str) -> None:
    home, user = judged(FOLLOWED[name]).values()
    assert home.mutation_class is EVOLUTION
    assert user.mutation_class is REFACTOR, user.reasons
    assert user.reasons[0].startswith("follows what ")


@pytest.mark.parametrize("name", UNFOLLOWED)
def test_who_may_do_something_else_does(name: str) -> None:
    assert list(classes(UNFOLLOWED[name]).values())[1] is EVOLUTION


def test_the_file_that_asks_for_it_is_told_of_it() -> None:
    home, user = FOLLOWED["borrowed otherwise"].values()
    both = {"a.rs": (f"{home[0]}\n{user[0]}", f"{home[1]}\n{user[1]}"), "b.rs": user}
    assert list(classes(both).values()) == [EVOLUTION, REFACTOR]


def test_a_file_that_came_asks_for_nothing_else() -> None:
    (_, home), user = FOLLOWED["borrowed otherwise"].values()
    assert classes({"a.rs": (None, home), "b.rs": user})["b.rs"] is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", FOLLOWED)
def test_no_mutant_of_what_it_does_passes(name: str) -> None:
    (home, versions), (user, (before, after)) = FOLLOWED[name].items()
    assert after is not None
    for mutant in mutants(after, random.Random(name), 20, user.rpartition(".")[2]):
        if mutant.kind not in ("one occurrence", "name", "delete"):  # the type of what is not asked for may be any
            verdicts = classes({home: versions, user: (before, mutant.after)})
            assert verdicts[user] is EVOLUTION, mutant

"""A result of Go that was always nil, and that nothing gets any more."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

BODY = "package a\nfunc (r *real) draw(a int) {}{{ if a > 0 {{ return{} }}\nh(func() error {{ return b }})\ng(a){} }}\n"
FACE = "package a\ntype face interface {{\n\tdraw(a int){}\n}}\nfunc (none) draw(int) {}{{{} }}\n"
CALLS = "package a\nfunc f(s face) error { s.draw(1)\n_ = h(2)\n%s\nreturn nil }\n"
HAD = {
    "a/real.go": BODY.format("error ", " nil", "\nreturn nil"),
    "a/face.go": FACE.format(" error", "error ", " return nil"),
    "a/user.go": CALLS % "_ = s.draw(2)\nif err := s.draw(3); err != nil { return err }",
}
HAS = {
    "a/real.go": BODY.format("", "", ""),
    "a/face.go": FACE.format("", "", ""),
    "a/user.go": CALLS % "s.draw(2)\ns.draw(3)",
}
WHY = "draw returns nothing where it returned nil"


def _versions(before: dict[str, str] | None = None, after: dict[str, str] | None = None) -> Versions:
    had, has = HAD | (before or {}), HAS | (after or {})
    return {path: (had.get(path), has.get(path)) for path in {**had, **has}}


def test_a_result_that_was_always_nil_may_go() -> None:
    verdicts = judged(_versions(), {"b/b.go": "package b\nfunc draw() error { return c }\n", "a/a.md": "draw\n"})
    assert {verdict.mutation_class for verdict in verdicts.values()} == {REFACTOR}
    assert {verdict.reasons for verdict in verdicts.values()} == {(WHY,)}


def test_a_function_without_an_interface_may_lose_such_a_result() -> None:
    before = "package a\nfunc draw() *b { g()\nreturn nil }\nfunc f() { draw()\nif c := draw(); c != nil { c.d() } }\n"
    after = "package a\nfunc draw() { g() }\nfunc f() { draw()\ndraw() }\n"
    assert judged({"a.go": (before, after)})["a.go"].reasons == (WHY,)


def test_a_file_of_the_same_change_in_another_package_is_judged_alone() -> None:
    other = {"b/b.go": "package b\nfunc f() { if c := draw(); c != nil { c.d() } }\n"}
    found = classes(_versions(other, {"b/b.go": "package b\nfunc f() { draw() }\n"}))
    assert (found.pop("b/b.go"), set(found.values())) == (EVOLUTION, {REFACTOR})


REAL, FACES, USER = "a/real.go", "a/face.go", "a/user.go"
WRONG: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "one result is something": ({REAL: HAD[REAL].replace("return nil }", "return b }", 1)}, {}),
    "one result is made of nil": ({REAL: HAD[REAL].replace("return nil }", "return e(nil) }", 1)}, {}),
    "one is left": ({}, {FACES: HAS[FACES].replace("draw(int) { }", "draw(int) error { return nil }")}),
    "two results": ({REAL: HAD[REAL].replace(") error {", ") (error, int) {")}, {}),
    "it has a name": ({REAL: HAD[REAL].replace(") error {", ") (err error) {")}, {}),
    "no body tells": (
        {REAL: "package a\nfunc (r *real) draw(a int) error\n"},
        {REAL: "package a\nfunc (r *real) draw(a int)\n"},
    ),
    "nothing is returned": (
        {FACES: FACE.format(" error", "error ", " panic(1)")},
        {FACES: FACE.format("", "", " panic(1)")},
    ),
    "the result is used": ({USER: CALLS % "return s.draw(2)"}, {USER: CALLS % "s.draw(2)"}),
    "the result is kept": ({USER: CALLS % "x = s.draw(2)"}, {USER: CALLS % "s.draw(2)"}),
    "two are asked for": ({USER: CALLS % "_, x = s.draw(2), 3"}, {USER: CALLS % "s.draw(2)"}),
    "it is added": ({USER: CALLS % "_ += s.draw(2)"}, {USER: CALLS % "s.draw(2)"}),
    "there is something else to do": (
        {USER: CALLS % "if x := s.draw(2); x != nil { g() } else { h() }"},
        {USER: CALLS % "s.draw(2)"},
    ),
    "nil is asked for": ({USER: CALLS % "if x := s.draw(2); x == nil { g() }"}, {USER: CALLS % "s.draw(2)"}),
    "another is asked for": ({USER: CALLS % "if x := s.draw(2); y != nil { g() }"}, {USER: CALLS % "s.draw(2)"}),
    "nothing is asked for": ({USER: CALLS % "if s.draw(2) != nil { g() }"}, {USER: CALLS % "s.draw(2)"}),
    "it is asked for before": ({USER: CALLS % "if x = s.draw(2); x != nil { g() }"}, {USER: CALLS % "s.draw(2)"}),
    "a member is asked for": ({USER: CALLS % "if x := s.draw(2).y; x != nil { g() }"}, {USER: CALLS % "s.draw(2)"}),
    "it is not called": ({USER: CALLS % "x(s.draw)"}, {USER: CALLS % "s.draw"}),
    "it waits": ({USER: CALLS % "go s.draw(2)"}, {USER: CALLS % "s.draw(2)"}),
    "it is still given to something": ({}, {USER: CALLS % "s.draw(2)\nx(s.draw)"}),
    "another argument": ({}, {USER: HAS[USER].replace("draw(3)", "draw(4)")}),
    "more is gone": ({USER: CALLS % "g()\n_ = s.draw(2)"}, {USER: CALLS % "s.draw(2)"}),
    "a text has the name": (
        {USER: CALLS % 'if c := s.draw(2); c != nil { return c }\ng("draw")'},
        {USER: CALLS % 's.draw(2)\ng("draw")'},
    ),
    "a file that does not parse has it": ({"a/c.go": "func draw( {\n"}, {"a/c.go": "func draw() {{ {\n"}),
    "a file in another language has it": ({"a/c.s": "TEXT draw\n"}, {"a/c.s": "TEXT draw \n"}),
    "it is in an interface that stays": ({}, {"a/new.go": "package a\ntype b interface { draw(int) error }\n"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_result_that_may_be_something_is_behaviour(name: str) -> None:
    found = classes(_versions(*WRONG[name]))
    assert found[USER] is EVOLUTION, found


OTHERS = {
    "another file of the package calls it": {"a/b.go": "package a\nfunc g(s face) { _ = s.draw(1) }\n"},
    "another file of the package is no Go": {"a/b.s": "TEXT draw\n"},
}


@pytest.mark.parametrize("name", OTHERS)
def test_all_files_of_the_package_have_to_follow(name: str) -> None:
    assert set(classes(_versions(), OTHERS[name]).values()) == {EVOLUTION}


def test_nothing_is_proven_where_the_package_can_not_be_searched() -> None:
    assert set(classes(_versions(), Repository({}, can_search=False)).values()) == {EVOLUTION}


def test_a_name_that_other_packages_know_keeps_its_result() -> None:
    before, after = ({path: text.replace("draw", "Draw") for path, text in files.items()} for files in (HAD, HAS))
    assert set(classes({path: (before[path], after[path]) for path in HAD}).values()) == {EVOLUTION}


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("path", HAS)
def test_no_behaviour_mutant_passes_where_a_result_went(path: str) -> None:
    made = 0
    for mutant in mutants(HAS[path], random.Random(path), 40, "go"):
        made += 1
        assert EVOLUTION in classes(_versions({}, {path: mutant.after})).values(), mutant
    assert made > 20

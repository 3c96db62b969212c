"""Errors of Go that a function only hands on."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

HEAD = """package p

func e() error { return a }

func two() (int, error) { return 1, nil }

func own() *MyError { return nil }

type T struct{}

func (t *T) m() error { return a }

func (u *U) n() error { return a }

"""
METHOD = "func (t *T) f(x int, u *U) error {\n%s\n}\n"
SAME = [
    ("if err := e(); err != nil {\n return err\n}\nreturn nil", "return e()"),
    ("err := e()\nif err != nil {\n return err\n}\nreturn nil", "return e()"),
    ("g(x)\nif err := t.m(); err != nil {\n return err\n}\nreturn nil", "g(x)\nreturn t.m()"),
    (
        "if x > 1 {\n if err := e(); err != nil {\n  return err\n }\n return nil\n}\nreturn a",
        "if x > 1 {\n return e()\n}\nreturn a",
    ),
    ('g(fmt.Sprint("a"))\nreturn a', 'g("a")\nreturn a'),
]
OTHER = [
    ("if err := own(); err != nil {\n return err\n}\nreturn nil", "return own()"),
    ("if err := other(); err != nil {\n return err\n}\nreturn nil", "return other()"),
    ("if err := u.n(); err != nil {\n return err\n}\nreturn nil", "return u.n()"),
    ("if err := t.n(); err != nil {\n return err\n}\nreturn nil", "return t.n()"),
    ("if err := e(); err == nil {\n return err\n}\nreturn nil", "return e()"),
    ("if err := e(); err != nil {\n return b\n}\nreturn nil", "return e()"),
    ("if err := e(); err != nil {\n return err\n}\nreturn b", "return e()"),
    ("if err := e(); err != nil {\n return err\n} else {\n g(x)\n}\nreturn nil", "return e()"),
    ("e := g\nif err := e(); err != nil {\n return err\n}\nreturn nil", "e := g\nreturn e()"),
    ("t := g()\nif err := t.m(); err != nil {\n return err\n}\nreturn nil", "t := g()\nreturn t.m()"),
    ("if _, err := two(); err != nil {\n return err\n}\nreturn nil", "return two()"),
    ("err = e()\nif err != nil {\n return err\n}\nreturn nil", "return e()"),
    ("if err := e; err != nil {\n return err\n}\nreturn nil", "return e()"),
    (
        "g(func() *M {\n if err := e(); err != nil {\n  return err\n }\n return nil\n})\nreturn a",
        "g(func() *M {\n return e()\n})\nreturn a",
    ),
    ('g(fmt.Sprint("a", x))\nreturn a', 'g("a")\nreturn a'),
    ("g(fmt.Sprint(x))\nreturn a", "g(x)\nreturn a"),
]


def _texts(before: str, after: str, around: str = METHOD) -> list[str]:
    head = HEAD.replace("package p\n", 'package p\n\nimport "fmt"\n') if "fmt." in before else HEAD
    imports = [head if "fmt." in text else head.replace('\nimport "fmt"\n', "") for text in (before, after)]
    return [start + around % text for start, text in zip(imports, (before, after), strict=True)]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_an_error_that_is_only_handed_on_is_a_refactor(before: str, after: str) -> None:
    texts = _texts(before, after)
    for pair in (texts, texts[::-1]):
        verdict = judged({"a.go": (pair[0], pair[1])})["a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_may_return_another_error_stays_behaviour(before: str, after: str) -> None:
    texts = _texts(before, after)
    for pair in (texts, texts[::-1]):
        assert judged({"a.go": (pair[0], pair[1])})["a.go"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_function_that_returns_more_does_not_hand_an_error_on() -> None:
    around = "func f(x int) *MyError {\n%s\n}\n"
    texts = _texts(*SAME[0], around)
    assert judged({"a.go": (texts[0], texts[1])})["a.go"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_an_error_that_the_file_declares_itself_is_another_one() -> None:
    texts = [text + "type error struct{}\n" for text in _texts(*SAME[0])]
    assert judged({"a.go": (texts[0], texts[1])})["a.go"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_function_that_is_called_so_and_changed_tells_what_it_gives() -> None:
    texts = _texts(*SAME[0])
    texts[1] = texts[1].replace(
        "func two() (int, error) { return 1, nil }", "func two() (int, error) { return 1,  nil }"
    )
    assert judged({"a.go": (texts[0], texts[1])})["a.go"].mutation_class is MutationClass.AST_REFACTOR
    texts[1] = texts[1].replace("func e() error {", "func e() *M {")
    assert judged({"a.go": (texts[0], texts[1])})["a.go"].mutation_class is MutationClass.INTENT_EVOLUTION

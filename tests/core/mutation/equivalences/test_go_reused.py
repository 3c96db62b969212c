"""Go: calls of functions that both versions have, in the place of their bodies; and what a call computes first."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

HEAD = 'package a\n\nimport "strings"\n\n'
CLEAN = "func clean(row *Row) { use(row); row.done() }\n"
OTHER = "func Other(row *Row) { clean(row) }\n"
METHOD = "func (s *store) clean(n int) { s.n = n; use(n) }\n"
# What both have, and what has the body in one and the call in the other.
REUSED: dict[str, tuple[str, str, str]] = {
    "a function": (CLEAN, "func f(a *Row) { use(1); use(a); a.done() }", "func f(a *Row) { use(1); clean(a) }"),
    "a function that others call": (
        CLEAN.replace("clean", "Clean") + OTHER.replace("clean", "Clean"),
        "func f(a *Row) { use(1); use(a); a.done() }",
        "func f(a *Row) { use(1); Clean(a) }",
    ),
    "a method": (
        METHOD,
        "func (s *store) f(a int) { use(1); s.n = a; use(a) }",
        "func (s *store) f(a int) { use(1); s.clean(a) }",
    ),
    "one of two calls": (
        CLEAN,
        "func f(a *Row) { clean(a); use(1); use(a); a.done() }",
        "func f(a *Row) { clean(a); use(1); clean(a) }",
    ),
    "a truth": (
        'func isNone(text string) bool { return text == "" || text == "-" }\n',
        'func f(a string) int { if a == "" || a == "-" { return 1 }; return 2 }',
        "func f(a string) int { if isNone(a) { return 1 }; return 2 }",
    ),
    "a field": (
        "func note(text string) { use(text, 1); use(2) }\n",
        "func f(a *Row) { use(3); use(a.text, 1); use(2) }",
        "func f(a *Row) { use(3); note(a.text) }",
    ),
    "a result": (
        "func note(text string) { use(text, 1); use(2) }\n",
        "func f(a *Row) { use(3); use(strings.TrimSpace(a.text), 1); use(2) }",
        "func f(a *Row) { use(3); note(strings.TrimSpace(a.text)) }",
    ),
}
NOT_REUSED: dict[str, tuple[str, str, str]] = {
    "another body": (CLEAN, "func f(a *Row) { use(1); use(a); a.undo() }", "func f(a *Row) { use(1); clean(a) }"),
    "a name of the caller": (
        CLEAN,
        "func f(a *Row, clean func(*Row)) { use(1); use(a); a.done() }",
        "func f(a *Row, clean func(*Row)) { use(1); clean(a) }",
    ),
    "another name of the caller": (
        CLEAN,
        "func f(a *Row, use func(*Row)) { b(); use(a); a.done() }",
        "func f(a *Row, use func(*Row)) { b(); clean(a) }",
    ),
    "a method of another type": (
        METHOD,
        "func (s *shelf) f(a int) { use(1); s.n = a; use(a) }",
        "func (s *shelf) f(a int) { use(1); s.clean(a) }",
    ),
    "a function of types": (
        "func clean[T any](row T) { use(row); row.done() }\n",
        "func f(a *Row) { use(1); use(a); a.done() }",
        "func f(a *Row) { use(1); clean(a) }",
    ),
    "itself": (
        "",
        "func clean(a *Row) { use(a); use(a) }",
        "func clean(a *Row) { use(a); clean(a) }",
    ),
    "a field after something else": (
        "func note(text string) { use(next(), text); use(2) }\n",
        "func f(a *Row) { use(3); use(next(), a.text); use(2) }",
        "func f(a *Row) { use(3); note(a.text) }",
    ),
    "a field that is used twice": (
        "func note(text string) { use(text, 1); use(text) }\n",
        "func f(a *Row) { use(3); use(a.text, 1); use(a.text) }",
        "func f(a *Row) { use(3); note(a.text) }",
    ),
    "a field of a type that may be another": (
        "func note(text Text) { use(text, 1); use(2) }\n",
        "func f(a *Row) { use(3); use(a.text, 1); use(2) }",
        "func f(a *Row) { use(3); note(a.text) }",
    ),
    "what may be a constant": (
        "func note(n float64) { use(n, 1); use(2) }\n",
        "func f(a *Row) { use(3); use(strings.Count, 1); use(2) }",
        "func f(a *Row) { use(3); note(strings.Count) }",
    ),
    "two results": (
        "func note(text string, more string) { use(text, more); use(2) }\n",
        "func f(a *Row) { use(3); use(a.next(), a.last()); use(2) }",
        "func f(a *Row) { use(3); note(a.next(), a.last()) }",
    ),
}


@pytest.mark.parametrize("name", REUSED)
def test_a_call_stands_for_the_body_of_a_function_that_both_have(name: str) -> None:
    both, body, call = REUSED[name]
    for before, after, word in ((body, call, "reused"), (call, body, "inlined")):
        verdict = judged({"a.go": (HEAD + both + before, HEAD + both + after)})["a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert any(reason.startswith(word) for reason in verdict.reasons)


@pytest.mark.parametrize("name", NOT_REUSED)
def test_a_call_that_may_do_something_else_is_none(name: str) -> None:
    both, body, call = NOT_REUSED[name]
    for before, after in ((body, call), (call, body)):
        verdict = judged({"a.go": (HEAD + both + before, HEAD + both + after)})["a.go"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_a_wrong_call_is_never_one() -> None:
    chance = random.Random("reused functions of Go")
    made = 0
    for both, *pair in REUSED.values():
        for before, after in (pair, pair[::-1]):
            for mutant in mutants(after, chance, 20, "go"):
                made += 1
                verdict = judged({"a.go": (HEAD + both + before, HEAD + both + mutant.after)})["a.go"]
                assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made

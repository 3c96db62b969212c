"""C: calls of functions that both versions have, in the place of what they do; and what a call hands over."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.syntax.languages.c.extracted import REUSED
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

MARK = "void mark(struct s *b) { b->n++; use(b); }\n"
FULL = "static int is_full(const struct s *b) { return b->n == 3 && b->end; }\n"
OTHER = "void other(void) { mark(first); }\n"
# What both have, and what has the body in one and the call in the other.
RIGHT: dict[str, tuple[str, str, str]] = {
    "a function": (
        MARK,
        "void f(struct s *a) { one(); a->n++; use(a); two(); }",
        "void f(struct s *a) { one(); mark(a); two(); }",
    ),
    "a function that others call": (
        MARK + OTHER,
        "void f(struct s *a) { one(); a->n++; use(a); two(); }",
        "void f(struct s *a) { one(); mark(a); two(); }",
    ),
    "below a condition": (
        MARK,
        "void f(struct s *a, int n) { if (n) { a->n++; use(a); } else two(); }",
        "void f(struct s *a, int n) { if (n) mark(a); else two(); }",
    ),
    "one of two calls": (
        MARK,
        "void f(struct s *a) { mark(a); a->n++; use(a); }",
        "void f(struct s *a) { mark(a); mark(a); }",
    ),
    "a truth": (
        FULL,
        "int f(struct s *a) { if (a->n == 3 && a->end) return 1; return g(a); }",
        "int f(struct s *a) { if (is_full(a)) return 1; return g(a); }",
    ),
    "a truth that is not so": (
        FULL,
        "int f(struct s *a, int n) { while (n && !(a->n == 3 && a->end)) n = g(a); return n; }",
        "int f(struct s *a, int n) { while (n && !is_full(a)) n = g(a); return n; }",
    ),
    "a truth that is kept": (
        FULL,
        "int f(struct s *a) { int n = a->n == 3 && a->end; return n + g(a); }",
        "int f(struct s *a) { int n = is_full(a); return n + g(a); }",
    ),
    "the address of a variable": (
        MARK,
        "void f(void) { struct s c; one(&c); c.n++; use(&c); two(); }",
        "void f(void) { struct s c; one(&c); mark(&c); two(); }",
    ),
    "a path that is read first": (
        "void note(struct s *b, int n) { use(b->n, n); two(); }\n",
        "void f(struct t *a, int k) { one(); use(a->in.b->n, k); two(); }",
        "void f(struct t *a, int k) { one(); note(a->in.b, k); }",
    ),
    "a path in a condition": (
        "void note(struct s *b) { if (b->n > 2) { two(); } }\n",
        "void f(struct t *a) { one(); if (a->b->n > 2) { two(); } }",
        "void f(struct t *a) { one(); note(a->b); }",
    ),
    "a value with a name": (
        "void note(struct s *b) { use(b); two(b); }\n",
        "void f(struct t *a) { one(); struct s *b = find(a); use(b); two(b); }",
        "void f(struct t *a) { one(); note(find(a)); }",
    ),
}
WRONG: dict[str, tuple[str, str, str]] = {
    "another body": (MARK, "void f(struct s *a) { one(); a->n--; use(a); }", "void f(struct s *a) { one(); mark(a); }"),
    "another type": (MARK, "void f(struct t *a) { one(); a->n++; use(a); }", "void f(struct t *a) { one(); mark(a); }"),
    "a variable of its name": (
        MARK,
        "void f(struct s *a, void (*mark)(struct s *)) { one(); a->n++; use(a); }",
        "void f(struct s *a, void (*mark)(struct s *)) { one(); mark(a); }",
    ),
    "another name of the caller": (
        MARK,
        "void f(struct s *a, int use) { one(); a->n++; use(a); }",
        "void f(struct s *a, int use) { one(); mark(a); }",
    ),
    "two that a condition chooses": (
        "#if X\n" + MARK + "#else\nvoid mark(struct s *b) { }\n#endif\n",
        "void f(struct s *a) { one(); a->n++; use(a); }",
        "void f(struct s *a) { one(); mark(a); }",
    ),
    "a truth of another type": (
        FULL.replace("int", "char"),
        "int f(struct s *a) { if (a->n == 3 && a->end) return 1; return g(a); }",
        "int f(struct s *a) { if (is_full(a)) return 1; return g(a); }",
    ),
    "a number": (
        "static int is_full(const struct s *b) { return b->n & b->m == 2; }\n",
        "int f(struct s *a) { if (a->n & a->m == 2) return 1; return g(a); }",
        "int f(struct s *a) { if (is_full(a)) return 1; return g(a); }",
    ),
    "one of two": (
        "static int is_full(const struct s *b) { return b->n ? b->m == 2 : b->k == 3; }\n",
        "int f(struct s *a) { if (a->n ? a->m == 2 : a->k == 3) return 1; return g(a); }",
        "int f(struct s *a) { if (is_full(a)) return 1; return g(a); }",
    ),
    "a truth beside another call": (
        FULL,
        "int f(struct s *a) { return h(g(a), !(a->n == 3 && a->end)); }",
        "int f(struct s *a) { return h(g(a), !is_full(a)); }",
    ),
    "a truth beside a step": (
        FULL,
        "int f(struct s *a) { return a->n++ && a->n == 3 && a->end; }",
        "int f(struct s *a) { return a->n++ && is_full(a); }",
    ),
    "a truth that is put where a call says": (
        FULL,
        "void f(struct s *a) { g(a)->n = a->n == 3 && a->end; }",
        "void f(struct s *a) { g(a)->n = is_full(a); }",
    ),
    "a truth as a place": (
        FULL,
        "int f(struct s *a) { return v[g(a)][a->n == 3 && a->end]; }",
        "int f(struct s *a) { return v[g(a)][is_full(a)]; }",
    ),
    "a truth in a place": (
        FULL,
        "int f(struct s *a, int n) { return v[n || (a->n == 3 && a->end)]; }",
        "int f(struct s *a, int n) { return v[n || is_full(a)]; }",
    ),
    "a truth in what is computed": (
        FULL,
        "int f(struct s *a, int n) { return g(a) + (n || (a->n == 3 && a->end)); }",
        "int f(struct s *a, int n) { return g(a) + (n || is_full(a)); }",
    ),
    "the address of another type": (
        MARK,
        "void f(void) { struct t c; one(&c); c.n++; use(&c); two(); }",
        "void f(void) { struct t c; one(&c); mark(&c); two(); }",
    ),
    "an address that is counted on": (
        "void note(struct s *b) { use(b + 1); two(); }\n",
        "void f(void) { struct s c; one(&c); use(&c + 1); two(); }",
        "void f(void) { struct s c; one(&c); note(&c); }",
    ),
    "a path that is read later": (
        "void note(struct s *b) { two(); use(b->n); }\n",
        "void f(struct t *a) { one(); two(); use(a->b->n); }",
        "void f(struct t *a) { one(); note(a->b); }",
    ),
    "a path that is read only sometimes": (
        "void note(struct s *b, int n) { if (n) use(b->n); }\n",
        "void f(struct t *a, int n) { one(); if (n) use(a->b->n); }",
        "void f(struct t *a, int n) { one(); note(a->b, n); }",
    ),
    "a path that is read second": (
        "void note(struct s *b, int n) { use(n || b->n); two(); }\n",
        "void f(struct t *a, int n) { one(); use(n || a->b->n); two(); }",
        "void f(struct t *a, int n) { one(); note(a->b, n); }",
    ),
    "a path that is read after a value is given": (
        "void note(struct s *b, struct t *k) { use(k->b = 0, b->n); two(); }\n",
        "void f(struct t *a) { one(); use(a->b = 0, a->b->n); two(); }",
        "void f(struct t *a) { one(); note(a->b, a); }",
    ),
    "a path that is read in each round": (
        "void note(struct s *b) { while (b->n > 2) two(); }\n",
        "void f(struct t *a) { one(); while (a->b->n > 2) two(); }",
        "void f(struct t *a) { one(); note(a->b); }",
    ),
    "a path that is read twice": (
        "void note(struct s *b) { use(b->n); two(b->n); }\n",
        "void f(struct t *a) { one(); use(a->b->n); two(a->b->n); }",
        "void f(struct t *a) { one(); note(a->b); }",
    ),
    "a new function in a macro of the function": (
        "",
        "void f(struct s *a) {\n#define END() do { a->n++; use(a); } while (0)\nEND(); }",
        "static " + MARK + "void f(struct s *a) {\n#define END() do { mark(a); } while (0)\nEND(); }",
    ),
    "a path that is converted": (
        "void note(short n) { use(n, 1); two(); }\n",
        "void f(struct t *a) { one(); use(a->n, 1); two(); }",
        "void f(struct t *a) { one(); note(a->n); }",
    ),
    "two calls in whatever order": (
        "void note(struct s *b, struct s *c) { use(b); two(c); }\n",
        "void f(struct t *a) { one(); { struct s *b = find(a); struct s *c = next(a); use(b); two(c); } }",
        "void f(struct t *a) { one(); note(find(a), next(a)); }",
    ),
    "what is also changed": (
        "void note(int b) { use(b); two(b); }\n",
        "void f(int a) { one(); { int b = a++; use(b); two(b); } }",
        "void f(int a) { one(); note(a++); }",
    ),
    "a name that the caller has": (
        "void note(struct s *b) { use(b); two(b); }\n",
        "void f(struct t *b) { one(); { struct s *b = find(b); use(b); two(b); } }",
        "void f(struct t *b) { one(); note(find(b)); }",
    ),
    "in a macro of the function": (
        MARK,
        "void f(struct s *a) {\n#define END() do { a->n++; use(a); } while (0)\nEND(); }",
        "void f(struct s *a) {\n#define END() do { mark(a); } while (0)\nEND(); }",
    ),
    "one argument too few": (
        "void note(struct s *b, int n) { use(b, n); }\n",
        "void f(struct s *a, int n) { one(); use(a, n); }",
        "void f(struct s *a, int n) { one(); note(a); }",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_call_stands_for_what_a_function_of_both_does(name: str) -> None:
    both, body, call = RIGHT[name]
    for before, after in ((body, call), (call, body)):
        verdict = judged({"a.c": (both + before, both + after)})["a.c"]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert REUSED in verdict.reasons


@pytest.mark.parametrize("name", WRONG)
def test_a_call_that_may_do_something_else_is_none(name: str) -> None:
    both, body, call = WRONG[name]
    for before, after in ((body, call), (call, body)):
        assert judged({"a.c": (both + before, both + after)})["a.c"].mutation_class is EVOLUTION


@pytest.mark.parametrize("macro", ["#define mark(b) log(b)\n", "#define use(b) do { if (b) return; } while (0)\n"])
def test_a_macro_of_the_name_may_be_called_or_leave(macro: str) -> None:
    both, body, call = RIGHT["a function"]
    assert judged({"a.c": (both + body, both + call)}, {"b.h": macro})["a.c"].mutation_class is EVOLUTION


def test_a_macro_that_calls_it_is_no_other_function() -> None:
    both, body, call = RIGHT["a function"]
    others = {"b.h": "#define END(x) do { mark(x); } while (0)\n"}
    assert judged({"a.c": (both + body, both + call)}, others)["a.c"].mutation_class is REFACTOR


def test_a_header_may_be_one_of_another_language() -> None:
    both, body, call = (f"static {text}" for text in RIGHT["a function"])
    assert judged({"a.h": (both + body, both + call)})["a.h"].mutation_class is REFACTOR
    for more in ("namespace x { int n; }\n", "template <class T> void g(T a) { }\n"):
        assert judged({"a.h": (more + both + body, more + both + call)})["a.h"].mutation_class is EVOLUTION
    exact = both.replace("struct s *b", "const struct s *b")
    assert judged({"a.h": (exact + body, exact + call)})["a.h"].mutation_class is EVOLUTION
    _, body, call = (f"static {text}" for text in RIGHT["the address of a variable"])
    assert judged({"a.h": (both + body, both + call)})["a.h"].mutation_class is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_a_wrong_call_is_never_one() -> None:
    chance = random.Random("reused functions of C")
    made = 0
    for both, *pair in RIGHT.values():
        for before, after in (pair, pair[::-1]):
            for mutant in mutants(after, chance, 20, "c"):
                made += 1
                verdict = judged({"a.c": (both + before, both + mutant.after)})["a.c"]
                assert verdict.mutation_class is EVOLUTION, mutant
    assert made

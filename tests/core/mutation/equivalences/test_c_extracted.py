"""Functions of C with their bodies where they are called, and bodies that may do something else there."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.syntax.languages.c import extracted
from tests.core.mutation.repository import judged, no_mutant_of_c_passes

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
S = "struct s *a"


def _pair(before: str, after: str, helper: str, head: str = f"void f({S}, int n)") -> tuple[str, str]:
    return f"{head} {{ {before} }}\n", f"{helper}\n{head} {{ {after} }}\n"


RIGHT: dict[str, tuple[str, str]] = {
    "statements": _pair(
        "a->n++; use(a, n); done(a);",
        "mark(a, n); done(a);",
        "static void mark(struct s *b, int m) { b->n++; use(b, m); }",
    ),
    "with names of its own": _pair(
        "int i; for (i = 0; i < n; i++) { int k = a->v[i]; use(a, k); use(a, i); } done(a);",
        "int i; for (i = 0; i < n; i++) { mark(a, i); } done(a);",
        "static inline void mark(struct s *b, int m) { int k = b->v[m]; use(b, k); use(b, m); }",
    ),
    "with a prototype": _pair(
        "a->n++; use(a, 2); done(a);",
        "mark(a); done(a);",
        "static void mark(struct s *);\nstatic void mark(struct s *b) { b->n++; use(b, 2); }",
    ),
    "what is returned": _pair(
        "if (n > 1) { use(a, n); if (a->n) return 1; return 2; } return 3;",
        "if (n > 1) return mark(a, n); return 3;",
        "static int mark(struct s *b, int m) { use(b, m); if (b->n) return 1; return 2; }",
        f"int f({S}, int n)",
    ),
    "ways out at the end": _pair(
        "done(a); if (n) return; use(a, n);",
        "done(a); mark(a, n);",
        "static void mark(struct s *b, int m) { if (m) return; use(b, m); }",
    ),
    "constants": _pair(
        'use(a, 3); say("x"); done(a);',
        'mark(a, 3, "x"); done(a);',
        "static void mark(struct s *b, int m, const char *t) { use(b, m); say(t); }",
    ),
    "a function of nothing": _pair(
        "one(); two(); done(a);", "mark(); done(a);", "static void mark(void) { one(); two(); }"
    ),
    "what only reads": _pair(
        "use(a, n); look(a); done(a);",
        "mark(a, n); done(a);",
        "static void mark(const struct s *b, int m) { use(b, m); look(b); }",
    ),
    "in another branch": _pair(
        "if (n) { done(a); } else { use(a, n); look(a); } end(a);",
        "if (n) { done(a); } else mark(a, n); end(a);",
        "static void mark(struct s *b, int m) { use(b, m); look(b); }",
    ),
}
_ONE = ("use(a, n); look(a); done(a);", "mark(a, n); done(a);")
WRONG: dict[str, tuple[str, str]] = {
    "another body": _pair(*_ONE, "static void mark(struct s *b, int m) { use(b, m); peek(b); }"),
    "others see it": _pair(*_ONE, "void mark(struct s *b, int m) { use(b, m); look(b); }"),
    "it is handed on": _pair(
        *_ONE, "static void mark(struct s *b, int m) { use(b, m); look(b); }\nvoid g(void) { on(mark); }"
    ),
    "a table has it": _pair(*_ONE, "static void mark(struct s *b, int m) { use(b, m); look(b); }\nfn t[] = { mark };"),
    "another type": _pair(*_ONE, "static void mark(struct s *b, long m) { use(b, m); look(b); }"),
    "it changes what it is given": _pair(
        "n = 2; use(a, n); done(a, n);",
        "mark(a, n); done(a, n);",
        "static void mark(struct s *b, int m) { m = 2; use(b, m); }",
    ),
    "it changes a part of a copy": _pair(
        "p.x = 1; use(p); done(p);",
        "mark(p); done(p);",
        "static void mark(struct p q) { q.x = 1; use(q); }",
        "void f(struct p p)",
    ),
    "it lends what it is given": _pair(
        "use(&n); done(a, n);", "mark(n); done(a, n);", "static void mark(int m) { use(&m); }"
    ),
    "something else may change what it is given": _pair(
        "keep(&n); use(a, n); look(n); done(a);",
        "keep(&n); mark(a, n); done(a);",
        "static void mark(struct s *b, int m) { use(b, m); look(m); }",
    ),
    "it is given what is computed": _pair(
        "use(a, k() + 1); look(k() + 1); done(a);",
        "mark(a, k() + 1); done(a);",
        "static void mark(struct s *b, int m) { use(b, m); look(m); }",
    ),
    "it leaves in the middle": _pair(
        "if (n) return; use(a, n); done(a);",
        "mark(a, n); done(a);",
        "static void mark(struct s *b, int m) { if (m) return; use(b, m); }",
    ),
    "a macro leaves": _pair(
        "LEAVE(n); use(a, n); done(a);",
        "mark(a, n); done(a);",
        "static void mark(struct s *b, int m) { LEAVE(m); use(b, m); }",
    ),
    "a macro sees a name": _pair(
        "SHOW(1); use(a, n); done(a);",
        "mark(a, n); done(a);",
        "static void mark(struct s *who, int m) { SHOW(1); use(who, m); }",
    ),
    "it returns another type": _pair(
        "if (n > 1) { use(a, n); return a->n; } return 3;",
        "if (n > 1) return mark(a, n); return 3;",
        "static char mark(struct s *b, int m) { use(b, m); return b->n; }",
        f"int f({S}, int n)",
    ),
    "its result is dropped": _pair(
        "use(a, n); done(a);", "mark(a, n); done(a);", "static int mark(struct s *b, int m) { return use(b, m); }"
    ),
    "a name of the body is the caller's": _pair(
        "use(a, n); look(k); done(a);",
        "mark(a, n); done(a);",
        "static void mark(struct s *b, int m) { use(b, m); look(k); }",
        f"void f({S}, int n, int k)",
    ),
    "it declares a name of the caller": _pair(
        "int k = n; { int k = 2; use(a, k); } done(a, k);",
        "int k = n; mark(a); done(a, k);",
        "static void mark(struct s *b) { int k = 2; use(b, k); }",
    ),
    "it says who it is": _pair(
        "say(__func__); use(a, n); done(a);",
        "mark(a, n); done(a);",
        "static void mark(struct s *b, int m) { say(__func__); use(b, m); }",
    ),
    "it keeps something": _pair(
        "static int k; use(a, k++); done(a);",
        "mark(a); done(a);",
        "static void mark(struct s *b) { static int k; use(b, k++); }",
    ),
    "it calls itself": _pair(
        "use(a, n); mark(a, n); done(a);",
        "mark(a, n); done(a);",
        "static void mark(struct s *b, int m) { use(b, m); mark(b, m); }",
    ),
    "it has another number of arguments": _pair(*_ONE, "static void mark(struct s *b) { use(b, 1); look(b); }"),
    "it takes a list": _pair(*_ONE, "static void mark(struct s *b, int m[]) { use(b, m); look(b); }"),
    "a part of an expression": _pair(
        "done(a, use(a, n));", "done(a, mark(a, n));", "static int mark(struct s *b, int m) { return use(b, m); }"
    ),
    "a number of another type": _pair(
        "use(a, 3); look(3); done(a);",
        "mark(a, 3); done(a);",
        "static void mark(struct s *b, long m) { use(b, m); look(m); }",
    ),
    "a text that may be changed": _pair(
        'use(a, "x"); done(a);', 'mark(a, "x"); done(a);', "static void mark(struct s *b, char *m) { use(b, m); }"
    ),
    "a variable that is out of sight": _pair(
        "{ int k = n; use(a, k); look(k); } done(a);",
        "{ int k = n; look(k); } mark(a, k); done(a);",
        "static void mark(struct s *b, int m) { use(b, m); look(m); }",
    ),
    "nothing calls it": _pair("done(a);", "end(a);", "static void mark(struct s *b) { use(b, 1); }"),
}
MACROS = {"m.h": "#define LEAVE(x) if (x) return\n#define SHOW(x) show(who, x)\n"}


@pytest.mark.parametrize("name", RIGHT)
def test_a_body_in_the_place_of_its_calls_is_a_refactor_both_ways(name: str) -> None:
    before, after = RIGHT[name]
    for pair in ((before, after), (after, before)):
        verdict = judged({"a.c": pair}, MACROS)["a.c"]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert extracted.EXTRACTED in verdict.reasons


@pytest.mark.parametrize("name", WRONG)
def test_what_may_do_something_else_there_is_no_refactor(name: str) -> None:
    before, after = WRONG[name]
    for pair in ((before, after), (after, before)):
        assert judged({"a.c": pair}, MACROS)["a.c"].mutation_class is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_behaviour_mutant_passes_where_a_function_was_taken_out() -> None:
    no_mutant_of_c_passes(RIGHT.values(), MACROS, "extracted")


def test_a_macro_that_sees_what_the_caller_calls_its_variable_keeps_a_function() -> None:
    before = "void f(struct s *who, int n) { SHOW(1); use(who, n); done(who); }\n"
    after = (
        "static void mark(struct s *b, int m) { SHOW(1); use(b, m); }\n"
        "void f(struct s *who, int n) { mark(who, n); done(who); }\n"
    )
    assert judged({"a.c": (before, after)}, MACROS)["a.c"].mutation_class is EVOLUTION


def test_a_function_whose_name_a_macro_has_stays() -> None:
    others = {**MACROS, "n.h": "#define ALL(x) mark(x, 1)\n"}
    assert judged({"a.c": RIGHT["statements"]}, others)["a.c"].mutation_class is EVOLUTION


def test_more_functions_than_are_looked_at_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extracted, "MAX_HELPERS", 0)
    assert judged({"a.c": RIGHT["statements"]}, MACROS)["a.c"].mutation_class is EVOLUTION


def test_a_header_that_others_take_in_keeps_its_functions() -> None:
    assert judged({"a.h": RIGHT["statements"]}, MACROS)["a.h"].mutation_class is EVOLUTION

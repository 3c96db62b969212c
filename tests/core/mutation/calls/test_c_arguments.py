"""Calls of C that lost or got an argument which the function or macro ignores."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

OLD = "#define NEXT(name, head, x)  name##_NEXT(x)\n"
NEW = "#define NEXT(name, y) name##_NEXT(y)\n"
USER = "int f(struct a *b) {{ return NEXT(list, {}b->c); }}\n"
CALLED = "int pick({}int c) {{ return c + 1; }}\n"


def _both_ways(head: tuple[str, str], user: tuple[str, str], path: str = "a.h") -> list[Versions]:
    return [{path: pair, "b.c": uses} for pair, uses in ((head, user), (head[::-1], user[::-1]))]


@pytest.mark.parametrize(
    ("name", "head", "user"),
    [
        ("NEXT", (OLD, NEW), (USER.format("g(), "), USER.format(""))),
        ("NEXT", (OLD, NEW), ("int f = NEXT(a, 1, NEXT(b, 2, c));", "int f = NEXT(a, NEXT(b, c));")),
        ("NEXT", ("#define NEXT(x) 1\n", "#define NEXT() 1\n"), ("int f = NEXT(a);\n", "int f = NEXT();\n")),
        (
            "pick",
            (CALLED.format("int b, "), CALLED.format("")),
            (
                'int f(void) { return pick("a", 1) + pick(&x->y, 2) + pick(NULL, 3); }\n',
                "int f(void) { return pick(1) + pick(2) + pick(3); }\n",
            ),
        ),
        (
            "pick",
            ("int pick(void) { return 1; }\n", "int pick(int a) { return 1; }\n"),
            ("int f(void) { return pick(); }\n", "int f(void) { return pick(b); }\n"),
        ),
    ],
)
def test_a_call_without_what_was_ignored_is_a_refactor(name: str, head: tuple[str, str], user: tuple[str, str]) -> None:
    for versions in _both_ways(head, user):
        verdicts = judged(versions, {"c.md": f"{name} is here"})
        assert verdicts["b.c"].mutation_class is REFACTOR
        assert verdicts["b.c"].reasons == (f"{name} ignores what it is no more given",)
        assert verdicts["a.h"].mutation_class is EVOLUTION


def test_a_function_for_its_file_alone_may_lose_what_it_ignores() -> None:
    before = "static int pick(int a, int b) { return b; }\nint f(int c) { return pick(c, 1); }\n"
    after = "static int pick(int b) { return b; }\nint f(int c) { return pick(1); }\n"
    assert classes({"a.c": (before, after)}) == {"a.c": REFACTOR}
    assert classes({"a.h": (before, after)}) == {"a.h": EVOLUTION}
    assert classes({"a.c": (before.replace("static ", ""), after.replace("static ", ""))}) == {"a.c": EVOLUTION}


def _wrong(head: tuple[str, str], user: tuple[str, str], **others: str) -> tuple[Versions, dict[str, str]]:
    return {"a.h": head, "b.c": user}, {f"{name}.c": text for name, text in others.items()}


PICK = (CALLED.format("int b, "), CALLED.format(""))
CALL = "int f(int x) {{ return pick({}2); }}\n"
WRONG: dict[str, tuple[Versions, dict[str, str]]] = {
    "another argument changed": _wrong((OLD, NEW), (USER.format("a, "), USER.format("").replace("->c", "->d"))),
    "the macro uses it": _wrong((OLD.replace("(x)", "(x, head)"), NEW), (USER.format("a, "), USER.format(""))),
    "the macro does something else": _wrong(
        (OLD, NEW.replace("_NEXT", "_PREV")), (USER.format("a, "), USER.format(""))
    ),
    "the macro has two forms": _wrong((OLD + OLD, NEW), (USER.format("a, "), USER.format(""))),
    "the macro takes any number": _wrong(
        ("#define NEXT(a, ...) 1\n", "#define NEXT(a) 1\n"), ("int f = NEXT(a, b);\n", "int f = NEXT(a);\n")
    ),
    "the macro is no function": _wrong(
        ("#define NEXT (a, b) 1\n", "#define NEXT (a) 1\n"), ("int f = NEXT(a, b);\n", "int f = NEXT(a);\n")
    ),
    "another file has the macro": _wrong((OLD, NEW), (USER.format("a, "), USER.format("")), c="int NEXT;\n"),
    "the function gets what is computed": _wrong(PICK, (CALL.format("g(), "), CALL.format(""))),
    "the function gets what counts": _wrong(PICK, (CALL.format("x++, "), CALL.format(""))),
    "the function gets what is assigned": _wrong(PICK, (CALL.format("x = 3, "), CALL.format(""))),
    "the function gets what may be a macro": _wrong(PICK, (CALL.format("TAKE, "), CALL.format(""))),
    "the function gets what is a macro": _wrong(PICK, (CALL.format("take, "), CALL.format("")), c="#define take g()\n"),
    "the function gets a cast that may be a macro's": _wrong(PICK, (CALL.format("a b, "), CALL.format(""))),
    "a macro in the function may use it": _wrong(PICK, (CALL.format("x, "), CALL.format("")), c="#define HIDDEN b\n"),
    "a function is a parameter": _wrong(
        ("int pick(int (*b)(int), int c) { return c; }\n", "int pick(int c) { return c; }\n"),
        (CALL.format("x, "), CALL.format("")),
    ),
    "the function has no name": _wrong(
        ("(int b, int c) { return c; }\n", "(int c) { return c; }\n"), (CALL.format("x, "), CALL.format(""))
    ),
    "the function is given to others": _wrong(
        PICK, (f"{CALL.format('x, ')}int *g = pick;\n", f"{CALL.format('')}int *g = pick;\n")
    ),
    "one call is as it was": _wrong(
        PICK, (CALL.format("x, ") + CALL.format("x, "), CALL.format("") + CALL.format("x, "))
    ),
    "a directive stands in the call": _wrong(
        PICK, ("int f(void) { return pick(1,\n#if A\n2); }\n", "int f(void) { return pick(\n#if A\n2); }\n")
    ),
    "a type alone is a parameter": _wrong(
        ("int f(void);\n", "int f(void);\n"), ("int m(void) { }\n", "int m(v) { }\n")
    ),
    "the function is declared with a type alone": _wrong(
        PICK, (f"{CALL.format('x, ')}int *pick(a, b);\n", f"{CALL.format('')}int *pick(b);\n")
    ),
    "the call does not end": _wrong(PICK, ("int f = pick(1, 2", "int f = pick(2")),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_call_that_does_something_else_is_none(name: str) -> None:
    versions, others = WRONG[name]
    assert classes(versions, others)["b.c"] is EVOLUTION


RUN = "int run(const char *a) { return g(a); }\n"
RUN_IN = "int run(const char *a, struct env *b) { return h(a, b); }\n"
FOLLOWED: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "nothing for what is new": ((RUN, RUN_IN), ('int f = run("a");', 'int f = run("a", NULL);')),
    "nothing before the rest": (
        (RUN, "int run(int b, const char *a) { return h(a, b); }\n"),
        ('int f = run(g("a"));', 'int f = run(0, g("a"));'),
    ),
    "no more what is gone": ((RUN_IN, RUN), ('int f = run("a", x->y);', 'int f = run("a");')),
    "any number of others": (
        ("int run(int a, ...) { return g(a); }\n", "int run(int a, char *b, ...) { return h(a, b); }\n"),
        ('int f = run(1) + run(2, "a", g());', 'int f = run(1, NULL) + run(2, NULL, "a", g());'),
    ),
    "any number now": (
        (RUN, "int run(const char *a, struct env *b, ...) { return h(a); }\n"),
        ('int f = run("a");', 'int f = run("a", NULL);'),
    ),
    "what it used, and does not": (
        ("int pick(int b, int c) { return b + c; }\n", "int pick(int c) { return c - 1; }\n"),
        (CALL.format("x, "), CALL.format("")),
    ),
}
UNFOLLOWED: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "something for what is new": ((RUN, RUN_IN), ('int f = run("a");', 'int f = run("a", x);')),
    "a number for what is new": ((RUN, RUN_IN), ('int f = run("a");', 'int f = run("a", 1);')),
    "no more what is computed": ((RUN_IN, RUN), ('int f = run("a", g());', 'int f = run("a");')),
    "another argument": ((RUN, RUN_IN), ('int f = run("a");', 'int f = run("b", NULL);')),
    "nothing in another place": ((RUN, RUN_IN), ('int f = run("a");', 'int f = run(NULL, "a");')),
    "another result": ((RUN, RUN_IN.replace("int run", "long run")), ('int f = run("a");', 'int f = run("a", NULL);')),
    "another type beside it": (
        (RUN, RUN_IN.replace("const char", "char")),
        ('int f = run("a");', 'int f = run("a", NULL);'),
    ),
    "another order": (
        ("int run(int a, int b) { return g(a); }\n", "int run(int b, int a, int c) { return h(a); }\n"),
        ("int f = run(1, 2);", "int f = run(1, 2, 0);"),
    ),
    "one of two calls": (
        (RUN, RUN_IN),
        ('int f = run("a") + run("b");', 'int f = run("a", NULL) + run("b");'),
    ),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_who_gives_a_function_nothing_for_what_it_takes_now_follows(name: str) -> None:
    head, user = FOLLOWED[name]
    verdicts = judged({"a.c": head, "b.c": user})
    assert verdicts["a.c"].mutation_class is EVOLUTION
    assert verdicts["b.c"].mutation_class is REFACTOR
    assert verdicts["b.c"].reasons[0].startswith("follows what ")


@pytest.mark.parametrize("name", UNFOLLOWED)
def test_who_gives_a_function_anything_else_does_something_else(name: str) -> None:
    head, user = UNFOLLOWED[name]
    assert classes({"a.c": head, "b.c": user}) == {"a.c": EVOLUTION, "b.c": EVOLUTION}


def test_nothing_is_told_where_the_repository_can_not_be_searched() -> None:
    versions = _both_ways((OLD, NEW), (USER.format("a, "), USER.format("")))[0]
    assert classes(versions, Repository({}, can_search=False))["b.c"] is EVOLUTION


def test_calls_that_are_nested_too_deep_stay_as_they_are() -> None:
    before, after = ("int f = " + opening * 30 + "c" + ")" * 30 + ";\n" for opening in ("NEXT(a, b, ", "NEXT(a, "))
    assert classes({"a.h": (OLD, NEW), "b.c": (before, after)})["b.c"] is EVOLUTION

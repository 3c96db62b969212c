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
    "the function uses it": _wrong((PICK[0].replace("c +", "b + c +"), PICK[1]), (CALL.format("x, "), CALL.format(""))),
    "a macro in the function may use it": _wrong(PICK, (CALL.format("x, "), CALL.format("")), c="#define HIDDEN b\n"),
    "the function does something else": _wrong(
        (PICK[0], PICK[1].replace("+ 1", "+ 2")), (CALL.format("x, "), CALL.format(""))
    ),
    "the parameter has something after its name": _wrong(
        ("int pick(int b UNUSED, int c) { return b; }\n", "int pick(int c) { return b; }\n"),
        (CALL.format("x, "), CALL.format("")),
    ),
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


def test_nothing_is_told_where_the_repository_can_not_be_searched() -> None:
    versions = _both_ways((OLD, NEW), (USER.format("a, "), USER.format("")))[0]
    assert classes(versions, Repository({}, can_search=False))["b.c"] is EVOLUTION


def test_calls_that_are_nested_too_deep_stay_as_they_are() -> None:
    before, after = ("int f = " + opening * 30 + "c" + ")" * 30 + ";\n" for opening in ("NEXT(a, b, ", "NEXT(a, "))
    assert classes({"a.h": (OLD, NEW), "b.c": (before, after)})["b.c"] is EVOLUTION

"""Static methods and constructors of Java that take other parameters now: their class tells which one is called."""

from __future__ import annotations

import random
import re

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
HOME, USER = "src/main/java/p/Jobs.java", "src/test/java/q/B.java"
BESIDE = {"p/C.java": "package p; class C { void run(int a, int b) { run(a, b); } }", "run.md": "class Jobs is ours"}

ONE, TWO = "String a, Env b", "Env b, String a"


def _class(parameters: str, head: str = "public class Jobs", name: str = "static void run", more: str = "") -> str:
    return f"package p;\n{head} {{\n{more}  {name}({parameters}) {{ g(a); }}\n}}\n"


def _user(statements: str, imported: str = "import p.Jobs;", more: str = "", package: str = "q") -> str:
    return f"package {package};\n{imported}\nclass B {{\n{more}  void f(Env e) {{ {statements} e.run(1, 2); }}\n}}\n"


def _change(
    heads: tuple[str, str], users: tuple[str, str], *, head: str = "public class Jobs", name: str = "static void run",
    more: str = "", user_more: str = "", imported: str = "import p.Jobs;", package: str = "q",
) -> Versions:  # fmt: skip
    old, new = (_class(each, head, name, more) for each in heads)
    before, after = (_user(each, imported, user_more, package) for each in users)
    return {HOME: (old, new), USER: (before, after)}


SWAPPED = ('Jobs.run("ls", e);', 'Jobs.run(e, "ls");')
MADE = ("x = new Jobs(1);", "x = new Jobs(1, null);")
FOLLOWED: dict[str, Versions] = {
    "another order": _change((ONE, TWO), SWAPPED),
    "what is computed later": _change((ONE, TWO), ("Jobs.run(null, c -> g(c));", "Jobs.run(c -> g(c), null);")),
    "of three": _change(("A a, B b, C c", "C c, A a, B b"), ("Jobs.run(1, 2, 3);", "Jobs.run(3, 1, 2);")),
    "one in the other": _change(
        (ONE, TWO), ("y(Jobs.run(a, e)); Jobs.run(b, e);", "y(Jobs.run(e, a)); Jobs.run(e, b);")
    ),
    "nothing more": _change(("int a", "int a, Env b"), ("Jobs.run(1);", "Jobs.run(1, null);")),
    "no more of it": _change(("int a, Env b", "int a"), ("Jobs.run(1, e.x);", "Jobs.run(1);")),
    "a constructor": _change(("int a", "int a, Env b"), MADE, name="public Jobs"),
    "a constructor beside a base": _change(("int a", "int a, Env b"), MADE, name="Jobs", head="class Jobs extends K"),
    "an object with a class of its own": _change(
        ("int a", "int a, Env b"), ("x = new Jobs(1) { };", "x = new Jobs(1, null) { };"), name="Jobs"
    ),
    "of what it makes a list": _change(
        ("int a", "int a, Env b"), ("x = new Jobs<>(1);", "x = new Jobs<>(1, null);"), name="Jobs", head="class Jobs<T>"
    ),
    "in the same package": _change((ONE, TWO), SWAPPED, imported="", package="p"),
    "of a package with all its names": _change((ONE, TWO), SWAPPED, imported="import p.*;"),
}
UNFOLLOWED: dict[str, Versions] = {
    "the same order": _change((ONE, TWO), ('Jobs.run("ls", e);', 'Jobs.run("ps", e);')),
    "one call that stays": _change((ONE, TWO), SWAPPED, user_more='  void g(Env e) { Jobs.run("ls", e); }\n'),
    "another order than that": _change(
        ("A a, B b, C c", "C c, A a, B b"), ("Jobs.run(1, 2, 3);", "Jobs.run(3, 2, 1);")
    ),
    "what does something first": _change((ONE, TWO), ('Jobs.run("ls", e());', 'Jobs.run(e(), "ls");')),
    "what may be another object's": _change((ONE, TWO), ('jobs.run("ls", e);', 'jobs.run(e, "ls");')),
    "something more": _change(("int a", "int a, Env b"), ("Jobs.run(1);", "Jobs.run(1, e);")),
    "something more of an object": _change(
        ("int a", "int a, Env b"), ("x = new Jobs(1);", "x = new Jobs(1, e);"), name="Jobs"
    ),
    "no more of what does something": _change(("int a, Env b", "int a"), ("Jobs.run(1, e());", "Jobs.run(1);")),
    "one of two": _change((ONE, TWO), SWAPPED, more="  static void run(Env c, Object d) { }\n"),
    "one of two constructors": _change(
        ("int a", "int a, Env b"), MADE, name="Jobs", more="  Jobs(int a, Jobs b) { }\n"
    ),
    "any number": _change(("int a", "int a, Env... b"), ("Jobs.run(1);", "Jobs.run(1, null);")),
    "of a base, maybe": _change((ONE, TWO), SWAPPED, head="public class Jobs extends Base"),
    "of an object, maybe": _change((ONE, TWO), SWAPPED, name="void run"),
    "made by an annotation": _change(("int a", "int a, Env b"), MADE, name="Jobs", head="@All class Jobs"),
    "another package's": _change((ONE, TWO), SWAPPED, imported="import r.Jobs;"),
    "not seen": _change((ONE, TWO), SWAPPED, imported=""),
    "a variable": _change((ONE, TWO), SWAPPED, user_more="  Other Jobs;\n"),
    "a type of its own": _change((ONE, TWO), SWAPPED, user_more="  <Jobs extends K> void g() { }\n"),
    "called without its class": _change(
        (ONE, TWO), SWAPPED, imported="import p.Jobs;\nimport static p.Jobs.run;", user_more="  Object g = run(h, e);\n"
    ),
    "called without its class, as all are": _change(
        (ONE, TWO), SWAPPED, imported="import p.Jobs;\nimport static p.Jobs.*;", user_more="  Object g = run(h, e);\n"
    ),
    "called by its whole name": _change((ONE, TWO), SWAPPED, user_more="  Object g = p.Jobs.run(h, e);\n"),
    "made by its whole name": _change(
        ("int a", "int a, Env b"), MADE, name="Jobs", user_more="  Object g = new p.Jobs(1);\n"
    ),
    "handed on": _change((ONE, TWO), SWAPPED, user_more="  Object g = h(Jobs::run);\n"),
    "a base": _change(
        ("int a", "int a, Env b"), MADE, name="Jobs", user_more="  class D extends Jobs { D() { super(1); } }\n"
    ),
    "asked for by its name": _change((ONE, TWO), SWAPPED, user_more='  Object g = h(Jobs.class.getMethod("run"));\n'),
    "of two files": {
        **_change((ONE, TWO), SWAPPED),
        "r/Jobs.java": ("package r; class Jobs { int a = 1; }", "package r; class Jobs { int a = 2; }"),
    },
    "other parameters": _change((ONE, "Env b, int a"), SWAPPED),
    "what can't be read": _change((ONE, TWO), SWAPPED, user_more="  void g( { }\n"),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_who_calls_it_as_it_is_now_follows(name: str) -> None:
    verdicts = judged(FOLLOWED[name], BESIDE)
    assert verdicts[HOME].mutation_class is EVOLUTION
    assert verdicts[USER].mutation_class is REFACTOR, verdicts[USER].reasons
    title = "new Jobs" if "new Jobs" in (FOLLOWED[name][USER][0] or "") else "Jobs.run"
    assert verdicts[USER].reasons == (f"follows what {title} takes",)


@pytest.mark.parametrize("name", UNFOLLOWED)
def test_who_may_call_another_one_does_something_else(name: str) -> None:
    assert set(classes(UNFOLLOWED[name], BESIDE).values()) == {EVOLUTION}


@pytest.mark.parametrize("others", [{"r/Jobs.java": "enum Jobs { A }"}, Repository({}, can_search=False)])
def test_one_class_of_the_repository_has_the_name(others: dict[str, str] | Repository) -> None:
    beside = {"z.java": ("class Z { int a = 1; void run() { } }", "class Z { int a = 2; void run() { } }")}
    assert classes({**FOLLOWED["another order"], **beside}, others)[USER] is EVOLUTION


def test_a_file_that_came_is_no_reason() -> None:
    versions = {**FOLLOWED["another order"], "p/D.java": (None, "package p; class D { }")}
    assert classes(versions, BESIDE)[USER] is REFACTOR


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", FOLLOWED)
def test_no_mutant_of_who_follows_passes(name: str) -> None:
    versions = FOLLOWED[name]
    before, after = versions[USER]
    nothing = re.compile(r"\b(?:null|false)\b")
    for mutant in mutants(after or "", random.Random(name), 20, "java"):
        if nothing.sub("0", mutant.after) == nothing.sub("0", after or ""):
            continue  # one nothing for another
        verdicts = judged({HOME: versions[HOME], USER: (before, mutant.after)}, BESIDE)
        assert verdicts[USER].mutation_class is EVOLUTION, mutant

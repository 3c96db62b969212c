"""Calls of functions that take more or fewer parameters now, in languages with trees."""

from __future__ import annotations

import random
import re

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, Versions, classes, judged

NOTHING = re.compile(r"\b(?:None|False|null|nil|false)\b|''")
REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION


def _python(head: tuple[str, str], calls: tuple[str, str]) -> Versions:
    body = "    return g(a)\n"
    users = tuple(f"from p.a import load\n{call}\n" for call in calls)
    return {"p/a.py": (f"{head[0]}\n{body}", f"{head[1]}\n{body}"), "p/b.py": users}


ONE, TWO = "def load(a):", "def load(a, env):"
FOLLOWED: dict[str, Versions] = {
    "nothing": _python((ONE, TWO), ("load(2)", "load(2, None)")),
    "nothing, by name": _python((ONE, "def load(a, env=None):"), ("load(2)", "load(2, env=None)")),
    "an empty text, first": _python((ONE, "def load(env, a):"), ("x = load(g(2))", "x = load('', g(2))")),
    "nothing, of its module": _python((ONE, TWO), ("from p import a\na.load(2)", "from p import a\na.load(2, None)")),
    "nothing, of a part of its module": _python(
        (ONE, TWO), ("import p.a\np.a.load(2)", "import p.a\np.a.load(2, None)")
    ),
    "no more of it": _python((TWO, ONE), ("load(2, x); load(a=3, env=True)", "load(2); load(a=3)")),
    "another order": _python(("def load(a, b):", "def load(b, a):"), ("load(2, x)", "load(x, 2)")),
    "another order, by name": _python(
        ("def load(a, b):", "def load(b, a):"),
        ("y(load(2, lambda: 1), load(b=1, a=2))", "y(load(lambda: 1, 2), load(b=1, a=2))"),
    ),
    "a member of a class": {
        "p/a.py": (
            "class A:\n    @classmethod\n    def load_all(cls, a):\n        return g(a)\n",
            "class A:\n    @classmethod\n    def load_all(cls, a, b):\n        return g(a, b)\n",
        ),
        "p/b.py": ("A.load_all(1)\n", "A.load_all(1, 0)\n"),
    },
    "go": {
        "p/a.go": (
            "package p\n\nfunc Load(a int, b Conf) int {\n\treturn g(a, b)\n}\n",
            "package p\n\nfunc Load(a int) int {\n\treturn g(a)\n}\n",
        ),
        "q/b.go": (
            'package q\n\nimport "x/p"\n\nfunc h(c Y) { p.Load(2, p.Conf{}); p.Load(-1, c.d) }\n',
            'package q\n\nimport "x/p"\n\nfunc h(c Y) { p.Load(2); p.Load(-1) }\n',
        ),
    },
    "go, of two names": {
        "p/a.go": (
            "package p\n\nfunc Load(a int) int {\n\treturn g(a)\n}\n",
            "package p\n\nfunc Load(a, b int) int {\n\treturn g(a, b)\n}\n",
        ),
        "p/b.go": ("package p\n\nfunc h() { Load(2) }\n", "package p\n\nfunc h() { Load(2, 0) }\n"),
    },
    "go, of an interface": {
        "p/a.go": (
            "package p\n\ntype L interface{ Load(a int) int }\n\nfunc (m M) Load(a int) int { return g(a) }\n",
            "package p\n\ntype L interface{ Load(a int, b *C) int }\n\n"
            "func (m M) Load(a int, b *C) int { return g(a) }\n",
        ),
        "p/b.go": ("package p\n\nfunc h(l L) { l.Load(2) }\n", "package p\n\nfunc h(l L) { l.Load(2, nil) }\n"),
    },
    "java": {
        "p/A.java": (
            "package p; class A { static int load(int a) { return g(a); } }",
            "package p; class A { static int load(int a, B b) { return g(a, b); } }",
        ),
        "p/C.java": (
            "package p; class C { void h() { A.load(2); } }",
            "package p; class C { void h() { A.load(2, null); } }",
        ),
    },
    "rust": {
        "src/a.rs": (
            "impl A { pub fn load(&self, a: i32) -> i32 { g(a) } }",
            "impl A { pub fn load(&self, a: i32, b: Option<u8>) -> i32 { g(a, b) } }",
        ),
        "src/b.rs": ("fn h(a: A) { a.load(2); }", "fn h(a: A) { a.load(2, None); }"),
    },
    "typescript": {
        "p/a.ts": (
            "export class A { load(a: number) { return g(a) } }",
            "export class A { load(a: number, b: B | null) { return g(a, b) } }",
        ),
        "p/b.ts": (
            "export function f(a: A): void { a.load(1) }",
            "export function f(a: A): void { a.load(1, null) }",
        ),
    },
}
UNFOLLOWED: dict[str, Versions] = {
    "something": _python((ONE, TWO), ("load(2)", "load(2, 1)")),
    "something that stayed": _python(
        ("def load(a, c=0):", "def load(a, b=None, c=0):"), ("y(load(1, 2), load(3))", "y(load(1, 2), load(3, None))")
    ),
    "the order of before": _python(
        ("def load(a, b):", "def load(b, a):"), ("y(load(2, 3), load(1, 2))", "y(load(2, 3), load(2, 1))")
    ),
    "another order of one": _python(
        ("def load(a=1, b=2):", "def load(b=2, a=1):"), ("y(load(2), load(1, 2))", "y(load(2), load(2, 1))")
    ),
    "beside another name": _python(
        ("def load(a, b):", "def load(b, a):"),
        (
            "from p.a import load as read\nload(1, x); read(1, x)",
            "from p.a import load as read\nload(x, 1); read(1, x)",
        ),
    ),
    "another one by its name": _python(
        (ONE, TWO), ("from p.a import read as load\nload(2)", "from p.a import read as load\nload(2, None)")
    ),
    "another module's": _python((ONE, TWO), ("from q import load\nload(2)", "from q import load\nload(2, None)")),
    "of another module": _python((ONE, TWO), ("import q\nq.load(2)", "import q\nq.load(2, None)")),
    "of a part of another module": _python((ONE, TWO), ("import q.b\nq.b.load(2)", "import q.b\nq.b.load(2, None)")),
    "of a part that another module gives": _python(
        (ONE, TWO), ("from q import b\nb.load(2)", "from q import b\nb.load(2, None)")
    ),
    "another order of what is computed": _python(
        ("def load(a, b):", "def load(b, a):"), ("load(g(), 2)", "load(2, g())")
    ),
    "something, by name": _python((ONE, TWO), ("load(2)", "load(2, env=x)")),
    "nothing in another place": _python((ONE, TWO), ("load(2)", "load(None, 2)")),
    "nothing by another name": _python((ONE, TWO), ("load(2)", "load(2, b=None)")),
    "another argument": _python((ONE, TWO), ("load(2)", "load(3, None)")),
    "no more of what is computed": _python((TWO, ONE), ("load(2, g())", "load(2)")),
    "no more of what may be computed": _python((TWO, ONE), ("load(2, x.y)", "load(2)")),
    "another name of the rest": _python((ONE, "def load(b, env):"), ("load(2)", "load(2, None)")),
    "another one in its place": _python(("def load(a, b):", TWO), ("load(2, x)", "load(2, None)")),
    "any number": _python((ONE, "def load(a, *env):"), ("load(2)", "load(2, None)")),
    "any number by name": _python((ONE, "def load(a, *, env):"), ("load(2)", "load(2, env=None)")),
    "what is decorated": _python((f"@given\n{ONE}", f"@given\n{TWO}"), ("load(2)", "load(2, None)")),
    "what is spread": _python((ONE, TWO), ("x = load(2), load(*y)", "x = load(2, None), load(*y)")),
    "what is handed on": _python((ONE, TWO), ("x = load(2), load", "x = load(2, None), load")),
    "what a text names": _python((ONE, TWO), ("load(2)\ny('load')", "load(2, None)\ny('load')")),
    "of two kinds": {
        "p/a.py": (
            f"{ONE}\n    return 1\nclass A:\n    def load(self, b):\n        return 1\n",
            f"{TWO}\n    return 1\nclass A:\n    def load(self, b, env):\n        return 1\n",
        ),
        "p/b.py": ("load(1)\n", "load(1, None)\n"),
    },
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_who_gives_nothing_for_what_is_taken_now_follows(name: str) -> None:
    versions = FOLLOWED[name]
    head, user = versions
    beside = {"z.py": ("x = 1\n", "x = 2\n")}
    verdicts = judged({**versions, **beside}, {"README.md": "to load is easy"})
    assert verdicts[head].mutation_class is verdicts["z.py"].mutation_class is EVOLUTION
    assert verdicts[user].mutation_class is REFACTOR, verdicts[user].reasons
    assert any(reason.startswith("follows what ") for reason in verdicts[user].reasons)


@pytest.mark.parametrize("name", UNFOLLOWED)
def test_who_gives_anything_else_does_something_else(name: str) -> None:
    versions = UNFOLLOWED[name]
    head, user = versions
    assert classes(versions) == {head: EVOLUTION, user: EVOLUTION}


@pytest.mark.parametrize("others", [{"p/c.py": "load(2)\n"}, Repository({}, can_search=False)])
def test_nothing_is_told_of_what_other_files_call_too(others: dict[str, str] | Repository) -> None:
    assert classes(FOLLOWED["nothing"], others)["p/b.py"] is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", FOLLOWED)
def test_no_mutant_of_who_follows_passes(name: str) -> None:
    head, user = FOLLOWED[name]
    before, after = FOLLOWED[name][user]
    suffix = user.rpartition(".")[2]
    for mutant in mutants(after or "", random.Random(name), 20, suffix):
        if NOTHING.sub("0", mutant.after) == NOTHING.sub("0", after or ""):
            continue  # one nothing for another
        verdicts = judged({head: FOLLOWED[name][head], user: (before, mutant.after)}, {})
        assert verdicts[user].mutation_class is EVOLUTION, mutant

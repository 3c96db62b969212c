"""Files and definitions that a change set moves, and the files that follow them."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
DOCS = MutationClass.DOCUMENTATION


def _moved(
    old: str, new: str, before: str, after: str, users: Versions | None = None, others: dict[str, str] | None = None
) -> dict[str, MutationClass]:
    """The classes when `old` became `new` and the users changed with it."""
    edits = [FileVersions(new, Change.RENAME, before.encode(), after.encode(), old)]
    for path, (was, now) in (users or {}).items():
        edits.append(FileVersions(path, Change.MODIFY, (was or "").encode(), (now or "").encode()))
    return {verdict.path: verdict.mutation_class for verdict in classify_change(edits, others=Repository(others or {}))}


FOLLOWED: dict[str, tuple[str, str, str, str, Versions]] = {
    "a module of Python": (
        "p/opts.py",
        "p/options.py",
        "x = 1\n",
        "x = 1  # why\n",
        {
            "u.py": ("from p.opts import x\nprint(x)\n", "from p.options import x\nprint(x)\n"),
            "p/v.py": ("from .opts import x\nprint(x)\n", "from .options import x\nprint(x)\n"),
            "p/w.py": ("from . import opts as o\nprint(o.x)\n", "from . import options as o\nprint(o.x)\n"),
            "y.py": ("import p.opts as o\nprint(o.x)\n", "import p.options as o\nprint(o.x)\n"),
        },
    ),
    "a module that goes to another directory, with its own imports": (
        "p/opts.py",
        "q/r/opts.py",
        "from .base import y\nfrom . import z\nx = y + z\n",
        "from ...p.base import y\nfrom ...p import z\nx = y + z\n",
        {"u.py": ("from p.opts import x\nprint(x)\n", "from q.r.opts import x\nprint(x)\n")},
    ),
    "a module of TypeScript": (
        "src/opts.ts",
        "src/util/options.ts",
        "import {y} from './base'\nexport const x = y\n",
        "import {y} from '../base'\nexport const x = y\n",
        {
            "src/u.ts": ("import {x} from './opts'\nf(x)\n", "import {x} from './util/options'\nf(x)\n"),
            "src/v.ts": ("import {x} from './opts.js'\nf(x)\n", "import {x} from './util/options.js'\nf(x)\n"),
        },
    ),
    "a directory with an index": (
        "src/opts/index.js",
        "src/options/index.js",
        "export const x = 1\n",
        "export const x = 1\n",
        {"src/u.js": ("import {x} from './opts/index'\nf(x)\n", "import {x} from './options'\nf(x)\n")},
    ),
    "a module of Rust, and where it is declared": (
        "src/opts.rs",
        "src/options.rs",
        "pub struct A { }\n",
        "pub struct A { }\n",
        {
            "src/main.rs": ("#[x]\nmod a;\nmod opts;\nmod b {}\n", "#[x]\nmod a;\nmod options;\nmod b {}\n"),
            "src/u.rs": ("use crate::opts::A;\nfn f(a: A) {}\n", "use crate::options::A;\nfn f(a: A) {}\n"),
            "src/v.rs": (
                "use super::c;\nuse ::d;\nuse opts::A;\nfn f(a: A) { c(d) }\n",
                "use super::c;\nuse ::d;\nuse options::A;\nfn f(a: A) { c(d) }\n",
            ),
        },
    ),
    "a class of Java, whose package stays": (
        "a/b/C.java",
        "src/a/b/C.java",
        "package a.b;\nclass C { }\n",
        "package a.b;\nclass C { /* why */ }\n",
        {},
    ),
    "a class of Java with its package": (
        "src/a/b/C.java",
        "src/a/d/C.java",
        "package a.b;\nclass C { }\n",
        "package a.d;\nclass C { }\n",
        {"src/U.java": ("import a.b.C;\nclass U { C c; }\n", "import a.d.C;\nclass U { C c; }\n")},
    ),
    "a file of Go in its package": ("p/a.go", "p/b.go", "package p\nfunc f() {}\n", "package p\nfunc f() {}\n", {}),
    "a file of tests": ("t/test_a.py", "t/test_b.py", "def test_a(): pass\n", "def test_a(): pass\n", {}),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_file_that_moves_and_those_that_follow_it_are_refactors(name: str) -> None:
    old, new, before, after, users = FOLLOWED[name]
    found = _moved(old, new, before, after, users)
    assert set(found.values()) == {REFACTOR}, found


def test_the_answer_says_what_moved_and_what_is_followed() -> None:
    edits = [
        FileVersions("p/options.py", Change.RENAME, b"x = 1\n", b"x = 1\n", "p/opts.py"),
        FileVersions(
            "q.py", Change.RENAME, b"def f():\n a = 1\n return a, a\n", b"def f():\n b = 1\n return b, b\n", "r.py"
        ),
        FileVersions(
            "u.py", Change.MODIFY, b"import a\nfrom p.opts import x\nx", b"from p.options import x\nimport a\nx"
        ),
    ]
    found = {verdict.path: verdict.reasons for verdict in classify_change(edits, others=Repository({}))}
    assert found["p/options.py"] == ("moved from p/opts.py",)
    assert found["q.py"] == ("moved from r.py", "rename a->b")
    assert found["u.py"] == ("follows p/options.py", "import order")


STILL = {
    "an import is left": {"c.py": "from p.opts import x\n"},
    "the module is imported by its name": {"c.py": "from p import opts\n"},
    "settings name the file": {"c.toml": "x = 'p/opts.py'\n"},
    "a text names the module": {"c.py": "import_module('p.opts')\n"},
    "a script names the file": {"c.sh": "python opts.py\n"},
}


@pytest.mark.parametrize("name", STILL)
def test_a_file_that_something_still_looks_for_in_its_old_place_did_not_just_move(name: str) -> None:
    user = {"u.py": ("from p.opts import x\nx\n", "from p.options import x\nx\n")}
    found = _moved("p/opts.py", "p/options.py", "x = 1\n", "x = 1\n", user, STILL[name])
    assert set(found.values()) == {EVOLUTION}


def test_words_that_only_look_like_the_module_do_not_stand_in_the_way() -> None:
    others = {"c.py": "opts = 1\n", "README.md": "p/opts.py", "d.toml": "opts = 1\n"}
    assert _moved("p/opts.py", "p/options.py", "x = 1\n", "x = 1\n", {}, others) == {"p/options.py": REFACTOR}


UNMOVED: dict[str, tuple[str, str, str, str]] = {
    "it changed in more": ("a.py", "b.py", "x = 1\n", "x = 2\n"),
    "its name means something": ("a.py", "conftest.py", "x = 1\n", "x = 1\n"),
    "it is a test now": ("a.py", "test_a.py", "x = 1\n", "x = 1\n"),
    "a test went elsewhere": ("t/test_a.py", "u/test_a.py", "x = 1\n", "x = 1\n"),
    "it is built elsewhere now": ("p/a.go", "p/a_linux.go", "package p\n", "package p\n"),
    "its directory means something": ("app/a.ts", "app/b.ts", "f()\n", "f()\n"),
    "it asks for its place": ("a.py", "b.py", "x = __file__\n", "x = __file__\n"),
    "its package is another than its directory": ("a/b/C.java", "a/d/C.java", "package a.b;\n", "package a.e;\n"),
    "it is in another language": ("a.js", "a.ts", "f()\n", "f()\n"),
    "it is the same module": ("a.py", "a/__init__.py", "x = 1\n", "x = 1\n"),
    "its imports lead elsewhere": ("a.py", "p/a.py", "from .b import c\nc\n", "from .b import c\nc\n"),
}


@pytest.mark.parametrize("name", UNMOVED)
def test_a_file_whose_move_may_mean_something_is_an_evolution(name: str) -> None:
    assert set(_moved(*UNMOVED[name]).values()) == {EVOLUTION}


def test_who_follows_a_file_that_is_still_asked_for_in_the_change_itself_is_an_evolution() -> None:
    users = {
        "u.py": ("from p.opts import x\nx\n", "from p.options import x\nx\n"),
        "v.py": ("x = 1\n", "from p.opts import x\n"),
    }
    assert _moved("p/opts.py", "p/options.py", "x = 1\n", "x = 1\n", users)["u.py"] is EVOLUTION
    assert _moved("p/opts.py", "p/options.py", "x = 1\n", "x = 1\n", users, {})["p/options.py"] is EVOLUTION
    edits = [FileVersions("b.py", Change.RENAME, b"x = 1\n", b"x = 1\n", "a.py")]
    assert classify_change(edits, others=Repository({}, can_search=False))[0].mutation_class is EVOLUTION


LOAD = "def load(text):\n    return json.loads(text)\n"
USER = ("from p.a import load\nload('1')\n", "from p.b import load\nload('1')\n")
HOME: Versions = {
    "p/a.py": (f"import json\n{LOAD}x = 1\n", "import json\nx = 2\n"),
    "p/b.py": (None, f"import json\n{LOAD}"),
    "u.py": USER,
}


def test_who_follows_a_definition_to_another_file_is_a_refactor() -> None:
    found = judged(HOME)
    assert found["u.py"].mutation_class is REFACTOR
    assert found["u.py"].reasons == ("follows p/b.py",)
    assert found["p/a.py"].mutation_class is EVOLUTION
    near: Versions = {**HOME, "u.py": ("from p.a import x\nx\n", "from p.b import x\nx\n")}
    assert classes(near)["u.py"] is EVOLUTION


def test_two_definitions_that_need_each_other_may_move_together() -> None:
    two = "def one():\n    return two()\ndef two():\n    return 1\n"
    versions: Versions = {
        "p/a.py": (f"{two}x = 1\n", "x = 2\n"),
        "p/b.py": (None, two),
        "u.py": ("from p.a import one\none()\n", "from p.b import one\none()\n"),
    }
    assert classes(versions)["u.py"] is REFACTOR
    apart = {
        **versions,
        "p/a.py": (f"{two}x = 1\n", two[two.index("def two") :]),
        "p/b.py": (None, two[: two.index("def two")]),
    }
    assert classes(apart)["u.py"] is EVOLUTION


def test_constants_classes_and_what_is_exported_or_decorated_move_too() -> None:
    versions: Versions = {
        "a.ts": ("export const LIMIT = 1\nexport class A { }\nf()\n", "g()\n"),
        "b.ts": (None, "export const LIMIT = 1\nexport class A { }\n"),
        "u.ts": ("import {A, LIMIT} from './a'\nh(A, LIMIT)\n", "import {A, LIMIT} from './b'\nh(A, LIMIT)\n"),
        "p/c.py": ("LIMIT = 1\n@x\ndef f(): return 1\nprint(2)\n", "print(3)\n"),
        "p/d.py": (None, "LIMIT = 1\n@x\ndef f(): return 1\n"),
        "v.py": ("from p.c import LIMIT, f\nf(LIMIT)\n", "from p.d import LIMIT, f\nf(LIMIT)\n"),
    }
    found = classes(versions)
    assert (found["u.ts"], found["v.py"]) == (REFACTOR, REFACTOR)


ELSEWHERE: dict[str, tuple[Versions, dict[str, str]]] = {
    "it is another one": ({**HOME, "p/b.py": (None, f"import json\n{LOAD}".replace("loads", "load"))}, {}),
    "what it uses is another thing": ({**HOME, "p/b.py": (None, f"import simplejson as json\n{LOAD}")}, {}),
    "what it uses is anything": ({**HOME, "p/b.py": (None, f"from q import *\nimport json\n{LOAD}")}, {}),
    "what it uses is a namesake": (
        {
            **HOME,
            "p/a.py": (f"def json(): pass\n{LOAD}x = 1\n", "def json(): pass\nx = 2\n"),
            "p/b.py": ("def json(): pass\n", f"def json(): pass\n{LOAD}"),
        },
        {},
    ),
    "it is still there": ({**HOME, "p/a.py": (f"import json\n{LOAD}", f"import json\n{LOAD}x = 2\n")}, {}),
    "it was there already": ({**HOME, "p/b.py": (f"import json\n{LOAD}x = 1\n", f"import json\n{LOAD}")}, {}),
    "it is there twice": ({**HOME, "p/b.py": (None, f"import json\n{LOAD}{LOAD}")}, {}),
    "it came to two files": ({**HOME, "p/c.py": (None, f"import json\n{LOAD}")}, {}),
    "a file still takes it from where it was": (HOME, {"c.py": "from p.a import load\n"}),
    "a file may still take it from where it was": (HOME, {"c.py": "from p.a import *\nload()\n"}),
    "it is in another language": ({**HOME, "p/b.py": ("", "x"), "p/b.pyw": (None, f"import json\n{LOAD}")}, {}),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_who_takes_something_else_from_another_file_is_an_evolution(name: str) -> None:
    versions, others = ELSEWHERE[name]
    assert classes(versions, others)["u.py"] is EVOLUTION


def test_a_definition_moves_unseen_where_the_repository_can_not_be_searched() -> None:
    assert classes(HOME, Repository({}, can_search=False))["u.py"] is EVOLUTION
    others = {"c.ts": "import {load} from 'other'\nload()\n"}
    assert classes(HOME, others)["u.py"] is REFACTOR
    assert classes(HOME, {"c.toml": "load = 1", "d.py": "load = 1\n"})["u.py"] is REFACTOR


def test_prose_that_moves_stays_prose() -> None:
    assert _moved("a.md", "b.md", "x", "y") == {"b.md": DOCS}
